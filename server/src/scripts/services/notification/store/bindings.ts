import {
  type Queryable,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'
import type { Audience } from '../bindings/audience.ts'
import type { Binding, NewBinding } from '../bindings/binding.ts'
import type { Channel } from '../sending/channel.ts'

export type BindingRow = {
  readonly sid: string
  readonly service_sid: string
  readonly number: number
  readonly endpoint: string
  readonly identity: string
  readonly channel: Channel
  readonly address: string
  readonly tags: readonly string[]
  readonly credential_sid: string | null
  readonly protocol_version: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly sent_at: number | null
}

export const bindingColumns =
  'sid, service_sid, number, endpoint, identity, channel, address, tags, credential_sid, ' +
  'protocol_version, created_at, updated_at, sent_at'

export function bindingFromRow(row: BindingRow): Binding {
  return {
    sid: row.sid,
    serviceSid: row.service_sid,
    number: row.number,
    tags: row.tags,
    endpoint: row.endpoint,
    identity: row.identity,
    channel: row.channel,
    address: row.address,
    credentialSid: row.credential_sid ?? undefined,
    protocolVersion: row.protocol_version ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    sentAt: row.sent_at ?? undefined,
  }
}

/** A stored binding, and the sid of the one that it replaced. */
export type Put = { readonly binding: Binding; readonly replaced: string | undefined }

/**
 * Stores a binding. A binding of the same endpoint is replaced: it keeps its place, so that a
 * notification that is being expanded reaches the new address once.
 * @returns undefined if the solution has `max` bindings already.
 */
export async function putBinding(
  transaction: Transaction,
  where: { readonly businessId: string; readonly solutionId: string; readonly max: number },
  binding: NewBinding,
  nowUs: number,
): Promise<Put | undefined> {
  const { businessId, solutionId, max } = where
  const bindings = await lockSolution(transaction, solutionId)
  const before = await transaction.one<{ sid: string }>(
    `select sid from notification_binding
     where solution_id = $1 and service_sid = $2 and endpoint = $3`,
    [solutionId, binding.serviceSid, binding.endpoint],
  )
  const row = await transaction.one<BindingRow & { added: boolean }>(
    `insert into notification_binding (solution_id, sid, service_sid, business_id, endpoint,
       identity, channel, address, tags, credential_sid, protocol_version, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10, $11, $12::bigint, $12::bigint)
     on conflict (solution_id, service_sid, endpoint) do update
     set sid = excluded.sid, identity = excluded.identity, channel = excluded.channel,
       address = excluded.address, tags = excluded.tags,
       credential_sid = excluded.credential_sid, protocol_version = excluded.protocol_version,
       created_at = excluded.created_at, updated_at = excluded.updated_at,
       sent_at = case when notification_binding.address = excluded.address
         then notification_binding.sent_at end
     returning ${bindingColumns}, xmax = 0 as added`,
    [
      solutionId,
      binding.sid,
      binding.serviceSid,
      businessId,
      binding.endpoint,
      binding.identity,
      binding.channel,
      binding.address,
      textArray(binding.tags),
      binding.credentialSid ?? null,
      binding.protocolVersion ?? null,
      nowUs,
    ],
  )
  if (row === undefined) return undefined
  if (row.added) {
    if (bindings >= max) return undefined
    await countBindings(transaction, solutionId, 1)
  }
  return { binding: bindingFromRow(row), replaced: before?.sid }
}

/**
 * Locks out changes of the bindings of solutions while jobs are made of them: none is made for a
 * binding that was deleted or replaced meanwhile.
 */
export async function lockBindings(
  transaction: Transaction,
  solutionIds: readonly string[],
): Promise<void> {
  await transaction.run(
    `select solution_id from notification_solution where solution_id = any($1::text[])
     order by solution_id for share`,
    [textArray(solutionIds)],
  )
}

/** Serializes changes of a solution's bindings. @returns their number. */
export async function lockSolution(transaction: Transaction, solutionId: string): Promise<number> {
  await transaction.run(
    'insert into notification_solution (solution_id) values ($1) on conflict do nothing',
    [solutionId],
  )
  const row = await transaction.one<{ bindings: number }>(
    'select bindings from notification_solution where solution_id = $1 for update',
    [solutionId],
  )
  return row?.bindings ?? 0
}

export async function countBindings(
  transaction: Transaction,
  solutionId: string,
  more: number,
): Promise<void> {
  await transaction.run(
    'update notification_solution set bindings = bindings + $2::bigint where solution_id = $1',
    [solutionId, more],
  )
}

export async function deleteBinding(
  transaction: Transaction,
  solutionId: string,
  serviceSid: string,
  sid: string,
): Promise<boolean> {
  await lockSolution(transaction, solutionId)
  const deleted = await transaction.run(
    'delete from notification_binding where solution_id = $1 and service_sid = $2 and sid = $3',
    [solutionId, serviceSid, sid],
  )
  if (deleted > 0) await countBindings(transaction, solutionId, -deleted)
  return deleted > 0
}

export async function readBinding(
  queryable: Queryable,
  solutionId: string,
  serviceSid: string,
  sid: string,
): Promise<Binding | undefined> {
  const row = await queryable.one<BindingRow>(
    `select ${bindingColumns} from notification_binding
     where solution_id = $1 and service_sid = $2 and sid = $3`,
    [solutionId, serviceSid, sid],
  )
  return row && bindingFromRow(row)
}

/** Two texts, because one plan cannot be right for both. */
const identityClause = 'and identity = any($3::text[])'
const anyIdentity = 'and $3::text[] is null'

export function whereAudience(audience: Pick<Audience, 'identities'>): string {
  return `solution_id = $1 and service_sid = $2
     ${audience.identities === undefined ? anyIdentity : identityClause}
     and tags @> $4::text[] and notification_binding.channel = any($5::text[])`
}

export function audienceValues(audience: Audience): unknown[] {
  const { solutionId, serviceSid, identities, tags, channels } = audience
  return [
    solutionId,
    serviceSid,
    identities === undefined ? null : textArray(identities),
    textArray(tags),
    textArray(channels),
  ]
}

/** A page by its place, or by the binding that it comes after or before. */
export type BindingPage = { readonly count: number } & (
  | { readonly offset: number }
  | { readonly after: number }
  | { readonly before: number }
)

/** In the order of their numbers. */
export async function readBindings(
  queryable: Queryable,
  audience: Audience,
  { fromUs, toUs }: { readonly fromUs: number; readonly toUs: number },
  page: BindingPage,
): Promise<Binding[]> {
  const back = 'before' in page
  const offset = 'offset' in page ? page.offset : 0
  const after = 'after' in page ? page.after : 0
  const before = back ? page.before : Number.MAX_SAFE_INTEGER
  const rows = await queryable.rows<BindingRow>(
    `select ${bindingColumns} from notification_binding where ${whereAudience(audience)}
       and created_at >= $6::bigint and created_at < $7::bigint
       and number > $8::bigint and number < $9::bigint
     order by number ${back ? 'desc' : 'asc'} offset $10::bigint limit $11::bigint`,
    [...audienceValues(audience), fromUs, toUs, after, before, offset, page.count],
  )
  const bindings = rows.map(bindingFromRow)
  return back ? bindings.reverse() : bindings
}

/** The channels that an audience has bindings of, with one address each. */
export async function readChannels(
  queryable: Queryable,
  audience: Audience,
): Promise<{ readonly channel: Channel; readonly address: string }[]> {
  return queryable.rows(
    `select c.channel, b.address from unnest($5::text[]) as c (channel)
     cross join lateral (
       select address from notification_binding
       where ${whereAudience(audience)} and notification_binding.channel = c.channel
       limit 1) b`,
    audienceValues(audience),
  )
}

/** Counts the bindings of an audience in each channel. */
export async function countChannels(
  queryable: Queryable,
  audience: Audience,
): Promise<{ readonly channel: Channel; readonly count: number }[]> {
  return queryable.rows(
    `select channel, count(*) as count from notification_binding
     where ${whereAudience(audience)} group by channel order by channel`,
    audienceValues(audience),
  )
}
