import {
  type Queryable,
  readDependants,
  type Transaction,
} from '../../../foundation/database/index.ts'
import type { Dependants, Json } from '../../../foundation/kernel/index.ts'
import type { DeadJob, DeadJobKey } from '../job.ts'

type Row = {
  readonly tenant: string
  readonly id: string
  readonly business_id: string
  readonly key: string | null
  readonly input: string
  readonly step: string
  readonly reason: string
  readonly detail: string | null
  readonly attempts: number
  readonly created_at: number
  readonly updated_at: number
}

const columns =
  'tenant, id, business_id, key, input, step, reason, detail, attempts, created_at, updated_at'

function fromRow({ tenant, id, step, reason, detail, ...row }: Row): DeadJob<string> {
  return {
    tenant,
    id,
    businessId: row.business_id,
    key: row.key,
    input: row.input,
    failure:
      detail === null ? { step, reason } : { step, reason, detail: JSON.parse(detail) as Json },
    attempts: row.attempts,
    createdAtUs: row.created_at,
    failedAtUs: row.updated_at,
  }
}

/** The owner of dead jobs, and their queue: a business reads no other's. */
export type DeadScope = {
  readonly queue: string
  readonly businessId: string
  readonly tenant: string
}

/** Reads the dead jobs of all tenants of a business, newest first. */
export async function readDeadOfBusiness(
  queryable: Queryable,
  { queue, businessId }: Omit<DeadScope, 'tenant'>,
  before: DeadJobKey,
  limit: number,
): Promise<DeadJob<string>[]> {
  const rows = await queryable.rows<Row>(
    `select ${columns} from jobs_job
     where queue = $1 and business_id = $2 and state = 'dead'
       and (updated_at, id) < ($3::bigint, $4)
     order by updated_at desc, id desc limit $5::integer`,
    [queue, businessId, before.failedAtUs, before.id, limit],
  )
  return rows.map(fromRow)
}

/** Counts the dead jobs of a business, at most `most`. */
export async function countDead(
  queryable: Queryable,
  { queue, businessId }: Omit<DeadScope, 'tenant'>,
  most: number,
): Promise<number> {
  const row = await queryable.one<{ count: number }>(
    `select count(*) as count from (
       select 1 from jobs_job
       where queue = $1 and business_id = $2 and state = 'dead' limit $3::integer) as dead`,
    [queue, businessId, most],
  )
  return row?.count ?? 0
}

export async function readDeadById(
  queryable: Queryable,
  { queue, businessId }: Omit<DeadScope, 'tenant'>,
  id: string,
): Promise<DeadJob<string> | undefined> {
  const row = await queryable.one<Row>(
    `select ${columns} from jobs_job
     where queue = $1 and business_id = $2 and id = $3 and state = 'dead' limit 1`,
    [queue, businessId, id],
  )
  return row && fromRow(row)
}

/** The tenants of a business that have dead jobs. */
export async function readDeadTenants(
  queryable: Queryable,
  { queue, businessId }: Omit<DeadScope, 'tenant'>,
): Promise<string[]> {
  const rows = await queryable.rows<{ tenant: string }>(
    `select distinct tenant from jobs_job
     where queue = $1 and business_id = $2 and state = 'dead' order by tenant`,
    [queue, businessId],
  )
  return rows.map(({ tenant }) => tenant)
}

/** Which dead jobs a page has. */
export type DeadFilter = {
  /** Only those that failed at this step. */
  readonly step?: string | undefined
  /** Only those whose key is this, or begins with it and a slash. */
  readonly key?: string | undefined
  /** Only those whose input, an object of JSON, contains one of these. */
  readonly containing?: readonly Json[] | undefined
}

export async function readDeadPage(
  queryable: Queryable,
  { queue, businessId, tenant }: DeadScope,
  before: DeadJobKey,
  { step, key, containing, limit }: DeadFilter & { readonly limit: number },
): Promise<DeadJob<string>[]> {
  const parts = containing === undefined ? null : JSON.stringify(containing)
  // Written only where a key is asked for: else a plan that is kept could not use the index.
  const ofKey = key === undefined ? '' : "and split_part(key, '/', 1) = $9"
  const rows = await queryable.rows<Row>(
    `select ${columns} from jobs_job
     where queue = $1 and business_id = $2 and tenant = $3 and state = 'dead'
       and (updated_at, id) < ($4::bigint, $5) and ($6::text is null or step = $6::text)
       and ($7::text is null or case when queue = $1 then exists (
         select 1 from jsonb_array_elements($7::jsonb) as wanted (part)
         where input::jsonb @> wanted.part) end)
       ${ofKey}
     order by updated_at desc, id desc limit $8::integer`,
    [
      queue,
      businessId,
      tenant,
      before.failedAtUs,
      before.id,
      step ?? null,
      parts,
      limit,
      ...(key === undefined ? [] : [key]),
    ],
  )
  return rows.map(fromRow)
}

export async function readDead(
  queryable: Queryable,
  { queue, businessId, tenant }: DeadScope,
  id: string,
): Promise<DeadJob<string> | undefined> {
  const row = await queryable.one<Row>(
    `select ${columns} from jobs_job
     where queue = $1 and business_id = $2 and tenant = $3 and id = $4 and state = 'dead'`,
    [queue, businessId, tenant, id],
  )
  return row && fromRow(row)
}

/** Replaces the input of a dead job. @returns whether there was one. */
export async function correctDead(
  queryable: Queryable,
  { queue, businessId, tenant }: DeadScope,
  id: string,
  input: string,
): Promise<boolean> {
  const count = await queryable.run(
    `update jobs_job set input = $5
     where queue = $1 and business_id = $2 and tenant = $3 and id = $4 and state = 'dead'`,
    [queue, businessId, tenant, id, input],
  )
  return count > 0
}

/**
 * Requeues dead jobs behind all that wait. They are selected once, as an array: without statistics
 * the planner ran the subquery again for each row, a minute for 10,000.
 * @param asked `id` undefined: the oldest `count` of all; `input` in place of the one before.
 * @returns the parts of those that will run.
 */
export function requeueDead(
  transaction: Transaction,
  { queue, businessId, tenant }: DeadScope,
  asked: { readonly id?: string; readonly input?: string; readonly count: number },
  nowUs: number,
): Promise<{ part: number }[]> {
  return transaction.rows(
    `update jobs_job
     set state = 'waiting', attempts = 0, due_at = $6::bigint, updated_at = $6::bigint,
       number = default, input = coalesce($5, input)
     where queue = $1 and business_id = $2 and tenant = $3 and state = 'dead' and id = any(array(
       select id from jobs_job
       where queue = $1 and business_id = $2 and tenant = $3 and state = 'dead'
         and ($4::text is null or id = $4::text)
       order by updated_at, id limit $7::integer for update))
     returning part`,
    [queue, businessId, tenant, asked.id ?? null, asked.input ?? null, nowUs, asked.count],
  )
}

/** The part in which the ledger counts a job that was removed. */
type Removed = { readonly part: number }

/** @param id undefined: all of them. */
export function deleteDead(
  transaction: Transaction,
  { queue, businessId, tenant }: DeadScope,
  id: string | undefined,
): Promise<Removed[]> {
  return transaction.rows(
    `delete from jobs_job
     where queue = $1 and business_id = $2 and tenant = $3 and state = 'dead'
       and ($4::text is null or id = $4::text)
     returning part`,
    [queue, businessId, tenant, id ?? null],
  )
}

/** Removes what failed long ago. */
export function deleteOldDead(
  transaction: Transaction,
  queue: string,
  beforeUs: number,
  count: number,
): Promise<Removed[]> {
  return transaction.rows(
    `delete from jobs_job where queue = $1 and state = 'dead' and (tenant, id) in (
       select tenant, id from jobs_job
       where queue = $1 and state = 'dead' and updated_at < $2::bigint limit $3::integer)
     returning part`,
    [queue, beforeUs, count],
  )
}

/** Removes the oldest dead jobs of tenants that have more than `kept`. */
export function trimDead(
  transaction: Transaction,
  queue: string,
  kept: number,
): Promise<Removed[]> {
  return transaction.rows(
    `delete from jobs_job where queue = $1 and state = 'dead' and (tenant, id) in (
       select tenant, id from (
         select tenant, id,
           row_number() over (partition by tenant order by updated_at desc, id desc) as place
         from jobs_job where queue = $1 and state = 'dead') as ranked
       where place > $2::integer)
     returning part`,
    [queue, kept],
  )
}

/** Removes all of a tenant. @returns part and state of each job. */
export async function deleteTenant(
  transaction: Transaction,
  { queue, businessId, tenant }: DeadScope,
): Promise<{ readonly part: number; readonly state: string }[]> {
  const rows = await transaction.rows<{ part: number; state: string }>(
    `delete from jobs_job where queue = $1 and business_id = $2 and tenant = $3
     returning part, state`,
    [queue, businessId, tenant],
  )
  await transaction.run('delete from jobs_tenant where queue = $1 and tenant = $2', [queue, tenant])
  return rows
}

/** Removes the rows of tenants that have no jobs; those that are locked are claimed right now. */
export async function deleteIdleTenants(queryable: Queryable, queue: string): Promise<void> {
  await queryable.run(
    `delete from jobs_tenant where queue = $1 and tenant = any(array(
       select t.tenant from jobs_tenant t
       where t.queue = $1 and not exists (
         select 1 from jobs_job j where j.queue = t.queue and j.tenant = t.tenant)
       for update of t skip locked))`,
    [queue],
  )
}

/** Deletes at most so many jobs of a business, of all queues and in any state. */
export function deleteOfBusiness(
  transaction: Transaction,
  businessId: string,
  rowsMax: number,
): Promise<{ readonly queue: string; readonly part: number; readonly state: string }[]> {
  return transaction.rows(
    `delete from jobs_job where ctid = any(array(
       select d.ctid from jobs_job d where d.business_id = $1 limit $2::bigint))
     returning queue, part, state`,
    [businessId, rowsMax],
  )
}

/** The dead letters of a tenant by the reason of their failure; they are deleted with it. */
export function deadDependants(
  queryable: Queryable,
  { queue, businessId, tenant }: DeadScope,
): Promise<Dependants[]> {
  const from = "jobs_job where queue = $1 and business_id = $2 and tenant = $3 and state = 'dead'"
  const asked = { effect: 'deleted', values: [queue, businessId, tenant] } as const
  const name = 'left(reason, 60)'
  return readDependants(queryable, asked, [{ kind: 'failures', from, name }])
}
