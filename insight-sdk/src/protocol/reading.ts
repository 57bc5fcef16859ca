import type { JsonValue } from './types.ts'

/**
 * The result of reading: the value with its faults, each a sentence for the module's page and the
 * asset's log; or the one reason why there is no value.
 */
export type Reading<T> =
  | { readonly value: T; readonly complaints: string[]; readonly error?: undefined }
  | Refused
export type Refused = { readonly error: string }

export type JsonObject = { readonly [key: string]: JsonValue }

/** A module decides how much it does wrong; it does not decide how much we write about it. */
const complaintsMax = 50
const quotedCharactersMax = 60

/** Collects sentences: each one once, and only so many. */
export class Complaints {
  readonly #sentences = new Set<string>()
  #left = 0

  add(sentence: string): void {
    if (this.#sentences.size < complaintsMax) this.#sentences.add(sentence)
    else if (!this.#sentences.has(sentence)) this.#left += 1
  }

  list(): string[] {
    const sentences = [...this.#sentences]
    return this.#left === 0 ? sentences : [...sentences, `and ${this.#left} more complaints`]
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a list; none if it is no list. */
export function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** Shortens a received value to one line, for a message. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  if (text.length <= quotedCharactersMax) return text
  return `${text.slice(0, quotedCharactersMax)}…`
}

/** Describes a value's type in words. */
export function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'string') return /^\s*</.test(value) ? 'HTML or XML' : 'a string'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

type Present<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }

/** The same object without the fields that are undefined; their names are not those of others. */
export function present<T extends object>(fields: T): Present<T> {
  const kept: Record<string, unknown> = {}
  // A list of pairs for each value of an answer costs more than reading it.
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name]
  return kept as Present<T>
}

/** Reads the fields of one object and reports those that break the protocol. */
export class Fields {
  readonly #object: JsonObject
  readonly #name: string
  readonly #complaints: Complaints

  /** @param name what the object is, as the subject of a sentence: `inlet 2 of "rms"` */
  constructor(object: JsonObject, name: string, complaints: Complaints) {
    this.#object = object
    this.#name = name
    this.#complaints = complaints
  }

  raw(key: string): JsonValue | undefined {
    return Object.hasOwn(this.#object, key) ? this.#object[key] : undefined
  }

  complain(sentence: string): void {
    this.#complaints.add(`${this.#name}: ${sentence}`)
  }

  /** Reports the fields that the protocol does not define; they are not kept. */
  only(known: readonly string[]): this {
    const extra = Object.keys(this.#object).filter((key) => !known.includes(key))
    if (extra.length > 0) this.complain(`fields that the protocol does not know: ${quote(extra)}`)
    return this
  }

  string(key: string): string | undefined {
    return this.#typed(key, 'a string', (value) => typeof value === 'string') as string | undefined
  }

  number(key: string): number | undefined {
    return this.#typed(key, 'a number', Number.isFinite) as number | undefined
  }

  boolean(key: string): boolean | undefined {
    const value = this.raw(key)
    if (value === 'true' || value === 'false') {
      this.complain(`${key} is the string ${quote(value)}, taken as a boolean`)
      return value === 'true'
    }
    const isBoolean = (given: unknown) => typeof given === 'boolean'
    return this.#typed(key, 'a boolean', isBoolean) as boolean | undefined
  }

  /** An integer, also from a fraction or from digits in a string (with a complaint). */
  integer(key: string): number | undefined {
    const value = this.raw(key)
    if (value === undefined || value === null) return undefined
    if (Number.isSafeInteger(value)) return value as number
    const digits = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
    const taken = Math.trunc(typeof value === 'number' || digits ? Number(value) : Number.NaN)
    if (!Number.isSafeInteger(taken)) {
      this.complain(`${key} is ${quote(value)}, not an integer; it is left out`)
      return undefined
    }
    this.complain(`${key} is ${quote(value)}, taken as ${taken}`)
    return taken
  }

  /** A list of strings; one string is taken as a list of it, an empty one as none. */
  strings(key: string): readonly string[] | undefined {
    const value = this.raw(key)
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string') {
      this.complain(
        value === ''
          ? `${key} is "", taken as any`
          : `${key} is the string ${quote(value)}, taken as a list of one`,
      )
      return value === '' ? undefined : [value]
    }
    if (!Array.isArray(value)) {
      this.complain(`${key} is ${describeType(value)}, not an array of strings; it is left out`)
      return undefined
    }
    const strings = value.filter((item) => typeof item === 'string' && item !== '')
    if (strings.length < value.length) this.complain(`${key} holds items that name nothing`)
    return strings.length === 0 ? undefined : (strings as string[])
  }

  /** Reads one of a few words; another letter case is taken, another word is left out. */
  readWord<T extends string>(key: string, words: readonly T[]): T | undefined {
    const value = this.raw(key)
    if (value === undefined || value === null) return undefined
    const exact = words.find((word) => word === value)
    if (exact !== undefined) return exact
    const near =
      typeof value === 'string'
        ? words.find((word) => word.toLowerCase() === value.toLowerCase())
        : undefined
    const what = `${key} is ${quote(value)}, not one of ${words.join(', ')}`
    this.complain(near === undefined ? `${what}; it is left out` : `${what}; taken as ${near}`)
    return near
  }

  #typed(key: string, kind: string, is: (value: unknown) => boolean): unknown {
    const value = this.raw(key)
    if (value === undefined || value === null) return undefined
    if (is(value)) return value
    this.complain(`${key} is ${describeType(value)}, not ${kind}; it is left out`)
    return undefined
  }
}
