import { Fault, isJsonObject, limits } from '../../kernel/index.ts'

/** Fields of an object that came from outside; nothing is known of their values. */
export type Fields = Readonly<Record<string, unknown>>

/** @throws Fault malformed_request where a body is not an object. */
export function bodyObject(body: unknown): Fields {
  if (isJsonObject(body)) return body
  throw new Fault('malformed_request', 'The body must be a JSON object.')
}

/**
 * An object all of whose fields are known; undefined counts as none.
 * @throws Fault invalid_argument
 */
export function fieldsOf(name: string, value: unknown, known: readonly string[]): Fields {
  if (value === undefined) return {}
  if (!isJsonObject(value)) throw invalid(name, 'must be an object')
  const unknown = Object.keys(value).find((field) => !known.includes(field))
  if (unknown === undefined) return value
  const place = name === 'body' ? '' : `${name}.`
  throw invalid(`${place}${shown(unknown)}`, 'is not a field here')
}

/** @throws Fault invalid_argument unless it is left out or is what this build always does. */
export function onlyDefault(name: string, value: unknown, preset: unknown): void {
  if (value === undefined || JSON.stringify(value) === JSON.stringify(preset)) return
  throw invalid(name, `is not served by this build yet; it can only be ${JSON.stringify(preset)}`)
}

export function invalid(name: string, rule: string): Fault {
  return new Fault('invalid_argument', `${name} ${rule}`)
}

/** Somebody else's text in our sentence: short, and printable. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, limits.nameCharsMax))
}
