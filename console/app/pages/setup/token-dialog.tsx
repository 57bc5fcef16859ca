import { Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { createApiToken } from '../../api/people/api-tokens.ts'
import type { Rights } from '../../api/people/people.ts'
import { Action } from '../../components/controls/action.tsx'
import { SelectField } from '../../components/controls/fields.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { useChange } from '../../ui/change.ts'
import { callAsToken } from '../../ui/curl.ts'
import { useShell } from '../../ui/session.tsx'
import { linesOf } from '../../ui/settings.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { useFaultTexts } from './faults.ts'
import { RightsFields, useRights } from './rights-fields.tsx'

const texts = defineTexts({
  title: ['New API token', 'Neues API-Token'],
  create: ['Create the token', 'Token anlegen'],
  name: ['Name', 'Name'],
  nameHint: ['What the token is for.', 'Wofür das Token ist.'],
  expires: ['Expires', 'Läuft ab'],
  never: ['never', 'nie'],
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

type Wanted = Rights & {
  readonly name: string
  readonly expires_at?: number
  readonly addresses: readonly string[]
}

/** Creates an API token, then shows its secret once. */
export function TokenDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const faultTexts = useFaultTexts()
  const draft = useRights()
  const [secret, setSecret] = useState<string>()
  const [expiry, setExpiry] = useState('90')
  const [faults, setFaults] = useState<{ name?: string | undefined; date?: string | undefined }>({})
  const { isBusy, error, run } = useChange<Wanted>(async (client, wanted) =>
    setSecret(await createApiToken(client, wanted)),
  )
  if (secret !== undefined) return <SecretDialog secret={secret} onClose={onClose} />
  const submit = (form: FormData) => {
    const name = textOf(form, 'name')
    const end = endOf(expiry, textOf(form, 'date'))
    const isDateWrong = end !== undefined && !(end > Date.now())
    setFaults({
      name: name === '' ? faultTexts.needed : undefined,
      date: isDateWrong ? t.future : undefined,
    })
    if (!draft.check() || name === '' || isDateWrong) return
    const addresses = linesOf(textOf(form, 'addresses'))
    run({ ...draft.rights, name, addresses, ...(end !== undefined && { expires_at: end }) })
  }
  return (
    <FormDialog title={t.title} action={t.create} onSubmit={submit} {...{ isBusy, error, onClose }}>
      <TextInput
        label={t.name}
        description={t.nameHint}
        name="name"
        error={faults.name}
        data-autofocus
      />
      <RightsFields draft={draft} />
      <SelectField
        label={t.expires}
        value={expiry}
        data={[
          { value: '30', label: t.days(30) },
          { value: '90', label: t.days(90) },
          { value: `${yearDays}`, label: t.year },
          { value: 'date', label: t.date },
          { value: 'never', label: t.never },
        ]}
        size="sm"
        onChange={setExpiry}
      />
      {expiry === 'date' && (
        <TextInput type="date" label={t.dateLabel} name="date" error={faults.date} />
      )}
      <Textarea
        label={t.addresses}
        description={t.addressesHint}
        name="addresses"
        rows={2}
        placeholder="192.0.2.0/24"
      />
    </FormDialog>
  )
}

/** Milliseconds since 1970; undefined for never, NaN without a date. */
function endOf(expiry: string, date: string): number | undefined {
  if (expiry === 'never') return undefined
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
