import {
  Fault,
  isJsonObject,
  type Json,
  type JsonObject,
  limits,
  parseJson,
  toJson,
} from '../../../../foundation/kernel/index.ts'
import { isSid } from '../ids.ts'
import { notificationLimits } from '../limits.ts'

/** Tags of a binding; tags, and identities, of a send or a list. */
const notificationTagsMax = 20

export function refused(field: string, rule: string): Fault {
  return new Fault('invalid_argument', `${field} ${rule}`)
}

/** Undefined where it is left out, null, or an empty string. A number is taken as its text. */
function parseText(field: string, value: unknown, charsMax: number): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text = Number.isFinite(value) ? String(value) : value
  if (typeof text !== 'string') throw refused(field, 'must be a string')
  if (text.length > charsMax) throw refused(field, `has at most ${charsMax} characters`)
  if (text.includes('\0')) throw refused(field, 'holds a NUL')
  return text
}

export function requiredText(field: string, value: unknown, charsMax: number): string {
  const text = parseText(field, value, charsMax)
  if (text === undefined) throw refused(field, 'is missing')
  return text
}

export function parseSid(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '') throw refused(field, 'is missing')
  if (isSid(value)) return value
  throw refused(field, 'must be 34 letters and digits')
}

/**
 * Several texts in one argument: a list, the JSON of one, or one text in which commas divide them.
 * Each is named once.
 */
export function parseList(field: string, value: unknown): readonly string[] {
  if (value === undefined || value === null || value === '') return []
  const items = typeof value === 'string' ? divide(field, value) : listed(value)
  if (!Array.isArray(items)) {
    // An empty table may have come as one with names.
    if (isJsonObject(items) && Object.keys(items).length === 0) return []
    throw refused(field, 'must be a string or a list of strings')
  }
  const texts = items.map((one) =>
    requiredText(field, one, notificationLimits.notificationNameCharsMax),
  )
  const max = notificationTagsMax
  if (new Set(texts).size > max) throw refused(field, `has at most ${max} items`)
  return [...new Set(texts)]
}

function listed(value: unknown): unknown {
  return typeof value === 'number' ? [value] : value
}

function divide(field: string, text: string): unknown {
  if (!text.startsWith('[')) {
    const items = text.split(',', limits.jsonValuesMax + 1)
    if (items.length <= limits.jsonValuesMax) return items.map((one) => one.trim())
    throw refused(field, `has at most ${notificationTagsMax} items`)
  }
  try {
    return parseJson(text)
  } catch {
    throw refused(field, 'begins like a JSON list but is not one')
  }
}

/** A payload: a table, or the text of a JSON object. */
export function parsePayload(field: string, value: unknown): JsonObject | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (Array.isArray(value) && value.length === 0) return undefined
  const read = typeof value === 'string' ? parse(field, value) : plain(field, value)
  if (isJsonObject(read)) return read
  throw refused(field, 'must be a JSON object')
}

function parse(field: string, text: string): unknown {
  if (text.length > notificationLimits.notificationArgumentCharsMax) {
    throw refused(
      field,
      `has at most ${notificationLimits.notificationArgumentCharsMax} characters`,
    )
  }
  try {
    return parseJson(text)
  } catch {
    throw refused(field, 'must be a JSON object')
  }
}

/** @throws Fault invalid_argument for bytes, which JSON cannot say. */
function plain(field: string, value: unknown): Json {
  return toJson(value, () => refused(field, 'holds bytes that are not UTF-8'))
}

/** Whole, and not negative; a number or its digits. */
export function parseWhole(field: string, value: unknown, preset: number, max: number): number {
  if (value === undefined || value === null || value === '') return preset
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max) {
    return number
  }
  throw refused(field, `must be a whole number from 0 to ${max}`)
}

export function parseFlag(field: string, value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 'false') return false
  if (value === true || value === 'true') return true
  throw refused(field, 'must be true or false')
}
