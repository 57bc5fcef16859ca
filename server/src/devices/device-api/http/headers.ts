import { limits } from '../../../foundation/kernel/index.ts'

const msPerSecond = 1_000
let cachedSecond = -1
let cachedText = ''

/** Exactly RFC 1123 in GMT, as `Date` and `Last-Modified` require it; seconds since 1970 go in. */
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

/** Bytes from `from` up to and not including `to`. */
export type ByteRange = { readonly from: number; readonly to: number }

/**
 * Parses a `Range` header for a content of `size` bytes. Several ranges, another unit and
 * what cannot be read count as no header: the whole thing is then a right answer.
 * @returns `all`, one range, or `none` where the range holds no byte.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'all' | 'none' {
  // The pattern may look at each blank more than once.
  if (header !== undefined && header.length > limits.shortHeaderCharsMax) return 'all'
  const match = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '')
  if (match === null) return 'all'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'all'
  if (first === '') return toRange(Math.max(0, size - Number(last)), size, size)
  if (last === '') return toRange(Number(first), size, size)
  if (Number(first) > Number(last)) return 'all'
  return toRange(Number(first), Number(last) + 1, size)
}

function toRange(from: number, to: number, size: number): ByteRange | 'none' {
  return from >= size ? 'none' : { from, to: Math.min(to, size) }
}
