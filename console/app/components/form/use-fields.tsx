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
import { changedPart, type Form, newBody, shownAt, type Typed } from '../../ui/forms.ts'
import { readText } from '../../ui/submit.ts'
import { inputFor, useRules } from './rules.ts'

type Values<Name extends string> = Readonly<Record<Name, string>>
type Choice = string | { readonly value: string; readonly label: string }

/** A field that is sent with its form, with the attributes of its input. */
export type Field<Name extends string> = Omit<TextInputProps, 'name' | 'value' | 'defaultValue'> & {
  /** Its path in the API: a refusal that begins with it is shown at the field. */
  readonly name: Name
  /** The component of the input; left out: one line of text. */
  readonly as?: ElementType
  /** The first value. */
  readonly value?: string | number | boolean | null | undefined
  readonly data?: readonly Choice[]
  readonly rows?: number
  /** Left out: as the contract says. */
  readonly needed?: boolean
  readonly ref?: Ref<HTMLInputElement>
  /** Returns the fault of a value, which may depend on those of other fields. */
  readonly fault?: (value: string, values: Values<Name>) => string | undefined | false
}

export type FieldsProps<Name extends string, Body = Values<Name>> = {
  /** The contract of the body, which has the rules and the kinds of the fields with its paths. */
  readonly form?: Form<Body>
  /** The object that is changed: the body has what differs from it. */
  readonly of?: object | undefined
  /** In order, with elements among them; `false` for a field that is not asked for now. */
  readonly fields: readonly (Field<Name> | ReactElement | false)[]
  /** Checks other inputs, and shows their faults itself. */
  readonly check?: (() => boolean) | undefined
  /**
   * Without a contract, the body has the text of each field. `data` has what the contract does not
   * name, and the inputs that the page adds itself.
   */
  readonly send: (client: Client, body: Body, data: FormData) => Promise<unknown>
  /** The field that a refusal is about without naming it, and what stands there. */
  readonly faultFor?: (error: Error) => readonly [name: Name, fault: string] | false
}

/** The fields of a form, and what sends it: a fault stands at its field. */
export function useFields<Name extends string, Body>(props: FieldsProps<Name, Body>) {
  const { fields, form = {} as Form<Body>, of, check, send, faultFor } = props
  const rules = useRules()
  const [faults, setFaults] = useState<Partial<Values<Name>>>({})
  const change = useChange<[Body, FormData]>((client, wanted) => send(client, ...wanted))
  const shown = fields.filter(isField)
  const names = shown.map(({ name }) => name).join(' ')
  const [sent, setSent] = useState(names)
  // Faults are those of the fields that were sent.
  const isSent = sent === names
  const error = isSent ? change.error : null
  const [refused, why] = (error !== null && faultFor?.(error)) || []
  const refusalAt = (name: Name) => (name === refused ? why : fieldError(error, name))
  const isAtField = shown.some(({ name }) => refusalAt(name) !== undefined)
  const submit = (data: FormData, onDone?: () => void) => {
    const values = valuesIn(data, shown)
    const wrong = shown.flatMap(({ name, needed, fault }) => {
      const found =
        rules.faultFor(form[name], values[name], needed) || fault?.(values[name], values)
      return found ? [[name, found]] : []
    })
    setFaults(Object.fromEntries(wrong))
    setSent(names)
    const isRight = check?.() ?? true
    if (isRight && wrong.length === 0) change.run([makeBody(props, values), data], onDone)
  }
  const inputs = fields.map((field) => {
    if (!isField(field)) return field
    const { fault: _, needed: __, ...own } = field
    const first = of === undefined ? {} : { value: shownAt(of, field.name) }
    const input = { ...inputFor(form[field.name]), ...first, ...own }
    // The first value of a choice is there when its choices are read.
    const key = input.data?.length === 0 ? `${input.name} unread` : input.name
    const refusal = refusalAt(input.name)
    const fault = (isSent && faults[input.name]) || (refusal && rules.words(refusal))
    return <FieldInput key={key} {...input} error={fault} />
  })
  return { inputs, submit, isBusy: change.isBusy, error: isAtField ? null : error }
}

function makeBody<Name extends string, Body>(
  { form, of }: Pick<FieldsProps<Name, Body>, 'form' | 'of'>,
  values: Values<Name>,
): Body {
  if (form === undefined) return values as Body
  const typed: Typed = Object.fromEntries(
    Object.entries<string>(values).map(([path, text]) => {
      return [path, form[path]?.type === 'boolean' ? text !== '' : text]
    }),
  )
  return of === undefined ? newBody(typed, form) : (changedPart(of, typed, form) ?? ({} as Body))
}

/** Returns true for a field, and false for an element among the fields. */
export function isField<One extends object>(field: One | ReactElement | false): field is One {
  return field !== false && !isValidElement(field)
}

type InputProps = Omit<Field<string>, 'fault' | 'needed'> & { readonly error: ReactNode }

function FieldInput({ as: Input = TextInput, value, ...rest }: InputProps) {
  const first =
    typeof value === 'boolean' ? { defaultChecked: value } : { defaultValue: value ?? '' }
  return <Input {...first} {...rest} />
}

/** Texts without white space around them; passwords may have some. */
function valuesIn<Name extends string>(form: FormData, fields: readonly Field<Name>[]) {
  const values = fields.map(({ name, as }) => [
    name,
    as === PasswordInput ? `${form.get(name) ?? ''}` : readText(form, name),
  ])
  return Object.fromEntries(values) as Values<Name>
}
