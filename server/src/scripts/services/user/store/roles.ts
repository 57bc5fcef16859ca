import {
  type Queryable,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'

export type RoleRow = { readonly role_id: string; readonly parameters: readonly string[] }

/** A value of a role's parameter for a user. */
export type Assignment = {
  readonly role_id: string
  readonly name: string
  readonly value: string
}

/** @returns false if the role is there already, or there are too many. */
export async function insertRole(
  transaction: Transaction,
  solutionId: string,
  roleId: string,
  { parameters, rolesMax }: { parameters: readonly string[]; rolesMax: number },
): Promise<boolean> {
  const row = await transaction.one(
    `insert into user_role (solution_id, role_id, parameters)
     select $1, $2, $3::text[]
     where (select count(*) from user_role where solution_id = $1) < $4
     on conflict do nothing returning role_id`,
    [solutionId, roleId, textArray(parameters), rolesMax],
  )
  return row !== undefined
}

export async function readRoles(database: Queryable, solutionId: string): Promise<RoleRow[]> {
  return database.rows<RoleRow>(
    'select role_id, parameters from user_role where solution_id = $1 order by role_id',
    [solutionId],
  )
}

/** The role, locked until the transaction ends. */
export async function lockRole(
  transaction: Transaction,
  solutionId: string,
  roleId: string,
): Promise<RoleRow | undefined> {
  return transaction.one<RoleRow>(
    `select role_id, parameters from user_role where solution_id = $1 and role_id = $2
     for update`,
    [solutionId, roleId],
  )
}

export async function setParameters(
  transaction: Transaction,
  solutionId: string,
  roleId: string,
  parameters: readonly string[],
): Promise<void> {
  await transaction.run(
    'update user_role set parameters = $3::text[] where solution_id = $1 and role_id = $2',
    [solutionId, roleId, textArray(parameters)],
  )
}

export async function deleteRole(
  transaction: Transaction,
  solutionId: string,
  roleId: string,
): Promise<boolean> {
  const row = await transaction.one(
    'delete from user_role where solution_id = $1 and role_id = $2 returning role_id',
    [solutionId, roleId],
  )
  await deleteAssignments(transaction, solutionId, { roleId })
  return row !== undefined
}

export async function addAssignments(
  transaction: Transaction,
  solutionId: string,
  userId: number,
  assignments: readonly Assignment[],
): Promise<void> {
  await transaction.run(
    `insert into user_assignment (solution_id, user_id, role_id, name, value)
     select $1, $2, a.role_id, a.name, a.value
     from unnest($3::text[], $4::text[], $5::text[]) as a (role_id, name, value)
     on conflict do nothing`,
    [
      solutionId,
      userId,
      textArray(assignments.map(({ role_id }) => role_id)),
      textArray(assignments.map(({ name }) => name)),
      textArray(assignments.map(({ value }) => value)),
    ],
  )
}

export async function countAssignments(
  database: Queryable,
  solutionId: string,
  userId: number,
): Promise<number> {
  const row = await database.one<{ count: number }>(
    `select count(*) as count from user_assignment where solution_id = $1 and user_id = $2`,
    [solutionId, userId],
  )
  return row?.count ?? 0
}

export type AssignmentFilter = {
  readonly roleId: string
  readonly userId?: number
  readonly name?: string
  readonly value?: string
}

const filter = `solution_id = $1 and role_id = $2 and ($3::bigint is null or user_id = $3::bigint)
  and ($4::text is null or name = $4::text) and ($5::text is null or value = $5::text)`

function filterValues(solutionId: string, { roleId, userId, name, value }: AssignmentFilter) {
  return [solutionId, roleId, userId ?? null, name ?? null, value ?? null]
}

/** @returns how many were deleted. */
export async function deleteAssignments(
  database: Queryable,
  solutionId: string,
  which: AssignmentFilter,
): Promise<number> {
  const rows = await database.rows(
    `delete from user_assignment where ${filter} returning user_id`,
    filterValues(solutionId, which),
  )
  return rows.length
}

/** The numbers of users, each once. */
export async function assignedUsers(
  database: Queryable,
  solutionId: string,
  which: AssignmentFilter,
  rowsMax: number,
): Promise<number[]> {
  const rows = await database.rows<{ user_id: number }>(
    `select distinct user_id from user_assignment where ${filter} order by user_id limit $6`,
    [...filterValues(solutionId, which), rowsMax],
  )
  return rows.map(({ user_id }) => user_id)
}

/** All that a user has, the roles themselves under an empty name. */
export async function readAssignments(
  database: Queryable,
  solutionId: string,
  userId: number,
): Promise<Assignment[]> {
  return database.rows<Assignment>(
    `select role_id, name, value from user_assignment
     where solution_id = $1 and user_id = $2 order by role_id, name, value`,
    [solutionId, userId],
  )
}
