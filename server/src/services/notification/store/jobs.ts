import { int8Array, type Queryable, type Transaction, textArray } from '../../../database/index.ts'
import type { ChannelName } from '../channel.ts'
import type { JobRecord, JobState, Moment, Settlement, TakenJob } from '../job.ts'

/** Whose jobs are taken, by which process, and until when. */
export type Lease = { readonly owner: string; readonly nowUs: number; readonly untilUs: number }

/** Solutions with something to send that is due, after one. */
export async function readBacklogged(
  queryable: Queryable,
  after: string,
  solutionsMax: number,
): Promise<string[]> {
  const rows = await queryable.rows<{ solution_id: string }>(
    `with recursive backlogged as (
       (select solution_id, 1 as place from notification_job
        where state in ('queued', 'sending') and solution_id > $1
        order by solution_id limit 1)
       union all
       select (select j.solution_id from notification_job j
               where j.state in ('queued', 'sending') and j.solution_id > b.solution_id
               order by j.solution_id limit 1), b.place + 1
       from backlogged b where b.solution_id is not null and b.place < $2::integer)
     select solution_id from backlogged where solution_id is not null`,
    [after, solutionsMax],
  )
  return rows.map((row) => row.solution_id)
}

/** Takes the jobs of a solution that are due and that nobody has, oldest first. */
export async function takeJobs(
  queryable: Queryable,
  solutionId: string,
  { owner, nowUs, untilUs }: Lease,
  count: number,
): Promise<TakenJob[]> {
  const rows = await queryable.rows<{
    notification_sid: string
    binding_sid: string
    business_id: string
    channel: ChannelName
    address: string
    credential_sid: string | null
    tries: number
  }>(
    `with taken as (
       select notification_sid, binding_sid from notification_job
       where solution_id = $1 and state in ('queued', 'sending')
         and due_at <= $3::bigint and leased_until <= $3::bigint
       order by due_at, number limit $5::integer for update skip locked)
     update notification_job j
     set state = 'sending', lease = $2, leased_until = $4::bigint, tries = tries + 1,
       updated_at = $3::bigint
     from taken t, notification_notification n
     where j.solution_id = $1 and j.notification_sid = t.notification_sid
       and j.binding_sid = t.binding_sid
       and n.solution_id = $1 and n.sid = j.notification_sid
     returning j.notification_sid, j.binding_sid, n.business_id, j.channel, j.address,
       j.credential_sid, j.tries`,
    [solutionId, owner, nowUs, untilUs, count],
  )
  return rows.map((row) => ({
    ...{ businessId: row.business_id, solutionId, notificationSid: row.notification_sid },
    ...{ bindingSid: row.binding_sid, channel: row.channel, address: row.address },
    credentialSid: row.credential_sid ?? undefined,
    tries: row.tries - 1,
  }))
}

/** Writes down how taken jobs ended. @returns of those that the owner had: part and state. */
export function settleJobs(
  transaction: Transaction,
  owner: string,
  settlements: readonly Settlement[],
  nowUs: number,
): Promise<{ readonly part: number; readonly state: JobState }[]> {
  const texts = [
    settlements.map(({ job }) => job.solutionId),
    settlements.map(({ job }) => job.notificationSid),
    settlements.map(({ job }) => job.bindingSid),
    settlements.map(({ state }) => state),
    settlements.map(({ provider }) => provider ?? null),
    settlements.map(({ providerId }) => providerId ?? null),
    settlements.map(({ reason }) => reason ?? null),
    settlements.map(({ payload }) => payload ?? null),
    settlements.map(({ moments }) => JSON.stringify(moments)),
  ]
  const numbers = [
    settlements.map(({ dueAtUs }) => dueAtUs ?? 0),
    settlements.map(({ begun }) => (begun ? 0 : 1)),
  ]
  return transaction.rows(
    `update notification_job j
     set state = s.state, provider = coalesce(s.provider, j.provider), provider_id = s.provider_id,
       reason = s.reason, payload = s.payload, due_at = greatest(j.due_at, s.due_at),
       tries = j.tries - s.unbegun, lease = null, leased_until = 0, updated_at = $13::bigint,
       timeline = (j.timeline::jsonb || s.moments::jsonb)::text
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::text[], $10::text[], $11::bigint[], $12::bigint[])
       as s (solution_id, notification_sid, binding_sid, state, provider, provider_id, reason,
         payload, moments, due_at, unbegun)
     where j.solution_id = s.solution_id and j.notification_sid = s.notification_sid
       and j.binding_sid = s.binding_sid and j.lease = $1
     returning j.part, j.state`,
    [owner, ...texts.map((one) => textArray(one)), ...numbers.map((one) => int8Array(one)), nowUs],
  )
}

/** Keeps what the process has for longer. */
export async function renewLeases(queryable: Queryable, lease: Lease): Promise<void> {
  await queryable.run('update notification_job set leased_until = $2::bigint where lease = $1', [
    lease.owner,
    lease.untilUs,
  ])
}

/** What the process had is free for others at once. */
export async function releaseLeases(queryable: Queryable, owner: string): Promise<void> {
  await queryable.run(
    'update notification_job set lease = null, leased_until = 0 where lease = $1',
    [owner],
  )
}

/** How many wait, by the part in which the ledger counts them. */
export async function countOpen(queryable: Queryable): Promise<Map<number, number>> {
  const rows = await queryable.rows<{ part: number; count: number }>(
    `select part, count(*) as count from notification_job
     where state in ('queued', 'sending') group by part`,
  )
  return new Map(rows.map(({ part, count }) => [part, count]))
}

type JobRow = {
  readonly notification_sid: string
  readonly binding_sid: string
  readonly number: number
  readonly channel: ChannelName
  readonly address: string
  readonly state: JobState
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
  const { number, channel, address, state, tries } = row
  return {
    ...{ notificationSid: row.notification_sid, bindingSid: row.binding_sid, number },
    ...{ channel, address, state, tries, createdAt: row.created_at, updatedAt: row.updated_at },
    provider: row.provider ?? undefined,
    providerId: row.provider_id ?? undefined,
    reason: row.reason ?? undefined,
    payload: row.payload === null ? undefined : JSON.parse(row.payload),
    moments: JSON.parse(row.timeline) as Moment[],
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

/** How many jobs of each notification are in each state. */
export async function countStates(
  queryable: Queryable,
  solutionId: string,
  sids: readonly string[],
): Promise<{ readonly sid: string; readonly state: JobState; readonly count: number }[]> {
  return queryable.rows(
    `select notification_sid as sid, state, count(*) as count from notification_job
     where solution_id = $1 and notification_sid = any($2::text[])
     group by notification_sid, state`,
    [solutionId, textArray(sids)],
  )
}

/** What the local sink took, newest first. */
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
