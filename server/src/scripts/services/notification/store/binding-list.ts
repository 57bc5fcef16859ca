import {
  type Queryable,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'
import type { Binding } from '../bindings/binding.ts'
import type { Channel } from '../sending/channel.ts'
import { type BindingRow, bindingColumns, bindingFromRow } from './bindings.ts'

/**
 * The precision of the time at which something was last sent to a binding: within it, the time is
 * not written again.
 */
const notificationSentAtS = 3_600

export type BindingFilter = {
  readonly identity: string | undefined
  readonly channel: Channel | undefined
  readonly tag: string | undefined
}

/** Bindings of a solution, whichever their service, newest first. */
export async function readNewestBindings(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  { identity, channel, tag }: BindingFilter,
  { before, count }: { readonly before: number; readonly count: number },
): Promise<Binding[]> {
  const rows = await queryable.rows<BindingRow>(
    `select ${bindingColumns} from notification_binding
     where business_id = $1 and solution_id = $2 and number < $3::bigint
       ${identity === undefined ? 'and $5::text is null' : 'and identity = $5'}
       and ($6::text is null or channel = $6)
       ${tag === undefined ? 'and $7::text is null' : 'and tags @> array[$7::text]'}
     order by number desc limit $4::bigint`,
    [businessId, solutionId, before, count, identity ?? null, channel ?? null, tag ?? null],
  )
  return rows.map(bindingFromRow)
}

/** Counts the bindings of a solution. */
export async function readBindingCount(queryable: Queryable, solutionId: string): Promise<number> {
  const row = await queryable.one<{ bindings: number }>(
    'select bindings from notification_solution where solution_id = $1',
    [solutionId],
  )
  return row?.bindings ?? 0
}

export async function readServiceOfBinding(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  sid: string,
): Promise<string | undefined> {
  const row = await queryable.one<{ service_sid: string }>(
    `select service_sid from notification_binding
     where business_id = $1 and solution_id = $2 and sid = $3`,
    [businessId, solutionId, sid],
  )
  return row?.service_sid
}

/**
 * Stores when bindings were last sent to, to `notificationSentAtS`: a binding that is sent to often
 * is not written each time. A binding that another process changes now is left out, rather than
 * waited for.
 */
export async function markSent(
  transaction: Transaction,
  bindings: readonly { readonly solutionId: string; readonly bindingSid: string }[],
  nowUs: number,
): Promise<void> {
  if (bindings.length === 0) return
  await transaction.run(
    `update notification_binding b set sent_at = $3::bigint
     from (
       select solution_id, sid from notification_binding
       where (solution_id, sid) in (
         select solution_id, sid from unnest($1::text[], $2::text[]) as u (solution_id, sid))
         and (sent_at is null or sent_at not between $4::bigint and $3::bigint)
       for update skip locked) as s
     where b.solution_id = s.solution_id and b.sid = s.sid`,
    [
      textArray(bindings.map(({ solutionId }) => solutionId)),
      textArray(bindings.map(({ bindingSid }) => bindingSid)),
      nowUs,
      nowUs - notificationSentAtS * 1_000_000,
    ],
  )
}
