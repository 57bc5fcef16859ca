import { Fault } from './errors.ts'
import { limits } from './limits.ts'

/** A text as the database can keep it, no longer than `charsMax`. */
export function cut(text: string, charsMax: number): string {
  return text.replaceAll('\0', '').slice(0, charsMax).toWellFormed()
}

/** @throws Fault `invalid_argument`, as all checks of this file. */
export function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw invalid('a name is missing')
  return checkedText(trimmed, 'a name', limits.nameCharsMax)
}

export function checkedText(text: string, what: string, charsMax: number): string {
  if (text.length > charsMax) throw invalid(`${what} has at most ${charsMax} characters`)
  if (text.includes('\0') || !text.isWellFormed()) {
    throw invalid(`${what} holds characters that no text has`)
  }
  return text
}

export function checkedDescription(text: string | null | undefined): string {
  return checkedText(text ?? '', 'a description', limits.descriptionCharsMax)
}

/** The cursor of a list of what failed, newest first: the time and the id of the last of a page. */
export type FailureKey = { readonly failedAtUs: number; readonly id: string }

/** A page of a list. */
export type PageRange = {
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

export function checkedPage(page: PageRange = {}): { limit: number; offset: number } {
  const limit = page.limit ?? limits.pageDefault
  const offset = page.offset ?? 0
  if (!isCount(limit) || limit > limits.pageMax) {
    throw invalid(`limit is a whole number from 0 to ${limits.pageMax}`)
  }
  if (!isCount(offset)) throw invalid('offset is a whole number, 0 or more')
  return { limit, offset }
}

export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

export function invalid(detail: string): Fault {
  return new Fault('invalid_argument', detail)
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Returns true for a text of a decimal number, finite or not. */
export function isDecimal(text: string): boolean {
  return decimal.test(text.trim())
}

/**
 * Returns the number of a text from outside: decimal, as the formatters of firmware write it:
 * padded with zeros or with blanks on both sides, with a leading `+`, as `.5` or `5.`. Undefined
 * for anything else, such as `0x10` or an empty text, and for what is too large to be finite.
 */
export function parseDecimal(text: string): number | undefined {
  const value = isDecimal(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}
