import { Checkbox, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import { type ChangeEvent, type ElementType, useState } from 'react'
import type { Client } from '../../api/client.ts'
import { useChange } from '../../ui/change.ts'
import { fieldError, isAtField } from '../../ui/field-errors.ts'
import { changedPart, type Form, shownAt, type Typed } from '../../ui/forms.ts'
import { inputFor, useRules } from './rules.ts'

type Attributes = Omit<TextInputProps, 'name' | 'value' | 'error' | 'form'>

/** The field of a setting, with the attributes of its input. */
export type SettingField<Path extends string = string> = Attributes & {
  /** As the API names the setting. */
  readonly path: Path
  /** Left out: as the contract says. */
  readonly as?: ElementType
  readonly data?: readonly { readonly value: string; readonly label: string }[]
  readonly minRows?: number
}

/** The settings that a form changes: those that are stored, and those that a person has typed. */
export type SettingsDraft<Body = unknown> = {
  readonly form: Form<Body>
  /** The object with the stored settings. */
  readonly of: object
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  /** Why the last change was refused: it stands at the field that it is about. */
  readonly error: Error | null
}

type Options<Of extends object, Body> = {
  readonly form: Form<Body>
  readonly stored: Of
  /** Returns what is stored from then on. */
  readonly send: (client: Client, change: Body) => Promise<Of>
}

/** Keeps what is typed, and sends the changed settings alone. After a rejection it stays. */
export function useSettings<Of extends object, Body>({ form, stored, send }: Options<Of, Body>) {
  const [of, setOf] = useState(stored)
  const [typed, onType] = useState<Typed>({})
  const { faultFor } = useRules()
  const { isBusy, error, run } = useChange<Body>(async (client, change) => {
    setOf(await send(client, change))
    onType({})
  })
  const part = changedPart(of, typed, form)
  const isWrong = Object.entries(typed).some(
    ([path, text]) => typeof text === 'string' && faultFor(form[path], text) !== undefined,
  )
  const draft: SettingsDraft<Body> = { form, of, typed, onType, error }
  return {
    draft,
    isBusy,
    isDirty: part !== undefined,
    isWrong,
    /** An error that none of the fields shows. */
    errorBeside: (fields: readonly SettingField[]) =>
      isAtField(
        error,
        fields.map(({ path }) => path),
      )
        ? null
        : error,
    submit: (onDone?: () => void) => part !== undefined && !isWrong && run(part, onDone),
  }
}

/** Fields of settings, in order. */
export function SettingFields<Body>(
  props: SettingsDraft<Body> & { readonly fields: readonly SettingField[] },
) {
  const { fields, ...draft } = props
  return fields.map((field) => <Field key={field.path} {...draft} {...field} />)
}

function Field({ form, of, typed, onType, error, path, ...own }: SettingsDraft & SettingField) {
  const { faultFor, words } = useRules()
  const { rows: _, ...input } = { rows: 0, ...inputFor(form[path]), ...own }
  const { as: Input = TextInput, ...rest } = input as Attributes & { as?: ElementType }
  const stored = shownAt(of, path)
  const isTick = Input === Checkbox
  const value = typed[path] ?? (isTick ? stored === true : stored)
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
    onType({ ...typed, [path]: isTick ? currentTarget.checked : currentTarget.value })
  const refusal = fieldError(error, path)
  const fault = typeof typed[path] === 'string' && faultFor(form[path], typed[path])
  return (
    <Input
      size="xs"
      {...(Input === Textarea && { autosize: true, minRows: 2, maxRows: 8 })}
      {...(typeof value === 'boolean' ? { checked: value } : { value })}
      error={fault || (refusal && words(refusal))}
      {...rest}
      onChange={change}
    />
  )
}
