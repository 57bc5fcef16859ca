import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { JsonField, parseJson, shownJson } from '../json-field.tsx'
import { faultsIn, type PayloadSchema, type SchemaWords } from './schema.ts'
import { SchemaFields, SecretPlaces } from './schema-fields.tsx'

const texts = defineTexts({
  manner: ['Manner of input', 'Art der Eingabe'],
  form: ['Form', 'Formular'],
  required: ['must be given', 'fehlt'],
  number: ['must be a number', 'muss eine Zahl sein'],
  integer: ['must be a whole number', 'muss eine ganze Zahl sein'],
  json: ['must be JSON', 'muss JSON sein'],
})

const noSecrets: ReadonlySet<string> = new Set()

/** The typed value of the form, or its JSON while that is edited. */
export type SchemaDraft = { readonly value: unknown; readonly json?: string }

/** Returns whether a draft cannot be sent at all, as its JSON is none. */
export function isBroken({ json }: SchemaDraft): boolean {
  return json !== undefined && parseJson(json).problem !== undefined
}

/** Returns the faults of a draft, by place; a text of JSON is for the server to check. */
export function useSchemaFaults(
  schema: PayloadSchema,
  draft: SchemaDraft,
  place: string,
  secrets: ReadonlySet<string> = noSecrets,
) {
  const words: SchemaWords = useTexts(texts)
  return draft.json === undefined ? faultsIn(schema, draft.value, place, words, secrets) : {}
}

type Props = {
  readonly schema: PayloadSchema
  readonly draft: SchemaDraft
  readonly place: string
  readonly jsonLabel: string
  /** True if there is no form, as the schema names no members. */
  readonly isJsonOnly: boolean
  readonly faults: Readonly<Record<string, string>>
  /** The places of secrets that have a value. */
  readonly secrets?: ReadonlySet<string>
  readonly onChange: (draft: SchemaDraft) => void
}

/** A form made from a schema, or its value as JSON: the person switches, and nothing is lost. */
export function SchemaForm(props: Props) {
  const { schema, draft, place, jsonLabel, isJsonOnly, faults, onChange } = props
  const { secrets = noSecrets } = props
  const t = useTexts(texts)
  const [isJson, setJson] = useState(draft.json !== undefined)
  const turn = (manner: string) => {
    const next = manner === 'json'
    if (next) onChange({ value: draft.value, json: shownJson(draft.value ?? {}) })
    else onChange({ value: toObject(draftValue(draft)) })
    setJson(next)
  }
  return (
    <>
      {!isJsonOnly && (
        <SegmentedControl
          size="xs"
          mb="xs"
          aria-label={t.manner}
          value={isJson ? 'json' : 'form'}
          disabled={isBroken(draft)}
          data={[
            { value: 'form', label: t.form },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={turn}
        />
      )}
      {isJson ? (
        <JsonField
          label={jsonLabel}
          text={draft.json ?? ''}
          onChange={(json) => onChange({ value: draft.value, json })}
        />
      ) : (
        <SecretPlaces value={secrets}>
          <SchemaFields
            {...{ schema, place, faults }}
            value={draft.value}
            onChange={(value) => onChange({ value })}
          />
        </SecretPlaces>
      )}
    </>
  )
}

/** The value that a draft stands for. */
export function draftValue({ value, json }: SchemaDraft): unknown {
  return json === undefined ? value : { value: undefined, ...parseJson(json) }.value
}

function toObject(value: unknown): unknown {
  return typeof value === 'object' && !Array.isArray(value) ? value : {}
}
