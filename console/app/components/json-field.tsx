import { defineTexts, useTexts } from '../ui/texts.ts'
import { LongField } from './controls/fields.tsx'

const texts = defineTexts({
  invalid: (why: string) => [`This is not JSON: ${why}`, `Das ist kein JSON: ${why}`],
})

/** A text as JSON: its value, or why it is none. */
type Parsed =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly problem: string }

export function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

export function shownJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null'
}

type Props = {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
}

/** JSON that a person edits; what is wrong with it stands below it. */
export function JsonField({ label, text, onChange }: Props) {
  const t = useTexts(texts)
  const { problem } = parseJson(text)
  return (
    <LongField
      label={label}
      value={text}
      error={problem !== undefined && t.invalid(problem)}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      autosize
      minRows={4}
      maxRows={20}
      spellCheck={false}
      size="sm"
      onChange={onChange}
    />
  )
}
