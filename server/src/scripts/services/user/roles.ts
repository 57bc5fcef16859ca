import type { Transaction } from '../../../foundation/database/index.ts'
import { Fault, type Implementation, limits } from '../../../foundation/kernel/index.ts'
import type { ServiceCall } from '../../scripting/index.ts'
import { type UserOptions, unknownUser, written } from './common.ts'
import { solutionUserLimits } from './limits.ts'
import type { UserSchemas } from './operations.ts'
import { holdUser } from './store/data.ts'
import {
  type Assignment,
  addAssignments,
  assignedUsers,
  countAssignments,
  deleteAssignments,
  deleteRole,
  insertRole,
  lockRole,
  type RoleRow,
  readAssignments,
  readRoles,
  setParameters,
} from './store/roles.ts'
import { findUser } from './store/users.ts'

/** Roles and values of their parameters that one user of a solution may have. */
const assignmentsMax = 5_000
/** Roles of one solution. */
const solutionRolesMax = 200

type Operations = Implementation<ServiceCall, UserSchemas>

/** Roles of a solution, each with names of parameters. */
export function roleOperations({
  database,
}: UserOptions): Pick<
  Operations,
  'createRole' | 'getRole' | 'listRoles' | 'deleteRole' | 'addRoleParam' | 'deleteRoleParam'
> {
  return {
    async createRole({ solutionId }, { role_id: roleId, parameter = [] }) {
      const parameters = listNames(parameter)
      const rolesMax = solutionRolesMax
      const isNew = await database.transaction((transaction) =>
        insertRole(transaction, solutionId, roleId, { parameters, rolesMax }),
      )
      if (isNew) return written
      throw new Fault('already_exists', `the solution has the role already, or ${rolesMax} of them`)
    },
    async getRole({ solutionId }, { role_id: roleId }) {
      const role = (await readRoles(database, solutionId)).find((one) => one.role_id === roleId)
      if (role === undefined) throw unknownRole()
      return shown(role)
    },
    async listRoles({ solutionId }) {
      return (await readRoles(database, solutionId)).map(shown)
    },
    async deleteRole({ solutionId }, { role_id: roleId }) {
      const isGone = await database.transaction((transaction) =>
        deleteRole(transaction, solutionId, roleId),
      )
      if (!isGone) throw unknownRole()
      return written
    },
    async addRoleParam({ solutionId }, { role_id: roleId, body }) {
      await database.transaction(async (transaction) => {
        const { parameters } = await held(transaction, solutionId, roleId)
        const all = [...new Set([...parameters, ...listNames(body)])]
        if (all.length > solutionUserLimits.roleParametersMax) {
          throw new Fault(
            'too_large',
            `a role has at most ${solutionUserLimits.roleParametersMax} parameters`,
          )
        }
        await setParameters(transaction, solutionId, roleId, all)
      })
      return written
    },
    async deleteRoleParam({ solutionId }, { role_id: roleId, parameter_name: name }) {
      await database.transaction(async (transaction) => {
        const { parameters } = await held(transaction, solutionId, roleId)
        if (!parameters.includes(name)) throw unknownParameter(name)
        const others = parameters.filter((one) => one !== name)
        await setParameters(transaction, solutionId, roleId, others)
        await deleteAssignments(transaction, solutionId, { roleId, name })
      })
      return written
    },
  }
}

/** The operations on roles of users. */
export function assignmentOperations({
  database,
}: UserOptions): Pick<
  Operations,
  | 'assignUser'
  | 'deassignUser'
  | 'deassignUserParam'
  | 'deassignUserParamName'
  | 'deleteRoleParamValue'
> {
  async function remove(solutionId: string, which: Parameters<typeof deleteAssignments>[2]) {
    if ((await deleteAssignments(database, solutionId, which)) > 0) return written
    throw new Fault('not_found', 'no user has this')
  }

  return {
    async assignUser({ solutionId }, { id, roles }) {
      await database.transaction(async (transaction) => {
        if (!(await holdUser(transaction, solutionId, id))) throw unknownUser()
        const wanted: Assignment[] = []
        for (const { role_id, parameters } of roles.toSorted(byRole)) {
          const role = await held(transaction, solutionId, role_id)
          for (const { name } of parameters) {
            if (!role.parameters.includes(name)) throw unknownParameter(name)
          }
          wanted.push({ role_id, name: '', value: '' })
          wanted.push(...parameters.map(({ name, value }) => ({ role_id, name, value })))
        }
        await addAssignments(transaction, solutionId, id, wanted)
        if ((await countAssignments(transaction, solutionId, id)) > assignmentsMax) {
          throw new Fault('too_large', `a user has at most ${assignmentsMax} values of roles`)
        }
      })
      return written
    },
    deassignUser: ({ solutionId }, { id, role_id: roleId }) =>
      remove(solutionId, { roleId, userId: id }),
    deassignUserParam: ({ solutionId }, { id, role_id: roleId, ...args }) =>
      remove(solutionId, {
        roleId,
        userId: id,
        name: args.parameter_name,
        value: args.parameter_value,
      }),
    deassignUserParamName: ({ solutionId }, { id, role_id: roleId, parameter_name: name }) =>
      remove(solutionId, { roleId, userId: id, name }),
    deleteRoleParamValue: ({ solutionId }, { role_id: roleId, ...args }) =>
      remove(solutionId, { roleId, name: args.parameter_name, value: args.parameter_value }),
  }
}

/** Reads the roles of a user, and the users of a role. */
export function assignmentReads({
  database,
}: UserOptions): Pick<
  Operations,
  | 'hasUserRoleParam'
  | 'listUserRoles'
  | 'listUserRoleParamValues'
  | 'listRoleUsers'
  | 'listRoleParamUsers'
> {
  async function listAssignments(solutionId: string, id: number): Promise<Assignment[]> {
    if ((await findUser(database, solutionId, id)) === undefined) throw unknownUser()
    return readAssignments(database, solutionId, id)
  }

  return {
    async hasUserRoleParam({ solutionId }, args) {
      const { id, role_id: roleId, parameter_name: name, parameter_value: value } = args
      const which = { roleId, userId: id, name, value }
      if ((await assignedUsers(database, solutionId, which, 1)).length > 0) return 'OK'
      throw new Fault('not_found', 'the user does not have this value of the role')
    },
    async listUserRoles({ solutionId }, { id }) {
      const all = await listAssignments(solutionId, id)
      const roles = Map.groupBy(all, ({ role_id }) => role_id)
      return [...roles].map(([role_id, those]) => ({
        role_id,
        parameters: those
          .filter(({ name }) => name !== '')
          .map(({ name, value }) => ({ name, value })),
      }))
    },
    async listUserRoleParamValues({ solutionId }, { id, role_id, parameter_name: name }) {
      const all = await listAssignments(solutionId, id)
      return all.filter((one) => one.role_id === role_id && one.name === name).map((o) => o.value)
    },
    listRoleUsers: ({ solutionId }, { role_id: roleId }) =>
      assignedUsers(database, solutionId, { roleId }, limits.pageMax),
    listRoleParamUsers: ({ solutionId }, { role_id: roleId, ...args }) => {
      const which = { roleId, name: args.parameter_name, value: args.parameter_value }
      return assignedUsers(database, solutionId, which, limits.pageMax)
    },
  }
}

/** Locks are taken in one order, so that two calls do not wait for each other. */
function byRole({ role_id: one }: { role_id: string }, { role_id: other }: { role_id: string }) {
  return one < other ? -1 : 1
}

async function held(
  transaction: Transaction,
  solutionId: string,
  roleId: string,
): Promise<RoleRow> {
  const role = await lockRole(transaction, solutionId, roleId)
  if (role === undefined) throw unknownRole()
  return role
}

function listNames(parameters: readonly { readonly name: string }[]): string[] {
  return [...new Set(parameters.map(({ name }) => name))]
}

function shown({ role_id, parameters }: RoleRow) {
  return { role_id, parameter: parameters.map((name) => ({ name })) }
}

function unknownRole(): Fault {
  return new Fault('not_found', 'the solution has no such role')
}

function unknownParameter(name: string): Fault {
  return new Fault('invalid_argument', `the role has no parameter ${name}`)
}
