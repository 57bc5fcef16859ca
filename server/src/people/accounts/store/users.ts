import {
  type Database,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import type { User } from '../schema.ts'

/** A user as it is stored. */
export type KeptUser = Omit<User, 'hasTotp' | 'signedInAt'> & {
  readonly key: string
  readonly hash: string
  readonly at: number
}
/** A user as a sign-in finds it. */
export type PasswordRow = {
  businessId: string
  userId: string
  email: string
  /** The user has a second step; the business demands one. */
  hasTotp: boolean
  demandsTotp: boolean
  passwordHash: string
  permissions: string[]
  groups: string[] | null
}

const columns = `id, email, name, role, groups, signed_in_at as "signedInAt", exists (
  select 1 from accounts_totp t where t.business_id = u.business_id and t.user_id = u.id
    and t.confirmed_at is not null) as "hasTotp"`

export function userStore(database: Database) {
  return {
    addUser: (on: Queryable, businessId: string, user: KeptUser) =>
      on.run(
        `insert into accounts_user
          (business_id, id, email, email_key, password_hash, role, created_at, name, groups)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (email_key) do nothing`,
        [
          businessId,
          user.id,
          user.email,
          user.key,
          user.hash,
          user.role,
          user.at,
          user.name,
          user.groups,
        ],
      ),
    /** In the order of the e-mail addresses; `within`: only users that see no more than these. */
    users: (
      businessId: string,
      { within, limit, offset }: { within: string[] | null; limit: number; offset: number },
    ) =>
      database.rows<User>(
        `select ${columns} from accounts_user u
        where business_id = $1 and ($2::text[] is null or groups <@ $2::text[])
        order by email_key limit $3 offset $4`,
        [businessId, within, limit, offset],
      ),
    user: (businessId: string, id: string) =>
      database.one<User>(
        `select ${columns} from accounts_user u where business_id = $1 and id = $2`,
        [businessId, id],
      ),
    usersWithIds: (businessId: string, ids: readonly string[]) =>
      database.rows<User>(
        `select ${columns} from accounts_user u where business_id = $1 and id = any($2)`,
        [businessId, textArray(ids)],
      ),
    userOfEmail: (businessId: string, key: string) =>
      database.one<User>(
        `select ${columns} from accounts_user u where business_id = $1 and email_key = $2`,
        [businessId, key],
      ),
    changeUser: (transaction: Transaction, businessId: string, user: User) =>
      transaction.run(
        `update accounts_user set name = $3, role = $4, groups = $5
        where business_id = $1 and id = $2`,
        [businessId, user.id, user.name, user.role, user.groups],
      ),
  }
}

/** Users by the groups that they have. */
export function groupUserStore(database: Database) {
  return {
    /** The users of each of these groups, those of the whole business in the root. */
    usersInGroups: (
      businessId: string,
      asked: {
        readonly groupIds: readonly string[]
        readonly rootId: string
        /** Only users that see no more than these. */
        readonly within: readonly string[] | null
        readonly rowsMax: number
      },
    ) =>
      database.rows<User & { readonly inGroup: string }>(
        `select g.id as "inGroup", m.id, m.email, m.name, m.role, m.groups, m."hasTotp",
          m."signedInAt"
        from unnest($2::text[]) as g (id)
        cross join lateral (
          select ${columns} from accounts_user u
          where business_id = $1 and (g.id = any(groups) or (groups is null and g.id = $3))
            and ($4::text[] is null or groups <@ $4::text[])
          order by email_key limit $5
        ) m`,
        [businessId, textArray(asked.groupIds), asked.rootId, asked.within, asked.rowsMax],
      ),
    userCounts: (businessId: string, groupIds: readonly string[], rootId: string) =>
      database.rows<{ id: string; count: number }>(
        `select g.id, count(*) as count
        from unnest($2::text[]) as g (id)
        join accounts_user u on u.business_id = $1
          and (g.id = any(u.groups) or (u.groups is null and g.id = $3))
        group by g.id`,
        [businessId, textArray(groupIds), rootId],
      ),
  }
}

/** Passwords, and what a change of people must leave. */
export function credentialStore(database: Database) {
  return {
    /** Returns the id of the user. */
    setPassword: (transaction: Transaction, businessId: string, key: string, hash: string) =>
      transaction.one<{ id: string }>(
        `update accounts_user set password_hash = $3 where business_id = $1 and email_key = $2
        returning id`,
        [businessId, key, hash],
      ),
    /** Another hash of the same password; 0 if the password has changed. */
    renewHash: (businessId: string, userId: string, from: string, to: string) =>
      database.run(
        `update accounts_user set password_hash = $4
        where business_id = $1 and id = $2 and password_hash = $3`,
        [businessId, userId, from, to],
      ),
    /** Holds the user until the transaction ends; no row if the password has changed. */
    holdUser: (transaction: Transaction, businessId: string, userId: string, hash: string) =>
      transaction.one<{ id: string }>(
        `select id from accounts_user
        where business_id = $1 and id = $2 and password_hash = $3 for update`,
        [businessId, userId, hash],
      ),
    noteSignIn: (transaction: Transaction, businessId: string, userId: string, at: number) =>
      transaction.run(
        'update accounts_user set signed_in_at = $3 where business_id = $1 and id = $2',
        [businessId, userId, at],
      ),
    removeUser: (transaction: Transaction, businessId: string, userId: string) =>
      transaction.run('delete from accounts_user where business_id = $1 and id = $2', [
        businessId,
        userId,
      ]),
    /** Users of the whole business whose role has a permission. */
    countHolders: async (transaction: Transaction, businessId: string, permission: string) => {
      const row = await transaction.one<{ count: number }>(
        `select count(*) as count from accounts_user u
        join accounts_role r on r.business_id = u.business_id and r.name = u.role
        where u.business_id = $1 and u.groups is null and $2 = any(r.permissions)`,
        [businessId, permission],
      )
      return row?.count ?? 0
    },
    usersOfRole: async (transaction: Transaction, businessId: string, role: string) => {
      const text = 'select id from accounts_user where business_id = $1 and role = $2'
      return (await transaction.rows<{ id: string }>(text, [businessId, role])).map(({ id }) => id)
    },
    /** By the e-mail alone: a sign-in names no business. */
    credentials: (key: string) =>
      database.one<PasswordRow>(
        `select u.business_id as "businessId", u.id as "userId", u.email, u.groups,
          u.password_hash as "passwordHash", r.permissions,
          t.confirmed_at is not null as "hasTotp", b.totp_demanded as "demandsTotp"
        from accounts_user u
        join accounts_business b on b.id = u.business_id
        left join accounts_totp t on t.business_id = u.business_id and t.user_id = u.id
        join accounts_role r on r.business_id = u.business_id and r.name = u.role
        where u.email_key = $1`,
        [key],
      ),
  }
}
