import { Fault, isJsonObject, limits } from '../../kernel/index.ts'

export type Fields = Readonly<Record<string, unknown>>

export function invalid(field: string, rule: string): Fault {
  return new Fault('invalid_argument', `${field} ${rule}`)
}

/** An object all of whose fields are known. @throws Fault invalid_argument */
export function fieldsOf(field: string, value: unknown, known: readonly string[]): Fields {
  if (!isJsonObject(value)) throw invalid(field, 'must be an object')
  const stranger = Object.keys(value).find((name) => !known.includes(name))
  if (stranger === undefined) return value
  const named = JSON.stringify(stranger.slice(0, limits.nameCharsMax))
  throw invalid(field, `has no field ${named}`)
}

/** @throws Fault invalid_argument */
export function listOf(field: string, value: unknown, max: number): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw invalid(field, 'must be an array')
  if (value.length > max) throw invalid(field, `must have at most ${max} items`)
  return value
}

/** @throws Fault invalid_argument */
export function textOf(field: string, value: unknown, charsMax: number): string {
  if (typeof value !== 'string') throw invalid(field, 'must be a string')
  if (value.length > charsMax) throw invalid(field, `must have at most ${charsMax} characters`)
  return value
}

/** @throws Fault invalid_argument */
export function matching(field: string, value: unknown, pattern: RegExp): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  throw invalid(field, `must match ${pattern.source}`)
}

/** @throws Fault invalid_argument */
export function oneOf<Choice extends string>(
  field: string,
  value: unknown,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === value)
  if (chosen === undefined) throw invalid(field, `must be one of ${choices.join(', ')}`)
  return chosen
}

/** What a script leaves out is nil, which may come as either. */
export function given(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The parts of an object that were said. */
export function said<Part extends object>(part: Part): Said<Part> {
  return Object.fromEntries(
    Object.entries(part).filter(([, value]) => value !== undefined),
  ) as Said<Part>
}

type Said<Part> = { [Key in keyof Part]: Exclude<Part[Key], undefined> }
