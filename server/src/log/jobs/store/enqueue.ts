import {
  databaseClock,
  int8Array,
  type Queryable,
  type Statement,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import { fnv1a } from '../../../foundation/kernel/index.ts'
import type { JobFailure, JobKey, JobRef, PendingKey } from '../job.ts'

export type JobState = 'waiting' | 'running' | 'dead'

/** A job as a row. */
export type JobRow = {
  readonly tenant: string
  readonly id: string
  readonly businessId: string
  readonly part: number
  readonly key: string | null
  readonly state: JobState
  readonly input: string
  readonly attempts: number
  readonly dueAtUs: number
  readonly failure: JobFailure | undefined
}

/** @param state the expression of a row's state. */
const insertWith = (state: string) => `
  insert into jobs_job (queue, tenant, id, business_id, key, state, input, step, reason, detail,
    part, attempts, due_at, owner, leased_until, created_at, updated_at)
  select $1, t, i, b, k, s, c, st, re, de, p::smallint,
    case when s = asked then a else 0 end::integer, du,
    case when s = 'running' then $2 end,
    case when s = 'running' then ${databaseClock} + $3::bigint else 0 end, $4::bigint, $4::bigint
  from (
    select t, i, b, k, ${state} as s, s as asked, c, st, re, de, p, a, du, ord
    from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
      $11::text[], $12::text[], $13::text[], $14::bigint[], $15::bigint[], $16::bigint[])
      with ordinality as g (t, i, b, k, s, c, st, re, de, p, a, du, ord)) as given
  order by ord`

const insertText = insertWith('s')

/** A job whose key has others waits behind them. */
const insertFreeText = `${insertWith(`
  case when s = 'running' and exists (
    select 1 from jobs_job e
    where e.queue = $1 and e.tenant = t and e.key = k and e.state <> 'dead')
  then 'waiting' else s end`)}
  returning tenant, id, state`

type Lease = { readonly owner: string; readonly forUs: number }

/** The statement that inserts jobs in their order, which is that of their numbers. */
export function insertStatement(
  queue: string,
  rows: readonly JobRow[],
  lease: Lease,
  nowUs: number,
): Statement {
  return { text: insertText, values: toValues(queue, rows, lease, nowUs) }
}

/**
 * The same; those that are to run wait instead if their key has other jobs. Two transactions at
 * once do not see each other's rows: `lockKeys` comes before it. Its rows are `FreeRow`s.
 */
export function insertFreeStatement(
  queue: string,
  rows: readonly JobRow[],
  lease: Lease,
  nowUs: number,
): Statement {
  return { text: insertFreeText, values: toValues(queue, rows, lease, nowUs) }
}

/** A job that was stored, with its state. */
export type FreeRow = JobRef & { readonly state: JobState }

/** The rows of `jobs_key_lock`. */
const keyLocks = 1_024

const lockText = `
  select slot from jobs_key_lock where slot = any($1::bigint[])
  order by slot for no key update`

/**
 * Locks keys until the end of the transaction. @returns those that no other transaction has locked.
 */
export async function lockKeys(
  transaction: Transaction,
  queue: string,
  keys: readonly JobKey[],
): Promise<JobKey[]> {
  const { values } = lockStatement(queue, keys)
  const locked = await transaction.rows<{ slot: number }>(`${lockText} skip locked`, values)
  const own = new Set(locked.map(({ slot }) => slot))
  return keys.filter((key) => own.has(lockSlot(queue, key)))
}

/** The statement that does so for all of them, and waits for the transactions that have them. */
export function lockStatement(queue: string, keys: readonly JobKey[]): Statement {
  const slots = new Set(keys.map((key) => lockSlot(queue, key)))
  return { text: lockText, values: [int8Array([...slots])] }
}

function lockSlot(queue: string, { tenant, key }: JobKey): number {
  return fnv1a(`${queue} ${tenant} ${key}`) & (keyLocks - 1)
}

function toValues(
  queue: string,
  rows: readonly JobRow[],
  lease: Lease,
  nowUs: number,
): readonly unknown[] {
  const texts = [
    rows.map(({ tenant }) => tenant),
    rows.map(({ id }) => id),
    rows.map(({ businessId }) => businessId),
    rows.map(({ key }) => key),
    rows.map(({ state }) => state),
    rows.map(({ input }) => input),
    rows.map(({ failure }) => failure?.step ?? null),
    rows.map(({ failure }) => failure?.reason ?? null),
    rows.map(({ failure }) => encodeDetail(failure)),
  ]
  return [
    queue,
    lease.owner,
    lease.forUs,
    nowUs,
    ...texts.map((column) => textArray(column)),
    int8Array(rows.map(({ part }) => part)),
    int8Array(rows.map(({ attempts }) => attempts)),
    int8Array(rows.map(({ dueAtUs }) => dueAtUs)),
  ]
}

export function encodeDetail(failure: JobFailure | undefined): string | null {
  return failure?.detail === undefined ? null : JSON.stringify(failure.detail)
}

/** Counts the jobs of tenants that wait; no more than `most` of each. */
export function countWaiting(
  queryable: Queryable,
  queue: string,
  tenants: readonly string[],
  most: number,
): Promise<{ readonly tenant: string; readonly waiting: number }[]> {
  return queryable.rows(
    `select t.tenant, (select count(*) from (
       select 1 from jobs_job j
       where j.queue = $1 and j.tenant = t.tenant and j.state = 'waiting'
       limit $3::integer) as counted) as waiting
     from unnest($2::text[]) as t (tenant)`,
    [queue, textArray(tenants), most],
  )
}

/** Returns whether so many jobs of a tenant wait or run; reads no more than these. */
export async function hasPending(
  queryable: Queryable,
  queue: string,
  tenant: string,
  count: number,
): Promise<boolean> {
  const last = await queryable.one(
    `select id from (
       (select id from jobs_job
        where queue = $1 and tenant = $2 and state = 'waiting' limit $3::integer)
       union all
       (select id from jobs_job
        where queue = $1 and tenant = $2 and state = 'running' limit $3::integer)) as pending
     offset $3::integer - 1 limit 1`,
    [queue, tenant, count],
  )
  return last !== undefined
}

/** Returns the tenants that have jobs which wait or run. */
export async function readPendingTenants(
  queryable: Queryable,
  queue: string,
  tenants: readonly string[],
): Promise<Set<string>> {
  const rows = await queryable.rows<{ tenant: string }>(
    `select t.tenant from unnest($2::text[]) as t (tenant)
     where exists (select 1 from jobs_job j
                   where j.queue = $1 and j.tenant = t.tenant and j.state = 'waiting')
        or exists (select 1 from jobs_job j
                   where j.queue = $1 and j.tenant = t.tenant and j.state = 'running')`,
    [queue, textArray(tenants)],
  )
  return new Set(rows.map(({ tenant }) => tenant))
}

/**
 * Returns those of the keys that have jobs which wait or run.
 * @param nowUs a job that is due later makes its key long.
 * @param longUs so does one that runs since then, or longer.
 */
export function readPendingKeys(
  queryable: Queryable,
  queue: string,
  keys: readonly JobKey[],
  { nowUs, longUs }: { readonly nowUs: number; readonly longUs: number },
): Promise<PendingKey[]> {
  return queryable.rows(
    `select t.tenant, t.key,
       bool_or(case when j.state = 'waiting' then j.due_at > $4::bigint
               else j.updated_at < $5::bigint end) as "isLong"
     from unnest($2::text[], $3::text[]) as t (tenant, key)
     join jobs_job j on j.queue = $1 and j.tenant = t.tenant and j.key = t.key
       and j.state <> 'dead'
     group by t.tenant, t.key`,
    [
      queue,
      textArray(keys.map(({ tenant }) => tenant)),
      textArray(keys.map(({ key }) => key)),
      nowUs,
      longUs,
    ],
  )
}

/** Counts jobs that are not done, or failed for good, by the part of the ledger. */
export async function countByPart(
  queryable: Queryable,
  queue: string,
  which: 'pending' | 'dead',
): Promise<Map<number, number>> {
  const rows = await queryable.rows<{ part: number; count: number }>(
    `select part, count(*) as count from jobs_job
     where queue = $1 and (state = 'dead') = $2::boolean group by part`,
    [queue, which === 'dead'],
  )
  return new Map(rows.map(({ part, count }) => [part, count]))
}

/** The jobs of a queue in one state. Times are milliseconds since 1970. */
export type JobCount = {
  readonly queue: string
  readonly state: string
  readonly count: number
  readonly oldestMs: number
}

/** Returns a row for each queue and state of which there are jobs. */
export function countJobs(queryable: Queryable): Promise<JobCount[]> {
  return queryable.rows<JobCount>(
    `select queue, state, count(*)::int as count,
       (min(created_at) / 1000)::float8 as "oldestMs"
     from jobs_job group by queue, state`,
  )
}
