import { cut, isJsonObject, type JsonObject, parseDecimal } from '../../foundation/kernel/index.ts'

/** Takes a sentence about something odd. */
export type Complain = (sentence: string) => void

const none: JsonObject = {}

/** The object under a name; an empty one where there is nothing or something else. */
export function objectIn(object: JsonObject, name: string, complain: Complain): JsonObject {
  const value = object[name]
  if (isJsonObject(value)) return value
  if (value !== undefined && value !== null) complain(`${name} is not an object`)
  return none
}

/** The text under a name; of a list its first; null for nothing and for ''. */
export function textIn(
  object: JsonObject,
  name: string,
  charsMax: number,
  complain: Complain,
): string | null {
  const found = object[name]
  const value = Array.isArray(found) ? found[0] : found
  if (Array.isArray(found)) complain(`${name} is a list, of which the first is taken`)
  if (value === undefined || value === null) return null
  if (typeof value === 'object') {
    complain(`${name} is not a text`)
    return null
  }
  const text = cut(String(value), charsMax).trim()
  if (String(value).length > charsMax) complain(`${name} is cut to ${charsMax} characters`)
  return text === '' ? null : text
}

/** The number under a name, be it a text; null for nothing and for what is no number. */
export function numberIn(object: JsonObject, name: string, complain: Complain): number | null {
  const value = object[name]
  if (value === undefined || value === null || value === '') return null
  const number = typeof value === 'string' ? parseDecimal(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  complain(`${name} is not a number`)
  return null
}
