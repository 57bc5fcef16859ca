import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { decodeText, withoutMark } from './text.ts'

/** Any value that JSON can express. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** Fields of an object that came from outside, by name; nothing is known of their values. */
export type Fields = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the place of a value in a document, as a JSON pointer (RFC 6901). */
export function toPointer(...keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The keys of a JSON pointer; none of the pointer to the whole. */
export function pointerKeys(pointer: string): string[] {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * Reads JSON of an outside party, checked by `checkJson`; it may begin with a byte order mark.
 * @throws SyntaxError with the reason; Fault `too_large` past the bounds.
 */
export function parseJson(source: string | Uint8Array, bounds: JsonBounds = jsonBounds()): unknown {
  const text = typeof source === 'string' ? withoutMark(source) : decodeText(source)
  if (text === undefined) throw new SyntaxError('It is not UTF-8.')
  checkJson(text, bounds)
  return JSON.parse(text)
}

/** Reads JSON that Millrace itself wrote. */
export function parseOwnJson<Value>(text: string): Value {
  return JSON.parse(text) as Value
}

/** The most that JSON may hold. A text, also a field's name, costs as much as ten numbers. */
export type JsonBounds = {
  readonly values: number
  readonly texts: number
  /** Fields of one object. */
  readonly fields: number
}

/** The bounds of a text from outside: reading it does not hold the event loop. */
export function jsonBounds(values = limits.jsonValuesMax): JsonBounds {
  return { values, texts: 2 * limits.jsonValuesMax, fields: limits.jsonFieldsMax }
}

/**
 * The bounds of a text that a thread of scripts reads, or that has few bytes: so many values of any
 * kind.
 */
export function anyJson(values: number): JsonBounds {
  return { values, texts: 2 * values, fields: values }
}

/** The characters outside of texts that divide JSON into values, and those of texts. */
export const letters = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
}

/**
 * Refuses what is nested deeper than `limits.jsonDepthMax`, which could be read but not written
 * again, and what holds too many values, before anything is made of it. It counts brackets and
 * commas outside of strings; whether the text is JSON is the parser's to say.
 * @throws SyntaxError; Fault `too_large` past the bounds.
 */
export function checkJson(text: string, bounds: JsonBounds = jsonBounds()): void {
  // A shorter text has no room for it.
  if (text.length <= limits.jsonDepthMax && text.length <= bounds.values) return
  const count = new JsonCount(bounds)
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at)
    count.add(letter)
    if (letter !== letters.quote) continue
    at = text.indexOf('"', at + 1)
    while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
    if (at === -1) return
  }
}

/**
 * Counts the contents of a text of JSON, by its characters outside of strings and the quotes before
 * them.
 */
export class JsonCount {
  readonly #bounds: JsonBounds
  #values = 0
  #texts = 0
  /** The commas in each open list or object. */
  readonly #commas: number[] = []

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
  }

  /** @throws SyntaxError; Fault `too_large` past the bounds. */
  add(letter: number): void {
    switch (letter) {
      case letters.quote:
        this.#texts += 1
        break
      case letters.comma:
        this.#values += 1
        if (this.#commas.length > 0) this.#commas.push((this.#commas.pop() ?? 0) + 1)
        break
      case letters.openBracket:
      case letters.openBrace:
        this.#values += 1
        if (this.#commas.push(0) > limits.jsonDepthMax) {
          throw new SyntaxError(`It is nested deeper than ${limits.jsonDepthMax}.`)
        }
        break
      case letters.closeBracket:
        this.#commas.pop()
        return
      case letters.closeBrace:
        this.#refuseFields((this.#commas.pop() ?? 0) + 1)
        return
      default:
        return
    }
    const { texts, values } = this.#bounds
    if (this.#values > values) throw new Fault('too_large', `It holds more than ${values} values.`)
    if (this.#texts > texts) throw new Fault('too_large', `It holds more than ${texts} texts.`)
  }

  #refuseFields(found: number): void {
    const { fields } = this.#bounds
    if (found <= fields) return
    throw new Fault('too_large', `An object in it has more than ${fields} fields.`)
  }
}

/** Returns whether an odd number of backslashes stands before a quote. */
function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === letters.backslash) slashes += 1
  return slashes % 2 === 1
}

/** The object that a text of an outside party holds, or undefined where it holds anything else. */
export function parseJsonObject(
  source: string | Uint8Array,
  bounds?: JsonBounds,
): JsonObject | undefined {
  try {
    const value = parseJson(source, bounds)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * A script's value as JSON: absent values and numbers that are not finite are null.
 * @throws what `refused` makes, where it holds bytes that are not UTF-8.
 */
export function toJson(value: unknown, refused: () => Error): Json {
  if (value instanceof Uint8Array) throw refused()
  if (Array.isArray(value)) return value.map((inner) => toJson(inner, refused))
  if (isJsonObject(value)) {
    const pairs = Object.entries(value).map(
      ([key, inner]) => [key, toJson(inner, refused)] as const,
    )
    return Object.fromEntries(pairs)
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  return (value ?? null) as Json
}

/**
 * Merges `over` into `base`, name by name. It adds and overrides, and never deletes: null
 * changes nothing.
 */
export function mergeJson(base: JsonObject, over: JsonObject | undefined): JsonObject {
  if (over === undefined) return base
  const merged = new Map<string, Json>(Object.entries(base))
  for (const [name, value] of Object.entries(over)) {
    const before = merged.get(name)
    if (value === null) continue
    const both = isJsonObject(before) && isJsonObject(value)
    merged.set(name, both ? mergeJson(before, value) : value)
  }
  return Object.fromEntries(merged)
}

type Present<Part> = { [Key in keyof Part]: Exclude<Part[Key], undefined> }

/** Returns a copy of an object without the fields that are undefined. */
export function omitUndefined<Part extends object>(part: Part): Present<Part> {
  return Object.fromEntries(
    Object.entries(part).filter(([, value]) => value !== undefined),
  ) as Present<Part>
}

/** Returns an object with these keys, each with its value. */
export function makeRecord<Key extends string, Value>(
  keys: readonly Key[],
  of: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>
}
