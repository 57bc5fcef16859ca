import type { Accounts, QuotaKind } from '../../../accounts/index.ts'
import { component, Nullable, StrictObject, type TSchema, Type } from '../../../kernel/index.ts'
import { businessNamed } from '../../calls.ts'
import { shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const meanings = {
  devices: 'Identities of all connectors.',
  messages: 'Messages of devices a second; used: the mean of the last whole minute.',
  storage: 'Bytes of the contents of connectors and solutions.',
  script_cpu: 'Milliseconds of CPU of scripts a minute; used: in the last whole minute.',
  tokens: 'API tokens.',
  users: 'Users.',
} as const

function byKind<Schema extends TSchema>(schemaOf: (meaning: string) => Schema) {
  return {
    devices: schemaOf(meanings.devices),
    messages: schemaOf(meanings.messages),
    storage: schemaOf(meanings.storage),
    script_cpu: schemaOf(meanings.script_cpu),
    tokens: schemaOf(meanings.tokens),
    users: schemaOf(meanings.users),
  }
}

const used = (description: string) =>
  StrictObject(
    {
      used: Type.Number(),
      most: Nullable(Type.Integer(), { description: 'The quota; null: there is none.' }),
    },
    { description },
  )

const useSchema = component('BusinessUsage', byKind(used), {
  description: 'What a business has and uses, with its quotas.',
})

const quotasSchema = component(
  'BusinessQuotas',
  byKind((description) => Nullable(Type.Integer(), { description })),
  { description: 'The quotas of a business; null: there is none.' },
)

const account = operations('instance', 'account', '/api:1/usage')
const operator = operations('instance', 'operator', '/api:1')

export const getUsage = account.get(
  '',
  'Show what the business has and uses, with its quotas.',
  () => shows('The use.', useSchema),
  async ({ accounts }, { businessId }) => (await usageOf(accounts, [businessId]))(businessId),
)

export const listUsage = operator.get(
  '/instance/usage',
  'List what businesses have and use, with their quotas, the oldest first.',
  () =>
    shows(
      'The businesses.',
      StrictObject({
        businesses: Type.Array(
          StrictObject({ id: Type.String(), name: Type.String(), usage: useSchema }),
        ),
      }),
    ),
  async ({ accounts }) => {
    const businesses = await accounts.listBusinesses()
    const usage = await usageOf(
      accounts,
      businesses.map(({ id }) => id),
    )
    return { businesses: businesses.map(({ id, name }) => ({ id, name, usage: usage(id) })) }
  },
)

const most = (description: string) =>
  Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), { description }),
  )

export const setQuotas = operator.patch(
  '/businesses/:business/quotas',
  'Set the quotas of one business.',
  () => ({
    description:
      'What is left out stays; null takes a quota away. It holds at once in this process, ' +
      'elsewhere after `businessQuotaCacheMs`.',
    body: StrictObject(byKind(most)),
    ...shows('The quotas.', quotasSchema),
    example: { request: { devices: 1000, messages: 50 } },
  }),
  async ({ accounts }, { params, body }) => {
    const id = await businessNamed(accounts, params)
    await accounts.quotas.set(id, body)
    const all = (await accounts.quotas.of([id])).get(id)
    if (all === undefined) throw new Error('the quotas were not read')
    return all
  },
)

async function usageOf({ quotas }: Pick<Accounts, 'quotas'>, ids: readonly string[]) {
  const [most, used] = await Promise.all([quotas.of(ids), quotas.uses(ids)])
  return (id: string) => {
    const of = (kind: QuotaKind) => ({
      used: used.get(id)?.[kind] ?? 0,
      most: most.get(id)?.[kind] ?? null,
    })
    return {
      devices: of('devices'),
      messages: of('messages'),
      storage: of('storage'),
      script_cpu: of('script_cpu'),
      tokens: of('tokens'),
      users: of('users'),
    }
  }
}
