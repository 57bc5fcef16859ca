import type { Database, Transaction } from '../../../foundation/database/index.ts'
import type { UserSession } from '../schema.ts'

/** The owner of a session or a token, with the permissions of its role. */
export type Holder = {
  businessId: string
  id: string
  permissions: string[]
  groups: string[] | null
}

type NewSession = Omit<UserSession, 'createdAt' | 'lastUsedAt'> & { tokenHash: string; at: number }

const columns = `id, created_at as "createdAt", last_used_at as "lastUsedAt",
  expires_at as "expiresAt", address, user_agent as "userAgent", method`

export function sessionStore(database: Database) {
  return {
    addSession: (
      transaction: Transaction,
      businessId: string,
      userId: string,
      session: NewSession,
    ) =>
      transaction.run(
        `insert into accounts_session
          (token_hash, business_id, user_id, created_at, expires_at, address, id, user_agent,
           method)
        values ($3, $1, $2, $4, $5, $6, $7, $8, $9)`,
        [
          businessId,
          userId,
          session.tokenHash,
          session.at,
          session.expiresAt,
          session.address,
          session.id,
          session.userAgent,
          session.method,
        ],
      ),
    /** Removes what has expired, and the oldest past `keep`. */
    trimSessions: (
      transaction: Transaction,
      businessId: string,
      userId: string,
      { at, keep }: { at: number; keep: number },
    ) =>
      transaction.run(
        `delete from accounts_session where business_id = $1 and user_id = $2
        and (expires_at <= $3 or token_hash in (
          select token_hash from accounts_session where business_id = $1 and user_id = $2
          order by created_at desc, token_hash offset $4))`,
        [businessId, userId, at, keep],
      ),
    removeSession: (tokenHash: string) =>
      database.one<{ businessId: string }>(
        `delete from accounts_session where token_hash = $1
        returning business_id as "businessId"`,
        [tokenHash],
      ),
    removeSessions: (transaction: Transaction, businessId: string, userId: string) =>
      transaction.run('delete from accounts_session where business_id = $1 and user_id = $2', [
        businessId,
        userId,
      ]),
    session: (tokenHash: string) =>
      database.one<Holder & { expiresAt: number; sessionId: string; lacksTotp: boolean }>(
        `select s.business_id as "businessId", s.user_id as id, s.expires_at as "expiresAt",
          s.id as "sessionId", r.permissions, u.groups,
          b.totp_demanded and s.method <> 'oidc' and t.confirmed_at is null as "lacksTotp"
        from accounts_session s
        join accounts_business b on b.id = s.business_id
        left join accounts_totp t on t.business_id = s.business_id and t.user_id = s.user_id
        join accounts_user u on u.business_id = s.business_id and u.id = s.user_id
        join accounts_role r on r.business_id = u.business_id and r.name = u.role
        where s.token_hash = $1`,
        [tokenHash],
      ),
  }
}

/** Sessions as their user sees them. */
export function sessionListStore(database: Database) {
  return {
    /** The newest first. */
    listSessions: (businessId: string, userId: string, max: number) =>
      database.rows<UserSession>(
        `select ${columns} from accounts_session where business_id = $1 and user_id = $2
        order by created_at desc, id limit $3`,
        [businessId, userId, max],
      ),
    removeUserSession: (businessId: string, userId: string, id: string) =>
      database.run(
        'delete from accounts_session where business_id = $1 and user_id = $2 and id = $3',
        [businessId, userId, id],
      ),
    noteSessionUse: (businessId: string, id: string, at: number) =>
      database.run(
        `update accounts_session set last_used_at = greatest(last_used_at, $3)
        where business_id = $1 and id = $2`,
        [businessId, id, at],
      ),
  }
}
