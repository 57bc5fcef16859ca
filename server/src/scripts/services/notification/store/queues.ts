import { int8Array, type Queryable, textArray } from '../../../../foundation/database/index.ts'
import { presentUntil } from '../../../../foundation/kernel/index.ts'
import type { QueueName, QueueState } from '../delivery/channel-throttle.ts'
import { notificationLimits } from '../limits.ts'
import type { Channel } from '../sending/channel.ts'

type Row = {
  readonly solution_id: string
  readonly channel: Channel
  readonly paused_until: number
  readonly pause_reason: string | null
  readonly fault: string | null
  readonly fault_at: number | null
}

function toState(row: Row): QueueState {
  return {
    pausedUntilUs: row.paused_until,
    pauseReason: row.pause_reason ?? undefined,
    fault: row.fault ?? undefined,
    faultAtUs: row.fault_at ?? undefined,
  }
}

/** A queue with jobs; `once`: also jobs that are sent soon or not at all. */
export type Backlog = QueueName & { readonly once: boolean }

/** Returns the queues with jobs, after one of them. */
export async function readBacklogged(
  queryable: Queryable,
  { solutionId, channel }: { readonly solutionId: string; readonly channel: string },
  queuesMax: number,
): Promise<Backlog[]> {
  const rows = await queryable.rows<Pick<Row, 'solution_id' | 'channel'> & { once: boolean }>(
    `with recursive queues as (
       (select solution_id, channel, 1 as place from notification_job
        where state = 'queued' and (solution_id, channel) > ($1, $2)
        order by solution_id, channel limit 1)
       union all
       select n.solution_id, n.channel, l.place + 1 from queues l
       cross join lateral (
         select j.solution_id, j.channel from notification_job j
         where j.state = 'queued' and (j.solution_id, j.channel) > (l.solution_id, l.channel)
         order by j.solution_id, j.channel limit 1) n
       where l.place < $3::integer)
     select l.solution_id, l.channel, exists (
       select 1 from notification_job j
       where j.solution_id = l.solution_id and j.channel = l.channel and j.state = 'queued'
         and j.once) as once
     from queues l`,
    [solutionId, channel, queuesMax],
  )
  return rows.map(({ solution_id: solutionId, channel, once }) => ({ solutionId, channel, once }))
}

export type Lease = { readonly owner: string; readonly nowUs: number; readonly untilUs: number }

/**
 * Takes the lease of a queue, if it has expired, or ends later than any lease can: by a clock ahead
 * of time. @returns the state of the queue, or undefined: another process has its lease.
 */
export async function acquireQueue(
  queryable: Queryable,
  { solutionId, channel }: QueueName,
  { owner, nowUs, untilUs }: Lease,
): Promise<QueueState | undefined> {
  const row = await queryable.one<Row>(
    `insert into notification_queue as l (solution_id, channel, owner, leased_until)
     values ($1, $2, $3, $5::bigint)
     on conflict (solution_id, channel) do update
     set owner = excluded.owner, leased_until = excluded.leased_until
     where l.owner = excluded.owner or l.leased_until <= $4::bigint
       or l.leased_until > $6::bigint
     returning solution_id, channel, paused_until, pause_reason, fault, fault_at`,
    [solutionId, channel, owner, nowUs, untilUs, presentUntil(untilUs)],
  )
  return row && clampPause(toState(row), nowUs)
}

/** Drops a pause that ends later than any can: by a clock ahead of time. */
function clampPause(state: QueueState, nowUs: number): QueueState {
  const longestMs = Math.max(
    notificationLimits.pushRetryAfterMsMax,
    notificationLimits.notificationRetryMsMax,
  )
  if (state.pausedUntilUs <= presentUntil(nowUs + longestMs * 1_000)) return state
  return { ...state, pausedUntilUs: 0, pauseReason: undefined }
}

/** Renews leases. @returns the queues whose leases the owner still has. */
export async function renewQueues(
  queryable: Queryable,
  queues: readonly QueueName[],
  { owner, untilUs }: Lease,
): Promise<QueueName[]> {
  const rows = await queryable.rows<Pick<Row, 'solution_id' | 'channel'>>(
    `update notification_queue l set leased_until = $4::bigint
     from unnest($1::text[], $2::text[]) as n (solution_id, channel)
     where l.solution_id = n.solution_id and l.channel = n.channel and l.owner = $3
     returning l.solution_id, l.channel`,
    [
      textArray(queues.map(({ solutionId }) => solutionId)),
      textArray(queues.map(({ channel }) => channel)),
      owner,
      untilUs,
    ],
  )
  return rows.map((row) => ({ solutionId: row.solution_id, channel: row.channel }))
}

/** Releases all leases of a process. */
export async function releaseQueues(queryable: Queryable, owner: string): Promise<void> {
  await queryable.run(
    'update notification_queue set owner = null, leased_until = 0 where owner = $1',
    [owner],
  )
}

/** Stores the state of a queue, for its next owner. */
export async function saveQueueState(
  queryable: Queryable,
  { solutionId, channel }: QueueName,
  owner: string,
  { pausedUntilUs, pauseReason, fault, faultAtUs }: QueueState,
): Promise<void> {
  await queryable.run(
    `update notification_queue
     set paused_until = $4::bigint, pause_reason = $5, fault = $6, fault_at = $7::bigint
     where solution_id = $1 and channel = $2 and owner = $3`,
    [
      solutionId,
      channel,
      owner,
      pausedUntilUs,
      pauseReason ?? null,
      fault ?? null,
      faultAtUs ?? null,
    ],
  )
}

/** Returns the stored states of a solution's queues, by channel. */
export async function readQueueStates(
  queryable: Queryable,
  solutionId: string,
): Promise<ReadonlyMap<Channel, QueueState>> {
  const rows = await queryable.rows<Row>(
    `select solution_id, channel, paused_until, pause_reason, fault, fault_at
     from notification_queue where solution_id = $1`,
    [solutionId],
  )
  return new Map(rows.map((row) => [row.channel, toState(row)]))
}

export type InvalidatedBinding = {
  readonly solutionId: string
  readonly bindingSid: string
  readonly address: string
  /** A binding that was made later stays, unless its time is in the future. */
  readonly sinceUs: number
}

/** Deletes bindings whose address is invalid. @returns the sids of those that there were. */
export async function pruneBindings(
  queryable: Queryable,
  gone: readonly InvalidatedBinding[],
  nowUs: number,
): Promise<ReadonlySet<string>> {
  const rows = await queryable.rows<{ sid: string }>(
    `with gone as (
       delete from notification_binding b
       using unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
         as g (solution_id, sid, address, since)
       where b.solution_id = g.solution_id and b.sid = g.sid and b.address = g.address
         and (b.updated_at <= g.since or b.updated_at > $5::bigint)
       returning b.solution_id, b.sid),
     counted as (
       update notification_solution s set bindings = s.bindings - c.count
       from (select solution_id, count(*) as count from gone group by solution_id) c
       where s.solution_id = c.solution_id)
     select sid from gone`,
    [
      textArray(gone.map(({ solutionId }) => solutionId)),
      textArray(gone.map(({ bindingSid }) => bindingSid)),
      textArray(gone.map(({ address }) => address)),
      int8Array(gone.map(({ sinceUs }) => sinceUs)),
      presentUntil(nowUs),
    ],
  )
  return new Set(rows.map(({ sid }) => sid))
}
