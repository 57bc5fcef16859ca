import {
  type Database,
  int8Array,
  type Queryable,
  type Transaction,
  textArray,
} from '../../database/index.ts'
import type { Periods, Quota } from './quota.ts'

type QuotaRow = {
  subscription_id: string
  calls_daily: number | null
  calls_monthly: number | null
}

/** A quota with what is used of it. */
export type Usage = {
  readonly quota: Quota
  readonly day_calls: number
  readonly month_calls: number
}

export async function readUsages(
  queryable: Queryable,
  subscriptionIds: readonly string[],
  { day, month }: Periods,
): Promise<Map<string, Usage>> {
  const rows = await queryable.rows<QuotaRow & { day_calls: number; month_calls: number }>(
    `select subscription_id, calls_daily, calls_monthly,
      case when day >= $2::date then day_calls else 0 end as day_calls,
      case when month >= $3::date then month_calls else 0 end as month_calls
    from interface_quota where subscription_id = any ($1::text[]::uuid[])`,
    [textArray(subscriptionIds), day, month],
  )
  return new Map(
    rows.map(({ subscription_id, day_calls, month_calls, ...row }) => {
      return [subscription_id, { quota: quotaOf(row), day_calls, month_calls }]
    }),
  )
}

/** What was called under the quota before goes on counting. */
export async function writeQuota(
  queryable: Queryable,
  solutionId: string,
  subscriptionId: string,
  { calls_daily, calls_monthly }: Quota,
  { day, month }: Periods,
): Promise<void> {
  await queryable.run(
    `insert into interface_quota (solution_id, subscription_id, calls_daily, calls_monthly,
      day, month)
    values ($1, $2, $3, $4, $5::date, $6::date)
    on conflict (subscription_id) do update
    set calls_daily = excluded.calls_daily, calls_monthly = excluded.calls_monthly`,
    [solutionId, subscriptionId, calls_daily ?? null, calls_monthly ?? null, day, month],
  )
}

export async function deleteQuota(queryable: Queryable, subscriptionId: string): Promise<void> {
  await queryable.run('delete from interface_quota where subscription_id = $1', [subscriptionId])
}

/** All that the solution has set. */
export async function deleteQuotas(transaction: Transaction, solutionId: string): Promise<void> {
  await transaction.run('delete from interface_quota where solution_id = $1', [solutionId])
}

/** How many of the calls that were asked for a subscription may make, and what ends them first. */
export type Grant = {
  readonly granted: number
  readonly quota: Quota
  readonly endsBy: keyof Quota
}

type GrantRow = QuotaRow & { granted: number; month_left: number | null }

/**
 * Takes calls from the quotas of subscriptions, as many as are left of each, in one statement. The
 * rows are locked in the order of their ids, so that processes wait for one another and count on
 * from there. A subscription that is missing in the answer has no quota. Its commit does not wait
 * for the disk: a power cut may forget the calls of the last moment, nothing else may.
 */
export async function takeCalls(
  database: Database,
  wanted: ReadonlyMap<string, number>,
  { day, month }: Periods,
): Promise<Map<string, Grant>> {
  const rows = await database.rows<GrantRow>(
    `with wanted as (
      select subscription_id, calls
      from unnest($1::text[]::uuid[], $2::bigint[]) as wanted (subscription_id, calls)
    ), locked as (
      select quota.subscription_id, calls, calls_daily, calls_monthly,
        case when day >= $3::date then day_calls else 0 end as day_calls,
        case when month >= $4::date then month_calls else 0 end as month_calls
      from interface_quota quota join wanted using (subscription_id)
      order by quota.subscription_id for update of quota
    ), counted as (
      select subscription_id, calls_daily, calls_monthly, day_calls, month_calls,
        greatest(0, least(calls, calls_daily - day_calls, calls_monthly - month_calls)) as granted
      from locked
    ), taken as (
      update interface_quota quota
      set day = greatest(quota.day, $3::date), day_calls = counted.day_calls + granted,
        month = greatest(quota.month, $4::date), month_calls = counted.month_calls + granted
      from counted
      where quota.subscription_id = counted.subscription_id and granted > 0
    )
    select subscription_id, calls_daily, calls_monthly, granted,
      calls_monthly - month_calls - granted as month_left
    from counted, set_config('synchronous_commit', 'off', true)`,
    [textArray([...wanted.keys()]), int8Array([...wanted.values()]), day, month],
  )
  return new Map(
    rows.map(({ subscription_id, granted, month_left, ...row }) => {
      const endsBy = month_left !== null && month_left <= 0 ? 'calls_monthly' : 'calls_daily'
      return [subscription_id, { granted, quota: quotaOf(row), endsBy }]
    }),
  )
}

function quotaOf(row: Omit<QuotaRow, 'subscription_id'>): Quota {
  const { calls_daily, calls_monthly } = row
  return {
    ...(calls_daily !== null && { calls_daily }),
    ...(calls_monthly !== null && { calls_monthly }),
  }
}
