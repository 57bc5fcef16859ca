import {
  type BusinessRows,
  type Database,
  int8Array,
  type Queryable,
  rowsByScan,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import type { Periods, Quota, QuotaCaller } from './quotas/quota.ts'

type QuotaRow = {
  readonly solution_id: string
  readonly business_id: string
  readonly caller_id: string
  readonly calls_daily: number | null
  readonly calls_monthly: number | null
}

/** A caller's own quota, with its usage. */
export type Usage = QuotaCaller & {
  readonly quota: Quota
  readonly day_calls: number
  readonly month_calls: number
}

function toCaller({ solution_id, business_id, caller_id }: QuotaRow): QuotaCaller {
  return { exposedId: solution_id, businessId: business_id, callerId: caller_id }
}

function callerArrays(callers: readonly QuotaCaller[]): unknown[] {
  return [
    textArray(callers.map(({ exposedId }) => exposedId)),
    textArray(callers.map(({ businessId }) => businessId)),
    textArray(callers.map(({ callerId }) => callerId)),
  ]
}

export async function readUsages(
  queryable: Queryable,
  callers: readonly QuotaCaller[],
  { day, month, dayUntil, monthUntil }: Periods,
): Promise<Usage[]> {
  const rows = await queryable.rows<QuotaRow & { day_calls: number; month_calls: number }>(
    `select solution_id, business_id, caller_id, calls_daily, calls_monthly,
      case when day between $4::date and $6::date then day_calls else 0 end as day_calls,
      case when month between $5::date and $7::date then month_calls else 0 end as month_calls
    from interface_quota join unnest($1::text[], $2::text[], $3::text[])
      as wanted (solution_id, business_id, caller_id)
      using (solution_id, business_id, caller_id)`,
    [...callerArrays(callers), day, month, dayUntil, monthUntil],
  )
  return rows.map(({ day_calls, month_calls, ...row }) => {
    return { ...toCaller(row), quota: toQuota(row), day_calls, month_calls }
  })
}

/** Stores a quota; the calls counted so far stay counted. */
export async function writeQuota(
  queryable: Queryable,
  { exposedId, businessId, callerId }: QuotaCaller,
  { calls_daily, calls_monthly }: Quota,
  { day, month }: Periods,
): Promise<void> {
  await queryable.run(
    `insert into interface_quota (solution_id, business_id, caller_id, calls_daily, calls_monthly,
      day, month)
    values ($1, $2, $3, $4, $5, $6::date, $7::date)
    on conflict (solution_id, business_id, caller_id) do update
    set calls_daily = excluded.calls_daily, calls_monthly = excluded.calls_monthly`,
    [exposedId, businessId, callerId, calls_daily ?? null, calls_monthly ?? null, day, month],
  )
}

/**
 * Adds counters for callers without a quota of their own. Removes such counters of the same exposed
 * solutions that are not of this month (a later month, from a fast clock, counts as none).
 */
export async function countCallers(
  database: Database,
  callers: readonly QuotaCaller[],
  { day, month, monthUntil }: Periods,
): Promise<void> {
  await database.run(
    `with gone as (
      delete from interface_quota
      where solution_id = any($1::text[]) and calls_daily is null and calls_monthly is null
        and month not between $5::date and $6::date)
    insert into interface_quota (solution_id, business_id, caller_id, day, month)
    select solution_id, business_id, caller_id, $4::date, $5::date
    from unnest($1::text[], $2::text[], $3::text[])
      as wanted (solution_id, business_id, caller_id)
    on conflict do nothing`,
    [...callerArrays(callers), day, month, monthUntil],
  )
}

/**
 * Returns the callers whose quotas count the calls: a caller's own quota if it has one, else the
 * strictest one of its business, else that of the business as a whole, which is the caller ''.
 */
export async function readQuotaOwners(
  queryable: Queryable,
  callers: readonly QuotaCaller[],
): Promise<(QuotaCaller & { readonly ownerId: string })[]> {
  const rows = await queryable.rows<QuotaRow & { owner_id: string | null }>(
    `select solution_id, business_id, wanted.caller_id, owner.caller_id as owner_id
    from unnest($1::text[], $2::text[], $3::text[])
      as wanted (solution_id, business_id, caller_id)
    left join lateral (
      select quota.caller_id from interface_quota quota
      where quota.solution_id = wanted.solution_id and quota.business_id = wanted.business_id
        and (calls_daily is not null or calls_monthly is not null)
      order by quota.caller_id = wanted.caller_id desc, calls_daily nulls last,
        calls_monthly nulls last, quota.caller_id limit 1
    ) owner on true`,
    callerArrays(callers),
  )
  return rows.map(({ owner_id, ...row }) => ({ ...toCaller(row), ownerId: owner_id ?? '' }))
}

/** Deletes all quotas that the solution has set. */
export async function deleteQuotas(transaction: Transaction, solutionId: string): Promise<void> {
  await transaction.run('delete from interface_quota where solution_id = $1', [solutionId])
}

/** The calls granted to a caller, and the quota that is used up first. */
export type Grant = QuotaCaller & {
  readonly granted: number
  readonly quota: Quota
  readonly endsBy: keyof Quota
}

/** `preset`: the limits of a caller that has none of its own. */
export type WantedCalls = {
  readonly caller: QuotaCaller
  readonly calls: number
  readonly preset: Quota
}

type GrantRow = QuotaRow & { granted: number; month_left: number | null }

/**
 * Takes calls from the quotas of callers, as many as are left of each, in one statement. The rows
 * are locked in the order of their keys, so that processes wait for one another. A day or month
 * that has not begun by the clock of any process counts as none: a fast clock wrote it. A caller
 * that is missing in the result has no counter. The commit does not wait for the disk: a power cut
 * may lose the calls of the last moment.
 */
export async function takeCalls(
  database: Database,
  wanted: readonly WantedCalls[],
  { day, month, dayUntil, monthUntil }: Periods,
): Promise<Grant[]> {
  const rows = await database.rows<GrantRow>(
    `with wanted as (
      select solution_id, business_id, caller_id, calls, preset_daily, preset_monthly
      from unnest($1::text[], $2::text[], $3::text[], $6::bigint[], $7::text[], $8::text[])
        as wanted (solution_id, business_id, caller_id, calls, preset_daily, preset_monthly)
    ), locked as (
      select solution_id, business_id, caller_id, calls,
        coalesce(calls_daily, preset_daily::bigint) as calls_daily,
        coalesce(calls_monthly, preset_monthly::bigint) as calls_monthly,
        case when day between $4::date and $9::date then day_calls else 0 end as day_calls,
        case when month between $5::date and $10::date then month_calls else 0 end as month_calls
      from interface_quota quota join wanted using (solution_id, business_id, caller_id)
      order by solution_id, business_id, caller_id for update of quota
    ), counted as (
      select solution_id, business_id, caller_id, calls_daily, calls_monthly, day_calls,
        month_calls,
        greatest(0, least(calls, calls_daily - day_calls, calls_monthly - month_calls)) as granted
      from locked
    ), taken as (
      update interface_quota quota
      set day = case when day <= $9::date then greatest(day, $4::date) else $4::date end,
        month = case when month <= $10::date then greatest(month, $5::date) else $5::date end,
        day_calls = counted.day_calls + granted,
        month_calls = counted.month_calls + granted
      from counted
      where quota.solution_id = counted.solution_id and quota.business_id = counted.business_id
        and quota.caller_id = counted.caller_id and granted > 0
    )
    select solution_id, business_id, caller_id, calls_daily, calls_monthly, granted,
      calls_monthly - month_calls - granted as month_left
    from counted, set_config('synchronous_commit', 'off', true)`,
    [
      ...callerArrays(wanted.map(({ caller }) => caller)),
      day,
      month,
      int8Array(wanted.map(({ calls }) => calls)),
      textArray(wanted.map(({ preset }) => preset.calls_daily?.toString() ?? null)),
      textArray(wanted.map(({ preset }) => preset.calls_monthly?.toString() ?? null)),
      dayUntil,
      monthUntil,
    ],
  )
  return rows.map(({ granted, month_left, ...row }) => {
    const endsBy = month_left !== null && month_left <= 0 ? 'calls_monthly' : 'calls_daily'
    return { ...toCaller(row), granted, quota: toQuota(row), endsBy }
  })
}

function toQuota(row: QuotaRow): Quota {
  const { calls_daily, calls_monthly } = row
  return {
    ...(calls_daily !== null && { calls_daily }),
    ...(calls_monthly !== null && { calls_monthly }),
  }
}

/** The quotas of a business as a caller. */
export const interfaceRows: BusinessRows = rowsByScan('interface_quota')
