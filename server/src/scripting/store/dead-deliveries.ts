import type { Queryable, Transaction } from '../../database/index.ts'
import type { DeadDelivery, DeadKey } from '../events/delivery.ts'
import type { ScriptError } from '../runtime/value.ts'
import { decodeValue } from '../runtime/value-json.ts'

type Row = {
  id: string
  service: string
  event: string
  argument: string
  error: string
  tries: number
  tracking_id: string
  created_at: number
  updated_at: number
}

const columns = 'id, service, event, argument, error, tries, tracking_id, created_at, updated_at'

function fromRow(businessId: string, solutionId: string, row: Row): DeadDelivery {
  const { id, service, event, tries } = row
  return {
    ...{ id, businessId, solutionId, service, event, tries },
    argument: decodeValue(row.argument),
    error: JSON.parse(row.error) as ScriptError,
    trackingId: row.tracking_id,
    createdAt: row.created_at,
    failedAt: row.updated_at,
  }
}

export async function readDeadPage(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  before: DeadKey,
  limit: number,
): Promise<DeadDelivery[]> {
  const rows = await queryable.rows<Row>(
    `select ${columns} from scripting_delivery
     where solution_id = $2 and business_id = $1 and state = 'dead'
       and (updated_at, id) < ($3::bigint, $4)
     order by updated_at desc, id desc limit $5::integer`,
    [businessId, solutionId, before.failedAt, before.id, limit],
  )
  return rows.map((row) => fromRow(businessId, solutionId, row))
}

export async function readDead(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  id: string,
): Promise<DeadDelivery | undefined> {
  const row = await queryable.one<Row>(
    `select ${columns} from scripting_delivery
     where solution_id = $2 and business_id = $1 and id = $3 and state = 'dead'`,
    [businessId, solutionId, id],
  )
  return row && fromRow(businessId, solutionId, row)
}

/**
 * Requeues dead ones behind all that wait. They are selected once, as an array: without statistics
 * the planner ran the subquery again for each row, a minute for 10,000.
 * @param asked `id` undefined: the oldest `count` of all; `argument`: JSON in place of the one
 *   before. @returns the parts of those that will run.
 */
export function requeueDead(
  transaction: Transaction,
  businessId: string,
  solutionId: string,
  asked: { readonly id?: string; readonly argument?: string; readonly count: number },
  nowUs: number,
): Promise<{ part: number }[]> {
  return transaction.rows(
    `update scripting_delivery
     set state = 'waiting', tries = 0, due_at = $5::bigint, updated_at = $5::bigint,
       number = default, argument = coalesce($4, argument)
     where solution_id = $2 and business_id = $1 and state = 'dead' and id = any(array(
       select id from scripting_delivery
       where solution_id = $2 and business_id = $1 and state = 'dead'
         and ($3::text is null or id = $3::text)
       order by updated_at, id limit $6::integer for update))
     returning part`,
    [businessId, solutionId, asked.id ?? null, asked.argument ?? null, nowUs, asked.count],
  )
}

/** @param id undefined: all of them. @returns how many there were. */
export function deleteDead(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  id: string | undefined,
): Promise<number> {
  return queryable.run(
    `delete from scripting_delivery
     where solution_id = $2 and business_id = $1 and state = 'dead'
       and ($3::text is null or id = $3::text)`,
    [businessId, solutionId, id ?? null],
  )
}

/** Removes what failed long ago. @returns how many were removed. */
export function deleteOldDead(
  queryable: Queryable,
  beforeUs: number,
  count: number,
): Promise<number> {
  return queryable.run(
    `delete from scripting_delivery where (solution_id, id) in (
       select solution_id, id from scripting_delivery
       where state = 'dead' and updated_at < $1::bigint limit $2::integer)`,
    [beforeUs, count],
  )
}

/** Removes the oldest of solutions that have more than `kept`. */
export async function trimDead(queryable: Queryable, kept: number): Promise<void> {
  await queryable.run(
    `delete from scripting_delivery where state = 'dead' and (solution_id, id) in (
       select solution_id, id from (
         select solution_id, id,
           row_number() over (partition by solution_id order by updated_at desc, id desc) as place
         from scripting_delivery where state = 'dead') as ranked
       where place > $1::integer)`,
    [kept],
  )
}

/** All of a solution that is removed. @returns the parts of those that waited. */
export function deleteOfSolution(
  transaction: Transaction,
  businessId: string,
  solutionId: string,
): Promise<{ part: number; state: string }[]> {
  return transaction.rows(
    `delete from scripting_delivery where solution_id = $2 and business_id = $1
     returning part, state`,
    [businessId, solutionId],
  )
}
