import { limits } from '../../kernel/index.ts'

const msPerSecond = 1_000
let cachedSecond = -1
let cachedText = ''

/** Exactly RFC 1123 in GMT, as `Date` and `Last-Modified` want it; seconds since 1970 go in. */
export function httpDate(seconds: number): string {
  if (seconds !== cachedSecond) {
    cachedSecond = seconds
    cachedText = new Date(seconds * msPerSecond).toUTCString()
  }
  return cachedText
}

/**
 * The moment that an `If-Modified-Since` names, in seconds: unix seconds, `0`, or an HTTP date.
 * Undefined where it is neither.
 */
export function parseModifiedSince(text: string): number | undefined {
  if (text.length > limits.shortHeaderCharsMax) return undefined
  const trimmed = text.trim()
  if (/^\d{1,12}(\.\d+)?$/.test(trimmed)) return Number(trimmed)
  const ms = Date.parse(trimmed)
  return Number.isNaN(ms) ? undefined : ms / msPerSecond
}
