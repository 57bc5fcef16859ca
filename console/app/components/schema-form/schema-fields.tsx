import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Badge } from '../badge.tsx'
import { Action } from '../controls/action.tsx'
import { Icon } from '../icon.tsx'
import { Faint } from '../line.tsx'
import { InputField, type InputProps } from './input-field.tsx'
import {
  fieldKind,
  findBranch,
  listBranches,
  mayBeNull,
  type PayloadSchema,
  placeIn,
  plainDescription,
  valueSchema,
} from './schema.ts'
import styles from './schema-form.module.css'

const texts = defineTexts({
  none: ['not given', 'nicht angegeben'],
  add: (name: string) => [`Add to ${name}`, `Zu ${name} hinzufügen`],
  remove: (name: string) => [`Remove ${name}`, `${name} entfernen`],
  newName: (name: string) => [`New name in ${name}`, `Neuer Name in ${name}`],
  nothing: ['none', 'keine'],
  set: ['set', 'gesetzt'],
  replace: ['Replace', 'Ersetzen'],
  keep: ['Keep', 'Behalten'],
  drop: ['Remove', 'Entfernen'],
  dropped: ['It is removed when you save.', 'Wird beim Speichern entfernt.'],
  kept: [
    'A value is set. Nobody can read it; you can replace it.',
    'Ein Wert ist gesetzt. Niemand kann ihn lesen; Sie können ihn ersetzen.',
  ],
})

/** The places of secrets that have a value, which the API does not show. */
export const SecretPlaces = createContext<ReadonlySet<string>>(new Set())

type Props = InputProps

/** The field of a schema: one input, or a group of the fields of its members. */
export function SchemaField(props: Props) {
  const schema = valueSchema(props.schema)
  const named = { ...props, schema, name: schema.title ?? props.name }
  const isSet = useContext(SecretPlaces).has(props.place)
  if (schema.readOnly === true) return <ShownField {...named} />
  if (isSet) return <SecretField {...named} isRemovable={mayBeNull(props.schema)} />
  return <ValueField {...named} />
}

function ValueField(props: Props) {
  const kind = fieldKind(props.schema)
  if (kind === 'object') return <ObjectField {...props} />
  if (kind === 'map') return <MapField {...props} />
  if (kind === 'union') return <UnionField {...props} />
  return kind === 'list' ? <ListField {...props} /> : <InputField {...props} />
}

/** A value that is never entered: a list of texts, or JSON. */
function ShownField({ name, value }: Props) {
  const t = useTexts(texts)
  const text = Array.isArray(value) ? value.join(', ') : JSON.stringify(value ?? '')
  return (
    <Text size="xs">
      {name}: <Faint inline>{text === '' || value === undefined ? t.nothing : text}</Faint>
    </Text>
  )
}

/** A secret that is set: it stays, or another takes its place, or none. */
function SecretField({ isRemovable, ...props }: Props & { readonly isRemovable: boolean }) {
  const t = useTexts(texts)
  const { name, value, place, faults, onChange } = props
  const [isOpen, setOpen] = useState(value !== undefined && value !== null)
  const keep = () => {
    setOpen(false)
    onChange(undefined)
  }
  const button = (label: string, onClick: () => void) => (
    <Action text={label} of={name} small onClick={onClick} />
  )
  if (isOpen) {
    return (
      <div>
        <ValueField {...props} />
        <Group mt={4}>{button(t.keep, keep)}</Group>
      </div>
    )
  }
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{name}</legend>
      <Group gap="xs">
        {value === null ? (
          <>
            <Faint inline>{t.dropped}</Faint>
            {button(t.keep, keep)}
          </>
        ) : (
          <>
            <Badge tone="good" icon="check" text={t.set} />
            {button(t.replace, () => setOpen(true))}
            {isRemovable && button(t.drop, () => onChange(null))}
          </>
        )}
      </Group>
      {value !== null && <Faint>{t.kept}</Faint>}
      <FieldFault fault={faults[place]} />
    </fieldset>
  )
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

/** Required members come first: the order of an object's members is not kept. */
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
            <BinButton
              name={`${name} ${at + 1}`}
              onClick={() => change(items.filter((_, index) => index !== at))}
            />
          </div>
        ))}
        <div>
          <Action text={t.add(name)} onClick={() => change([...items, undefined])} />
        </div>
      </div>
    </Grouped>
  )
}

/** Values by names that a person gives. */
function MapField({ name, isRequired, onChange, ...rest }: Props) {
  const t = useTexts(texts)
  const { schema, value, place, faults } = rest
  const [next, setNext] = useState('')
  const entries = (value ?? {}) as Readonly<Record<string, unknown>>
  const set = useSecretNames(place)
  const change = (all: Readonly<Record<string, unknown>>) =>
    onChange(Object.keys(all).length === 0 && !isRequired ? undefined : all)
  const without = (gone: string) =>
    Object.fromEntries(Object.entries(entries).filter(([one]) => one !== gone))
  const put = (key: string, one: unknown) =>
    change(one === undefined && set.includes(key) ? without(key) : { ...entries, [key]: one })
  const add = () => {
    if (next.trim() === '') return
    put(next.trim(), entries[next.trim()])
    setNext('')
  }
  return (
    <Grouped name={name} {...rest}>
      <div className={styles.fields}>
        {[...new Set([...set, ...Object.keys(entries)])].map((key) => (
          <div key={key} className={styles.item}>
            <SchemaField
              name={key}
              schema={schema.additionalProperties as PayloadSchema}
              value={entries[key]}
              place={placeIn(place, key)}
              isRequired
              faults={faults}
              onChange={(one) => put(key, one)}
            />
            {!set.includes(key) && <BinButton name={key} onClick={() => change(without(key))} />}
          </div>
        ))}
        <Group gap="xs" align="end">
          <TextInput
            label={t.newName(name)}
            size="xs"
            value={next}
            autoComplete="off"
            onChange={({ currentTarget }) => setNext(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              add()
            }}
          />
          <Action text={t.add(name)} onClick={add} />
        </Group>
      </div>
    </Grouped>
  )
}

/** The names in a map whose secrets are set. */
function useSecretNames(place: string): string[] {
  const places = useContext(SecretPlaces)
  return [...places].flatMap((one) => {
    const [, plain, quoted] = /^(?:\.(\w+)|\["([^"]*)"\])$/.exec(one.slice(place.length)) ?? []
    return one.startsWith(place) && (plain ?? quoted) !== undefined ? [`${plain ?? quoted}`] : []
  })
}

function BinButton({ name, onClick }: { readonly name: string; readonly onClick: () => void }) {
  const t = useTexts(texts)
  return (
    <Button variant="default" size="xs" aria-label={t.remove(name)} onClick={onClick}>
      <Icon name="bin" size={14} />
    </Button>
  )
}

/** A choice of objects: which, and its fields. */
function UnionField({ name, isRequired, onChange, ...rest }: Props) {
  const t = useTexts(texts)
  const { schema, value, place, faults } = rest
  const { by = '', branches = [] } = listBranches(schema) ?? {}
  const chosen = findBranch(schema, value)
  const is = (value as Readonly<Record<string, unknown>> | undefined)?.[by]
  const choices = branches.map((one) => `${one.is}`)
  return (
    <Grouped name={name} {...rest}>
      <NativeSelect
        aria-label={name}
        size="xs"
        withAsterisk={isRequired}
        value={`${is ?? ''}`}
        data={[{ value: '', label: t.none }, ...choices]}
        onChange={({ currentTarget: { value: next } }) =>
          onChange(next === '' ? undefined : { [by]: next })
        }
        mb={chosen === undefined ? 0 : 'xs'}
        maw="16rem"
      />
      {chosen !== undefined && (
        <SchemaFields {...{ value, place, faults, onChange }} key={`${is}`} schema={chosen} />
      )}
    </Grouped>
  )
}

type GroupedProps = Pick<Props, 'name' | 'schema' | 'place' | 'faults'> & {
  readonly children: ReactNode
}

function Grouped({ name, schema, place, faults, children }: GroupedProps) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{name}</legend>
      {plainDescription(schema) !== '' && <Faint>{plainDescription(schema)}</Faint>}
      {children}
      <FieldFault fault={faults[place]} />
    </fieldset>
  )
}

function FieldFault({ fault }: { readonly fault: string | undefined }) {
  if (fault === undefined) return null
  return (
    <p role="alert" className={styles.error}>
      {fault}
    </p>
  )
}
