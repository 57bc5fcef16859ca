import { invalidField, limits, objectField } from '../../kernel/index.ts'
import { given } from './fields.ts'

/** How many calls a subscription may make; what is missing is no limit. */
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

/** The day and the month of a time, as they stand in UTC: their first moments. */
export type Periods = { readonly day: string; readonly month: string }

export function periodsOf(nowMs: number): Periods {
  const day = new Date(nowMs).toISOString().slice(0, 10)
  return { day, month: `${day.slice(0, 7)}-01` }
}

/** When the period after this one begins. */
export function resetOf(name: keyof Quota, { day, month }: Periods): string {
  const start = new Date(`${name === 'calls_daily' ? day : month}T00:00:00Z`)
  if (name === 'calls_daily') start.setUTCDate(start.getUTCDate() + 1)
  else start.setUTCMonth(start.getUTCMonth() + 1)
  return start.toISOString().replace('.000', '')
}
