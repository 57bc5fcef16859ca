import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { milliseconds } from '../../input.ts'
import { columns, timeOf } from '../../output/output.ts'
import { rateLimitsOf } from './roles.ts'

export const tokenCreate = defineCommand({
  options: {
    name: { meaning: 'The purpose of the token.', default: 'api' },
    role: { meaning: 'The name of a role; see millrace role list.', default: 'Administrator' },
    group: {
      meaning: 'The id of a group that it sees, with all below; may be given several times.',
      many: true,
    },
    address: {
      meaning: 'An address or a range from which it is taken; may be given several times.',
      many: true,
    },
    expires: { meaning: 'When it ends, such as 2030-01-31T12:00Z. Default: never.' },
    requests: { meaning: 'Requests in a window; default: as its role has it.' },
    'time-ms': { meaning: 'The sum of their milliseconds; default: as its role has it.' },
  },
  example: 'npx millrace token create --name reporting --role Viewer --requests 50',
  routes: ['createApiToken'],
  async run({ name, role, group, address, expires, ...limits }, { client, out }) {
    const end = expires === undefined ? {} : { expires_at: milliseconds('expires', expires) }
    const { requests, 'time-ms': time } = limits
    const body = {
      name,
      role,
      ...end,
      ...(group.length > 0 && { groups: [...group] }),
      ...(address.length > 0 && { addresses: [...address] }),
      rate_limits: rateLimitsOf(requests, time),
    }
    const api = await client()
    const made = await unwrap(api.POST('/api:1/api-tokens', { body }))
    out.show(made, () => [made.token])
    return undefined
  },
})

const usPerMs = 1_000

export const tokenList = defineCommand({
  options: {},
  example: 'npx millrace token list',
  routes: ['listApiTokens'],
  async run(_values, { client, out }) {
    const api = await client()
    const { tokens } = await unwrap(api.GET('/api:1/api-tokens'))
    out.show(tokens, () => columns(tokens.map(cellsOf)))
    return undefined
  },
})

function cellsOf({ id, role, name, ...token }: components['schemas']['ApiToken']): string[] {
  const end = token.expires_at === null ? 'no end' : `until ${timeOf(token.expires_at * usPerMs)}`
  const used =
    token.last_used_at === null ? 'unused' : `used ${timeOf(token.last_used_at * usPerMs)}`
  const { addresses, rate_limits: limits } = token
  const groups = token.groups === null ? 'all groups' : `groups ${token.groups.join(',')}`
  const from = addresses.length === 0 ? 'any address' : `from ${addresses.join(',')}`
  const rates = `${limits.requests ?? 'usual'} requests, ${limits.time ?? 'usual'} ms`
  return [id, role, timeOf(token.created_at * usPerMs), end, used, groups, from, rates, name]
}

export const tokenRevoke = defineCommand({
  options: { id: { meaning: 'The id of the token; see millrace token list.', required: true } },
  operand: 'id',
  example:
    'npx millrace token create --name trial && ' +
    `npx millrace token revoke --id "$(npx millrace token list | grep trial | cut -d' ' -f1)" --yes`,
  routes: ['deleteApiToken'],
  async run({ id }, { client, out, confirm }) {
    const api = await client()
    await confirm(`Revoke the token ${id}? Programs that use it are refused from then on.`)
    const params = { path: { token: id } }
    await unwrap(api.DELETE('/api:1/api-tokens/{token}', { params }))
    out.print(`the token ${id} is revoked`)
    return undefined
  },
})
