import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { Client } from '../../../api/client.ts'
import {
  changeConfiguration,
  getServiceSettings,
  removeConfiguration,
  type ServiceConfiguration,
  type ServiceContract,
  type ServiceSettings,
} from '../../../api/solutions.ts'
import { Action } from '../../../components/controls/action.tsx'
import { AskedAction } from '../../../components/dialogs/confirm.tsx'
import { JsonField, parseJson, shownJson } from '../../../components/json-field.tsx'
import { Faint } from '../../../components/line.tsx'
import {
  completeValue,
  computeChange,
  type PayloadSchema,
  placeIn,
  placesIn,
  refusedField,
} from '../../../components/schema-form/schema.ts'
import {
  draftValue,
  isBroken,
  type SchemaDraft,
  SchemaForm,
  useSchemaFaults,
} from '../../../components/schema-form/schema-form.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { pointerKeys } from '../../../ui/field-errors.ts'
import { useSignedIn } from '../../../ui/session.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { LeaveGuard } from '../leave-guard.tsx'
import { inLanguage, settingTexts } from './setting-texts.ts'

const texts = defineTexts({
  parameters: ['Settings (JSON)', 'Einstellungen (JSON)'],
  triggers: ['Settings by event (JSON)', 'Einstellungen je Ereignis (JSON)'],
  none: ['The service has nothing to be set.', 'Der Dienst hat nichts einzustellen.'],
  unsaved: ['Not saved yet.', 'Noch nicht gespeichert.'],
  remove: ['Remove the service', 'Dienst entfernen'],
  removeTitle: (name: string) => [`Remove the service ${name}?`, `Dienst ${name} entfernen?`],
  lost: [
    'Its settings are lost, and its events come no longer. Handlers stay.',
    'Seine Einstellungen gehen verloren, seine Ereignisse bleiben aus; Handler bleiben.',
  ],
})

type Props = { readonly solution: string; readonly stored: ServiceConfiguration }

/** The settings of a service: a form of its schema, or JSON if it has none. */
export function ServiceForm({ solution, stored }: Props) {
  const { client } = useSignedIn()
  // Changes that somebody else makes meanwhile do not replace what is typed.
  const { data, error } = useQuery({
    queryKey: ['service-settings', solution, stored.id, stored.updated_at],
    queryFn: ({ signal }) => getServiceSettings(client, solution, stored.id, signal),
    placeholderData: (before) => before,
  })
  if (error !== null) return <Trouble error={error} />
  if (data === undefined) return null
  if (data.schema !== null && isEmpty(data.schema)) {
    return (
      <Stack gap="sm">
        <EmptyNote />
        <Actions solution={solution} stored={stored} isDirty={false} />
      </Stack>
    )
  }
  return <SettingsForm solution={solution} stored={stored} contract={data} />
}

function isEmpty({ properties, additionalProperties }: PayloadSchema): boolean {
  return Object.keys(properties ?? {}).length === 0 && additionalProperties === false
}

function EmptyNote() {
  const t = useTexts(texts)
  return <Faint>{t.none}</Faint>
}

type Draft = { readonly settings: SchemaDraft; readonly triggers: string }

function toDraft({ values, schema }: ServiceContract, triggers: unknown): Draft {
  const settings = { value: values, ...(schema === null && { json: shownJson(values) }) }
  return { settings, triggers: shownJson(triggers) }
}

const shownText = (draft: Draft) => JSON.stringify([draftValue(draft.settings), draft.triggers])

const place = 'parameters'

type FormProps = Props & { readonly contract: ServiceContract }

/** The schema of the settings, with its texts in the language of the page. */
function useSchema({ schema }: ServiceContract): PayloadSchema {
  const said = useTexts(settingTexts)
  return useMemo(() => inLanguage(schema ?? {}, said), [schema, said])
}

function SettingsForm({ solution, stored, contract }: FormProps) {
  const t = useTexts(texts)
  const { client } = useSignedIn()
  const [base, setBase] = useState({
    contract,
    draft: toDraft(contract, stored.triggers),
    count: 0,
  })
  const [draft, setDraft] = useState(base.draft)
  const [isTried, setTried] = useState(false)
  const schema = useSchema(base.contract)
  const secrets = new Set(base.contract.secrets_set.map(placeOfPointer))
  const faults = useSchemaFaults(schema, draft.settings, place, secrets)
  const isDirty = shownText(draft) !== shownText(base.draft)
  const triggers = { value: undefined, ...parseJson(draft.triggers) }
  const save = useChange<ServiceSettings>(async (_, wanted) => {
    const changed = await changeConfiguration(client, solution, stored.id, wanted)
    const next = await getServiceSettings(client, solution, stored.id)
    const fresh = toDraft(next, changed.triggers)
    // Secrets that were given are set from now on: their fields begin anew.
    setBase({ contract: next, draft: fresh, count: base.count + 1 })
    setDraft(fresh)
    setTried(false)
  })
  const atField = useRefusedField(schema, draft.settings, save.error)
  const submit = () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return
    const whole = completeValue(schema, draftValue(draft.settings))
    const parameters = computeChange(schema, base.contract.values, whole)
    const wanted = { parameters, ...(base.contract.has_triggers && { triggers: triggers.value }) }
    save.run(wanted as ServiceSettings)
  }
  const edit = (settings: SchemaDraft) => {
    setDraft((now) => ({ ...now, settings }))
    // A refusal is about what was sent.
    if (atField !== undefined) save.reset()
  }
  return (
    <Stack gap="sm">
      <SchemaForm
        key={base.count}
        {...{ schema, place, secrets }}
        draft={draft.settings}
        jsonLabel={t.parameters}
        isJsonOnly={base.contract.schema === null}
        faults={{ ...(isTried && faults), ...(atField && { [atField.place]: atField.text }) }}
        onChange={edit}
      />
      {base.contract.has_triggers && (
        <JsonField
          label={t.triggers}
          text={draft.triggers}
          onChange={(text) => setDraft((now) => ({ ...now, triggers: text }))}
        />
      )}
      {save.error !== null && atField === undefined && <Trouble error={save.error} />}
      <Actions {...{ solution, stored, isDirty }}>
        <Action
          text={t.save}
          main
          busy={save.isBusy}
          disabled={!isDirty || isBroken(draft.settings) || triggers.problem !== undefined}
          onClick={submit}
        />
      </Actions>
    </Stack>
  )
}

/** The field that a refusal is about; undefined if it is about none. */
function useRefusedField(schema: PayloadSchema, draft: SchemaDraft, error: Error | null) {
  if (error === null || draft.json !== undefined) return undefined
  const places = placesIn(schema, draft.value, place).toReversed().slice(0, -1)
  return refusedField(error.message, places) ?? refusedField(`${place}.${error.message}`, places)
}

/** `/Providers/apn/Key` as the form names it. */
function placeOfPointer(pointer: string): string {
  return pointerKeys(pointer).reduce<string>((before, name) => placeIn(before, name), place)
}

type ActionProps = Props & { readonly isDirty: boolean; readonly children?: ReactNode }

function Actions({ solution, stored: { id, script_key: key }, isDirty, children }: ActionProps) {
  const t = useTexts(texts)
  const remove = (client: Client) => removeConfiguration(client, solution, id)
  return (
    <>
      <Group gap="xs">
        {children}
        <AskedAction action={t.remove} title={t.removeTitle(key)} loss={t.lost} work={remove} />
        {isDirty && <Faint inline>{t.unsaved}</Faint>}
      </Group>
      <LeaveGuard isDirty={isDirty} />
    </>
  )
}
