import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'

export type StoredQuota = {
  readonly businessId: string
  readonly kind: string
  readonly most: number
}

export function readQuotas(queryable: Queryable): Promise<StoredQuota[]> {
  return queryable.rows<StoredQuota>(
    'select business_id as "businessId", kind, most from accounts_quota',
  )
}

/**
 * Locks the quota of a business; no other process changes it, or counts by it, until the
 * transaction ends.
 */
export async function holdQuota(
  transaction: Transaction,
  businessId: string,
  kind: string,
): Promise<number | undefined> {
  const row = await transaction.one<{ most: number }>(
    'select most from accounts_quota where business_id = $1 and kind = $2 for update',
    [businessId, kind],
  )
  return row?.most
}

export async function writeQuota(
  queryable: Queryable,
  { businessId, kind, most }: StoredQuota,
): Promise<void> {
  await queryable.run(
    `insert into accounts_quota (business_id, kind, most) values ($1, $2, $3::bigint)
     on conflict (business_id, kind) do update set most = excluded.most`,
    [businessId, kind, most],
  )
}

export async function deleteQuota(
  queryable: Queryable,
  businessId: string,
  kind: string,
): Promise<void> {
  for (const table of ['accounts_quota', 'accounts_quota_bucket']) {
    await queryable.run(`delete from ${table} where business_id = $1 and kind = $2`, [
      businessId,
      kind,
    ])
  }
}

/** A rate: what the bucket holds at most, and what flows in. */
export type BucketRate = { readonly most: number; readonly perUs: number }

export type RateGrant = { readonly granted: number; readonly left: number }

const left = 'least($3::float8, b.tokens + greatest(0, $4::bigint - b.at) * $5::float8)'
const granted = (of: string) =>
  `case when ${of} >= $6::float8 then least(${of}, $7::float8) else 0 end`

/**
 * Takes from a rate: at least so much, or nothing, and at most so much. A clock that is behind
 * another process's lets nothing flow in.
 */
export async function takeFrom(
  queryable: Queryable,
  key: { readonly businessId: string; readonly kind: string },
  { most, perUs }: BucketRate,
  nowUs: number,
  { least, atMost }: { readonly least: number; readonly atMost: number },
): Promise<RateGrant> {
  const row = await queryable.one<RateGrant>(
    `insert into accounts_quota_bucket as b (business_id, kind, tokens, granted, at)
     values ($1, $2, $3::float8 - ${granted('$3::float8')}, ${granted('$3::float8')}, $4)
     on conflict (business_id, kind) do update set
       tokens = ${left} - ${granted(left)}, granted = ${granted(left)},
       at = greatest(b.at, $4::bigint)
     returning granted, tokens as left`,
    [key.businessId, key.kind, most, nowUs, perUs, least, atMost],
  )
  return row ?? { granted: 0, left: 0 }
}

export type MinuteUse = {
  readonly businessId: string
  readonly kind: string
  readonly minute: number
  readonly used: number
}

export async function addUses(queryable: Queryable, uses: readonly MinuteUse[]): Promise<void> {
  await queryable.run(
    `insert into accounts_quota_use as u (business_id, kind, minute, used)
     select business_id, kind, minute::bigint, used::float8
     from unnest($1::text[], $2::text[], $3::text[], $4::text[])
       as added (business_id, kind, minute, used)
     order by business_id, minute, kind
     on conflict (business_id, minute, kind) do update set used = u.used + excluded.used`,
    [
      textArray(uses.map(({ businessId }) => businessId)),
      textArray(uses.map(({ kind }) => kind)),
      textArray(uses.map(({ minute }) => String(minute))),
      textArray(uses.map(({ used }) => String(used))),
    ],
  )
}

/** Reads the use of businesses in one minute. */
export function readUses(
  queryable: Queryable,
  businessIds: readonly string[],
  minute: number,
): Promise<MinuteUse[]> {
  return queryable.rows<MinuteUse>(
    `select business_id as "businessId", kind, minute, used from accounts_quota_use
     where business_id = any($1::text[]) and minute = $2`,
    [textArray(businessIds), minute],
  )
}

export function deleteUsesBefore(queryable: Queryable, minute: number): Promise<number> {
  return queryable.run('delete from accounts_quota_use where minute < $1', [minute])
}

async function countBy(queryable: Queryable, table: string, businessIds: readonly string[]) {
  const rows = await queryable.rows<{ id: string; count: number }>(
    `select business_id as id, count(*) as count from ${table}
     where business_id = any($1::text[]) group by 1`,
    [textArray(businessIds)],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Tokens and users are few, and are added by people. */
export function countTokens(queryable: Queryable, businessIds: readonly string[]) {
  return countBy(queryable, 'accounts_token', businessIds)
}

export function countUsers(queryable: Queryable, businessIds: readonly string[]) {
  return countBy(queryable, 'accounts_user', businessIds)
}
