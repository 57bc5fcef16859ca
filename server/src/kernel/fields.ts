import { Fault } from './errors.ts'
import { limits } from './limits.ts'

/** Fields of an object that came from outside, by name; nothing is known of their values. */
export type Fields = Readonly<Record<string, unknown>>

/** The refusal of a field, with the sentence that names it. */
export function invalidField(field: string, rule: string): Fault {
  return new Fault('invalid_argument', `${field} ${rule}`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches them
const control = /[\u0000-\u001f\u007f-\u009f]/

/** The rule that a text breaks wherever it is stored and shown; undefined where it breaks none. */
export function refuseText(text: string, charsMax: number): string | undefined {
  if (text.length > charsMax && countChars(text) > charsMax) {
    return `must have at most ${charsMax} characters`
  }
  if (control.test(text)) return 'must not hold control characters'
  if (!text.isWellFormed()) return 'must be well-formed Unicode'
  return undefined
}

/** Characters as a person counts them: code points. */
export function countChars(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

export function textField(
  field: string,
  value: unknown,
  { charsMin = 0, charsMax }: { charsMin?: number; charsMax: number },
): string {
  if (typeof value !== 'string') throw invalidField(field, 'must be a string')
  if (value.length < charsMin) throw invalidField(field, 'must not be empty')
  const refusal = refuseText(value, charsMax)
  if (refusal !== undefined) throw invalidField(field, refusal)
  return value
}

export function choiceField<Choice extends string>(
  field: string,
  value: unknown,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === value)
  if (chosen === undefined) throw invalidField(field, `must be one of ${choices.join(', ')}`)
  return chosen
}

/** An object all of whose fields are known here. */
export function objectField(field: string, value: unknown, known?: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField(field, 'must be an object')
  }
  const unknown = known && Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const named = unknown.slice(0, limits.nameCharsMax)
    throw invalidField(field, `has no field ${JSON.stringify(named)}`)
  }
  return value as Fields
}
