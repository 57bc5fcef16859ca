import {
  type Queryable,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'
import type { Audience } from '../bindings/audience.ts'
import { pushChannels } from '../payload/channels.ts'
import type { Message } from '../sending/channel.ts'
import type { Direct } from '../sending/message.ts'
import type { Sent } from '../wire.ts'
import { audienceValues, whereAudience } from './bindings.ts'

export type Notification = Sent & {
  readonly solutionId: string
  readonly number: number
  readonly createdAt: number
  /** True if all its bindings have jobs. */
  readonly expanded: boolean
}

export type Expanding = {
  readonly solutionId: string
  readonly sid: string
  readonly serviceSid: string
  readonly part: number
  readonly identities: readonly string[]
  readonly tags: readonly string[]
  readonly after: number
  readonly to: number
  /** At Ttl 0. */
  readonly once: boolean
}

export type NewNotification = Sent & {
  readonly businessId: string
  readonly solutionId: string
  readonly part: number
  readonly direct: readonly Direct[]
}

/**
 * Stores a notification for the bindings that there are now, or for none if it has addresses of its
 * own. @returns the number of the last binding.
 */
export async function insertNotification(
  transaction: Transaction,
  notification: NewNotification,
  nowUs: number,
): Promise<number> {
  const { businessId, solutionId, part, sid, serviceSid, identities, tags, message } = notification
  const direct = notification.direct.length > 0
  const row = await transaction.one<{ expand_to: number }>(
    `insert into notification_notification (solution_id, sid, service_sid, business_id, part,
       message, identities, tags, expand_after, expand_to, created_at)
     values ($1, $2, $3, $4, $5, $6, $7::text[], $8::text[], 0,
       (select coalesce(max(number), 0) from notification_binding
        where solution_id = $1 and service_sid = $3 and not $10::boolean), $9::bigint)
     returning expand_to`,
    [
      solutionId,
      sid,
      serviceSid,
      businessId,
      part,
      JSON.stringify(message),
      textArray(identities),
      textArray(tags),
      nowUs,
      direct,
    ],
  )
  return row?.expand_to ?? 0
}

/** Inserts jobs for the next bindings of an audience. @returns their count and the last number. */
export async function expand(
  transaction: Transaction,
  audience: Audience,
  { sid, part, after, to, once }: Pick<Expanding, 'sid' | 'part' | 'after' | 'to' | 'once'>,
  nowUs: number,
  count: number,
): Promise<{ readonly count: number; readonly after: number }> {
  const row = await transaction.one<{ count: number; last: number | null }>(
    `with audience as materialized (
       select sid, number, channel, address, credential_sid from notification_binding
       where ${whereAudience(audience)} and number > $6::bigint and number <= $7::bigint
       order by number limit $8::bigint),
     added as (
       insert into notification_job (solution_id, notification_sid, binding_sid, part, channel,
         address, credential_sid, state, once, due_at, created_at, updated_at)
       select $1, $9, sid, $10, channel, address, credential_sid, 'queued',
         $12::boolean and channel = any($13::text[]), $11::bigint, $11::bigint, $11::bigint
       from audience order by number)
     select count(*) as count, max(number) as last from audience`,
    [
      ...audienceValues(audience),
      after,
      to,
      count,
      sid,
      part,
      nowUs,
      once,
      textArray(pushChannels),
    ],
  )
  const added = row?.count ?? 0
  const reached = added < count ? to : (row?.last ?? to)
  await transaction.run(
    `update notification_notification set expand_after = $3::bigint
     where solution_id = $1 and sid = $2`,
    [audience.solutionId, sid, reached],
  )
  return { count: added, after: reached }
}

/** Jobs for addresses that have no binding. */
export async function insertDirect(
  transaction: Transaction,
  notification: Pick<NewNotification, 'solutionId' | 'sid' | 'part' | 'message'>,
  jobs: readonly (Direct & { readonly bindingSid: string })[],
  nowUs: number,
): Promise<void> {
  const { solutionId, sid, part, message } = notification
  await transaction.run(
    `insert into notification_job (solution_id, notification_sid, binding_sid, part, channel,
       address, state, once, due_at, created_at, updated_at)
     select $1, $2, d.sid, $3, d.channel, d.address, 'queued',
       $8::boolean and d.channel = any($9::text[]), $4::bigint, $4::bigint, $4::bigint
     from unnest($5::text[], $6::text[], $7::text[]) as d (sid, channel, address)`,
    [
      solutionId,
      sid,
      part,
      nowUs,
      textArray(jobs.map(({ bindingSid }) => bindingSid)),
      textArray(jobs.map(({ channel }) => channel)),
      textArray(jobs.map(({ address }) => address)),
      message.ttlS === 0,
      textArray(pushChannels),
    ],
  )
}

/** Locks a notification that has bindings without jobs, until the transaction ends. */
export async function takeExpanding(transaction: Transaction): Promise<Expanding | undefined> {
  const row = await transaction.one<{
    solution_id: string
    sid: string
    service_sid: string
    part: number
    identities: readonly string[]
    tags: readonly string[]
    expand_after: number
    expand_to: number
    once: boolean
  }>(
    `select solution_id, sid, service_sid, part, identities, tags, expand_after, expand_to,
       (message::jsonb ->> 'ttlS')::bigint = 0 as once
     from notification_notification where expand_after < expand_to
     order by number limit 1 for update skip locked`,
  )
  if (row === undefined) return undefined
  const { sid, part, identities, tags, once } = row
  return {
    solutionId: row.solution_id,
    sid,
    serviceSid: row.service_sid,
    part,
    identities,
    tags,
    after: row.expand_after,
    to: row.expand_to,
    once,
  }
}

type Row = {
  readonly solution_id: string
  readonly sid: string
  readonly service_sid: string
  readonly number: number
  readonly message: string
  readonly identities: readonly string[]
  readonly tags: readonly string[]
  readonly expanded: boolean
  readonly created_at: number
}

const columns =
  'solution_id, sid, service_sid, number, message, identities, tags, ' +
  'expand_after >= expand_to as expanded, created_at'

function fromRow(row: Row): Notification {
  const { sid, number, identities, tags, expanded } = row
  return {
    solutionId: row.solution_id,
    sid,
    serviceSid: row.service_sid,
    number,
    identities,
    tags,
    expanded,
    createdAt: row.created_at,
    message: JSON.parse(row.message) as Message,
  }
}

export async function readNotification(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  sid: string,
): Promise<Notification | undefined> {
  const row = await queryable.one<Row>(
    `select ${columns} from notification_notification
     where business_id = $1 and solution_id = $2 and sid = $3`,
    [businessId, solutionId, sid],
  )
  return row && fromRow(row)
}

/** Newest first. */
export async function readNotifications(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  { before, count }: { readonly before: number; readonly count: number },
): Promise<Notification[]> {
  const rows = await queryable.rows<Row>(
    `select ${columns} from notification_notification
     where business_id = $1 and solution_id = $2 and number < $3::bigint
     order by number desc limit $4::bigint`,
    [businessId, solutionId, before, count],
  )
  return rows.map(fromRow)
}

/** The messages of notifications of one solution. */
export async function readMessages(
  queryable: Queryable,
  solutionId: string,
  sids: readonly string[],
): Promise<ReadonlyMap<string, Message>> {
  const rows = await queryable.rows<{ sid: string; message: string }>(
    `select sid, message from notification_notification
     where solution_id = $1 and sid = any($2::text[])`,
    [solutionId, textArray(sids)],
  )
  return new Map(rows.map(({ sid, message }) => [sid, JSON.parse(message) as Message]))
}
