import { describeType, type JsonObject, quote } from '../../protocol/reading.ts'
import type { Evidence } from '../evidence.ts'

/** A row or rule of the specification, and how a module's answers are compared with it. */
export type Row = {
  /** Such as `InsightInfo.type` or `GET /info`. */
  readonly name: string
  /** In the words of the specification. */
  readonly rule: string
  /** Returns a finding for each thing that the rule is about: the fault, or undefined for none. */
  readonly look: (evidence: Evidence) => readonly (string | undefined)[]
}

/** An object of an answer, with the words that name it in a fault. */
export type Found = readonly [where: string, object: JsonObject]

/** Returns the fault of a value, as the end of a sentence, or undefined. */
export type Is = (value: unknown, object: JsonObject) => string | undefined

type FieldRow = {
  /** The table and the field: `InsightInfo.type`. */
  readonly name: string
  readonly rule: string
  readonly required?: boolean
  readonly is: Is
}

/** The rows of one table, each about one field of the objects that `select` finds. */
export function fieldRows(
  select: (evidence: Evidence) => readonly Found[],
  rows: readonly FieldRow[],
): Row[] {
  return rows.map(({ name, rule, required = false, is }) => {
    const key = name.slice(name.indexOf('.') + 1)
    const look = (evidence: Evidence) =>
      select(evidence).flatMap(([where, object]) => {
        const value = Object.hasOwn(object, key) ? object[key] : undefined
        if (value === undefined) return required ? [`${where}: ${key} is missing`] : []
        const fault = is(value, object)
        return [fault === undefined ? undefined : `${where}: ${key} ${fault}`]
      })
    return { name, rule: `${rule}; ${required ? 'required' : 'optional'}`, look }
  })
}

function typed(kind: string, fits: (value: unknown) => boolean): Is {
  return (value) => (fits(value) ? undefined : `is ${describeType(value)}, not ${kind}`)
}

export const isString = typed('a string', (value) => typeof value === 'string')
export const isNumber = typed('a number', Number.isFinite)
export const isBoolean = typed('a boolean', (value) => typeof value === 'boolean')
export const isList = typed('an array', Array.isArray)
export const isObjectValue = typed('an object', (value) => describeType(value) === 'an object')

export const isInteger: Is = (value) =>
  Number.isSafeInteger(value) ? undefined : `is ${quote(value)}, not an integer`

export const isText: Is = (value) =>
  isString(value, {}) ?? (value === '' ? 'is empty, not at least one character' : undefined)

export const isStrings: Is = (value) =>
  isList(value, {}) ?? firstFault(value as readonly unknown[], isString)

export function isOneOf(words: readonly string[]): Is {
  return (value) =>
    words.some((word) => word === value)
      ? undefined
      : `is ${quote(value)}, not one of ${words.join(', ')}`
}

/** An object by language code; each value holds some of these fields, all of them strings. */
export function isTranslations(fields: { readonly [field: string]: Is }): Is {
  return (value, object) => {
    if (isObjectValue(value, object) !== undefined) return isObjectValue(value, object)
    for (const [language, words] of Object.entries(value as JsonObject)) {
      const fault = faultOfWords(words, object, fields)
      if (fault !== undefined) return `of ${quote(language)}: ${fault}`
    }
    return undefined
  }
}

function faultOfWords(
  words: unknown,
  object: JsonObject,
  fields: { readonly [field: string]: Is },
): string | undefined {
  if (isObjectValue(words, object) !== undefined) return isObjectValue(words, object)
  for (const [key, is] of Object.entries(fields)) {
    const value = (words as JsonObject)[key]
    const fault = value === undefined ? undefined : is(value, object)
    if (fault !== undefined) return `${key} ${fault}`
  }
  return undefined
}

/** The fault of the first item that has one, with its index. */
export function firstFault(items: readonly unknown[], is: Is): string | undefined {
  for (const [index, item] of items.entries()) {
    const fault = is(item, {})
    if (fault !== undefined) return `item ${index} ${fault}`
  }
  return undefined
}
