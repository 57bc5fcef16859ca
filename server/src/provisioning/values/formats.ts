export const resourceFormats = ['number', 'string', 'boolean'] as const
export type ResourceFormat = (typeof resourceFormats)[number]

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/**
 * Returns the number of a text: decimal, as the formatters of firmware write it: padded with zeros
 * or with blanks on both sides, with a leading `+`, as `.5` or `5.`. Undefined for anything else,
 * and for what is too large to be finite.
 */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim()
  if (!decimal.test(trimmed)) return undefined
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : undefined
}

/** Returns why a text has not the format, as a sentence's end; undefined if it has it. */
export function refuseFormat(format: ResourceFormat, text: string): string | undefined {
  switch (format) {
    case 'string':
      return undefined
    case 'number':
      return numberOf(text) === undefined ? refuseNumber(text) : undefined
    case 'boolean':
      return booleanOf(text) === undefined ? 'must be true, false, 1 or 0' : undefined
  }
}

/** Returns why a text is no number, as a sentence's end. */
function refuseNumber(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return 'must be a number: it is empty'
  if (/^[+-]?nan$/i.test(trimmed)) return 'must be a number: nan is none'
  const isInfinite = /^[+-]?inf(?:inity)?$/i.test(trimmed) || decimal.test(trimmed)
  if (isInfinite) return 'must be a number: it is not finite'
  const isComma = /^[+-]?\d*,\d*$/.test(trimmed)
  return isComma ? 'must be a number: it needs a decimal point, not a comma' : 'must be a number'
}

/** Returns the boolean of a text: `true` and `1`, `false` and `0`, in these letters only. */
export function booleanOf(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  return undefined
}
