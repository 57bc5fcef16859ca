import {
  type BusinessRows,
  type Database,
  type Queryable,
  readDependants,
  rowsByIndex,
  rowsWhere,
  type Transaction,
} from '../../database/index.ts'
import type { Dependants } from '../../kernel/index.ts'

/** Who has a group: they keep it, and so hold it. */
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

/** Who has a role: they keep it, and so hold it. */
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

/** What a user has made that lets others in; it goes with the user. */
export function userDependants(
  queryable: Queryable,
  businessId: string,
  userId: string,
): Promise<Dependants[]> {
  const made = 'where business_id = $1 and created_by = $2'
  return readDependants(queryable, { effect: 'deleted', values: [businessId, `user:${userId}`] }, [
    { kind: 'api_tokens', from: `accounts_token ${made}`, name: 'name' },
    { kind: 'invitations', from: `accounts_invitation ${made}`, name: 'email' },
  ])
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
  const values = [businessId, `user:${userId}`]
  const made = 'where business_id = $1 and created_by = $2'
  await transaction.run(`delete from accounts_token ${made}`, values)
  await transaction.run(`delete from accounts_invitation ${made}`, values)
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
    /** Nobody is in the business from now on; 0 if it is deleted already. */
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
  ...['accounts_token', 'accounts_invitation', 'accounts_user', 'accounts_role'],
  ...['accounts_oidc', 'accounts_audit'],
  ...['accounts_quota', 'accounts_quota_bucket', 'accounts_quota_use'],
)

/** What is left of a business; its own row is the last. */
export const accountRows: BusinessRows = async function* (queryable, businessId) {
  yield* rest(queryable, businessId)
  yield* rowsWhere(queryable, 'accounts_business', 'id = $1', businessId)
}
