import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Icon } from '../icon.tsx'
import { Faint } from '../line.tsx'
import { kindOf, type PayloadSchema, placeIn, Unread } from './schema.ts'
import styles from './schema-form.module.css'

const texts = defineTexts(
  {
    none: 'not given',
    yes: 'yes',
    no: 'no',
    preset: (value: string) => `${value} if it is left empty.`,
    range: (least: string, most: string) => `From ${least} to ${most}.`,
    least: (least: string) => `At least ${least}.`,
    most: (most: string) => `At most ${most}.`,
    add: (name: string) => `Add to ${name}`,
    remove: (name: string) => `Remove ${name}`,
    json: 'As JSON.',
  },
  {
    de: {
      none: 'nicht angegeben',
      yes: 'ja',
      no: 'nein',
      preset: (value: string) => `${value}, wenn leer.`,
      range: (least: string, most: string) => `Von ${least} bis ${most}.`,
      least: (least: string) => `Mindestens ${least}.`,
      most: (most: string) => `Höchstens ${most}.`,
      add: (name: string) => `Zu ${name} hinzufügen`,
      remove: (name: string) => `${name} entfernen`,
      json: 'Als JSON.',
    },
  },
)

type Props = {
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

/** The field of a schema: one input, or a group of the fields of its members. */
export function SchemaField(props: Props) {
  const { schema } = props
  const kind = kindOf(schema)
  if (kind === 'object') return <ObjectField {...props} />
  return kind === 'list' ? <ListField {...props} /> : <InputField {...props} />
}

type FieldsProps = Omit<Props, 'name' | 'isRequired'>

/** The fields of an object's members. */
export function SchemaFields({ schema, value, place, faults, onChange }: FieldsProps) {
  const members = (value ?? {}) as Readonly<Record<string, unknown>>
  const set = (name: string, next: unknown) => {
    const { [name]: _before, ...others } = members
    onChange(next === undefined ? others : { ...others, [name]: next })
  }
  return (
    <div className={styles.fields}>
      {inOrder(schema).map(([name, member]) => (
        <SchemaField
          key={name}
          name={name}
          schema={member}
          value={members[name]}
          place={placeIn(place, name)}
          isRequired={schema.required?.includes(name) === true}
          faults={faults}
          onChange={(next) => set(name, next)}
        />
      ))}
    </div>
  )
}

/** What is required comes first: the order of an object's members is not kept. */
function inOrder({ properties = {}, required = [] }: PayloadSchema) {
  const rank = (name: string) => (required.includes(name) ? 0 : 1)
  return Object.entries(properties).toSorted(([a], [b]) => rank(a) - rank(b))
}

function ObjectField({ name, isRequired, onChange, ...rest }: Props) {
  const change = (next: unknown) =>
    onChange(Object.keys(next as object).length === 0 && !isRequired ? undefined : next)
  return (
    <Grouped name={name} {...rest}>
      <SchemaFields {...rest} onChange={change} />
    </Grouped>
  )
}

function ListField({ name, isRequired, onChange, ...rest }: Props) {
  const t = useTexts(texts)
  const { schema, value, place, faults } = rest
  const items = Array.isArray(value) ? value : []
  const change = (next: readonly unknown[]) =>
    onChange(next.length === 0 && !isRequired ? undefined : next)
  return (
    <Grouped name={name} {...rest}>
      <div className={styles.fields}>
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place.
          <div key={`${items.length} ${at}`} className={styles.item}>
            <SchemaField
              name={`${name} ${at + 1}`}
              schema={schema.items as PayloadSchema}
              value={item}
              place={placeIn(place, at)}
              isRequired
              faults={faults}
              onChange={(next) => change(items.map((one, index) => (index === at ? next : one)))}
            />
            <Button
              variant="default"
              size="xs"
              aria-label={t.remove(`${name} ${at + 1}`)}
              onClick={() => change(items.filter((_, index) => index !== at))}
            >
              <Icon name="bin" size={14} />
            </Button>
          </div>
        ))}
        <div>
          <Button variant="default" size="xs" onClick={() => change([...items, undefined])}>
            {t.add(name)}
          </Button>
        </div>
      </div>
    </Grouped>
  )
}

type GroupedProps = Pick<Props, 'name' | 'schema' | 'place' | 'faults'> & {
  readonly children: ReactNode
}

function Grouped({ name, schema, place, faults, children }: GroupedProps) {
  const fault = faults[place]
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{name}</legend>
      {schema.description !== undefined && <Faint>{schema.description}</Faint>}
      {children}
      {fault !== undefined && (
        <p role="alert" className={styles.error}>
          {fault}
        </p>
      )}
    </fieldset>
  )
}

function InputField({ name, schema, value, place, isRequired, faults, onChange }: Props) {
  const t = useTexts(texts)
  const kind = kindOf(schema)
  const [typed, setTyped] = useState(() => textOf(value, kind === 'json'))
  const shown = isSame(typed, value, kind) ? typed : textOf(value, kind === 'json')
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
  if (kind === 'json') return <Textarea {...input} autosize minRows={2} spellCheck={false} />
  const mode = kind === 'number' ? 'decimal' : 'text'
  return <TextInput {...input} inputMode={mode} autoComplete="off" />
}

function useAbout(schema: PayloadSchema): string {
  const t = useTexts(texts)
  const { description = '', minimum, maximum, default: preset } = schema
  const parts = [description]
  if (minimum !== undefined && maximum !== undefined)
    parts.push(t.range(`${minimum}`, `${maximum}`))
  else if (minimum !== undefined) parts.push(t.least(`${minimum}`))
  else if (maximum !== undefined) parts.push(t.most(`${maximum}`))
  if (preset !== undefined) parts.push(t.preset(JSON.stringify(preset)))
  if (kindOf(schema) === 'json') parts.push(t.json)
  return parts.filter(Boolean).join(' ')
}

/** Whether what was typed still stands for the value: `1.` for 1. */
function isSame(typed: string, value: unknown, kind: ReturnType<typeof kindOf>): boolean {
  return JSON.stringify(readText(typed, kind)) === JSON.stringify(value)
}

function textOf(value: unknown, isJson: boolean): string {
  if (value === undefined) return ''
  if (value instanceof Unread) return value.text
  return isJson || typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

function readText(text: string, kind: ReturnType<typeof kindOf>): unknown {
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
