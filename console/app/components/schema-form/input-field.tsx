import { NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { fieldKind, type PayloadSchema, plainDescription, Unread } from './schema.ts'

const texts = defineTexts({
  none: ['not given', 'nicht angegeben'],
  yes: ['yes', 'ja'],
  no: ['no', 'nein'],
  preset: (value: string) => [`${value} if it is left empty.`, `${value}, wenn leer.`],
  range: (least: string, most: string) => [
    `From ${least} to ${most}.`,
    `Von ${least} bis ${most}.`,
  ],
  least: (least: string) => [`At least ${least}.`, `Mindestens ${least}.`],
  most: (most: string) => [`At most ${most}.`, `Höchstens ${most}.`],
  json: ['As JSON.', 'Als JSON.'],
})

export type InputProps = {
  readonly name: string
  readonly schema: PayloadSchema
  readonly value: unknown
  /** As refusals name it. */
  readonly place: string
  readonly isRequired: boolean
  readonly faults: Readonly<Record<string, string>>
  /** Undefined: nothing is given. */
  readonly onChange: (value: unknown) => void
}

/** An input: of a text, a number, a choice, or JSON. */
export function InputField(props: InputProps) {
  const { name, schema, value, place, isRequired, faults, onChange } = props
  const t = useTexts(texts)
  const kind = fieldKind(schema)
  const [typed, setTyped] = useState(() => formatValue(value, kind === 'json'))
  const shown = isSame(typed, value, kind) ? typed : formatValue(value, kind === 'json')
  const change = (text: string) => {
    setTyped(text)
    onChange(readText(text, kind))
  }
  const about = useAbout(schema)
  const input = {
    label: name,
    description: about === '' ? undefined : about,
    withAsterisk: isRequired,
    'aria-required': isRequired,
    error: faults[place],
    size: 'xs' as const,
    value: shown,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      change(event.currentTarget.value),
  }
  if (kind === 'choice') {
    const choices = (schema.enum ?? []).map((one) => ({ value: one, label: one }))
    return <NativeSelect {...input} data={[{ value: '', label: t.none }, ...choices]} />
  }
  if (kind === 'boolean') {
    const data = [
      { value: '', label: t.none },
      { value: 'true', label: t.yes },
      { value: 'false', label: t.no },
    ]
    return <NativeSelect {...input} data={data} />
  }
  if (kind === 'json' || kind === 'lines') {
    return <Textarea {...input} autosize minRows={2} maxRows={16} spellCheck={false} />
  }
  if (schema.writeOnly === true) return <PasswordInput {...input} autoComplete="new-password" />
  const mode = kind === 'number' ? 'decimal' : 'text'
  return <TextInput {...input} inputMode={mode} autoComplete="off" />
}

function useAbout(schema: PayloadSchema): string {
  const t = useTexts(texts)
  const { minimum, maximum, default: preset } = schema
  const parts = [plainDescription(schema)]
  if (minimum !== undefined && maximum !== undefined)
    parts.push(t.range(`${minimum}`, `${maximum}`))
  else if (minimum !== undefined) parts.push(t.least(`${minimum}`))
  else if (maximum !== undefined) parts.push(t.most(`${maximum}`))
  if (preset !== undefined) parts.push(t.preset(JSON.stringify(preset)))
  if (fieldKind(schema) === 'json') parts.push(t.json)
  return parts.filter(Boolean).join(' ')
}

/** Returns whether what was typed still stands for the value: `1.` for 1. */
function isSame(typed: string, value: unknown, kind: ReturnType<typeof fieldKind>): boolean {
  return JSON.stringify(readText(typed, kind)) === JSON.stringify(value)
}

function formatValue(value: unknown, isJson: boolean): string {
  if (value === undefined) return ''
  if (value instanceof Unread) return value.text
  return isJson || typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

function readText(text: string, kind: ReturnType<typeof fieldKind>): unknown {
  if (text === '') return undefined
  if (kind === 'boolean') return text === 'true'
  if (kind === 'number') {
    const number = Number(text.trim().replace(',', '.'))
    return text.trim() === '' || !Number.isFinite(number) ? new Unread(text) : number
  }
  if (kind !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    return new Unread(text)
  }
}
