import { Anchor, Code, CopyButton, Group, NativeSelect, Tabs, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Connector } from '../../api/connectors.ts'
import { type Device, listDevices, putDevice } from '../../api/devices.ts'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { useTarget } from '../../ui/devices/target.ts'
import { chosenEveryMs, useConnectors, useLive } from '../../ui/live-queries.ts'
import { snippets } from '../../ui/snippets.ts'
import { useTexts } from '../../ui/texts.ts'
import styles from './overview.module.css'
import { texts } from './texts.ts'

/** Programs that connect a device, ready to be copied, and the device as it appears. */
export function ConnectPage() {
  const t = useTexts(texts)
  const connectors = useConnectors()
  const [chosen, setChosen] = useState<string>()
  const [identity, setIdentity] = useState('my-device')
  return (
    <>
      <PageHead title={t.connect} />
      <Pane title={t.connect} query={connectors}>
        {(all) => {
          const connector = all.find(({ id }) => id === chosen) ?? all[0]
          if (connector === undefined) return <NoConnector />
          return (
            <>
              <Group align="end" mb="md">
                <NativeSelect
                  label={t.connector}
                  data={all.map(({ id, name }) => ({ value: id, label: name }))}
                  value={connector.id}
                  onChange={({ currentTarget }) => setChosen(currentTarget.value)}
                />
                <TextInput
                  label={t.identity}
                  value={identity}
                  onChange={({ currentTarget }) => setIdentity(currentTarget.value)}
                />
              </Group>
              {identity.trim() !== '' && (
                <Steps
                  key={`${connector.id}/${identity}`}
                  connector={connector}
                  identity={identity.trim()}
                />
              )}
            </>
          )
        }}
      </Pane>
    </>
  )
}

function NoConnector() {
  const t = useTexts(texts)
  return (
    <NextStep>
      {t.noConnector} <Link to="/connectors">{t.toConnectors}</Link>
    </NextStep>
  )
}

type StepsProps = { readonly connector: Connector; readonly identity: string }

/** Identities that hold the text of this one; seen last first, so that a new one is among them. */
const sameTextMax = 50

function Steps({ connector, identity }: StepsProps) {
  const t = useTexts(texts)
  const device = useLive(
    ['connecting', connector.id, identity],
    async (client, signal) => {
      const wanted = { limit: sameTextMax, text: identity }
      const { devices } = await listDevices(client, connector.id, wanted, signal)
      return devices.find((one) => one.identity === identity) ?? null
    },
    { everyMs: chosenEveryMs },
  )
  const whitelist = useChange((client) => putDevice(client, connector.id, identity, {}))
  if (device.data === undefined) return null
  const isKnown = device.data !== null
  return (
    <>
      {!isKnown && !connector.provisioning.generate_identity ? (
        <>
          <NextStep>{t.needsWhitelist}</NextStep>
          <Action
            text={t.whitelist}
            main
            mt="sm"
            busy={whitelist.isBusy}
            onClick={() => whitelist.run({})}
          />
          {whitelist.error !== null && <Trouble error={whitelist.error} />}
        </>
      ) : (
        <Programs connector={connector} identity={identity} />
      )}
      <Appearing connector={connector} identity={identity} device={device.data} />
    </>
  )
}

type AppearingProps = StepsProps & { readonly device: Device | null }

/** Shows whether the device has written since the page was opened. */
function Appearing({ connector, identity, device }: AppearingProps) {
  const t = useTexts(texts)
  const [before] = useState(device?.lastseen ?? null)
  const hasWritten = Object.values(device?.state ?? {}).some(({ reported }) => reported !== null)
  const isNew = hasWritten && device?.lastseen !== before
  if (!isNew) {
    return (
      <Group mt="md" role="status">
        <Badge tone="quiet" icon="clock" text={hasWritten ? t.isThere : t.waiting(identity)} />
      </Group>
    )
  }
  return (
    <Group mt="md" role="status">
      <Badge tone="good" icon="check" text={t.seen(identity)} />
      <Anchor
        component={Link}
        to={`/connectors/${[connector.id, 'devices', identity].map(encodeURIComponent).join('/')}`}
      >
        {t.open}
      </Anchor>
    </Group>
  )
}

function Programs({ connector, identity }: StepsProps) {
  const t = useTexts(texts)
  const { target, error } = useTarget(connector, identity)
  if (Object.keys(connector.resources).length === 0) return <NextStep>{t.noResource}</NextStep>
  if (target === undefined) return error === null ? null : <Trouble error={error} />
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List aria-label={t.programs} mb="sm">
        {snippets.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ id, text }) => (
        <Tabs.Panel key={id} value={id}>
          <Program text={text(target)} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Program({ text }: { readonly text: string }) {
  const t = useTexts(texts)
  return (
    <>
      <Code block className={styles.code} tabIndex={0} aria-label={t.program}>
        {text}
      </Code>
      {/* Browsers give the clipboard only to pages that came over TLS or from this machine. */}
      {window.isSecureContext && (
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Action text={copied ? t.copied : t.copy} mt="xs" onClick={copy} />
          )}
        </CopyButton>
      )}
    </>
  )
}
