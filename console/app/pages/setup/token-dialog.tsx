import { Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { createApiToken } from '../../api/people/api-tokens.ts'
import { Action } from '../../components/controls/action.tsx'
import { SelectField } from '../../components/controls/fields.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { createApiTokenForm } from '../../generated/forms.ts'
import { callAsToken } from '../../ui/curl.ts'
import { useShell } from '../../ui/session.tsx'
import { readText } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { RightsFields, useRights } from './rights-fields.tsx'

const texts = defineTexts({
  title: ['New API token', 'Neues API-Token'],
  create: ['Create the token', 'Token anlegen'],
  nameHint: ['What the token is for.', 'Wofür das Token ist.'],
  expires: ['Expires', 'Läuft ab'],
  days: (days: number) => [`after ${days} days`, `nach ${days} Tagen`],
  year: ['after a year', 'nach einem Jahr'],
  date: ['on a date', 'an einem Tag'],
  dateLabel: ['Date', 'Tag'],
  future: ['A day to come.', 'Ein künftiger Tag.'],
  addresses: ['Network addresses', 'Netzadressen'],
  addressesHint: [
    'Ranges from which it is taken, one a line; empty: any.',
    'Bereiche, aus denen es gilt, einer je Zeile; leer: alle.',
  ],
  made: ['Keep the token', 'Token aufbewahren'],
  once: [
    'It is shown only now. Keep it where programs keep secrets.',
    'Es wird nur jetzt gezeigt. Bewahren Sie es auf, wo Programme Geheimnisse haben.',
  ],
  token: ['API token', 'API-Token'],
  call: ['A first call with it', 'Ein erster Aufruf damit'],
  seen: ['I have kept it', 'Ich habe es aufbewahrt'],
})

const dayMs = 86_400_000
const yearDays = 365

/** Creates an API token, then shows its secret once. */
export function TokenDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const draft = useRights()
  const [secret, setSecret] = useState<string>()
  const [expiry, setExpiry] = useState('90')
  if (secret !== undefined) return <SecretDialog secret={secret} onClose={onClose} />
  const isPast = (date: string) => !(expiryMs('date', date) > Date.now()) && t.future
  const choices = [
    { value: '30', label: t.days(30) },
    { value: '90', label: t.days(90) },
    { value: `${yearDays}`, label: t.year },
    { value: 'date', label: t.date },
    { value: 'never', label: t.never },
  ]
  return (
    <FieldsDialog
      title={t.title}
      action={t.create}
      form={createApiTokenForm}
      fields={[
        { name: 'name', label: t.name, description: t.nameHint },
        <RightsFields key="rights" draft={draft} />,
        <SelectField
          key="expiry"
          label={t.expires}
          value={expiry}
          data={choices}
          size="sm"
          onChange={setExpiry}
        />,
        expiry === 'date' && { name: 'date', label: t.dateLabel, type: 'date', fault: isPast },
        {
          name: 'addresses',
          label: t.addresses,
          description: t.addressesHint,
          placeholder: '192.0.2.0/24',
        },
      ]}
      check={draft.check}
      send={async (client, body, form) => {
        const end = expiryMs(expiry, readText(form, 'date'))
        const given = { ...body, ...draft.rights, ...(end > 0 && { expires_at: end }) }
        setSecret(await createApiToken(client, given))
      }}
      onClose={onClose}
      onDone={() => undefined}
    />
  )
}

/** Milliseconds since 1970; 0 for never, NaN without a date. */
function expiryMs(expiry: string, date: string): number {
  if (expiry === 'never') return 0
  if (expiry === 'date') return new Date(`${date}T00:00`).getTime()
  return Date.now() + Number(expiry) * dayMs
}

function SecretDialog(props: { readonly secret: string; readonly onClose: () => void }) {
  const { secret, onClose } = props
  const t = useTexts(texts)
  const { origin } = useShell()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.made}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Text size="sm">{t.once}</Text>
        <CopyText label={t.token} text={secret} />
        <CopyText label={t.call} text={callAsToken(origin, secret)} />
        <Group justify="end">
          <Action text={t.seen} main onClick={onClose} data-autofocus />
        </Group>
      </Stack>
    </Modal>
  )
}
