import type { components } from '@millrace/client'
import { milliseconds, wholeNumber } from '../../input.ts'
import { list, type OptionWords, operation } from '../../operation.ts'
import { formatTime } from '../../output/output.ts'
import { groupOption } from '../options.ts'

const permissionOption = {
  as: 'permissions',
  many: true,
  meaning: 'A permission, such as "View Asset"; may be given several times.',
} as const satisfies OptionWords

const roleOption = { as: 'role', meaning: 'The name of the role.' } as const
const groupIdOption = { as: 'group', meaning: 'The id of the group; see millrace group list.' }

/** The commands of roles, groups and API tokens. */
export const commands = {
  'role list': list('listRoles', 'roles', {
    summary: 'Print the roles of a business, with their permissions.',
    row: ({ name, permissions }) => [name, permissions.join(', ')],
    example: 'npx millrace role list',
  }),
  'role create': operation('createRole', {
    summary: 'Create a role from permissions.',
    options: { name: 'The name of the role.', permission: permissionOption },
    operand: 'name',
    lines: ({ name }) => [name],
    example: 'npx millrace role create Planner --permission "View Asset" --permission Setup',
  }),
  'role change': operation('changeRole', {
    summary: 'Change the permissions of a role, for all that have it.',
    options: { name: roleOption, permission: permissionOption },
    lines: ({ permissions, ended }, { name }) => [
      `the role ${name} permits: ${permissions.join(', ') || 'nothing'}`,
      ...endedLines(ended),
    ],
    example:
      'npx millrace role create Guest --permission "View Asset" && ' +
      'npx millrace role change Guest --permission "View Asset Data"',
  }),
  'role limit': operation('setRoleRateLimits', {
    summary: "Set the limits of a role's API tokens in the graph API.",
    options: {
      name: roleOption,
      requests: 'Requests in a window; default: as the instance has it.',
      'time-ms': {
        as: 'time',
        meaning: 'The sum of their milliseconds; default: as the instance has it.',
      },
    },
    lines({ rate_limits: { requests, time } }, { name }) {
      const usual = 'the usual number of'
      const words = `${requests ?? usual} requests, ${time ?? usual} ms`
      return [`each API token of ${name} has in a window: ${words}`]
    },
    example:
      'npx millrace role create Tool --permission "View Asset" && ' +
      'npx millrace role limit Tool --requests 50 --time-ms 200000',
  }),
  'role delete': operation('deleteRole', {
    summary: 'Delete a role that nobody has.',
    options: { name: roleOption },
    confirm: 'Delete the role {name}?',
    done: 'the role {name} is deleted',
    example:
      'npx millrace role create Trial --permission "View Asset" && ' +
      'npx millrace role delete Trial --yes',
  }),
  'group list': list('listGroups', 'groups', {
    summary: 'Print the groups of a business as a tree.',
    options: { text: 'Letters of the name or the description.' },
    row: ({ id, depth, name }) => [id, `${'  '.repeat(depth)}${name}`],
    example: 'npx millrace group list',
  }),
  'group create': operation('createGroup', {
    summary: 'Create a group, and print its id.',
    options: {
      name: 'The name of the group.',
      parent: {
        as: 'parent_id',
        meaning: 'The id of the group in which it lies. Default: the root.',
      },
    },
    operand: 'name',
    lines: ({ id }) => [id],
    example: 'npx millrace group create "Plant 2"',
  }),
  'group change': operation('changeGroup', {
    summary: 'Rename a group, or move it with all that lies below it.',
    options: {
      id: groupIdOption,
      name: 'Another name.',
      parent: { as: 'parent_id', meaning: 'The id of the group into which it is moved.' },
    },
    lines: ({ name }, { id }) => [`the group ${id} is "${name}"`],
    example: 'npx millrace group change "$(npx millrace group create Hall)" --name "Hall 2"',
  }),
  'group delete': operation('deleteGroup', {
    summary: 'Delete a group; what lies in it moves to its parent.',
    options: { id: groupIdOption },
    preview: 'getGroupDependants',
    confirm: 'Delete the group {id}?',
    done: 'the group {id} is deleted',
    example: 'npx millrace group delete "$(npx millrace group create Trial)" --yes',
  }),
  'token create': operation('createApiToken', {
    summary: 'Create an API token; it is printed once and cannot be shown again.',
    options: {
      name: { meaning: 'The purpose of the token.', default: 'api' },
      role: { meaning: 'The name of a role; see millrace role list.', default: 'Administrator' },
      group: groupOption,
      address: {
        as: 'addresses',
        many: true,
        meaning: 'An address or a range from which it may be used; may be given several times.',
      },
      expires: {
        as: 'expires_at',
        read: milliseconds,
        meaning: 'When it ends, such as 2030-01-31T12:00Z. Default: never.',
      },
      requests: {
        as: 'rate_limits.requests',
        read: wholeNumber,
        meaning: 'Requests in a window. Default: the limit of its role.',
      },
      'time-ms': {
        as: 'rate_limits.time',
        read: wholeNumber,
        meaning: 'The sum of their milliseconds; default: as its role has it.',
      },
    },
    lines: ({ token }) => [token],
    example: 'npx millrace token create --name reporting --role Viewer --requests 50',
  }),
  'token list': list('listApiTokens', 'tokens', {
    summary: 'Print the API tokens of a business, newest first.',
    row: tokenRow,
    example: 'npx millrace token list',
  }),
  'token revoke': operation('deleteApiToken', {
    summary: 'Revoke an API token.',
    options: { id: { as: 'token', meaning: 'The id of the token; see millrace token list.' } },
    confirm: 'Revoke the token {id}? Programs that use it are refused from then on.',
    done: 'the token {id} is revoked',
    example:
      'npx millrace token create --name trial && ' +
      `npx millrace token revoke --id "$(npx millrace token list | grep trial | cut -d' ' -f1)" --yes`,
  }),
}

type Ended = { readonly api_tokens: readonly string[]; readonly invitations: readonly string[] }

/** Says which tokens and invitations a change of a user or a role has ended. */
export function endedLines({ api_tokens: tokens, invitations }: Ended): string[] {
  return [
    ...(tokens.length > 0 ? [`ended API tokens: ${tokens.join(', ')}`] : []),
    ...(invitations.length > 0 ? [`ended invitations: ${invitations.join(', ')}`] : []),
  ]
}

const usPerMs = 1_000

function tokenRow({ id, role, name, ...token }: components['schemas']['ApiToken']): string[] {
  const time = (ms: number) => formatTime(ms * usPerMs)
  const end = token.expires_at === null ? 'no end' : `until ${time(token.expires_at)}`
  const used = token.last_used_at === null ? 'unused' : `used ${time(token.last_used_at)}`
  const { addresses, rate_limits: limits } = token
  const groups = token.groups === null ? 'all groups' : `groups ${token.groups.join(',')}`
  const from = addresses.length === 0 ? 'any address' : `from ${addresses.join(',')}`
  const rates = `${limits.requests ?? 'usual'} requests, ${limits.time ?? 'usual'} ms`
  return [id, role, time(token.created_at), end, used, groups, from, rates, name]
}
