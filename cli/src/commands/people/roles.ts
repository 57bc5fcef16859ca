import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { columns } from '../../output/output.ts'

const nameOption = { meaning: 'The name of the role.', required: true } as const
const permissionOption = {
  meaning: 'A permission, such as "View Asset"; may be given several times.',
  many: true,
} as const

export const roleList = defineCommand({
  options: {},
  example: 'npx millrace role list',
  routes: ['listRoles'],
  async run(_values, { client, out }) {
    const api = await client()
    const { roles } = await unwrap(api.GET('/api:1/roles'))
    out.show(roles, () => columns(roles.map((role) => [role.name, role.permissions.join(', ')])))
    return undefined
  },
})

export const roleCreate = defineCommand({
  options: { name: nameOption, permission: permissionOption },
  operand: 'name',
  example: 'npx millrace role create Planner --permission "View Asset" --permission Setup',
  routes: ['createRole'],
  async run({ name, permission }, { client, out }) {
    const api = await client()
    const body = { name, permissions: [...permission] }
    const role = await unwrap(api.POST('/api:1/roles', { body }))
    out.show(role, () => [role.name])
    return undefined
  },
})

export const roleChange = defineCommand({
  options: { name: nameOption, permission: permissionOption },
  operand: 'name',
  example:
    'npx millrace role create Guest --permission "View Asset" && ' +
    'npx millrace role change Guest --permission "View Asset Data"',
  routes: ['changeRole'],
  async run({ name, permission }, { client, out }) {
    const api = await client()
    const params = { path: { role: name } }
    const body = { permissions: [...permission] }
    const role = await unwrap(api.PUT('/api:1/roles/{role}', { params, body }))
    const permits = role.permissions.join(', ') || 'nothing'
    out.show(role, () => [`the role ${name} permits: ${permits}`, ...endedLines(role.ended)])
    return undefined
  },
})

type Ended = { readonly api_tokens: readonly string[]; readonly invitations: readonly string[] }

/** Says which tokens and invitations a change of a user or a role has ended. */
export function endedLines({ api_tokens: tokens, invitations }: Ended): string[] {
  return [
    ...(tokens.length > 0 ? [`ended API tokens: ${tokens.join(', ')}`] : []),
    ...(invitations.length > 0 ? [`ended invitations: ${invitations.join(', ')}`] : []),
  ]
}

/** Limits in a window, of the options `--requests` and `--time-ms`. @throws UsageError */
export function rateLimitsOf(requests: string | undefined, time: string | undefined) {
  return {
    ...(requests !== undefined && { requests: wholeNumber('requests', requests) }),
    ...(time !== undefined && { time: wholeNumber('time-ms', time) }),
  }
}

export const roleLimit = defineCommand({
  options: {
    name: nameOption,
    requests: { meaning: 'Requests in a window; default: as the instance has it.' },
    'time-ms': { meaning: 'The sum of their milliseconds; default: as the instance has it.' },
  },
  operand: 'name',
  example:
    'npx millrace role create Tool --permission "View Asset" && ' +
    'npx millrace role limit Tool --requests 50 --time-ms 200000',
  routes: ['setRoleRateLimits'],
  async run({ name, requests, 'time-ms': time }, { client, out }) {
    const api = await client()
    const params = { path: { role: name } }
    const body = rateLimitsOf(requests, time)
    const role = await unwrap(api.PUT('/api:1/roles/{role}/rate-limits', { params, body }))
    const { requests: count, time: ms } = role.rate_limits
    const words = `${count ?? 'the usual number of'} requests, ${ms ?? 'the usual number of'} ms`
    out.show(role, () => [`each API token of ${name} has in a window: ${words}`])
    return undefined
  },
})

export const roleDelete = defineCommand({
  options: { name: nameOption },
  operand: 'name',
  example:
    'npx millrace role create Trial --permission "View Asset" && ' +
    'npx millrace role delete Trial --yes',
  routes: ['deleteRole'],
  async run({ name }, { client, out, confirm }) {
    const api = await client()
    await confirm(`Delete the role ${name}?`)
    await unwrap(api.DELETE('/api:1/roles/{role}', { params: { path: { role: name } } }))
    out.print(`the role ${name} is deleted`)
    return undefined
  },
})
