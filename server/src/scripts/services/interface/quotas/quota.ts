import {
  createSettingsParser,
  Nullable,
  StrictObject,
  Type,
} from '../../../../foundation/kernel/index.ts'
import { interfaceLimits } from '../limits.ts'

/**
 * The lead of another process's clock up to which the day or month that it has begun counts. A day
 * or month that begins later was begun by a clock that ran ahead, and is ignored: a quota is not
 * used up until then. All processes of an instance must agree on it.
 */
const quotaLeadMsMax = 60_000

/**
 * The owner of a quota: a caller of a business at an exposed solution. It is a solution, or '' for
 * the business as a whole. It outlives subscriptions.
 */
export type QuotaCaller = {
  readonly exposedId: string
  readonly businessId: string
  readonly callerId: string
  /** True for callers of other businesses: without an own quota they share their business's. */
  readonly shares?: boolean
}

/** Returns a unique key: no id contains a space. */
export function callerKey({ exposedId, businessId, callerId }: QuotaCaller): string {
  return `${exposedId} ${businessId} ${callerId}`
}

/** The number of calls that a caller may make; a missing field is no limit. */
export type Quota = {
  readonly calls_daily?: number | undefined
  readonly calls_monthly?: number | undefined
}

const quotaNames = ['calls_daily', 'calls_monthly'] as const

/** A change of a quota. */
export function createQuotaSchema() {
  const maximum = interfaceLimits.quotaCallsMax
  const calls = (period: string) =>
    Type.Optional(
      Nullable(Type.Integer({ minimum: 0, maximum }), {
        description: `The most calls of a ${period} (UTC); null removes the limit.`,
      }),
    )
  return StrictObject(
    { calls_daily: calls('day'), calls_monthly: calls('month') },
    { description: '`calls_daily`, `calls_monthly`; null removes one.' },
  )
}

const parse = createSettingsParser(createQuotaSchema, 'quota')

/** Changes the limits that are given; null removes one. @throws Fault invalid_argument */
export function changedQuota(before: Quota, value: unknown): Quota {
  const change = parse(value)
  const parts = quotaNames.flatMap((name) => {
    const { [name]: calls = before[name] ?? null } = change
    return calls === null ? [] : [[name, calls] as const]
  })
  return Object.fromEntries(parts)
}

/**
 * The day and the month of a time in UTC, by their first days. Rows up to `dayUntil` and
 * `monthUntil` count as current: another process's clock may be `quotaLeadMsMax` ahead.
 */
export type Periods = {
  readonly day: string
  readonly month: string
  readonly dayUntil: string
  readonly monthUntil: string
}

export function toPeriods(nowMs: number): Periods {
  const day = toDay(nowMs)
  const dayUntil = toDay(nowMs + quotaLeadMsMax)
  return { day, month: toMonth(day), dayUntil, monthUntil: toMonth(dayUntil) }
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function toMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

/** Returns the start of the next period, ISO 8601. */
export function formatReset(name: keyof Quota, { day, month }: Periods): string {
  const start = new Date(`${name === 'calls_daily' ? day : month}T00:00:00Z`)
  if (name === 'calls_daily') start.setUTCDate(start.getUTCDate() + 1)
  else start.setUTCMonth(start.getUTCMonth() + 1)
  return start.toISOString().replace('.000', '')
}
