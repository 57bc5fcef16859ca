import {
  type Database,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'

/** The second step of a user, as it is stored. Times are milliseconds. */
export type StoredTotp = {
  readonly sealedSecret: string
  readonly createdAt: number
  readonly confirmedAt: number | null
  readonly lastStep: number
}

export function totpStore(database: Database) {
  return {
    totp: (businessId: string, userId: string) =>
      database.one<StoredTotp>(
        `select sealed_secret as "sealedSecret", created_at as "createdAt",
          confirmed_at as "confirmedAt", last_step as "lastStep"
        from accounts_totp where business_id = $1 and user_id = $2`,
        [businessId, userId],
      ),
    /** Replaces one that was not confirmed; 0 if there is one that was. */
    addTotp: (businessId: string, userId: string, sealedSecret: string, at: number) =>
      database.run(
        `insert into accounts_totp as t (business_id, user_id, sealed_secret, created_at)
        select business_id, id, $3, $4 from accounts_user where business_id = $1 and id = $2
        on conflict (business_id, user_id) do update set
          sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
        where t.confirmed_at is null`,
        [businessId, userId, sealedSecret, at],
      ),
    /** 0 if it was confirmed, or begun anew, in the meantime. */
    confirmTotp: (
      transaction: Transaction,
      businessId: string,
      userId: string,
      { sealedSecret, at, step }: { sealedSecret: string; at: number; step: number },
    ) =>
      transaction.run(
        `update accounts_totp set confirmed_at = $4, last_step = $5
        where business_id = $1 and user_id = $2 and sealed_secret = $3 and confirmed_at is null`,
        [businessId, userId, sealedSecret, at, step],
      ),
    /** 1 for the first that shows a code of the step, or of a later one. */
    takeStep: (businessId: string, userId: string, step: number) =>
      database.run(
        `update accounts_totp set last_step = $3
        where business_id = $1 and user_id = $2 and last_step < $3 and confirmed_at is not null`,
        [businessId, userId, step],
      ),
  }
}

/** Codes in place of the app's. */
export function recoveryCodeStore(database: Database) {
  return {
    removeTotp: async (transaction: Transaction, businessId: string, userId: string) => {
      const user = [businessId, userId]
      const sql = 'where business_id = $1 and user_id = $2'
      await transaction.run(`delete from accounts_recovery_code ${sql}`, user)
      return transaction.run(`delete from accounts_totp ${sql}`, user)
    },
    /** Replaces those that there are. */
    putRecoveryCodes: async (
      on: Queryable,
      businessId: string,
      userId: string,
      hashes: readonly string[],
    ) => {
      await on.run('delete from accounts_recovery_code where business_id = $1 and user_id = $2', [
        businessId,
        userId,
      ])
      await on.run(
        `insert into accounts_recovery_code (business_id, user_id, code_hash)
        select $1, $2, unnest($3::text[])`,
        [businessId, userId, textArray(hashes)],
      )
    },
    /** 1 for the first that shows it. */
    takeRecoveryCode: (businessId: string, userId: string, hash: string) =>
      database.run(
        `delete from accounts_recovery_code
        where business_id = $1 and user_id = $2 and code_hash = $3`,
        [businessId, userId, hash],
      ),
    countRecoveryCodes: async (businessId: string, userId: string) => {
      const row = await database.one<{ count: number }>(
        `select count(*) as count from accounts_recovery_code
        where business_id = $1 and user_id = $2`,
        [businessId, userId],
      )
      return row?.count ?? 0
    },
  }
}
