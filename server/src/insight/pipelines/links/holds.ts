import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '@millrace/insight-sdk/protocol'
import { type LinkCheck, weekdays } from './link-check.ts'
import { parsePath, valueAtPath } from './path.ts'

type Judged = { readonly ts: number; readonly value: JsonValue }

/**
 * Returns true if a value meets all checks of its inlet or outlet. A value that is not of the kind
 * that a check judges does not meet it.
 */
export function meets(
  checks: readonly LinkCheck[],
  port: 'inlet' | 'outlet',
  at: number,
  judged: Judged,
): boolean {
  return checks.every((check) => {
    const isBefore = check.outlet === undefined
    if (isBefore !== (port === 'inlet')) return true
    return (check[port] ?? at) !== at || holds(check, judged)
  })
}

function holds(check: LinkCheck, { ts, value }: Judged): boolean {
  const answer =
    check.type === 'time' ? isInWindow(check, ts) : judge(check, pickPart(check, value))
  return answer !== undefined && answer !== (check.not ?? false)
}

function pickPart({ path }: LinkCheck, value: JsonValue): JsonValue | undefined {
  return path === undefined ? value : valueAtPath(value, parsePath(path) ?? [])
}

/** Undefined if the value is of another kind. */
function judge(check: LinkCheck, value: JsonValue | undefined): boolean | undefined {
  if (check.type === 'json') {
    return check.equals === undefined
      ? value !== undefined && value !== null
      : isDeepStrictEqual(value, check.equals)
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = check
  if (check.type === 'number' && typeof value === 'number') {
    return value >= minimum && value <= maximum
  }
  if (check.type === 'boolean' && typeof value === 'boolean') return value === check.is
  if (check.type === 'string' && typeof value === 'string') {
    return value.includes(check.contains ?? '')
  }
  return undefined
}

/** A window that ends before it begins goes on to the next day. */
function isInWindow(
  { days, from = '00:00', to = '24:00', timeZone = 'UTC' }: LinkCheck,
  ts: number,
): boolean | undefined {
  const local = localTime(timeZone, ts)
  if (local === undefined) return undefined
  const { day, minute } = local
  const has = (index: number) => {
    const name = weekdays[(index + weekdays.length) % weekdays.length]
    return days === undefined || (name !== undefined && days.includes(name))
  }
  const [begin, end] = [parseMinute(from), parseMinute(to)]
  if (begin < end) return has(day) && minute >= begin && minute < end
  return (has(day) && minute >= begin) || (has(day - 1) && minute < end)
}

function parseMinute(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

/** By time zone; there are only so many of them. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}

/** Undefined for a time of no calendar. */
function localTime(timeZone: string, ts: number) {
  const date = new Date(ts / 1_000)
  if (Number.isNaN(date.getTime())) return undefined
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  )
  const name = parts.get('weekday')?.toLowerCase()
  const day = weekdays.findIndex((one) => one === name)
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
}
