import {
  Checkbox,
  type CheckboxProps,
  NativeSelect,
  type NativeSelectProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'

/** A field of which the page keeps the value: `onChange` gets each new one. */
type Kept<Props, Value> = Omit<Props, 'onChange'> & { readonly onChange: (value: Value) => void }

export function TextField({ onChange, ...rest }: Kept<TextInputProps, string>) {
  return <TextInput size="xs" {...rest} onChange={(event) => onChange(event.currentTarget.value)} />
}

/** A text of several lines. */
export function LongField({ onChange, ...rest }: Kept<TextareaProps, string>) {
  return <Textarea size="xs" {...rest} onChange={(event) => onChange(event.currentTarget.value)} />
}

export function SelectField({ onChange, ...rest }: Kept<NativeSelectProps, string>) {
  return (
    <NativeSelect size="xs" {...rest} onChange={(event) => onChange(event.currentTarget.value)} />
  )
}

export function CheckField({ onChange, ...rest }: Kept<CheckboxProps, boolean>) {
  return (
    <Checkbox size="xs" {...rest} onChange={(event) => onChange(event.currentTarget.checked)} />
  )
}
