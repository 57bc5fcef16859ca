import { Checkbox, MultiSelect, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { InsightFunction } from '../../api/modules.ts'
import { toPointer } from '../../ui/field-errors.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { translated, translatedTexts } from '../../ui/translated-texts.ts'

const texts = defineTexts({
  preset: (value: string) => [`as preset (${value})`, `wie voreingestellt (${value})`],
  choose: ['choose', 'wählen'],
  number: ['It must be a number.', 'Hier wird eine Zahl erwartet.'],
  range: (minimum: string, maximum: string) => [
    `From ${minimum} to ${maximum}.`,
    `Von ${minimum} bis ${maximum}.`,
  ],
  least: (minimum: string) => [`At least ${minimum}.`, `Mindestens ${minimum}.`],
  most: (maximum: string) => [`At most ${maximum}.`, `Höchstens ${maximum}.`],
  lines: ['One value in each line.', 'Ein Wert in jeder Zeile.'],
  count: (maximum: number) => [`At most ${maximum} values.`, `Höchstens ${maximum} Werte.`],
})

type Constant = InsightFunction['constants'][number]
type Values = Readonly<Record<string, unknown>>

type Props = {
  readonly described: InsightFunction
  readonly values: Values
  readonly faultAt: (place: string) => string | undefined
  readonly onChange: (values: Record<string, unknown>) => void
}

/** A field for each constant of a function, by its type, its range and its choices. */
export function ConstantFields({ described, values, faultAt, onChange }: Props) {
  const set = (name: string, value: unknown) => {
    const { [name]: _before, ...others } = values
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  return described.constants.map((constant) => (
    <Field
      key={constant.name}
      constant={constant}
      most={described.constantsMultipleMaximum}
      value={values[constant.name]}
      fault={faultAt(toPointer(['constants', constant.name]))}
      onChange={(value) => set(constant.name, value)}
    />
  ))
}

type FieldProps = {
  readonly constant: Constant
  readonly most: number | null
  readonly value: unknown
  readonly fault: string | undefined
  readonly onChange: (value: unknown) => void
}

function Field({ constant, most, value, fault, onChange }: FieldProps) {
  const t = useTexts(texts)
  const { name, type, multiple, translations, default: preset } = constant
  const [typed, setTyped] = useState(() => formatValue(value))
  const about = translated(translations, 'description', constant.description ?? '')
  const count = multiple && most !== null ? t.count(most) : ''
  const rules = [
    about,
    useRange(constant),
    multiple && constant.enum === null ? t.lines : '',
    count,
  ]
  const isNumber = type === 'number'
  const lines = multiple ? typed.split('\n').filter(Boolean) : [typed]
  const wrong = isNumber && typed !== '' && lines.some((one) => !Number.isFinite(Number(one)))
  const common = {
    label: translated(translations, 'name', name),
    description: rules.filter(Boolean).join(' '),
    error: wrong ? t.number : fault,
    size: 'xs' as const,
  }
  if (constant.enum !== null) return <Choice {...{ constant, most, value, common, onChange }} />
  if (type === 'boolean') {
    const isOn = typeof value === 'boolean' ? value : preset === true
    return (
      <Checkbox
        {...common}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  const change = (next: string) => {
    setTyped(next)
    const read = (one: string) => (isNumber && Number.isFinite(Number(one)) ? Number(one) : one)
    if (next === '') onChange(undefined)
    else onChange(multiple ? next.split('\n').filter(Boolean).map(read) : read(next))
  }
  const placeholder = formatValue(preset)
  return multiple ? (
    <Textarea
      {...common}
      autosize
      value={typed}
      placeholder={placeholder}
      onChange={(event) => change(event.currentTarget.value)}
    />
  ) : (
    <TextInput
      {...common}
      value={typed}
      placeholder={placeholder}
      inputMode={isNumber ? 'decimal' : 'text'}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}

type ChoiceProps = Pick<FieldProps, 'constant' | 'most' | 'value' | 'onChange'> & {
  readonly common: {
    readonly label: string
    readonly description: string
    readonly error: string | undefined
    readonly size: 'xs'
  }
}

/** A choice of one of the values that the function presents, or several of them. */
function Choice({ constant, most, value, common, onChange }: ChoiceProps) {
  const t = useTexts(texts)
  const { multiple, translations, default: preset } = constant
  const presented = translatedTexts(translations, constant.enumPresented)
  const choices = (constant.enum ?? []).map((one, at) => ({
    value: JSON.stringify(one),
    label: presented?.[at] ?? String(one),
  }))
  if (multiple) {
    return (
      <MultiSelect
        {...common}
        data={choices}
        searchable
        value={(Array.isArray(value) ? value : []).map((one) => JSON.stringify(one))}
        maxValues={most ?? Number.POSITIVE_INFINITY}
        placeholder={value === undefined ? t.choose : ''}
        onChange={(all) =>
          onChange(all.length === 0 ? undefined : all.map((one) => JSON.parse(one)))
        }
      />
    )
  }
  const none = preset == null ? t.choose : t.preset(String(preset))
  return (
    <NativeSelect
      {...common}
      value={value === undefined ? '' : JSON.stringify(value)}
      data={[{ value: '', label: none }, ...choices]}
      onChange={({ currentTarget: { value: chosen } }) =>
        onChange(chosen === '' ? undefined : JSON.parse(chosen))
      }
    />
  )
}

function useRange({ minimum, maximum }: Constant): string {
  const t = useTexts(texts)
  if (minimum !== null && maximum !== null) return t.range(`${minimum}`, `${maximum}`)
  if (minimum !== null) return t.least(`${minimum}`)
  return maximum === null ? '' : t.most(`${maximum}`)
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('\n')
  return value === undefined || value === null ? '' : String(value)
}
