import { PasswordInput, TextInput, type TextInputProps } from '@mantine/core'
import {
  type ElementType,
  isValidElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  useState,
} from 'react'
import type { Client } from '../../api/client.ts'
import { useChange } from '../../ui/change.ts'
import { fieldError } from '../../ui/field-errors.ts'
import { textOf } from '../../ui/submit.ts'
import { useTexts } from '../../ui/texts.ts'

type Values<Name extends string> = Readonly<Record<Name, string>>
type Choice = string | { readonly value: string; readonly label: string }

/** A field that is sent with its form, with the attributes of its input. */
export type Field<Name extends string> = Omit<TextInputProps, 'name' | 'value' | 'defaultValue'> & {
  /** The API has the same name: a refusal that begins with it is shown at the field. */
  readonly name: Name
  /** The component of the input; left out: one line of text. */
  readonly as?: ElementType
  /** The first value. */
  readonly value?: string | number | boolean | null | undefined
  readonly data?: readonly Choice[]
  readonly rows?: number
  readonly needed?: boolean
  readonly ref?: Ref<HTMLInputElement>
  /** Returns the fault of a value, which may depend on those of other fields. */
  readonly fault?: (value: string, values: Values<Name>) => string | undefined | false
}

export type FieldsProps<Name extends string> = {
  /** In order, with elements among them; `false` for a field that is not asked for now. */
  readonly fields: readonly (Field<Name> | ReactElement | false)[]
  /** Checks other inputs, and shows their faults itself. */
  readonly check?: (() => boolean) | undefined
  /** `form` has the fields that the page adds itself. */
  readonly send: (client: Client, values: Values<Name>, form: FormData) => Promise<unknown>
  /** The field that a refusal is about without naming it, and what stands there. */
  readonly faultOf?: (error: Error) => readonly [name: Name, fault: string] | false
}

/** The fields of a form, and what sends it: a fault stands at its field. */
export function useFields<Name extends string>(props: FieldsProps<Name>) {
  const { fields, check, send, faultOf } = props
  const t = useTexts()
  const [faults, setFaults] = useState<Partial<Values<Name>>>({})
  const { isBusy, error, run } = useChange<[Values<Name>, FormData]>((client, wanted) =>
    send(client, ...wanted),
  )
  const shown = fields.filter(isField)
  const [refused, why] = (error !== null && faultOf?.(error)) || []
  const refusalAt = (name: Name) => (name === refused ? why : fieldError(error, name))
  const isAtField = shown.some(({ name }) => refusalAt(name) !== undefined)
  const submit = (form: FormData, onDone?: () => void) => {
    const values = valuesIn(form, shown)
    const wrong = shown.flatMap(({ name, needed, fault }) => {
      const found = needed && values[name] === '' ? t.needed : fault?.(values[name], values)
      return found ? [[name, found]] : []
    })
    setFaults(Object.fromEntries(wrong))
    const isRight = check?.() ?? true
    if (isRight && wrong.length === 0) run([values, form], onDone)
  }
  const inputs = fields.map((field) => {
    if (!isField(field)) return field
    const { fault: _, ...input } = field
    // The first value of a choice is there when its choices are read.
    const key = input.data?.length === 0 ? `${input.name} unread` : input.name
    return <FieldInput key={key} {...input} error={faults[input.name] ?? refusalAt(input.name)} />
  })
  return { inputs, submit, isBusy, error: isAtField ? null : error }
}

/** Returns true for a field, and false for an element among the fields. */
export function isField<One extends object>(field: One | ReactElement | false): field is One {
  return field !== false && !isValidElement(field)
}

type InputProps = Omit<Field<string>, 'fault'> & { readonly error: ReactNode }

function FieldInput({ as: Input = TextInput, value, needed, ...rest }: InputProps) {
  const first =
    typeof value === 'boolean' ? { defaultChecked: value } : { defaultValue: value ?? '' }
  return <Input {...first} {...rest} />
}

/** Texts without white space around them; passwords may have some. */
function valuesIn<Name extends string>(form: FormData, fields: readonly Field<Name>[]) {
  const values = fields.map(({ name, as }) => [
    name,
    as === PasswordInput ? `${form.get(name) ?? ''}` : textOf(form, name),
  ])
  return Object.fromEntries(values) as Values<Name>
}
