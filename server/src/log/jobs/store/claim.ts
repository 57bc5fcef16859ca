import {
  databaseClock,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import type { JobKey } from '../job.ts'
import type { JobLease } from './lease.ts'

/** When the next job of each queue is due; a queue in which none waits is left out. */
export async function readNextDue(
  queryable: Queryable,
  queues: Buffer,
): Promise<{ readonly queue: string; readonly due_at: number }[]> {
  return queryable.rows(
    `select queue, due_at from (
       select q.queue, (select min(j.due_at) from jobs_job j
                        where j.queue = q.queue and j.state = 'waiting') as due_at
       from unnest($1::text[]) as q (queue)) as next
     where due_at is not null`,
    [queues],
  )
}

/** Reads tenants with due jobs, by a loose scan of the index. */
export async function readDueTenants(
  queryable: Queryable,
  queue: string,
  after: string,
  nowUs: number,
  tenantsMax: number,
): Promise<{ readonly tenant: string; readonly due: boolean }[]> {
  return queryable.rows(
    `with recursive backlogged as (
       (select tenant, 1 as place from jobs_job
        where queue = $1 and state = 'waiting' and tenant > $2 order by tenant limit 1)
       union all
       select (select j.tenant from jobs_job j
               where j.queue = $1 and j.state = 'waiting' and j.tenant > b.tenant
               order by j.tenant limit 1), b.place + 1
       from backlogged b where b.tenant is not null and b.place < $4::integer)
     select b.tenant, exists (
       select 1 from jobs_job j where j.queue = $1 and j.tenant = b.tenant
         and j.state = 'waiting' and j.due_at <= $3::bigint) as due
     from backlogged b where b.tenant is not null`,
    [queue, after, nowUs, tenantsMax],
  )
}

export type ClaimedRow = {
  readonly id: string
  readonly number: number
  readonly business_id: string
  readonly part: number
  readonly key: string | null
  readonly input: string
  readonly attempts: number
  readonly due_at: number
  readonly created_at: number
}

/**
 * Locks a tenant until the end of the transaction: of two processes that claim at once, one could
 * get jobs that come behind those of the other.
 * @returns false if another process claims, or if the tenant has no row yet.
 */
export async function lockTenant(
  transaction: Transaction,
  queue: string,
  tenant: string,
): Promise<boolean> {
  const rows = await transaction.rows(
    `select tenant from jobs_tenant where queue = $1 and tenant = $2
     for no key update skip locked`,
    [queue, tenant],
  )
  return rows.length > 0
}

/** @returns whether the tenant had no row. */
export async function addTenant(
  queryable: Queryable,
  queue: string,
  tenant: string,
): Promise<boolean> {
  const count = await queryable.run(
    'insert into jobs_tenant (queue, tenant) values ($1, $2) on conflict do nothing',
    [queue, tenant],
  )
  return count > 0
}

type Claim = { readonly nowUs: number; readonly count: number }

/**
 * Due jobs of a tenant whose key has none that runs, and no earlier one that is not due.
 * Its parameters are the queue, the tenant, the time and the count.
 */
const claimable = (ofKeys: string) => `
  jobs_job d
  where d.queue = $1 and d.tenant = $2 and d.state = 'waiting' and d.due_at <= $3::bigint
    and (d.key is null or (${ofKeys} not exists (
      select 1 from jobs_job r
      where r.queue = $1 and r.tenant = $2 and r.state = 'running' and r.key = d.key)
      and not exists (
        select 1 from jobs_job e
        where e.queue = $1 and e.tenant = $2 and e.key = d.key and e.state <> 'dead'
          and e.number < d.number and e.due_at > $3::bigint)))
  order by d.number limit $4::integer`

/** The keys of the jobs that a claim would lease. */
export async function readClaimKeys(
  queryable: Queryable,
  queue: string,
  tenant: string,
  { nowUs, count }: Claim,
): Promise<JobKey[]> {
  const rows = await queryable.rows<{ key: string }>(
    `select distinct key from (select d.key from ${claimable('')}) as due where key is not null`,
    [queue, tenant, nowUs, count],
  )
  return rows.map(({ key }) => ({ tenant, key }))
}

/**
 * Leases the oldest due jobs of a tenant. They are selected once, as an array: without statistics
 * the planner runs a subquery for each row.
 * @param free those of the keys that no other transaction has locked: it may store one that runs.
 * @returns them in their order.
 */
export async function claimJobs(
  transaction: Transaction,
  queue: string,
  tenant: string,
  { owner, forUs }: JobLease,
  { nowUs, count, free }: Claim & { readonly free: readonly JobKey[] },
): Promise<ClaimedRow[]> {
  const rows = await transaction.rows<ClaimedRow>(
    `update jobs_job
     set state = 'running', owner = $5, leased_until = ${databaseClock} + $6::bigint,
       attempts = attempts + 1, updated_at = $3::bigint
     where queue = $1 and tenant = $2 and state = 'waiting' and id = any(array(
       select d.id from ${claimable('d.key = any($7::text[]) and')}))
     returning id, number, business_id, part, key, input, attempts, due_at, created_at`,
    [queue, tenant, nowUs, count, owner, forUs, textArray(free.map(({ key }) => key))],
  )
  return rows.sort((one, other) => one.number - other.number)
}
