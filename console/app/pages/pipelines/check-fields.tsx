import { Checkbox, Fieldset, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { InsightFunction } from '../../api/modules.ts'
import type { PipelineLink } from '../../api/pipelines.ts'
import { Action } from '../../components/controls/action.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: (number: number) => [`Check ${number}`, `Prüfung ${number}`],
  add: ['Add a check', 'Prüfung hinzufügen'],
  remove: (number: number) => [`Remove check ${number}`, `Prüfung ${number} entfernen`],
  type: ['What must hold', 'Was gelten muss'],
  number: ['a number in a range', 'eine Zahl in einem Bereich'],
  boolean: ['a truth value', 'ein Wahrheitswert'],
  string: ['a text that contains', 'ein Text, der enthält'],
  json: ['a JSON value', 'ein JSON-Wert'],
  time: ['a time of the week', 'eine Zeit der Woche'],
  of: ['Of', 'Für'],
  all: ['all inlets', 'alle Eingänge'],
  inlet: (name: string) => [`inlet ${name}`, `Eingang ${name}`],
  outlet: (name: string) => [`outlet ${name}`, `Ausgang ${name}`],
  not: ['Turned round: it must not hold', 'Umgekehrt: Es darf nicht gelten'],
  path: ['Part of a JSON value', 'Teil eines JSON-Werts'],
  minimum: ['At least', 'Mindestens'],
  maximum: ['At most', 'Höchstens'],
  is: ['It is', 'Er ist'],
  true: ['true', 'wahr'],
  false: ['false', 'falsch'],
  contains: ['Text', 'Text'],
  equals: ['Equal to (JSON)', 'Gleich (JSON)'],
  days: ['Days, such as mon, tue', 'Tage, etwa mon, tue'],
  timeZone: ['Time zone', 'Zeitzone'],
})

type Check = NonNullable<PipelineLink['checks']>[number]

const types = ['number', 'boolean', 'string', 'json', 'time'] as const
type CheckType = (typeof types)[number]

/** The fields of each type, all of which may stay empty but `is`. */
const fieldsOf: Readonly<Record<CheckType, readonly (keyof Check)[]>> = {
  number: ['minimum', 'maximum', 'path'],
  boolean: ['path'],
  string: ['contains', 'path'],
  json: ['path', 'equals'],
  time: ['days', 'from', 'to', 'timeZone'],
}

const placeholders: Partial<Record<keyof Check, string>> = {
  path: '$.level',
  from: '08:00',
  to: '18:00',
  timeZone: 'Europe/Berlin',
}

type Props = {
  readonly described: InsightFunction
  readonly checks: readonly Check[]
  readonly faultAt: (place: string) => string | undefined
  readonly onChange: (checks: Check[]) => void
}

/** The conditions on values of inlets and outlets: a form for each check. */
export function CheckFields({ described, checks, faultAt, onChange }: Props) {
  const t = useTexts(texts)
  return (
    <>
      {checks.map((check, at) => (
        <Fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: a check is known by its place
          key={at}
          legend={t.title(at + 1)}
          p="xs"
        >
          <CheckForm
            {...{ described, check }}
            fault={faultAt(`/checks/${at}`)}
            onChange={(next) => onChange(checks.toSpliced(at, 1, next))}
          />
          <Action
            text={t.remove(at + 1)}
            small
            mt="xs"
            onClick={() => onChange(checks.toSpliced(at, 1))}
          />
        </Fieldset>
      ))}
      <Group>
        <Action
          text={t.add}
          icon="plus"
          onClick={() => onChange([...checks, { type: 'number' }])}
        />
      </Group>
    </>
  )
}

type FormProps = {
  readonly described: InsightFunction
  readonly check: Check
  readonly fault: string | undefined
  readonly onChange: (check: Check) => void
}

function CheckForm({ described, check, fault, onChange }: FormProps) {
  const t = useTexts(texts)
  const type = types.find((one) => one === check.type) ?? 'number'
  const { inlet, outlet, not } = check
  const base = {
    ...(inlet !== undefined && { inlet }),
    ...(outlet !== undefined && { outlet }),
    ...(not === true && { not }),
  }
  const become = (next: CheckType): Check =>
    next === 'boolean' ? { ...base, type: next, is: true } : { ...base, type: next }
  const set = (field: keyof Check, value: unknown) => {
    const { [field]: _before, ...others } = check
    onChange((value === undefined ? others : { ...others, [field]: value }) as Check)
  }
  return (
    <>
      <NativeSelect
        label={t.type}
        size="xs"
        value={type}
        error={fault}
        data={types.map((value) => ({ value, label: t[value] }))}
        onChange={({ currentTarget: { value } }) => onChange(become(value as CheckType))}
      />
      {type !== 'time' && <Place {...{ described, check, onChange }} />}
      {type === 'boolean' && (
        <NativeSelect
          label={t.is}
          size="xs"
          value={String(check.is ?? true)}
          data={(['true', 'false'] as const).map((value) => ({ value, label: t[value] }))}
          onChange={({ currentTarget: { value } }) => set('is', value === 'true')}
        />
      )}
      {fieldsOf[type].map((field) => (
        <CheckField
          key={`${type} ${field}`}
          label={t[field as 'path']}
          field={field}
          value={check[field]}
          onChange={(value) => set(field, value)}
        />
      ))}
      <Checkbox
        label={t.not}
        size="xs"
        mt="xs"
        checked={not === true}
        onChange={({ currentTarget: { checked } }) => set('not', checked || undefined)}
      />
    </>
  )
}

/** The inlet or outlet whose values are judged. */
function Place({ described, check, onChange }: Omit<FormProps, 'fault'>) {
  const t = useTexts(texts)
  const { inlet, outlet, ...others } = check
  const chosen = outlet === undefined ? (inlet ?? '') : `out ${outlet}`
  const places = [
    { value: '', label: t.all },
    ...described.inlets.map(({ name }, at) => ({ value: `${at}`, label: t.inlet(name) })),
    ...described.outlets.map(({ name }, at) => ({
      value: `out ${at}`,
      label: t.outlet(name ?? `${at}`),
    })),
  ]
  return (
    <NativeSelect
      label={t.of}
      size="xs"
      value={`${chosen}`}
      data={places}
      onChange={({ currentTarget: { value } }) => {
        const at = Number(value.replace('out ', ''))
        if (value === '') onChange(others)
        else onChange({ ...others, [value.startsWith('out ') ? 'outlet' : 'inlet']: at })
      }}
    />
  )
}

type FieldProps = {
  readonly label: string
  readonly field: keyof Check
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** A value that cannot be read stays as it was typed, so that the server names it. */
function CheckField({ label, field, value, onChange }: FieldProps) {
  const [typed, setTyped] = useState(() => formatValue(field, value))
  return (
    <TextInput
      label={label}
      size="xs"
      value={typed}
      placeholder={placeholders[field]}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next)
        onChange(next.trim() === '' ? undefined : readField(field, next.trim()))
      }}
    />
  )
}

function formatValue(field: keyof Check, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && field === 'days') return value.join(', ')
  return field === 'equals' ? JSON.stringify(value) : String(value)
}

function readField(field: keyof Check, text: string): unknown {
  if (field === 'days') return text.split(/[\s,]+/).filter(Boolean)
  if (field === 'minimum' || field === 'maximum') {
    return Number.isFinite(Number(text)) ? Number(text) : text
  }
  if (field !== 'equals') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
