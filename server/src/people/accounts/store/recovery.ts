import type { Database, Transaction } from '../../../foundation/database/index.ts'

export function recoveryStore(database: Database) {
  return {
    /** Adds a link unless the user has so many that are younger than `since`. */
    addReset: (
      { businessId, userId }: { businessId: string; userId: string },
      reset: { tokenHash: string; at: number; expiresAt: number; since: number; max: number },
    ) =>
      database.run(
        `insert into accounts_reset (token_hash, business_id, user_id, created_at, expires_at)
        select $3::text, $1::text, $2::text, $4::bigint, $5::bigint
        where (select count(*) from accounts_reset
          where business_id = $1 and user_id = $2 and created_at > $6) < $7`,
        [businessId, userId, reset.tokenHash, reset.at, reset.expiresAt, reset.since, reset.max],
      ),
    reset: (tokenHash: string) =>
      database.one<{ businessId: string; userId: string; email: string; expiresAt: number }>(
        `select r.business_id as "businessId", r.user_id as "userId", u.email,
          r.expires_at as "expiresAt"
        from accounts_reset r
        join accounts_user u on u.business_id = r.business_id and u.id = r.user_id
        where r.token_hash = $1`,
        [tokenHash],
      ),
    /** Only the first who takes it gets 1. */
    takeReset: (transaction: Transaction, tokenHash: string) =>
      transaction.run('delete from accounts_reset where token_hash = $1', [tokenHash]),
    removeResets: (transaction: Transaction, businessId: string, userId: string) =>
      transaction.run('delete from accounts_reset where business_id = $1 and user_id = $2', [
        businessId,
        userId,
      ]),
    removeOldLinks: async (before: number) => {
      await database.run('delete from accounts_reset where expires_at < $1', [before])
      await database.run('delete from accounts_invitation where expires_at < $1', [before])
      await database.run('delete from accounts_session where expires_at < $1', [before])
    },
  }
}
