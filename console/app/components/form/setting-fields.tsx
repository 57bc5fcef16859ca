import { Checkbox, NativeSelect, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import type { ChangeEvent } from 'react'
import { fieldError } from '../../ui/field-errors.ts'
import { shownAt, type Typed } from '../../ui/settings.ts'

type Attributes = Omit<TextInputProps, 'name' | 'value' | 'error'>

/** The field of a setting, with the attributes of its input. */
export type SettingField<Path extends string = string> = Attributes & {
  /** As the API names the setting. */
  readonly path: Path
  /** The fault of the typed text. */
  readonly fault?: string | undefined
  readonly minRows?: number
  /** Left out: one line of text. */
  readonly kind?: 'lines' | 'tick' | 'choice'
  readonly data?: readonly { readonly value: string; readonly label: string }[]
}

export type SettingsDraft = {
  /** The object with the stored settings. */
  readonly of: object
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  /** Why the last change was refused: it stands at the field that it is about. */
  readonly error: Error | null
}

const inputs = { lines: Textarea, tick: Checkbox, choice: NativeSelect, text: TextInput }

/** Fields of settings, in order. */
export function SettingFields(props: SettingsDraft & { readonly fields: readonly SettingField[] }) {
  const { fields, ...draft } = props
  return fields.map((field) => <Field key={field.path} {...draft} {...field} />)
}

function Field({
  of,
  typed,
  onType,
  error,
  path,
  kind,
  fault,
  ...rest
}: SettingsDraft & SettingField) {
  const Input = inputs[kind ?? 'text'] as typeof TextInput
  const value = typed[path] ?? shownAt(of, path)
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
    onType({ ...typed, [path]: kind === 'tick' ? currentTarget.checked : currentTarget.value })
  return (
    <Input
      size="xs"
      {...(kind === 'lines' && { autosize: true, minRows: 2, maxRows: 8 })}
      {...(typeof value === 'boolean' ? { checked: value } : { value })}
      error={fault ?? fieldError(error, path)}
      {...rest}
      onChange={change}
    />
  )
}
