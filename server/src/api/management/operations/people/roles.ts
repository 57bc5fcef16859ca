import { StrictObject } from '../../../../foundation/kernel/index.ts'
import {
  changedRoleSchema,
  newRoleSchema,
  rateLimitsSchema,
  roleSchema,
} from '../../../../people/accounts/index.ts'
import { does, lists, makes, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const account = operations('accounts', 'account', '/api:1/roles')
const people = operations('accounts', 'User Management', '/api:1/roles')

export const listRoles = account.get(
  '',
  'List the roles of the business, with their permissions.',
  () => lists('roles', roleSchema, 'The roles.'),
  ({ accounts }, { principal }) => accounts.listRoles(principal),
)

export const createRole = people.post(
  '',
  'Create a role.',
  () => ({
    description: 'It permits no more than the caller, who sees the whole business.',
    body: newRoleSchema,
    ...makes('The role.', roleSchema),
    refuses: ['already_exists'],
    example: { request: { name: 'Planner', permissions: ['View Asset', 'Dashboard Management'] } },
  }),
  ({ accounts }, { principal, body }) => accounts.createRole(principal, body),
)

export const changeRole = people.put(
  '/:role',
  'Change the permissions of a role.',
  () => ({
    description:
      'It holds within a second for all users and API tokens of the role. Neither its old ' +
      'permissions nor the new ones may exceed those of the caller, who sees the whole business. ' +
      'API tokens and invitations that its users have made, and could not make any more, end.',
    body: StrictObject({ permissions: newRoleSchema.properties.permissions }),
    ...shows('The role.', changedRoleSchema),
    refuses: ['in_use'],
    example: { request: { permissions: ['View Asset', 'View Asset Data'] } },
  }),
  ({ accounts }, { principal, params, body }) => accounts.changeRole(principal, params.role, body),
)

export const setRoleRateLimits = people.put(
  '/:role/rate-limits',
  "Set the limits of a role's API tokens in the graph API.",
  () => ({
    description:
      'They hold for each token of the role that has none of its own, within a second. What is ' +
      'left out is as the instance has it. For callers who see the whole business.',
    body: rateLimitsSchema,
    ...shows('The role.', roleSchema),
    example: { request: { requests: 50, time: 200_000 } },
  }),
  ({ accounts }, { principal, params, body }) =>
    accounts.setRoleRates(principal, params.role, body),
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
