import { Fault, limits } from '../kernel/index.ts'

/** Fields of an object that came from outside; nothing is known of their values. */
export type Fields = Readonly<Record<string, unknown>>

/** The refusal of a field, with the sentence that names it. */
export function invalid(field: string, rule: string): Fault {
  return new Fault('invalid_argument', `${field} ${rule}`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f]/

/** A text of one line. */
export function textField(
  field: string,
  value: unknown,
  { charsMin = 0, charsMax }: { charsMin?: number; charsMax: number },
): string {
  if (typeof value !== 'string') throw invalid(field, 'must be a string')
  if (value.length < charsMin) throw invalid(field, 'must not be empty')
  if (value.length > charsMax) throw invalid(field, `must have at most ${charsMax} characters`)
  if (control.test(value)) throw invalid(field, 'must not hold control characters')
  if (!value.isWellFormed()) throw invalid(field, 'must be well-formed Unicode')
  return value
}

/** A whole number from `min` to `max`. */
export function wholeField(
  field: string,
  value: unknown,
  { min, max }: { min: number; max: number },
): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) {
    return value
  }
  throw invalid(field, `must be a whole number from ${min} to ${max}`)
}

/** An object all of whose fields are known here, where `known` is said. */
export function objectField(field: string, value: unknown, known?: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(field, 'must be an object')
  }
  const stranger = known && Object.keys(value).find((name) => !known.includes(name))
  if (stranger !== undefined) {
    const named = stranger.slice(0, limits.nameCharsMax)
    throw invalid(field, `has no field ${JSON.stringify(named)}`)
  }
  return value as Fields
}

// JSON.stringify escapes a NUL and half of a pair in this spelling, and no other text.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** An object that can be stored as JSON: not too large, and of texts that a database takes. */
export function storableField(field: string, value: unknown, bytesMax: number): Fields {
  const fields = objectField(field, value)
  const text = JSON.stringify(fields)
  if (Buffer.byteLength(text) > bytesMax) throw invalid(field, `has more than ${bytesMax} bytes`)
  if (unstorable.test(text)) throw invalid(field, 'holds a NUL, or Unicode that is not well-formed')
  return fields
}
