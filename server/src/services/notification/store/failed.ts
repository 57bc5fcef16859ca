import { type Queryable, type Transaction, textArray } from '../../../database/index.ts'
import type { FailureKey } from '../../../kernel/index.ts'
import type { FailedDelivery } from '../delivery/job.ts'

type Row = {
  number: number
  solution_id: string
  notification_sid: string
  binding_sid: string
  channel: string
  address: string
  message: string
  tries: number
  reason: string | null
  created_at: number
  updated_at: number
}

function failedOf(row: Row): FailedDelivery {
  return {
    id: String(row.number),
    solutionId: row.solution_id,
    notificationSid: row.notification_sid,
    bindingSid: row.binding_sid,
    channel: row.channel,
    address: row.address,
    message: JSON.parse(row.message),
    tries: row.tries,
    reason: row.reason ?? '',
    createdAt: row.created_at,
    failedAt: row.updated_at,
  }
}

const joined = `
  select j.number, j.solution_id, j.notification_sid, j.binding_sid, j.channel, j.address,
    n.message, j.tries, j.reason, j.created_at, j.updated_at
  from notification_job j
  join notification_notification n on n.solution_id = j.solution_id and n.sid = j.notification_sid
  where j.solution_id = any($1::text[]) and j.state = 'failed'`

/** Those of these solutions that failed, newest first. */
export async function readFailed(
  queryable: Queryable,
  solutionIds: readonly string[],
  before: FailureKey | undefined,
  limit: number,
): Promise<FailedDelivery[]> {
  const rows = await queryable.rows<Row>(
    `${joined} and ($2::bigint is null or (j.updated_at, j.number::text) < ($2::bigint, $3))
     order by j.updated_at desc, j.number::text desc limit $4::integer`,
    [textArray(solutionIds), before?.failedAtUs ?? null, before?.id ?? '', limit],
  )
  return rows.map(failedOf)
}

/** How many of these solutions failed, at most `most`. */
export async function countFailed(
  queryable: Queryable,
  solutionIds: readonly string[],
  most: number,
): Promise<number> {
  const row = await queryable.one<{ count: number }>(
    `select count(*) as count from (
       select 1 from notification_job
       where solution_id = any($1::text[]) and state = 'failed' limit $2::integer) as failed`,
    [textArray(solutionIds), most],
  )
  return row?.count ?? 0
}

export async function readOneFailed(
  queryable: Queryable,
  solutionIds: readonly string[],
  number: number,
): Promise<FailedDelivery | undefined> {
  const text = `${joined} and j.number = $2::bigint`
  const row = await queryable.one<Row>(text, [textArray(solutionIds), number])
  return row && failedOf(row)
}

/**
 * Queues failed jobs again, the oldest first; they are counted from now on, also for their time to
 * live.
 * @param number undefined: all. @returns the part of each.
 */
export function requeueFailed(
  transaction: Transaction,
  solutionIds: readonly string[],
  { number, count, nowUs }: { readonly number?: number; count: number; nowUs: number },
): Promise<{ readonly part: number }[]> {
  const event = JSON.stringify([{ at: nowUs, event: 'queued', text: 'sent again by a person' }])
  return transaction.rows(
    `update notification_job j
     set state = 'queued', tries = 0, once = false, due_at = $3::bigint, created_at = $3::bigint,
       updated_at = $3::bigint, reason = null, receipt = -1,
       timeline = (j.timeline::jsonb || $4::jsonb)::text
     where j.state = 'failed' and j.number = any(array(
       select number from notification_job
       where solution_id = any($1::text[]) and state = 'failed'
         and ($2::bigint is null or number = $2::bigint)
       order by updated_at, number limit $5::integer for update))
     returning j.part`,
    [textArray(solutionIds), number ?? null, nowUs, event, count],
  )
}

/** @param number undefined: all. @returns how many there were. */
export function deleteFailed(
  queryable: Queryable,
  solutionIds: readonly string[],
  number: number | undefined,
): Promise<number> {
  return queryable.run(
    `delete from notification_job
     where solution_id = any($1::text[]) and state = 'failed'
       and ($2::bigint is null or number = $2::bigint)`,
    [textArray(solutionIds), number ?? null],
  )
}
