import { int8Array, type Queryable, type Transaction, textArray } from '../../database/index.ts'
import { presentUntil } from '../../kernel/index.ts'
import type { ClaimedDelivery, NewDelivery } from '../events/delivery.ts'
import { decodeValue, encodeValue } from '../runtime/value-json.ts'

/** A lease: its owner, the time by its clock and the duration, in microseconds. */
export type Lease = { readonly owner: string; readonly nowUs: number; readonly forUs: number }

/**
 * Leases use the clock of the database: those of processes may differ by more than a lease is
 * long, and then two of them would own the same row.
 */
export const leaseClock = '(extract(epoch from statement_timestamp()) * 1000000)::bigint'

/** Inserts deliveries in the given order, which is that of their numbers. */
export async function insertDeliveries(
  transaction: Queryable,
  deliveries: readonly NewDelivery[],
  { owner, nowUs, forUs }: Lease,
): Promise<void> {
  const texts = [
    deliveries.map(({ call }) => call.solutionId),
    deliveries.map(({ id }) => id),
    deliveries.map(({ call }) => call.businessId),
    deliveries.map(({ key }) => key),
    deliveries.map(({ state }) => (state === 'dead' ? 'dead' : 'waiting')),
    deliveries.map(({ call }) => call.service),
    deliveries.map(({ call }) => call.event),
    deliveries.map(({ call }) => encodeValue(call.argument)),
    deliveries.map(({ call }) => call.callerId ?? null),
    deliveries.map(({ call }) => call.trackingId),
    deliveries.map(({ state }) => (state === 'running' ? owner : null)),
    deliveries.map(({ error }) => (error === undefined ? null : JSON.stringify(error))),
  ]
  await transaction.run(
    `insert into scripting_delivery (solution_id, id, business_id, key, state, service, event,
       argument, caller_id, tracking_id, lease, error, part, depth, tries, leased_until,
       due_at, created_at, updated_at)
     select s, i, b, k, st, v, e, a, c, t, l, er, p::smallint, d::integer, n::integer,
       case when l is null then 0 else ${leaseClock} + $17::bigint end, du,
       $18::bigint, $18::bigint
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
       $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[],
       $14::bigint[], $15::bigint[], $16::bigint[]) with ordinality
       as given (s, i, b, k, st, v, e, a, c, t, l, er, p, d, n, du, ord)
     order by ord`,
    [
      ...texts.map((column) => textArray(column)),
      int8Array(deliveries.map(({ part }) => part)),
      int8Array(deliveries.map(({ call }) => call.depth ?? 0)),
      int8Array(deliveries.map(({ state, tries = 0 }) => (state === 'running' ? 1 : tries))),
      int8Array(deliveries.map(({ dueAtUs }) => dueAtUs ?? nowUs)),
      forUs,
      nowUs,
    ],
  )
}

/** Reads solutions that have waiting deliveries, by a loose scan of the index. */
export async function readBacklogged(
  queryable: Queryable,
  after: string,
  solutionsMax: number,
): Promise<string[]> {
  const rows = await queryable.rows<{ solution_id: string }>(
    `with recursive backlogged as (
       (select solution_id, 1 as place from scripting_delivery
        where state = 'waiting' and solution_id > $1 order by solution_id limit 1)
       union all
       select (select d.solution_id from scripting_delivery d
               where d.state = 'waiting' and d.solution_id > b.solution_id
               order by d.solution_id limit 1), b.place + 1
       from backlogged b where b.solution_id is not null and b.place < $2::integer)
     select solution_id from backlogged where solution_id is not null`,
    [after, solutionsMax],
  )
  return rows.map((row) => row.solution_id)
}

/** Tells if at least so many deliveries of the solution wait; reads no more than these. */
export async function hasBacklogOf(
  queryable: Queryable,
  solutionId: string,
  count: number,
): Promise<boolean> {
  const last = await queryable.one(
    `select id from scripting_delivery
     where solution_id = $1 and state = 'waiting' order by number offset $2 limit 1`,
    [solutionId, count - 1],
  )
  return last !== undefined
}

/** Returns the solutions that have so many waiting deliveries; reads no more of each. */
export async function readOverfull(
  queryable: Queryable,
  solutionIds: readonly string[],
  count: number,
): Promise<Set<string>> {
  const rows = await queryable.rows<{ solution_id: string }>(
    `select s.solution_id from unnest($1::text[]) as s (solution_id)
     where exists (select 1 from (
       select d.number from scripting_delivery d
       where d.solution_id = s.solution_id and d.state = 'waiting'
       order by d.number offset $2::integer limit 1) as last)`,
    [textArray(solutionIds), count - 1],
  )
  return new Set(rows.map((row) => row.solution_id))
}

/** Returns the solutions that have waiting deliveries. */
export async function readWaiting(
  queryable: Queryable,
  solutionIds: readonly string[],
): Promise<Set<string>> {
  const rows = await queryable.rows<{ solution_id: string }>(
    `select s.solution_id from unnest($1::text[]) as s (solution_id)
     where exists (select 1 from scripting_delivery d
                   where d.state = 'waiting' and d.solution_id = s.solution_id)`,
    [textArray(solutionIds)],
  )
  return new Set(rows.map((row) => row.solution_id))
}

type ClaimedRow = {
  id: string
  number: number
  business_id: string
  part: number
  key: string | null
  service: string
  event: string
  argument: string
  caller_id: string | null
  tracking_id: string
  depth: number
  tries: number
}

/**
 * Leases the oldest due deliveries of a solution, unless an earlier one of their key is leased or
 * not due. The solution's row is locked meanwhile: of two processes that claim at once, one could
 * get deliveries that come behind those of the other.
 * @returns in their order; undefined if another process claims, or the solution is gone.
 */
export async function claimDeliveries(
  transaction: Transaction,
  solutionId: string,
  { owner, nowUs, forUs }: Lease,
  count: number,
): Promise<ClaimedDelivery[] | undefined> {
  const locked = await transaction.rows(
    'select id from scripting_solution where id = $1 for no key update skip locked',
    [solutionId],
  )
  if (locked.length === 0) return undefined
  const rows = await transaction.rows<ClaimedRow>(
    `update scripting_delivery
     set lease = $2, leased_until = ${leaseClock} + $3::bigint, tries = tries + 1,
       due_at = least(due_at, $4::bigint), updated_at = $4::bigint
     where solution_id = $1 and id in (
       select d.id from scripting_delivery d
       where d.solution_id = $1 and d.state = 'waiting'
         and (d.due_at <= $4::bigint or d.updated_at > $6::bigint)
         and (d.leased_until <= ${leaseClock} or d.leased_until > ${leaseClock} + $7::bigint)
         and (d.key is null or not exists (
           select 1 from scripting_delivery e
           where e.solution_id = d.solution_id and e.key = d.key and e.state = 'waiting'
             and e.number < d.number
             and (e.due_at > $4::bigint and e.updated_at <= $6::bigint
               or e.leased_until > ${leaseClock}
                 and e.leased_until <= ${leaseClock} + $7::bigint)))
       order by d.number limit $5::integer)
     returning id, number, business_id, part, key, service, event, argument, caller_id,
       tracking_id, depth, tries`,
    [solutionId, owner, forUs, nowUs, count, presentUntil(nowUs), presentUntil(forUs)],
  )
  return rows.sort((a, b) => a.number - b.number).map((row) => fromRow(solutionId, row))
}

function fromRow(solutionId: string, row: ClaimedRow): ClaimedDelivery {
  const { id, part, key, service, event, depth, tries } = row
  return {
    ...{ id, part, key, tries: tries - 1 },
    call: {
      ...{ businessId: row.business_id, solutionId, service, event, depth },
      argument: decodeValue(row.argument),
      trackingId: row.tracking_id,
      ...(row.caller_id === null ? {} : { callerId: row.caller_id }),
    },
  }
}

/** Deletes deliveries without a solution. @returns the parts of those that waited. */
export async function deleteOrphans(
  transaction: Transaction,
  solutionId: string,
): Promise<{ part: number }[]> {
  const rows = await transaction.rows<{ part: number; state: string }>(
    `delete from scripting_delivery where solution_id = $1
       and not exists (select from scripting_solution where id = $1)
     returning part, state`,
    [solutionId],
  )
  return rows.filter(({ state }) => state === 'waiting')
}

/** The key of a delivery. */
export type DeliveryRef = { readonly solutionId: string; readonly id: string }

/** Acknowledges deliveries. @returns the parts of those that the owner had leased. */
export function deleteClaimed(
  transaction: Transaction,
  owner: string,
  done: readonly DeliveryRef[],
): Promise<{ part: number }[]> {
  return transaction.rows(
    `delete from scripting_delivery d
     using unnest($2::text[], $3::text[]) as s (solution_id, id)
     where d.solution_id = s.solution_id and d.id = s.id and d.lease = $1
     returning d.part`,
    [owner, ...keysOf(done)],
  )
}

/** @returns the parts, as `deleteClaimed`. */
export function deadLetter(
  transaction: Transaction,
  owner: string,
  dead: readonly (DeliveryRef & { readonly error: string })[],
  nowUs: number,
): Promise<{ part: number }[]> {
  return transaction.rows(
    `update scripting_delivery d
     set state = 'dead', lease = null, leased_until = 0, error = s.error, updated_at = $5::bigint
     from unnest($2::text[], $3::text[], $4::text[]) as s (solution_id, id, error)
     where d.solution_id = s.solution_id and d.id = s.id and d.lease = $1
     returning d.part`,
    [owner, ...keysOf(dead), textArray(dead.map(({ error }) => error)), nowUs],
  )
}

/** A delivery to release, with its due time and the error, if it failed or could not start. */
export type RequeuedDelivery = DeliveryRef & {
  readonly dueAtUs: number
  readonly error: string | null
  readonly began: boolean
}

/** Releases leases, so that the deliveries run again when they are due. */
export async function requeue(
  transaction: Transaction,
  owner: string,
  deliveries: readonly RequeuedDelivery[],
): Promise<void> {
  await transaction.run(
    `update scripting_delivery d
     set lease = null, leased_until = 0, due_at = greatest(d.due_at, s.due_at),
       error = coalesce(s.error, d.error),
       tries = d.tries - s.not_started::integer
     from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[])
       as s (solution_id, id, due_at, error, not_started)
     where d.solution_id = s.solution_id and d.id = s.id and d.lease = $1`,
    [
      owner,
      ...keysOf(deliveries),
      int8Array(deliveries.map(({ dueAtUs }) => dueAtUs)),
      textArray(deliveries.map(({ error }) => error)),
      int8Array(deliveries.map(({ began }) => (began ? 0 : 1))),
    ],
  )
}

function keysOf(settled: readonly DeliveryRef[]): [Buffer, Buffer] {
  return [
    textArray(settled.map(({ solutionId }) => solutionId)),
    textArray(settled.map(({ id }) => id)),
  ]
}

/** Extends the leases of a process. */
export async function renewLeases(
  queryable: Queryable,
  { owner, forUs }: Pick<Lease, 'owner' | 'forUs'>,
): Promise<void> {
  await queryable.run(
    `update scripting_delivery set leased_until = ${leaseClock} + $2::bigint where lease = $1`,
    [owner, forUs],
  )
}

/** Releases all leases of a process; to be called at its end. */
export async function releaseLeases(queryable: Queryable, owner: string): Promise<void> {
  await queryable.run(
    'update scripting_delivery set lease = null, leased_until = 0 where lease = $1',
    [owner],
  )
}

/** Counts waiting deliveries by the part of the ledger. */
export async function countWaiting(queryable: Queryable): Promise<Map<number, number>> {
  const rows = await queryable.rows<{ part: number; count: number }>(
    "select part, count(*) as count from scripting_delivery where state = 'waiting' group by part",
  )
  return new Map(rows.map(({ part, count }) => [part, count]))
}
