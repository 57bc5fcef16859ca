import { Fault, refuseUnit } from '../../../foundation/kernel/index.ts'

/** Microseconds of each unit. `m` is a minute, as durations are written in the field. */
const units: Readonly<Record<string, number>> = {
  u: 1,
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
  w: 604_800_000_000,
}

/** The last time that is one: the year 2255, where microseconds leave the exact numbers. */
const timeUsMax = Number.MAX_SAFE_INTEGER

/* The ends of the sentences for a value that is none. */

export const timeRule = 'must be microseconds since 1970, or a text such as 1487021046s'
export const relativeRule = 'must be a text such as -3h (u, ms, s, m, h, d, w)'
export const spanRule = 'must be a text such as 10m (u, ms, s, m, h, d, w)'

/** A number is microseconds; a text may have a unit: `1487021046s`, `1487021046160ms`. */
export function asTime(value: number | string, what: string): number {
  const us = typeof value === 'number' ? value : parseSpan(value, ['u', 'ms', 's'])
  if (us !== undefined && us >= 0 && us < timeUsMax) return Math.floor(us)
  throw new Fault('invalid_argument', `${what} ${timeRule}`)
}

/** The same of a point that is stored: one in seconds or milliseconds would lie in 1970. */
export function asStamp(value: number | string, what: string): number {
  const us = asTime(value, what)
  const refusal = refuseUnit(us)
  if (refusal !== undefined) throw new Fault('invalid_argument', `${what} ${refusal}`)
  return us
}

/** `-3h` is three hours before now. */
export function asRelative(
  text: string | undefined,
  nowUs: number,
  preset: number,
  what: string,
): number {
  if (text === undefined) return preset
  const us = text.startsWith('-') ? parseSpan(text.slice(1), Object.keys(units)) : undefined
  if (us !== undefined) return Math.max(0, nowUs - us)
  throw new Fault('invalid_argument', `${what} ${relativeRule}`)
}

/** `10m`, in microseconds. */
export function asSpan(value: string, what: string): number {
  const us = parseSpan(value, Object.keys(units))
  if (us !== undefined && us >= 1) return us
  throw new Fault('invalid_argument', `${what} ${spanRule}`)
}

function parseSpan(text: string, allowed: readonly string[]): number | undefined {
  const match = /^(\d{1,16})(u|ms|s|m|h|d|w)?$/.exec(text)
  const unit = match?.[2] ?? 'u'
  if (match === null || !allowed.includes(unit)) return undefined
  const us = Number(match[1]) * (units[unit] ?? Number.NaN)
  return Number.isSafeInteger(us) ? us : undefined
}
