import type { Database, Queryable, Transaction } from '../database/index.ts'
import type { StoredRates } from './parse.ts'
import type { Role } from './permissions.ts'

export type Business = { readonly id: string; readonly name: string }
export type User = { readonly id: string; readonly email: string; readonly role: string }
/** An API token as it is listed: without its secret. Times are in milliseconds. */
export type Token = {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly createdAt: number
  /** Null: it does not expire. */
  readonly expiresAt: number | null
  /** Requests in a window, and the sum of their milliseconds; null: as the role has it. */
  readonly requestsMax: number | null
  readonly msMax: number | null
}
/** A user as it is stored. */
export type KeptUser = User & { readonly key: string; readonly hash: string; readonly at: number }
/** A user as a sign-in finds it. */
export type PasswordRow = {
  businessId: string
  userId: string
  passwordHash: string
  permissions: string[]
}
/** The owner of a session or a token, with the permissions of its role. */
type Holder = { businessId: string; id: string; permissions: string[] }

/** The SQL of this module. Times are milliseconds. A write returns the number of its rows. */
export function createStore(database: Database) {
  return {
    ...businessStore(database),
    ...userStore(database),
    ...sessionStore(database),
    ...tokenStore(database),
  }
}

function businessStore(database: Database) {
  const columns = 'id, name'
  return {
    addBusiness: (transaction: Transaction, { id, name }: Business, at: number) =>
      transaction.run(
        `insert into accounts_business (id, name, created_at) values ($1, $2, $3)
        on conflict do nothing`,
        [id, name, at],
      ),
    addRole: (transaction: Transaction, businessId: string, role: Role) =>
      transaction.run(
        'insert into accounts_role (business_id, name, permissions) values ($1, $2, $3)',
        [businessId, role.name, role.permissions],
      ),
    businessNamed: (nameOrId: string) =>
      database.one<Business>(
        `select ${columns} from accounts_business where id = $1 or name = $1
        order by (id = $1) desc limit 1`,
        [nameOrId],
      ),
    businesses: (max: number) =>
      database.rows<Business>(
        `select ${columns} from accounts_business order by created_at, id limit $1`,
        [max],
      ),
    role: (businessId: string, name: string) =>
      database.one<Role>(
        'select name, permissions from accounts_role where business_id = $1 and name = $2',
        [businessId, name],
      ),
    setRoleRates: (businessId: string, name: string, { requestsMax, msMax }: StoredRates) =>
      database.run(
        `update accounts_role set rate_requests = $3, rate_ms = $4
        where business_id = $1 and name = $2`,
        [businessId, name, requestsMax, msMax],
      ),
    roles: (businessId: string, max: number) =>
      database.rows<Role>(
        `select name, permissions from accounts_role where business_id = $1
        order by name limit $2`,
        [businessId, max],
      ),
  }
}

function userStore(database: Database) {
  return {
    addUser: (on: Queryable, businessId: string, user: KeptUser) =>
      on.run(
        `insert into accounts_user
          (business_id, id, email, email_key, password_hash, role, created_at)
        values ($1, $2, $3, $4, $5, $6, $7) on conflict (email_key) do nothing`,
        [businessId, user.id, user.email, user.key, user.hash, user.role, user.at],
      ),
    users: (businessId: string, max: number) =>
      database.rows<User>(
        `select id, email, role from accounts_user where business_id = $1
        order by email_key limit $2`,
        [businessId, max],
      ),
    user: (businessId: string, id: string) =>
      database.one<User>(
        'select id, email, role from accounts_user where business_id = $1 and id = $2',
        [businessId, id],
      ),
    userOfEmail: (businessId: string, key: string) =>
      database.one<User>(
        'select id, email, role from accounts_user where business_id = $1 and email_key = $2',
        [businessId, key],
      ),
    /** Returns the id of the user. */
    setPassword: (transaction: Transaction, businessId: string, key: string, hash: string) =>
      transaction.one<{ id: string }>(
        `update accounts_user set password_hash = $3 where business_id = $1 and email_key = $2
        returning id`,
        [businessId, key, hash],
      ),
    /** Holds the user until the transaction ends; no row if the password has changed. */
    holdUser: (transaction: Transaction, businessId: string, userId: string, hash: string) =>
      transaction.one<{ id: string }>(
        `select id from accounts_user
        where business_id = $1 and id = $2 and password_hash = $3 for update`,
        [businessId, userId, hash],
      ),
    removeUser: (businessId: string, userId: string) =>
      database.run('delete from accounts_user where business_id = $1 and id = $2', [
        businessId,
        userId,
      ]),
    /** By the e-mail alone: a sign-in names no business. */
    credentials: (key: string) =>
      database.one<PasswordRow>(
        `select u.business_id as "businessId", u.id as "userId",
          u.password_hash as "passwordHash", r.permissions
        from accounts_user u
        join accounts_role r on r.business_id = u.business_id and r.name = u.role
        where u.email_key = $1`,
        [key],
      ),
  }
}

function sessionStore(database: Database) {
  return {
    addSession: (
      transaction: Transaction,
      businessId: string,
      userId: string,
      session: { tokenHash: string; at: number; expiresAt: number },
    ) =>
      transaction.run(
        `insert into accounts_session (token_hash, business_id, user_id, created_at, expires_at)
        values ($3, $1, $2, $4, $5)`,
        [businessId, userId, session.tokenHash, session.at, session.expiresAt],
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
      database.run('delete from accounts_session where token_hash = $1', [tokenHash]),
    removeSessions: (transaction: Transaction, businessId: string, userId: string) =>
      transaction.run('delete from accounts_session where business_id = $1 and user_id = $2', [
        businessId,
        userId,
      ]),
    session: (tokenHash: string) =>
      database.one<Holder & { expiresAt: number }>(
        `select s.business_id as "businessId", s.user_id as id, s.expires_at as "expiresAt",
          r.permissions
        from accounts_session s
        join accounts_user u on u.business_id = s.business_id and u.id = s.user_id
        join accounts_role r on r.business_id = u.business_id and r.name = u.role
        where s.token_hash = $1`,
        [tokenHash],
      ),
  }
}

function tokenStore(database: Database) {
  return {
    addToken: (businessId: string, token: Token & { tokenHash: string }) =>
      database.run(
        `insert into accounts_token
          (business_id, id, name, token_hash, role, created_at, expires_at,
           rate_requests, rate_ms)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          ...[businessId, token.id, token.name, token.tokenHash, token.role],
          ...[token.createdAt, token.expiresAt, token.requestsMax, token.msMax],
        ],
      ),
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
    tokens: (businessId: string, max: number) =>
      database.rows<Token>(
        `select id, name, role, created_at as "createdAt", expires_at as "expiresAt",
          rate_requests as "requestsMax", rate_ms as "msMax"
        from accounts_token where business_id = $1 order by created_at desc, id limit $2`,
        [businessId, max],
      ),
    removeToken: (businessId: string, id: string) =>
      database.run('delete from accounts_token where business_id = $1 and id = $2', [
        businessId,
        id,
      ]),
    token: (tokenHash: string) =>
      database.one<Holder & StoredRates & { expiresAt: number | null }>(
        `select t.business_id as "businessId", t.id, t.expires_at as "expiresAt", r.permissions,
          coalesce(t.rate_requests, r.rate_requests) as "requestsMax",
          coalesce(t.rate_ms, r.rate_ms) as "msMax"
        from accounts_token t
        join accounts_role r on r.business_id = t.business_id and r.name = t.role
        where t.token_hash = $1`,
        [tokenHash],
      ),
  }
}

export type Store = ReturnType<typeof createStore>
