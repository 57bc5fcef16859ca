const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * The number that a text says: a JSON number, except that leading zeros are let through, because
 * firmware pads. Undefined for anything else, and for what is too large to be finite.
 */
export function numberOf(text: string): number | undefined {
  if (!decimal.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** The truth that a text says: `true` and `1`, `false` and `0`, in these letters only. */
export function booleanOf(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  return undefined
}
