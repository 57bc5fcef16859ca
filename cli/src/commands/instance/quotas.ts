import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { columns } from '../../output/output.ts'
import { businessOf } from './outbound.ts'

type Usage = components['schemas']['BusinessUsage']

export const businessUsage = defineCommand({
  options: { all: { meaning: 'Show those of all businesses, for the operator.', flag: true } },
  example: 'npx millrace business usage',
  routes: ['getUsage', 'listUsage'],
  async run({ all }, { client, out }) {
    const api = await client()
    if (all) {
      const { businesses } = await unwrap(api.GET('/api:1/instance/usage'))
      out.show(businesses, () =>
        columns(
          businesses.flatMap(({ name, usage }) => rowsOf(usage).map((row) => [name, ...row])),
        ),
      )
    } else {
      const usage = await unwrap(api.GET('/api:1/usage'))
      out.show(usage, () => columns(rowsOf(usage)))
    }
    return undefined
  },
})

const most = (of: string) => ({ meaning: `The most ${of}; "none" takes the quota away.` })

export const businessQuota = defineCommand({
  options: {
    devices: most('devices'),
    messages: most('messages a second'),
    storage: most('bytes of contents'),
    'script-cpu': most('milliseconds of CPU of scripts a minute'),
    tokens: most('API tokens'),
    users: most('users'),
  },
  example: 'npx millrace business quota --business Demo --tokens 1000',
  routes: ['getCaller', 'setQuotas'],
  async run(given, { client, out }) {
    const { 'script-cpu': cpu, devices, messages, storage, tokens, users } = given
    const api = await client()
    const business = await businessOf(api)
    const named = { devices, messages, storage, script_cpu: cpu, tokens, users }
    const body = Object.fromEntries(
      Object.entries(named).flatMap(([kind, text]) =>
        text === undefined ? [] : [[kind, parseMost(kind, text)]],
      ),
    )
    const params = { path: { business: business.id } }
    const path = '/api:1/businesses/{business}/quotas'
    const quotas = await unwrap(api.PATCH(path, { params, body }))
    out.show(quotas, () =>
      columns(Object.entries(quotas).map(([kind, of]) => [kind, `${of ?? 'none'}`])),
    )
    return undefined
  },
})

function rowsOf(usage: Usage): string[][] {
  return Object.entries(usage).map(([kind, { used, most: of }]) => [
    kind,
    `${used}`,
    `of ${of ?? 'any number'}`,
  ])
}

function parseMost(kind: string, text: string): number | null {
  if (text === 'none') return null
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 1) return number
  throw new UsageError(`${kind} must be a whole number, or none`)
}
