import {
  Checkbox,
  NativeSelect,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import type { ChangeEvent } from 'react'
import { fieldError } from '../../../ui/field-errors.ts'
import { type SettingsDraft, settingPaths } from '../../../ui/settings.ts'
import { useTexts } from '../../../ui/texts.ts'
import { choiceTexts } from './texts.ts'

/** What each field of the settings needs: their draft, its change, and the last refusal. */
export type Fields = {
  readonly draft: SettingsDraft
  readonly set: (part: Partial<SettingsDraft>) => void
  readonly error: Error | null
}

type NamesOf<Value> = {
  [Name in keyof SettingsDraft]: SettingsDraft[Name] extends Value ? Name : never
}[keyof SettingsDraft]
type ChoiceName =
  | 'identityType'
  | 'casing'
  | 'authType'
  | 'reprovision'
  | 'reprovisionData'
  | 'vendor'
  | 'protocol'
type TextName = Exclude<NamesOf<string>, ChoiceName>

type TextProps = Fields & Omit<TextInputProps, 'name' | 'error'> & { readonly name: TextName }

export function TextField({ draft, set, error, name, ...rest }: TextProps) {
  return (
    <TextInput
      {...rest}
      size="xs"
      value={draft[name]}
      error={fieldError(error, settingPaths[name])}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
}

type LinesProps = Fields & Omit<TextareaProps, 'name' | 'error'> & { readonly name: TextName }

export function LinesField({ draft, set, error, name, ...rest }: LinesProps) {
  return (
    <Textarea
      {...rest}
      size="xs"
      autosize
      minRows={2}
      maxRows={8}
      value={draft[name]}
      error={fieldError(error, settingPaths[name])}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
}

type TickProps = Fields & { readonly name: NamesOf<boolean>; readonly label: string }

export function TickField({ draft, set, error, name, label }: TickProps) {
  return (
    <Checkbox
      label={label}
      size="xs"
      checked={draft[name]}
      error={fieldError(error, settingPaths[name])}
      onChange={(event) => set({ [name]: event.currentTarget.checked })}
    />
  )
}

type ChoiceProps<Name extends ChoiceName> = Fields & {
  readonly name: Name
  readonly label: string
  readonly description?: string
  readonly choices: readonly SettingsDraft[Name][]
}

export function ChoiceField<Name extends ChoiceName>(props: ChoiceProps<Name>) {
  const { draft, set, error, name, choices, ...rest } = props
  const words = useTexts(choiceTexts)
  const wordOf = (choice: string) =>
    choice === '' ? words.noVendor : ((words as Record<string, string>)[choice] ?? choice)
  const choose = ({ currentTarget: { value } }: ChangeEvent<HTMLSelectElement>) => {
    const chosen = choices.find((choice) => choice === value)
    if (chosen === undefined) throw new Error('a choice that was not offered')
    set({ [name]: chosen })
  }
  return (
    <NativeSelect
      {...rest}
      size="xs"
      data={choices.map((value) => ({ value, label: wordOf(value) }))}
      value={draft[name]}
      error={fieldError(error, settingPaths[name])}
      onChange={choose}
    />
  )
}
