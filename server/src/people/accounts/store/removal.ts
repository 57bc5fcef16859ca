import {
  type BusinessRows,
  type Database,
  type Queryable,
  readDependants,
  rowsByIndex,
  rowsWhere,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import type { Dependants } from '../../../foundation/kernel/index.ts'

/** The users and tokens that have a group: they keep it, and so hold it. */
export function groupHolders(
  queryable: Queryable,
  businessId: string,
  groupId: string,
): Promise<Dependants[]> {
  const where = 'where business_id = $1 and $2 = any(groups)'
  return readDependants(queryable, { effect: 'blocks', values: [businessId, groupId] }, [
    { kind: 'users', from: `accounts_user ${where}`, name: 'email' },
    { kind: 'api_tokens', from: `accounts_token ${where}`, name: 'name' },
    { kind: 'invitations', from: `accounts_invitation ${where}`, name: 'email' },
  ])
}

/** The users and tokens that have a role: they keep it, and so hold it. */
export function roleHolders(
  queryable: Queryable,
  businessId: string,
  role: string,
): Promise<Dependants[]> {
  const where = 'where business_id = $1 and role = $2'
  return readDependants(queryable, { effect: 'blocks', values: [businessId, role] }, [
    { kind: 'users', from: `accounts_user ${where}`, name: 'email' },
    { kind: 'api_tokens', from: `accounts_token ${where}`, name: 'name' },
    { kind: 'invitations', from: `accounts_invitation ${where}`, name: 'email' },
  ])
}

/** Rows that users have made, or API tokens that they have made. */
const made = `where business_id = $1 and created_by in (
  with recursive makers (subject) as (
    select unnest($2::text[])
    union
    select 'token:' || t.id from accounts_token t
    join makers m on t.business_id = $1 and t.created_by = m.subject
  )
  select subject from makers)`

const madeValues = (businessId: string, userIds: readonly string[]) => [
  businessId,
  textArray(userIds.map((id) => `user:${id}`)),
]

/** The tokens and invitations that a user has made; they go with the user. */
export function userDependants(
  queryable: Queryable,
  businessId: string,
  userId: string,
): Promise<Dependants[]> {
  return readDependants(
    queryable,
    { effect: 'deleted', values: madeValues(businessId, [userId]) },
    [
      { kind: 'api_tokens', from: `accounts_token ${made}`, name: 'name' },
      { kind: 'invitations', from: `accounts_invitation ${made}`, name: 'email' },
    ],
  )
}

/** The open sessions of a user: they end with it, and need no confirmation. */
export function userSessions(
  queryable: Queryable,
  businessId: string,
  userId: string,
): Promise<Dependants[]> {
  const from = 'accounts_session where business_id = $1 and user_id = $2'
  const name = "coalesce(nullif(user_agent, ''), id)"
  const values = [businessId, userId]
  return readDependants(queryable, { effect: 'deleted', values }, [
    { kind: 'sessions', from, name },
  ])
}

/** Deletes the API tokens and invitations that a user has made. */
export async function removeMadeBy(
  transaction: Transaction,
  businessId: string,
  userId: string,
): Promise<void> {
  await removeMade(transaction, businessId, await madeByUsers(transaction, businessId, [userId]))
}

/** An API token or an invitation that a user has made. */
export type MadeByUser = {
  readonly kind: 'token' | 'invitation'
  readonly id: string
  readonly name: string
  /** The permissions of its role. */
  readonly permissions: readonly string[]
  /** Null: the whole business. */
  readonly groups: readonly string[] | null
}

/** Reads the API tokens and invitations that users have made; their number is bounded. */
export function madeByUsers(
  transaction: Transaction,
  businessId: string,
  userIds: readonly string[],
): Promise<MadeByUser[]> {
  return transaction.rows<MadeByUser>(
    `select m.kind, m.id, m.name, m.groups, r.permissions
    from (
      select 'token' as kind, id, name, role, groups from accounts_token ${made}
      union all
      select 'invitation', id, email, role, groups from accounts_invitation ${made}
    ) m
    join accounts_role r on r.business_id = $1 and r.name = m.role
    order by m.kind, m.name, m.id`,
    madeValues(businessId, userIds),
  )
}

export async function removeMade(
  transaction: Transaction,
  businessId: string,
  made: readonly MadeByUser[],
): Promise<void> {
  for (const kind of ['token', 'invitation'] as const) {
    const ids = made.filter((one) => one.kind === kind).map(({ id }) => id)
    await transaction.run(
      `delete from accounts_${kind} where business_id = $1 and id = any($2::text[])`,
      [businessId, textArray(ids)],
    )
  }
}

/** The people of a business. */
export function peopleDependants(queryable: Queryable, businessId: string): Promise<Dependants[]> {
  const where = 'where business_id = $1'
  return readDependants(queryable, { effect: 'deleted', values: [businessId] }, [
    { kind: 'users', from: `accounts_user ${where}`, name: 'email' },
    { kind: 'api_tokens', from: `accounts_token ${where}`, name: 'name' },
    { kind: 'invitations', from: `accounts_invitation ${where}`, name: 'email' },
  ])
}

export function removalStore(database: Database) {
  return {
    /** The business has no users from now on; 0 if it is deleted already. */
    markRemoved: async (transaction: Transaction, businessId: string, at: number) => {
      const marked = await transaction.run(
        'update accounts_business set removed_at = $2 where id = $1 and removed_at is null',
        [businessId, at],
      )
      if (marked > 0) await removePeople(transaction, businessId)
      return marked
    },
    isRemoved: async (businessId: string) => {
      const text = 'select id from accounts_business where id = $1 and removed_at is not null'
      return (await database.one(text, [businessId])) !== undefined
    },
    /** The keys of the e-mail addresses of its users. */
    emailKeys: async (businessId: string) => {
      const text = 'select email_key as key from accounts_user where business_id = $1'
      return (await database.rows<{ key: string }>(text, [businessId])).map(({ key }) => key)
    },
  }
}

/** Their number is bounded: one transaction ends all their credentials. */
async function removePeople(transaction: Transaction, businessId: string): Promise<void> {
  for (const what of ['oidc', 'session', 'token', 'invitation', 'user']) {
    await transaction.run(`delete from accounts_${what} where business_id = $1`, [businessId])
  }
}

const rest = rowsByIndex(
  'accounts_token',
  'accounts_invitation',
  'accounts_user',
  'accounts_role',
  'accounts_oidc',
  'accounts_audit',
  'accounts_quota',
  'accounts_quota_bucket',
  'accounts_quota_use',
)

/** The rows that are left of a business; its own row is the last. */
export const accountRows: BusinessRows = async function* (queryable, businessId) {
  yield* rest(queryable, businessId)
  yield* rowsWhere(queryable, 'accounts_business', 'id = $1', businessId)
}
