import { invalidField, limits, objectField } from '../../kernel/index.ts'
import { given } from './fields.ts'

/**
 * Who a quota belongs to: a caller of a business at an exposed solution. It is a solution, or ''
 * for the business as a whole. It outlives subscriptions.
 */
export type Caller = {
  readonly exposedId: string
  readonly businessId: string
  readonly callerId: string
  /** Without a quota of its own it shares that of its business; so do all of other businesses. */
  readonly shares?: boolean
}

/** No id holds a space. */
export function callerKey({ exposedId, businessId, callerId }: Caller): string {
  return `${exposedId} ${businessId} ${callerId}`
}

/** How many calls a caller may make; what is missing is no limit. */
export type Quota = { readonly calls_daily?: number; readonly calls_monthly?: number }

export const quotaNames = ['calls_daily', 'calls_monthly'] as const

/** What is said changes, null takes a limit away. @throws Fault invalid_argument */
export function changedQuota(before: Quota, value: unknown): Quota {
  const fields = objectField('quota', value, quotaNames)
  const parts = quotaNames.flatMap((name) => {
    if (fields[name] === null) return []
    const calls = fields[name] ?? before[name]
    return given(calls) ? [[name, callsOf(`quota.${name}`, calls)] as const] : []
  })
  return Object.fromEntries(parts)
}

function callsOf(field: string, value: unknown): number {
  const max = limits.quotaCallsMax
  if (Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max) {
    return Number(value)
  }
  throw invalidField(field, `must be a whole number from 0 to ${max}`)
}

/**
 * The day and the month of a time, as they stand in UTC: their first moments. Those until which
 * another process may be, whose clock is up to `limits.quotaLeadMsMax` ahead, are counted on.
 */
export type Periods = {
  readonly day: string
  readonly month: string
  readonly dayUntil: string
  readonly monthUntil: string
}

export function periodsOf(nowMs: number): Periods {
  const day = dayOf(nowMs)
  const dayUntil = dayOf(nowMs + limits.quotaLeadMsMax)
  return { day, month: monthOf(day), dayUntil, monthUntil: monthOf(dayUntil) }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`
}

/** When the period after this one begins. */
export function resetOf(name: keyof Quota, { day, month }: Periods): string {
  const start = new Date(`${name === 'calls_daily' ? day : month}T00:00:00Z`)
  if (name === 'calls_daily') start.setUTCDate(start.getUTCDate() + 1)
  else start.setUTCMonth(start.getUTCMonth() + 1)
  return start.toISOString().replace('.000', '')
}
