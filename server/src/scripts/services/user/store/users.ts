import {
  type Queryable,
  readDependants,
  type Transaction,
} from '../../../../foundation/database/index.ts'
import type { Dependants } from '../../../../foundation/kernel/index.ts'

/** A user of a solution, as its row has it. */
export type SolutionUserRow = {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly status: number
  readonly created_at: number
}

export type UserPasswordRow = SolutionUserRow & { readonly password_hash: string }

const columns = 'id, email, name, status, created_at'

export type SignedUp = {
  readonly email: string
  readonly emailKey: string
  readonly name: string
  readonly passwordHash: string
  readonly activationHash: string
  readonly activationUntil: number
  readonly at: number
}

/** Takes the number of the next user. @returns undefined if there are too many already. */
export async function takeId(
  transaction: Transaction,
  solutionId: string,
  usersMax: number,
): Promise<number | undefined> {
  await transaction.run(
    'insert into user_solution (solution_id) values ($1) on conflict do nothing',
    [solutionId],
  )
  const row = await transaction.one<{ id: number }>(
    `update user_solution set next_id = next_id + 1, users = users + 1
     where solution_id = $1 and users < $2 returning next_id - 1 as id`,
    [solutionId, usersMax],
  )
  return row?.id
}

/** @returns false if a user has the e-mail address. */
export async function insertUser(
  transaction: Transaction,
  solutionId: string,
  id: number,
  user: SignedUp,
): Promise<boolean> {
  const row = await transaction.one(
    `insert into user_account (solution_id, id, email, email_key, name, status, password_hash,
       activation_hash, activation_until, created_at)
     values ($1, $2, $3, $4, $5, 0, $6, $7, $8, $9)
     on conflict (solution_id, email_key) do nothing returning id`,
    [
      solutionId,
      id,
      user.email,
      user.emailKey,
      user.name,
      user.passwordHash,
      user.activationHash,
      user.activationUntil,
      user.at,
    ],
  )
  return row !== undefined
}

/** Activates a user by one guarded step: a code works once, and until its end. */
export async function activate(
  transaction: Transaction,
  solutionId: string,
  codeHash: string,
  nowUs: number,
): Promise<SolutionUserRow | undefined> {
  return transaction.one<SolutionUserRow>(
    `update user_account set status = 1, activation_hash = null, activation_until = null
     where solution_id = $1 and activation_hash = $2 and activation_until > $3 and status = 0
     returning ${columns}`,
    [solutionId, codeHash, nowUs],
  )
}

export async function findByEmail(
  database: Queryable,
  solutionId: string,
  emailKey: string,
): Promise<UserPasswordRow | undefined> {
  return database.one<UserPasswordRow>(
    `select ${columns}, password_hash from user_account
     where solution_id = $1 and email_key = $2`,
    [solutionId, emailKey],
  )
}

export async function findUser(
  database: Queryable,
  solutionId: string,
  id: number,
): Promise<UserPasswordRow | undefined> {
  return database.one<UserPasswordRow>(
    `select ${columns}, password_hash from user_account where solution_id = $1 and id = $2`,
    [solutionId, id],
  )
}

/** The user of a token that has not ended. */
export async function findByToken(
  database: Queryable,
  solutionId: string,
  tokenHash: string,
  nowUs: number,
): Promise<SolutionUserRow | undefined> {
  return database.one<SolutionUserRow>(
    `select u.id, u.email, u.name, u.status, u.created_at
     from user_token t join user_account u on u.solution_id = t.solution_id and u.id = t.user_id
     where t.token_hash = $2 and t.solution_id = $1 and t.expires_at > $3 and u.status = 1`,
    [solutionId, tokenHash, nowUs],
  )
}

/** A condition on a field of a user. */
export type UserFilter = {
  readonly field: 'id' | 'email' | 'name' | 'status'
  readonly operator: 'eq' | 'like'
  /** A text that is compared, or a pattern for `like`. */
  readonly value: string
}

const filterColumns: Readonly<Record<UserFilter['field'], string>> = {
  id: 'id::text',
  email: 'email_key',
  name: 'name',
  status: 'status::text',
}

function makeConditions(filters: readonly UserFilter[], first: number) {
  const conditions = filters.map(({ field, operator }, at) => {
    const compare = operator === 'eq' ? '=' : 'ilike'
    return ` and ${filterColumns[field]} ${compare} $${first + at}`
  })
  return { conditions: conditions.join(''), values: filters.map(({ value }) => value) }
}

export async function listUsers(
  database: Queryable,
  solutionId: string,
  { filters, limit, offset }: { filters: readonly UserFilter[]; limit: number; offset: number },
): Promise<SolutionUserRow[]> {
  const { conditions, values } = makeConditions(filters, 4)
  return database.rows<SolutionUserRow>(
    `select ${columns} from user_account where solution_id = $1${conditions}
     order by id limit $2 offset $3`,
    [solutionId, limit, offset, ...values],
  )
}

export async function countUsers(
  database: Queryable,
  solutionId: string,
  filters: readonly UserFilter[],
): Promise<number> {
  const { conditions, values } = makeConditions(filters, 2)
  const row = await database.one<{ count: number }>(
    `select count(*) as count from user_account where solution_id = $1${conditions}`,
    [solutionId, ...values],
  )
  return row?.count ?? 0
}

export type SolutionUserChange = {
  readonly name?: string
  readonly email?: string
  readonly emailKey?: string
  readonly status?: number
  readonly passwordHash?: string
}

/** @returns undefined if there is no such user. */
export async function changeUser(
  transaction: Transaction,
  solutionId: string,
  id: number,
  { name, email, emailKey, status, passwordHash }: SolutionUserChange,
): Promise<SolutionUserRow | undefined> {
  return transaction.one<SolutionUserRow>(
    `update user_account set name = coalesce($3, name), email = coalesce($4, email),
       email_key = coalesce($5, email_key), status = coalesce($6, status),
       password_hash = coalesce($7, password_hash)
     where solution_id = $1 and id = $2 returning ${columns}`,
    [
      solutionId,
      id,
      name ?? null,
      email ?? null,
      emailKey ?? null,
      status ?? null,
      passwordHash ?? null,
    ],
  )
}

export async function setResetCode(
  database: Queryable,
  solutionId: string,
  emailKey: string,
  { codeHash, until }: { readonly codeHash: string; readonly until: number },
): Promise<boolean> {
  const row = await database.one(
    `update user_account set reset_hash = $3, reset_until = $4
     where solution_id = $1 and email_key = $2 and status < 2 returning id`,
    [solutionId, emailKey, codeHash, until],
  )
  return row !== undefined
}

/**
 * Sets a password by one guarded step: a code sets one password, and until its end. It activates
 * the user, too.
 */
export async function resetByCode(
  transaction: Transaction,
  solutionId: string,
  { codeHash, nowUs, passwordHash }: { codeHash: string; nowUs: number; passwordHash: string },
): Promise<SolutionUserRow | undefined> {
  return transaction.one<SolutionUserRow>(
    `update user_account set password_hash = $4, reset_hash = null, reset_until = null,
       status = case when status = 0 then 1 else status end
     where solution_id = $1 and reset_hash = $2 and reset_until > $3 returning ${columns}`,
    [solutionId, codeHash, nowUs, passwordHash],
  )
}

export async function deleteUser(
  transaction: Transaction,
  solutionId: string,
  id: number,
): Promise<SolutionUserRow | undefined> {
  const row = await transaction.one<SolutionUserRow>(
    `delete from user_account where solution_id = $1 and id = $2 returning ${columns}`,
    [solutionId, id],
  )
  if (row === undefined) return undefined
  for (const table of ['user_token', 'user_assignment', 'user_data']) {
    await transaction.run(`delete from ${table} where solution_id = $1 and user_id = $2`, [
      solutionId,
      id,
    ])
  }
  await transaction.run('update user_solution set users = users - 1 where solution_id = $1', [
    solutionId,
  ])
  return row
}

const solutionTables = [
  'user_token',
  'user_assignment',
  'user_data',
  'user_role',
  'user_account',
  'user_solution',
]

export async function removeSolution(transaction: Transaction, solutionId: string): Promise<void> {
  for (const table of solutionTables) {
    await transaction.run(`delete from ${table} where solution_id = $1`, [solutionId])
  }
}

/** Users of a solution: they go with it. */
export function solutionUsers(queryable: Queryable, solutionId: string): Promise<Dependants[]> {
  const from = 'user_account where solution_id = $1'
  const asked = { effect: 'deleted', values: [solutionId] } as const
  return readDependants(queryable, asked, [{ kind: 'service_users', from, name: 'email' }])
}
