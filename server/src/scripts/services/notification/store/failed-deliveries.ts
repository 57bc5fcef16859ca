import {
  type Queryable,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'
import type { FailureKey } from '../../../../foundation/kernel/index.ts'
import type { FailedDelivery } from '../delivery/job.ts'
import { lockBindings } from './bindings.ts'

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

function toFailed(row: Row): FailedDelivery {
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

/** Reads those of these solutions that failed, newest first. */
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
  return rows.map(toFailed)
}

/** Counts those of these solutions that failed, at most `most`. */
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
  return row && toFailed(row)
}

/**
 * A job of a binding is sent to its address of now, and to nobody if it was deleted; one of an
 * address that was named in `send` has none. Its time to live began when it was queued first.
 */
const retriable = `
  from notification_job f
  join notification_notification n on n.solution_id = f.solution_id and n.sid = f.notification_sid
  left join notification_binding b on b.solution_id = f.solution_id and b.sid = f.binding_sid`

const hasAddress = '(n.expand_to = 0 or b.sid is not null)'

const isInTime = (now: number) =>
  `f.created_at + (n.message::jsonb ->> 'ttlS')::bigint * 1000000 > $${now}::bigint`

/**
 * Queues failed jobs again, the oldest first.
 * @param number undefined: all that may be sent. @returns the part of each.
 */
export async function requeueFailed(
  transaction: Transaction,
  solutionIds: readonly string[],
  { number, count, nowUs }: { readonly number?: number; count: number; nowUs: number },
): Promise<{ readonly part: number }[]> {
  const event = JSON.stringify([{ at: nowUs, event: 'queued', text: 'sent again by a person' }])
  await lockBindings(transaction, solutionIds)
  return transaction.rows(
    `update notification_job j
     set state = 'queued', tries = 0, due_at = $3::bigint, updated_at = $3::bigint,
       channel = w.channel, address = w.address, credential_sid = w.credential_sid,
       reason = null, receipt = -1, timeline = (j.timeline::jsonb || $4::jsonb)::text
     from (select f.number, coalesce(b.channel, f.channel) as channel,
             coalesce(b.address, f.address) as address,
             case when b.sid is null then f.credential_sid else b.credential_sid end
               as credential_sid ${retriable}
           where f.solution_id = any($1::text[]) and f.state = 'failed'
             and ($2::bigint is null or f.number = $2::bigint)
             and ${hasAddress} and ${isInTime(3)}
           order by f.updated_at, f.number limit $5::integer for update of f) w
     where j.number = w.number and j.state = 'failed'
     returning j.part`,
    [textArray(solutionIds), number ?? null, nowUs, event, count],
  )
}

/** Returns why a job that failed is not sent again; undefined if there is none, or it may be. */
export async function readRefusal(
  queryable: Queryable,
  solutionIds: readonly string[],
  number: number,
  nowUs: number,
): Promise<'unbound' | 'expired' | undefined> {
  const row = await queryable.one<{ has_address: boolean; in_time: boolean }>(
    `select ${hasAddress} as has_address, ${isInTime(3)} as in_time ${retriable}
     where f.solution_id = any($1::text[]) and f.state = 'failed' and f.number = $2::bigint`,
    [textArray(solutionIds), number, nowUs],
  )
  if (row === undefined) return undefined
  if (!row.has_address) return 'unbound'
  return row.in_time ? undefined : 'expired'
}

/** @param number undefined: all. @returns how many there were, by their parts. */
export function deleteFailed(
  transaction: Transaction,
  solutionIds: readonly string[],
  number: number | undefined,
): Promise<{ readonly part: number; readonly count: number }[]> {
  return transaction.rows(
    `with gone as (
       delete from notification_job
     where solution_id = any($1::text[]) and state = 'failed'
       and ($2::bigint is null or number = $2::bigint)
       returning part)
     select part, count(*) as count from gone group by part order by part`,
    [textArray(solutionIds), number ?? null],
  )
}
