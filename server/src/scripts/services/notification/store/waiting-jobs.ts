import {
  int8Array,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'
import { presentUntil } from '../../../../foundation/kernel/index.ts'
import type { NewBinding } from '../bindings/binding.ts'
import type { QueueName } from '../delivery/channel-throttle.ts'
import type { TakenJob } from '../delivery/job.ts'
import { pushChannels } from '../payload/channels.ts'
import type { TimelineEvent } from '../schema.ts'

/** Jobs that ended, by the part in which the ledger counts them. */
export type EndedPart = { readonly part: number; readonly count: number }

/**
 * Ends the queued jobs of a binding that is deleted; those that failed are not sent again either.
 * @returns how many were queued.
 */
export async function endJobsOfBinding(
  transaction: Transaction,
  { solutionId, sid }: { readonly solutionId: string; readonly sid: string },
  moment: TimelineEvent,
): Promise<EndedPart[]> {
  return transaction.rows(
    `with ended as (
       update notification_job j
       set state = 'pruned', reason = $3, updated_at = $4::bigint,
         timeline = (j.timeline::jsonb || $5::jsonb)::text
       from (select number, state from notification_job
             where solution_id = $1 and binding_sid = $2 and state in ('queued', 'failed')
             order by number for update) w
       where j.number = w.number and j.state = w.state
       returning j.part, w.state)
     select part, count(*) as count from ended where state = 'queued' group by part order by part`,
    [solutionId, sid, moment.text ?? '', moment.at, JSON.stringify([moment])],
  )
}

/**
 * Ends the jobs of a queue that may be attempted once and were queued before a time, except those
 * that its process has in flight.
 */
export async function endOnceJobs(
  transaction: Transaction,
  { solutionId, channel }: QueueName,
  { beforeUs, except }: { readonly beforeUs: number; readonly except: readonly number[] },
  moment: TimelineEvent,
): Promise<EndedPart[]> {
  return transaction.rows(
    `with ended as (
       update notification_job j
       set state = 'failed', reason = $5, updated_at = $6::bigint,
         timeline = (j.timeline::jsonb || $7::jsonb)::text
       from (select number from notification_job
             where solution_id = $1 and channel = $2 and state = 'queued' and once
               and created_at <= $3::bigint and number <> all($4::bigint[])
             order by number for update) w
       where j.number = w.number and j.state = 'queued'
       returning j.part)
     select part, count(*) as count from ended group by part order by part`,
    [
      solutionId,
      channel,
      beforeUs,
      int8Array(except),
      moment.text ?? '',
      moment.at,
      JSON.stringify([moment]),
    ],
  )
}

/** A binding in place of the one that had `from` for its sid. */
export type Move = { readonly from: string; readonly to: Omit<NewBinding, 'tags'> }

/**
 * Moves queued jobs to the bindings that replaced theirs. At another address they are due at once:
 * the provider's answers were for the old one. Jobs that failed keep the address at which they did.
 */
export async function moveJobs(
  transaction: Transaction,
  solutionId: string,
  moves: readonly Move[],
  moment: TimelineEvent,
): Promise<void> {
  await transaction.run(
    `update notification_job j
     set binding_sid = w.sid, channel = w.channel, address = w.address,
       credential_sid = w.credential_sid, updated_at = $7::bigint,
       once = j.once and w.channel = any($10::text[]),
       due_at = case when w.other or j.updated_at > $9::bigint then least(j.due_at, $7::bigint)
                     else j.due_at end,
       timeline = case when w.other then (j.timeline::jsonb || $8::jsonb)::text
                       else j.timeline end
     from (select q.number, m.sid, m.channel, m.address, m.credential_sid,
             (q.channel, q.address, coalesce(q.credential_sid, '')) <>
             (m.channel, m.address, coalesce(m.credential_sid, '')) as other
           from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
             as m (old_sid, sid, channel, address, credential_sid)
           join notification_job q
             on q.solution_id = $1 and q.binding_sid = m.old_sid and q.state = 'queued'
           order by q.number for update of q) w
     where j.number = w.number and j.state = 'queued'`,
    [
      solutionId,
      textArray(moves.map(({ from }) => from)),
      textArray(moves.map(({ to }) => to.sid)),
      textArray(moves.map(({ to }) => to.channel)),
      textArray(moves.map(({ to }) => to.address)),
      textArray(moves.map(({ to }) => to.credentialSid ?? null)),
      moment.at,
      JSON.stringify([moment]),
      presentUntil(moment.at),
      textArray(pushChannels),
    ],
  )
  await transaction.run(
    `update notification_job j set binding_sid = m.sid
     from unnest($2::text[], $3::text[]) as m (old_sid, sid)
     where j.solution_id = $1 and j.binding_sid = m.old_sid and j.state = 'failed'`,
    [
      solutionId,
      textArray(moves.map(({ from }) => from)),
      textArray(moves.map(({ to }) => to.sid)),
    ],
  )
}

/** Returns the jobs that are still queued, with their bindings and addresses. */
export async function readWaiting(
  queryable: Queryable,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, { readonly bindingSid: string; readonly address: string }>> {
  const rows = await queryable.rows<{ number: number; binding_sid: string; address: string }>(
    `select number, binding_sid, address from notification_job
     where number = any($1::bigint[]) and state = 'queued'`,
    [int8Array(numbers)],
  )
  return new Map(
    rows.map(({ number, binding_sid: bindingSid, address }) => [number, { bindingSid, address }]),
  )
}

/** Returns the numbers of jobs whose address was replaced during the attempt. */
export async function readMoved(
  transaction: Transaction,
  jobs: readonly TakenJob[],
): Promise<ReadonlySet<number>> {
  const rows = await transaction.rows<{ number: number }>(
    `select j.number from notification_job j
     join unnest($1::bigint[], $2::text[], $3::text[]) as t (number, channel, address)
       on t.number = j.number
     where j.state = 'queued' and (j.channel, j.address) <> (t.channel, t.address)
     order by j.number for update of j`,
    [
      int8Array(jobs.map(({ number }) => number)),
      textArray(jobs.map(({ channel }) => channel)),
      textArray(jobs.map(({ address }) => address)),
    ],
  )
  return new Set(rows.map(({ number }) => number))
}
