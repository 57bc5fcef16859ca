import { Fault, type Json, toJson } from '../../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'
import type { KeyEntry } from '../entry.ts'

/**
 * A command on one key, without time or storage of its own.
 * @param now microseconds.
 */
export type KeyCommand = (entry: KeyEntry | undefined, args: Args, now: number) => KeyCommandResult

export type KeyCommandResult = {
  /** The key's new value; undefined removes the key. The same object means no change. */
  readonly after: KeyEntry | undefined
  /** The script's result, in `value`. */
  readonly value: ScriptValue
}

/** The entry stays as it is. */
export const seen = (entry: KeyEntry | undefined, value: ScriptValue): KeyCommandResult => ({
  after: entry,
  value,
})

/** The arguments of one command, taken one after the other. */
export class Args {
  readonly #command: string
  readonly #values: readonly unknown[]
  #at = 0

  constructor(command: string, values: readonly unknown[]) {
    this.#command = command
    this.#values = values
  }

  get left(): number {
    return this.#values.length - this.#at
  }

  /** Any value that can be kept. */
  value(what: string): Json {
    return plain(this.#next(what))
  }

  /** A name of a field, or a member: a text; a number is taken as its text. */
  name(what: string): string {
    const value = this.#next(what)
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
    if (typeof value === 'string') return value
    throw new Fault('invalid_argument', `${this.#command}: ${what} must be a string`)
  }

  integer(what: string): number {
    const number = asInteger(this.#next(what))
    if (number !== undefined) return number
    throw new Fault('invalid_argument', `${this.#command}: ${what} must be a whole number`)
  }

  /** Any finite number. */
  number(what: string): number {
    const number = asNumber(this.#next(what))
    if (number !== undefined) return number
    throw new Fault('invalid_argument', `${this.#command}: ${what} must be a number`)
  }

  /** All that is left, at least one. */
  names(what: string): string[] {
    const names: string[] = [this.name(what)]
    while (this.left > 0) names.push(this.name(what))
    return names
  }

  values(what: string): Json[] {
    const values: Json[] = [this.value(what)]
    while (this.left > 0) values.push(this.value(what))
    return values
  }

  /** @throws Fault invalid_argument where something is left over. */
  end(): void {
    if (this.left > 0) {
      throw new Fault('invalid_argument', `${this.#command}: too many arguments`)
    }
  }

  #next(what: string): unknown {
    const value = this.#values[this.#at]
    if (value === undefined || value === null) {
      throw new Fault('invalid_argument', `${this.#command}: ${what} is missing`)
    }
    this.#at += 1
    return value
  }
}

/** A whole number, also written as text, as counters may be kept. */
export function asInteger(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^[-+]?\d{1,16}$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

/** A number, also written as text. */
export function asNumber(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (
    typeof text !== 'string' ||
    !/^[-+]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[-+]?\d{1,3})?$/i.test(text)
  ) {
    return undefined
  }
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** @throws Fault invalid_argument for what JSON cannot express, which only whole values may be. */
export function plain(value: unknown): Json {
  return toJson(value, () => {
    return new Fault('invalid_argument', 'bytes that are not UTF-8 can only be a whole value')
  })
}
