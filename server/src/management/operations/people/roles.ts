import { endedNames, type ListedRole, permissions } from '../../../accounts/index.ts'
import { component, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { does, lists, makes, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const roleFields = {
  name: Type.String(),
  permissions: Type.Array(Type.String(), { description: `Of: ${permissions.join(', ')}.` }),
  rateLimits: StrictObject({
    requests: Nullable(Type.Integer(), {
      description: 'Requests of the graph API in a window; null: as the instance has it.',
    }),
    time: Nullable(Type.Integer(), {
      description: 'The sum of their milliseconds; null: as the instance has it.',
    }),
  }),
}

const role = component('Role', roleFields)

const account = operations('accounts', 'account', '/api:1/roles')
const people = operations('accounts', 'User Management', '/api:1/roles')

export const listRoles = account.get(
  '',
  'List the roles of the business, with their permissions.',
  () => lists('roles', role, 'The roles.'),
  async ({ accounts }, { principal }) => {
    const roles = await accounts.listRoles(principal)
    return { roles: roles.map(shownRole) }
  },
)

export const createRole = people.post(
  '',
  'Create a role.',
  () => ({
    description: 'It permits no more than the caller, who sees the whole business.',
    body: StrictObject({ name: Type.String(), permissions: Type.Array(Type.String()) }),
    ...makes('The role.', role),
    refuses: ['already_exists'],
    example: { request: { name: 'Planner', permissions: ['View Asset', 'Dashboard Management'] } },
  }),
  async ({ accounts }, { principal, body }) =>
    shownRole(await accounts.createRole(principal, body)),
)

export const changeRole = people.put(
  '/:role',
  'Change the permissions of a role.',
  () => ({
    description:
      'It holds within a second for all users and API tokens of the role. Neither its old ' +
      'permissions nor the new ones may exceed those of the caller, who sees the whole business. ' +
      'API tokens and invitations that its users have made, and could not make any more, end.',
    body: StrictObject({ permissions: Type.Array(Type.String()) }),
    ...shows('The role.', component('ChangedRole', { ...roleFields, ended: endedNames })),
    refuses: ['in_use'],
    example: { request: { permissions: ['View Asset', 'View Asset Data'] } },
  }),
  async ({ accounts }, { principal, params, body }) => {
    const { ended, ...role } = await accounts.changeRole(principal, params.role, body)
    return { ...shownRole(role), ended }
  },
)

export const setRoleRateLimits = people.put(
  '/:role/rate-limits',
  "Set the limits of a role's API tokens in the graph API.",
  () => ({
    description:
      'They hold for each token of the role that has none of its own, within a second. What is ' +
      'left out is as the instance has it. For callers who see the whole business.',
    body: StrictObject({
      requests: Type.Optional(Type.Integer({ minimum: 1, description: 'Requests in a window.' })),
      time: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The sum of their milliseconds.' }),
      ),
    }),
    ...shows('The role.', role),
    example: { request: { requests: 50, time: 200_000 } },
  }),
  async ({ accounts }, { principal, params, body: { requests, time } }) => {
    const wanted = { requests, timeMs: time }
    return shownRole(await accounts.setRoleRates(principal, params.role, wanted))
  },
)

export const deleteRole = people.remove(
  '/:role',
  'Delete a role that nobody has.',
  () => ({
    description: 'Else `in_use` names the users, API tokens and invitations that have it.',
    ...does('It is deleted.'),
    refuses: ['in_use'],
  }),
  ({ accounts }, { principal, params }) => accounts.removeRole(principal, params.role),
)

function shownRole({ name, permissions, requestsMax: requests, msMax: time }: ListedRole) {
  return { name, permissions, rateLimits: { requests, time } }
}
