const usPerSecond = 1_000_000
/** Seconds are below this until the year 5138, microseconds above the next one since 1973. */
const secondsBelow = 1e11
const usFrom = 1e14
const pattern = /^\d{1,17}(\.\d{1,6})?$/

/**
 * A time in seconds or in microseconds since 1970, whichever its size says.
 * @returns microseconds; undefined where it is neither, such as milliseconds.
 */
export function parseStamp(text: string): number | undefined {
  if (!pattern.test(text)) return undefined
  const value = Number(text)
  if (value < secondsBelow) return Math.round(value * usPerSecond)
  return value >= usFrom && Number.isSafeInteger(value) ? value : undefined
}
