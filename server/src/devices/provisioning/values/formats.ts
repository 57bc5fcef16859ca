import { isDecimal, parseDecimal } from '../../../foundation/kernel/index.ts'

/** The rules of one format of resources. */
type Format = {
  /** Returns why a text does not have the format, as a sentence's end; undefined if it has it. */
  refuse(text: string): string | undefined
  /** Returns the text of a valid value as it is stored. */
  stored(text: string): string
  /** Returns why an item cannot stand in `allowed`; undefined if it can. */
  refuseItem(item: string): string | undefined
  /** Returns the check of valid values against the items of `allowed`. */
  makeMatcher(allowed: readonly string[]): (text: string) => boolean
}

const number: Format = {
  refuse: (text) => (parseDecimal(text) === undefined ? refuseNumber(text) : undefined),
  stored: (text) => text.trim(),
  refuseItem: (item) =>
    numericItem(item) === undefined ? 'must hold numbers or ranges such as 9-11' : undefined,
  makeMatcher(allowed) {
    const ranges = allowed.map(numericItem).filter((one) => one !== undefined)
    return (text) => {
      const value = parseDecimal(text) ?? Number.NaN
      return ranges.some(({ from, to }) => from <= value && value <= to)
    }
  },
}

const string: Format = {
  refuse: () => undefined,
  stored: (text) => text,
  refuseItem: () => undefined,
  makeMatcher(allowed) {
    const literals = new Set(allowed)
    return (text) => literals.has(text)
  },
}

const boolean: Format = {
  refuse: (text) => (parseBoolean(text) === undefined ? 'must be true, false, 1 or 0' : undefined),
  stored: (text) => text,
  refuseItem: (item) =>
    parseBoolean(item) === undefined ? 'must hold true, false, 1 or 0' : undefined,
  makeMatcher(allowed) {
    const booleans = new Set(allowed.map(parseBoolean))
    return (text) => booleans.has(parseBoolean(text))
  },
}

/** All formats; a new one is a row here. */
export const formats = { number, string, boolean } as const

export type ResourceFormat = keyof typeof formats

export const resourceFormats = Object.keys(formats) as readonly ResourceFormat[]

/** Returns why a text is no number, as a sentence's end. */
function refuseNumber(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return 'must be a number: it is empty'
  if (/^[+-]?nan$/i.test(trimmed)) return 'must be a number: nan is none'
  const isInfinite = /^[+-]?inf(?:inity)?$/i.test(trimmed) || isDecimal(trimmed)
  if (isInfinite) return 'must be a number: it is not finite'
  const isComma = /^[+-]?\d*,\d*$/.test(trimmed)
  return isComma ? 'must be a number: it needs a decimal point, not a comma' : 'must be a number'
}

const numeral = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`
const range = new RegExp(`^(${numeral})-(${numeral})$`)

/**
 * Returns the range of one allowed item of a number resource: a literal (`9` allows `9.0` too) or a
 * range with both ends in it (`9-11`, `-5--1`, `0.5-2.5`). Undefined if it is neither, or if the
 * range ends before it starts. `1e-5` is a literal: a number comes before a range.
 */
export function numericItem(item: string): { from: number; to: number } | undefined {
  const literal = parseDecimal(item)
  if (literal !== undefined) return { from: literal, to: literal }
  const [, first = '', last = ''] = range.exec(item) ?? []
  const from = parseDecimal(first)
  const to = parseDecimal(last)
  if (from === undefined || to === undefined || from > to) return undefined
  return { from, to }
}

/** Returns the boolean of a text: `true` and `1`, `false` and `0`, in these letters only. */
function parseBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  return undefined
}
