import {
  int8Array,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'
import { presentUntil } from '../../../../foundation/kernel/index.ts'
import type { QueueName } from '../delivery/channel-throttle.ts'
import type { JobPosition, JobRecord, Settlement, TakenJob } from '../delivery/job.ts'
import { notificationLimits } from '../limits.ts'
import type { NotificationJobState, TimelineEvent } from '../schema.ts'
import type { Channel } from '../sending/channel.ts'

/** Points of the timeline of one binding; a provider that repeats itself adds no more. */
const notificationEventsMax = 50

/** The due jobs of a queue after a position, oldest first. */
export async function readDue(
  queryable: Queryable,
  { solutionId, channel }: QueueName,
  after: JobPosition,
  nowUs: number,
  count: number,
): Promise<TakenJob[]> {
  const rows = await queryable.rows<{
    number: number
    due_at: number
    notification_sid: string
    binding_sid: string
    address: string
    credential_sid: string | null
    tries: number
    once: boolean
    created_at: number
  }>(
    `select number, due_at, notification_sid, binding_sid, address, credential_sid, tries, once,
       created_at
     from notification_job
     where solution_id = $1 and channel = $2 and state = 'queued' and due_at <= $3::bigint
       and (due_at, number) > ($4::bigint, $5::bigint)
     order by due_at, number limit $6::integer`,
    [solutionId, channel, nowUs, after.dueAtUs, after.number, count],
  )
  return rows.map((row) => ({
    number: row.number,
    dueAtUs: row.due_at,
    solutionId,
    channel,
    notificationSid: row.notification_sid,
    bindingSid: row.binding_sid,
    address: row.address,
    attempts: row.tries,
    credentialSid: row.credential_sid ?? undefined,
    once: row.once,
    queuedAtUs: row.created_at,
  }))
}

/**
 * Makes jobs that a clock ahead of time has queued or delayed due now: else they would wait until
 * that time. They are among those that are due last.
 */
export async function rescheduleFutureJobs(
  queryable: Queryable,
  { solutionId, channel }: QueueName,
  nowUs: number,
): Promise<void> {
  await queryable.run(
    `update notification_job
     set due_at = $3::bigint, created_at = least(created_at, $3::bigint), updated_at = $3::bigint
     where number in (
       select number from (
         select number, updated_at from notification_job
         where solution_id = $1 and channel = $2 and state = 'queued' and due_at > $4::bigint
         order by due_at desc, number desc limit $5::integer) as last
       where updated_at > $4::bigint)
       and state = 'queued' and updated_at > $4::bigint`,
    [solutionId, channel, nowUs, presentUntil(nowUs), notificationLimits.notificationExpandMax],
  )
}

/** Writes the outcomes of attempts. @returns part and state of the jobs that were still queued. */
export function settleJobs(
  transaction: Transaction,
  settlements: readonly Settlement[],
  nowUs: number,
): Promise<{ readonly part: number; readonly state: NotificationJobState }[]> {
  const texts = [
    settlements.map(({ state }) => state),
    settlements.map(({ provider }) => provider ?? null),
    settlements.map(({ providerId }) => providerId ?? null),
    settlements.map(({ reason }) => reason ?? null),
    settlements.map(({ payload }) => payload ?? null),
    settlements.map(({ events }) => JSON.stringify(events)),
  ]
  const numbers = [
    settlements.map(({ job }) => job.number),
    settlements.map(({ dueAtUs }) => dueAtUs ?? 0),
    settlements.map(({ isAttempt }) => (isAttempt ? 1 : 0)),
  ]
  return transaction.rows(
    `update notification_job j
     set state = s.state, provider = coalesce(s.provider, j.provider), provider_id = s.provider_id,
       reason = s.reason, payload = s.payload,
       due_at = greatest(least(j.due_at, $10::bigint), s.due_at),
       created_at = least(j.created_at, $10::bigint),
       tries = j.tries + s.is_attempt, updated_at = $10::bigint,
       timeline = case
         when j.timeline = '[]' then s.events
         when s.state = 'queued' and jsonb_array_length(j.timeline::jsonb) >= $11::integer
           then j.timeline
         else (j.timeline::jsonb || s.events::jsonb)::text end
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
         $7::bigint[], $8::bigint[], $9::bigint[])
       as s (state, provider, provider_id, reason, payload, events, number, due_at, is_attempt)
     where j.number = s.number and j.state = 'queued'
     returning j.part, s.state`,
    [
      ...texts.map((one) => textArray(one)),
      ...numbers.map((one) => int8Array(one)),
      nowUs,
      notificationEventsMax,
    ],
  )
}

/** Counts queued jobs, or those that ended, by the part in which the ledger counts them. */
export async function countByPart(
  queryable: Queryable,
  which: 'queued' | 'ended',
): Promise<Map<number, number>> {
  const rows = await queryable.rows<{ part: number; count: number }>(
    `select part, count(*) as count from notification_job
     where (state = 'queued') = $1::boolean group by part`,
    [which === 'queued'],
  )
  return new Map(rows.map(({ part, count }) => [part, count]))
}

type JobRow = {
  readonly notification_sid: string
  readonly binding_sid: string
  readonly number: number
  readonly channel: Channel
  readonly address: string
  readonly state: NotificationJobState
  readonly tries: number
  readonly provider: string | null
  readonly provider_id: string | null
  readonly reason: string | null
  readonly payload: string | null
  readonly timeline: string
  readonly created_at: number
  readonly updated_at: number
}

const columns =
  'j.notification_sid, j.binding_sid, j.number, j.channel, j.address, j.state, j.tries, ' +
  'j.provider, j.provider_id, j.reason, j.payload, j.timeline, j.created_at, j.updated_at'

function fromRow(row: JobRow): JobRecord {
  const { number, channel, address, state, tries, provider, reason } = row
  return {
    notificationSid: row.notification_sid,
    bindingSid: row.binding_sid,
    number,
    channel,
    address,
    state,
    tries,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    provider,
    providerId: row.provider_id,
    reason,
    payload: row.payload === null ? undefined : JSON.parse(row.payload),
    events: JSON.parse(row.timeline) as TimelineEvent[],
  }
}

/** The jobs of a notification, in the order in which they were queued. */
export async function readJobs(
  queryable: Queryable,
  solutionId: string,
  notificationSid: string,
  { after, count }: { readonly after: number; readonly count: number },
): Promise<JobRecord[]> {
  const rows = await queryable.rows<JobRow>(
    `select ${columns} from notification_job j
     where j.solution_id = $1 and j.notification_sid = $2 and j.number > $3::bigint
     order by j.number limit $4::bigint`,
    [solutionId, notificationSid, after, count],
  )
  return rows.map(fromRow)
}

/** Counts the jobs of each notification in each state. */
export async function countStates(
  queryable: Queryable,
  solutionId: string,
  sids: readonly string[],
): Promise<
  { readonly sid: string; readonly state: NotificationJobState; readonly count: number }[]
> {
  return queryable.rows(
    `select notification_sid as sid, state, count(*) as count from notification_job
     where solution_id = $1 and notification_sid = any($2::text[])
     group by notification_sid, state`,
    [solutionId, textArray(sids)],
  )
}

/** The jobs that the local sink took, newest first. */
export async function readSink(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  { before, count }: { readonly before: number; readonly count: number },
): Promise<JobRecord[]> {
  const rows = await queryable.rows<JobRow>(
    `select ${columns} from notification_job j
     join notification_notification n
       on n.solution_id = j.solution_id and n.sid = j.notification_sid
     where n.business_id = $1 and j.solution_id = $2 and j.payload is not null
       and j.number < $3::bigint
     order by j.number desc limit $4::bigint`,
    [businessId, solutionId, before, count],
  )
  return rows.map(fromRow)
}
