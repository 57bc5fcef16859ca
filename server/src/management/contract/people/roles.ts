import { permissions } from '../../../accounts/index.ts'
import { Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, nothing, PathText } from '../common.ts'
import { contract } from '../contract.ts'

/** What a smaller role or fewer groups of users end. */
export const endedNames = StrictObject({
  api_tokens: Type.Array(Type.String(), { description: 'The names of API tokens that ended.' }),
  invitations: Type.Array(Type.String(), { description: 'The addresses of ended invitations.' }),
})

const roleFields = {
  name: Type.String(),
  permissions: Type.Array(Type.String(), { description: `Of: ${permissions.join(', ')}.` }),
  rate_limits: StrictObject({
    requests: Nullable(Type.Integer(), {
      description: 'Requests of the graph API in a window; null: as the instance has it.',
    }),
    time: Nullable(Type.Integer(), {
      description: 'The sum of their milliseconds; null: as the instance has it.',
    }),
  }),
}

const role = component('Role', roleFields)

const roleParams = StrictObject({ role: PathText('The name of a role, percent-encoded.') })

export const listRoles = contract(
  {
    id: 'listRoles',
    method: 'GET',
    path: '/api:1/roles',
    permission: 'account',
    tag: 'accounts',
    summary: 'List the roles of the business, with their permissions.',
  },
  () => ({ answers: { 200: json('The roles.', StrictObject({ roles: Type.Array(role) })) } }),
)

export const createRole = contract(
  {
    id: 'createRole',
    method: 'POST',
    path: '/api:1/roles',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Create a role.',
    description: 'It permits no more than the caller, who sees the whole business.',
  },
  () => ({
    body: StrictObject({ name: Type.String(), permissions: Type.Array(Type.String()) }),
    answers: { 201: json('The role.', role) },
    refuses: ['already_exists'],
    example: { request: { name: 'Planner', permissions: ['View Asset', 'Dashboard Management'] } },
  }),
)

export const changeRole = contract(
  {
    id: 'changeRole',
    method: 'PUT',
    path: '/api:1/roles/:role',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Change the permissions of a role.',
    description:
      'It holds within a second for all users and API tokens of the role. Neither its old ' +
      'permissions nor the new ones may exceed those of the caller, who sees the whole business. ' +
      'API tokens and invitations that its users have made, and could not make any more, end.',
  },
  () => ({
    params: roleParams,
    body: StrictObject({ permissions: Type.Array(Type.String()) }),
    answers: {
      200: json('The role.', component('ChangedRole', { ...roleFields, ended: endedNames })),
    },
    refuses: ['in_use'],
    example: { request: { permissions: ['View Asset', 'View Asset Data'] } },
  }),
)

export const setRoleRateLimits = contract(
  {
    id: 'setRoleRateLimits',
    method: 'PUT',
    path: '/api:1/roles/:role/rate-limits',
    permission: 'User Management',
    tag: 'accounts',
    summary: "Set the limits of a role's API tokens in the graph API.",
    description:
      'They hold for each token of the role that has none of its own, within a second. What is ' +
      'left out is as the instance has it. For callers who see the whole business.',
  },
  () => ({
    params: roleParams,
    body: StrictObject({
      requests: Type.Optional(Type.Integer({ minimum: 1, description: 'Requests in a window.' })),
      time: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The sum of their milliseconds.' }),
      ),
    }),
    answers: { 200: json('The role.', role) },
    example: { request: { requests: 50, time: 200_000 } },
  }),
)

export const deleteRole = contract(
  {
    id: 'deleteRole',
    method: 'DELETE',
    path: '/api:1/roles/:role',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Delete a role that nobody has.',
    description: 'Else `in_use` names the users, API tokens and invitations that have it.',
  },
  () => ({
    params: roleParams,
    answers: { 204: nothing('It is deleted.') },
    refuses: ['in_use'],
  }),
)
