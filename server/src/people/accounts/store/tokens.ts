import type { Database, Transaction } from '../../../foundation/database/index.ts'
import type { RequestRates } from '../permissions.ts'
import type { Token } from '../schema.ts'
import type { Holder } from './sessions.ts'

/** A token as a request finds it. */
export type TokenHolder = Holder &
  Omit<RequestRates, 'holder'> & {
    readonly expiresAt: number | null
    readonly addresses: readonly string[]
  }

export function tokenStore(database: Database) {
  return {
    addToken,
    removeExpiredTokens: (businessId: string, at: number) =>
      database.run('delete from accounts_token where business_id = $1 and expires_at <= $2', [
        businessId,
        at,
      ]),
    countTokens: async (businessId: string) => {
      const row = await database.one<{ count: number }>(
        'select count(*) as count from accounts_token where business_id = $1',
        [businessId],
      )
      return row?.count ?? 0
    },
    /** `within`: only tokens that see no more than these groups. */
    tokens: (businessId: string, within: string[] | null, max: number) =>
      database.rows<Token>(
        `select id, name, role, groups, addresses, created_at as "createdAt",
          created_by as "createdBy", expires_at as "expiresAt", last_used_at as "lastUsedAt",
          json_build_object('requests', rate_requests, 'timeMs', rate_ms) as "rateLimits"
        from accounts_token
        where business_id = $1 and ($2::text[] is null or groups <@ $2::text[])
        order by created_at desc, id limit $3`,
        [businessId, within, max],
      ),
    removeToken: (businessId: string, within: string[] | null, id: string) =>
      database.run(
        `delete from accounts_token
        where business_id = $1 and ($2::text[] is null or groups <@ $2::text[]) and id = $3`,
        [businessId, within, id],
      ),
    noteUse: (businessId: string, id: string, at: number) =>
      database.run(
        `update accounts_token set last_used_at = greatest(last_used_at, $3)
        where business_id = $1 and id = $2`,
        [businessId, id, at],
      ),
    token: (tokenHash: string) =>
      database.one<TokenHolder>(
        `select t.business_id as "businessId", t.id, t.expires_at as "expiresAt", r.permissions,
          t.groups, t.addresses,
          coalesce(t.rate_requests, r.rate_requests) as "requestsMax",
          coalesce(t.rate_ms, r.rate_ms) as "msMax"
        from accounts_token t
        join accounts_role r on r.business_id = t.business_id and r.name = t.role
        where t.token_hash = $1`,
        [tokenHash],
      ),
  }
}

function addToken(
  transaction: Transaction,
  businessId: string,
  token: Omit<Token, 'lastUsedAt'> & { tokenHash: string },
) {
  return transaction.run(
    `insert into accounts_token
          (business_id, id, name, token_hash, role, created_at, expires_at,
           rate_requests, rate_ms, groups, addresses, created_by)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      businessId,
      token.id,
      token.name,
      token.tokenHash,
      token.role,
      token.createdAt,
      token.expiresAt,
      token.rateLimits.requests,
      token.rateLimits.timeMs,
      token.groups,
      token.addresses,
      token.createdBy,
    ],
  )
}
