import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import type { Declaration } from '../../api/modules.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { marketTexts } from './texts.ts'

const texts = defineTexts({
  kept: [
    'It is set, and is not shown. Leave it empty to keep it.',
    'Ist gesetzt und wird nicht angezeigt. Leer lassen, um es zu behalten.',
  ],
  none: ['not set', 'nicht gesetzt'],
  number: ['It must be a number.', 'Hier wird eine Zahl erwartet.'],
  integer: ['It must be a whole number.', 'Hier wird eine ganze Zahl erwartet.'],
  yes: ['yes', 'ja'],
  no: ['no', 'nein'],
})

/** The typed values, by the names of the parameters. */
export type ParameterDraft = Readonly<Record<string, string>>

/** A parameter, with its value if a module has one. */
export type Parameter = Declaration & {
  readonly isSet?: boolean
  readonly value?: string | number | boolean | null
}

type Values = Record<string, string | number | boolean | null>

/** The values as they are; a secret that is set is not among them. */
export function toDraft(parameters: readonly Parameter[]): ParameterDraft {
  return Object.fromEntries(parameters.map(({ name, value }) => [name, `${value ?? ''}`]))
}

/** Returns the fault of each field, by its name; the rules are those of the server. */
export function findFaults(
  parameters: readonly Parameter[],
  draft: ParameterDraft,
  kinds: Readonly<Record<'required' | 'number' | 'integer', string>>,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { name, type, required, secret, isSet = false } of parameters) {
    const typed = draft[name] ?? ''
    if (typed === '') {
      if (required && !(secret && isSet)) found[name] = kinds.required
    } else if (type === 'number' && !Number.isFinite(Number(typed))) found[name] = kinds.number
    else if (type === 'integer' && !Number.isSafeInteger(Number(typed))) found[name] = kinds.integer
  }
  return found
}

/** The values to be sent: null takes one away, and a secret that was not typed stays. */
export function toValues(parameters: readonly Parameter[], draft: ParameterDraft): Values {
  const values: Values = {}
  for (const { name, type, secret, isSet = false } of parameters) {
    const typed = draft[name] ?? ''
    if (typed !== '') values[name] = parsed(type, typed)
    else if (isSet && !secret) values[name] = null
  }
  return values
}

function parsed(type: Declaration['type'], typed: string): string | number | boolean {
  if (type === 'string') return typed
  return type === 'boolean' ? typed === 'true' : Number(typed)
}

/** The words of `findFaults`. */
export function useFaultWords() {
  const { required } = useTexts(marketTexts)
  const { number, integer } = useTexts(texts)
  return { required, number, integer }
}

type Props = {
  readonly parameters: readonly Parameter[]
  readonly draft: ParameterDraft
  readonly faults: Readonly<Record<string, string>>
  readonly onChange: (draft: ParameterDraft) => void
}

/** A field for each parameter that a definition declares, by its type. */
export function ParameterFields({ parameters, draft, faults, onChange }: Props) {
  const t = useTexts(texts)
  return parameters.map((parameter) => {
    const { name, description, type, secret, required, isSet = false } = parameter
    const common = {
      label: name,
      description: secret && isSet ? `${description} ${t.kept}`.trim() : description,
      required,
      size: 'xs' as const,
      value: draft[name] ?? '',
      error: faults[name],
      onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
        onChange({ ...draft, [name]: event.currentTarget.value }),
    }
    if (type === 'boolean') {
      const data = [
        { value: '', label: t.none },
        { value: 'true', label: t.yes },
        { value: 'false', label: t.no },
      ]
      return <NativeSelect key={name} {...common} data={data} />
    }
    if (secret) return <PasswordInput key={name} {...common} autoComplete="new-password" />
    return (
      <TextInput
        key={name}
        {...common}
        autoComplete="off"
        inputMode={type === 'string' ? 'text' : 'decimal'}
      />
    )
  })
}
