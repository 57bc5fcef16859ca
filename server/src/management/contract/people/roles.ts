import { permissions } from '../../../accounts/index.ts'
import { StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, nothing, PathText } from '../common.ts'
import { contract } from '../contract.ts'

const role = component('Role', {
  name: Type.String(),
  permissions: Type.Array(Type.String(), { description: `Of: ${permissions.join(', ')}.` }),
})

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
      'permissions nor the new ones may exceed those of the caller, who sees the whole business.',
  },
  () => ({
    params: roleParams,
    body: StrictObject({ permissions: Type.Array(Type.String()) }),
    answers: { 200: json('The role.', role) },
    refuses: ['in_use'],
    example: { request: { permissions: ['View Asset', 'View Asset Data'] } },
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
    description: 'Else `in_use` names how many users and API tokens have it.',
  },
  () => ({
    params: roleParams,
    answers: { 204: nothing('It is deleted.') },
    refuses: ['in_use'],
  }),
)
