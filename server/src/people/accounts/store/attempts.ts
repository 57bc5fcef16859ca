import { type Database, type Transaction, textArray } from '../../../foundation/database/index.ts'

/** A count of failures; `max` of them lock it. */
export type AttemptKey = {
  readonly account: string
  readonly address: string
  readonly max: number
}

export type AttemptTimes = {
  readonly at: number
  /** The first lock; each failure after it doubles the time, up to `lockMsMax`. */
  readonly lockMs: number
  readonly lockMsMax: number
  /** Failures before this time do not count. */
  readonly since: number
}

const accountArray = (keys: readonly AttemptKey[]) => textArray(keys.map((one) => one.account))
const addressArray = (keys: readonly AttemptKey[]) => textArray(keys.map((one) => one.address))

/** Failed sign-ins. */
export function attemptStore(database: Database) {
  return {
    /** The end of the longest lock of these, in milliseconds; 0 if none is locked. */
    lockedUntil: async (keys: readonly AttemptKey[], at: number) => {
      const row = await database.one<{ until: number | null }>(
        `select max(a.locked_until) as until from accounts_attempt a
        join unnest($1::text[], $2::text[]) as k (account, address)
          on k.account = a.account and k.address = a.address
        where a.locked_until > $3`,
        [accountArray(keys), addressArray(keys), at],
      )
      return row?.until ?? 0
    },
    /** Counts one attempt as failed, but for keys that are locked. Returns the new counts. */
    countAttempt: (keys: readonly AttemptKey[], times: AttemptTimes) =>
      database.rows<{ account: string; address: string; failures: number; lockedUntil: number }>(
        `insert into accounts_attempt as a (account, address, failures, last_at, locked_until)
        select k.account, k.address, 1, $4::bigint,
          case when k.max <= 1 then $4::bigint + $5::bigint else 0 end
        from unnest($1::text[], $2::text[], $3::int[]) as k (account, address, max)
        order by k.account, k.address
        on conflict (account, address) do update set
          failures = case when a.last_at < $7 then 1 else a.failures + 1 end,
          last_at = excluded.last_at,
          locked_until = (
            select case when f.count < k.max then 0
              else $4::bigint + least($6::bigint,
                $5::bigint * (1::bigint << least(20, f.count - k.max))) end
            from unnest($1::text[], $2::text[], $3::int[]) as k (account, address, max),
              (select case when a.last_at < $7 then 1 else a.failures + 1 end as count) as f
            where k.account = a.account and k.address = a.address)
        where a.locked_until <= $4
        returning account, address, failures, locked_until as "lockedUntil"`,
        [
          accountArray(keys),
          addressArray(keys),
          keys.map(({ max }) => max),
          times.at,
          times.lockMs,
          times.lockMsMax,
          times.since,
        ],
      ),
  }
}

/** Ends locks, and shows them. */
export function lockStore(database: Database) {
  return {
    /** Takes one attempt back, of each of these, with the lock that it brought. */
    uncountAttempt: (keys: readonly AttemptKey[]) =>
      database.run(
        `update accounts_attempt a set failures = greatest(0, a.failures - 1), locked_until = 0
        from unnest($1::text[], $2::text[]) as k (account, address)
        where k.account = a.account and k.address = a.address`,
        [accountArray(keys), addressArray(keys)],
      ),
    removeAttempts: (keys: readonly AttemptKey[]) =>
      database.run(
        `delete from accounts_attempt a
        using unnest($1::text[], $2::text[]) as k (account, address)
        where k.account = a.account and k.address = a.address`,
        [accountArray(keys), addressArray(keys)],
      ),
    /** Removes the attempts on these accounts, from any address. */
    clearAttempts: (on: Database | Transaction, accounts: readonly string[]) =>
      on.run('delete from accounts_attempt where account = any($1)', [textArray(accounts)]),
    /** The end of the lock of each of these accounts that is locked, from one address or all. */
    findLocks: (accounts: readonly string[], at: number) =>
      database.rows<{ account: string; until: number }>(
        `select account, max(locked_until) as until from accounts_attempt
        where account = any($1) and locked_until > $2 group by account`,
        [textArray(accounts), at],
      ),
    removeOldAttempts: async (before: number, familiarBefore: number) => {
      await database.run('delete from accounts_attempt where last_at < $1', [before])
      await database.run('delete from accounts_familiar_address where last_at < $1', [
        familiarBefore,
      ])
    },
  }
}

/** Network addresses from which users have signed in. */
export function familiarStore(database: Database) {
  return {
    isFamiliar: async (businessId: string, userId: string, address: string) => {
      const found = await database.one(
        `select address from accounts_familiar_address
        where business_id = $1 and user_id = $2 and address = $3`,
        [businessId, userId, address],
      )
      return found !== undefined
    },
    /** Keeps the `max` addresses that were used last. */
    addFamiliar: (businessId: string, userId: string, address: string, at: number, max: number) =>
      database.transaction(async (transaction) => {
        await transaction.run(
          `insert into accounts_familiar_address as f (business_id, user_id, address, last_at)
          select business_id, id, $3, $4 from accounts_user where business_id = $1 and id = $2
          on conflict (business_id, user_id, address)
          do update set last_at = greatest(f.last_at, excluded.last_at)`,
          [businessId, userId, address, at],
        )
        await transaction.run(
          `delete from accounts_familiar_address where business_id = $1 and user_id = $2
          and address in (
            select address from accounts_familiar_address where business_id = $1 and user_id = $2
            order by last_at desc, address offset $3)`,
          [businessId, userId, max],
        )
      }),
  }
}
