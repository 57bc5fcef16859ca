import type { Database, Transaction } from '../../database/index.ts'

/** The owner of a session or a token, with the permissions of its role. */
export type Holder = {
  businessId: string
  id: string
  permissions: string[]
  groups: string[] | null
}

type NewSession = { tokenHash: string; at: number; expiresAt: number; address: string }

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
          (token_hash, business_id, user_id, created_at, expires_at, address)
        values ($3, $1, $2, $4, $5, $6)`,
        [businessId, userId, session.tokenHash, session.at, session.expiresAt, session.address],
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
      database.one<Holder & { expiresAt: number }>(
        `select s.business_id as "businessId", s.user_id as id, s.expires_at as "expiresAt",
          r.permissions, u.groups
        from accounts_session s
        join accounts_user u on u.business_id = s.business_id and u.id = s.user_id
        join accounts_role r on r.business_id = u.business_id and r.name = u.role
        where s.token_hash = $1`,
        [tokenHash],
      ),
  }
}
