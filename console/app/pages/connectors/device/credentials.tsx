import { Code, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import {
  cancelRotation,
  type Device,
  type OpenedRotation,
  openRotation,
  type Rotation,
  readRotation,
} from '../../../api/devices.ts'
import { orNull } from '../../../api/or-null.ts'
import { Age } from '../../../components/age.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { Facts } from '../../../components/controls/facts.tsx'
import { FieldsForm } from '../../../components/form/fields-form.tsx'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { useLive } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { moment } from '../../../ui/words.ts'

const texts = defineTexts({
  type: ['Authentication method', 'Authentifizierung'],
  window: ['Activation window until', 'Frist der Aktivierung bis'],
  noWindow: ['no deadline', 'ohne Frist'],
  certificate: ['Certificate', 'Zertifikat'],
  rotation: ['Rotation of the credential', 'Wechsel der Zugangsdaten'],
  none: [
    'No rotation is open. In a rotation the old and the new credential both work, until the ' +
      'device uses the new one or the time is over.',
    'Es läuft kein Wechsel. Während eines Wechsels gelten alte und neue Zugangsdaten, bis das ' +
      'Gerät die neuen benutzt oder die Zeit um ist.',
  ],
  unprovisioned: [
    'A device has a credential once it has activated.',
    'Zugangsdaten hat ein Gerät, sobald es sich aktiviert hat.',
  ],
  how: ['New credential', 'Neue Zugangsdaten'],
  fetch: ['the device fetches it', 'das Gerät holt sie ab'],
  token: ['a token, shown here once', 'ein Token, hier einmal gezeigt'],
  hours: ['Hours for which both work', 'Stunden, in denen beide gelten'],
  open: ['Open a rotation', 'Wechsel beginnen'],
  until: (time: string) => [
    `Open until ${time}: both credentials work.`,
    `Offen bis ${time}: Beide Zugangsdaten gelten.`,
  ],
  fetched: ['The device fetched it', 'Das Gerät hat sie abgeholt'],
  waiting: ['The device has not fetched it yet.', 'Das Gerät hat sie noch nicht abgeholt.'],
  cancel: ['Cancel the rotation', 'Wechsel abbrechen'],
  once: [
    'The new token. It is shown once; copy it now:',
    'Das neue Token. Es wird nur einmal gezeigt; kopieren Sie es jetzt:',
  ],
  copy: ['Copy the token', 'Token kopieren'],
})

type Props = { readonly connector: Connector; readonly device: Device }

/** The authentication of a device, and the rotation of its credential. */
export function Credentials({ connector, device }: Props) {
  const t = useTexts(texts)
  const { type, expire, key } = device.auth
  const isProvisioned = device.status === 'provisioned' || device.status === 'devmode'
  const isWaiting = device.status === 'whitelisted' || device.status === 'reprovision'
  return (
    <>
      <Facts
        facts={[
          [t.type, type],
          isWaiting && [t.window, expire === undefined ? t.noWindow : moment(expire)],
        ]}
      />
      {key !== undefined && (
        <>
          <Faint>{t.certificate}</Faint>
          <Code block>{key}</Code>
        </>
      )}
      <Text component="h2" fw={600} mt="md">
        {t.rotation}
      </Text>
      {isProvisioned ? (
        <RotationPane connector={connector} identity={device.identity} />
      ) : (
        <NextStep>{t.unprovisioned}</NextStep>
      )}
    </>
  )
}

type PaneProps = { readonly connector: Connector; readonly identity: string }

function RotationPane({ connector, identity }: PaneProps) {
  const t = useTexts(texts)
  const [opened, setOpened] = useState<OpenedRotation>()
  const rotation = useLive(['rotation', connector.id, identity], (client, signal) =>
    orNull(readRotation(client, connector.id, identity, signal)),
  )
  const cancel = useChange<undefined>((client) => cancelRotation(client, connector.id, identity))
  const error = rotation.error ?? cancel.error
  return (
    <>
      {rotation.data === null && (
        <>
          <NextStep>{t.none}</NextStep>
          <OpenForm {...{ connector, identity }} onOpened={setOpened} />
        </>
      )}
      {rotation.data != null && (
        <>
          {opened?.token !== undefined && <Token token={opened.token} />}
          <Open rotation={rotation.data} />
          <Action
            text={t.cancel}
            mt="xs"
            busy={cancel.isBusy}
            onClick={() => cancel.run(undefined, () => setOpened(undefined))}
          />
        </>
      )}
      {error !== null && <Trouble error={error} />}
    </>
  )
}

function Open({ rotation: { until, fetched } }: { readonly rotation: Rotation }) {
  const t = useTexts(texts)
  return (
    <Text size="sm" my="xs">
      {t.until(moment(until))} {fetched === null ? t.waiting : t.fetched}{' '}
      {fetched !== null && <Age at={fetched} />}
    </Text>
  )
}

function Token({ token }: { readonly token: string }) {
  const t = useTexts(texts)
  return (
    <div role="status">
      <Text size="sm">{t.once}</Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {token}
      </Code>
      {/* Browsers give the clipboard only to pages that came over TLS or from this machine. */}
      {window.isSecureContext && (
        <Action text={t.copy} small mt={4} onClick={() => navigator.clipboard.writeText(token)} />
      )}
    </div>
  )
}

type FormProps = PaneProps & { readonly onOpened: (rotation: OpenedRotation) => void }

const hoursPreset = '24'

function OpenForm({ connector, identity, onOpened }: FormProps) {
  const t = useTexts(texts)
  const ways = (['fetch', 'token'] as const).map((value) => ({ value, label: t[value] }))
  return (
    <FieldsForm
      action={t.open}
      fields={[
        { name: 'how', as: NativeSelect, label: t.how, data: ways },
        { name: 'hours', label: t.hours, inputMode: 'numeric', value: hoursPreset },
      ]}
      send={async (client, { how, hours }) => {
        const auth = how === 'token' && { auth: { type: 'token' as const } }
        const part = { hours: Number(hours), ...auth }
        onOpened(await openRotation(client, connector.id, identity, part))
      }}
    />
  )
}
