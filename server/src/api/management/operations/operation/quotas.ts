import { StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import {
  businessQuotasSchema,
  businessUsageSchema,
  quotaChangeSchema,
} from '../../../../people/accounts/index.ts'
import { businessNamed } from '../../calls.ts'
import { lists, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const account = operations('instance', 'account', '/api:1/usage')
const operator = operations('instance', 'operator', '/api:1')

export const getUsage = account.get(
  '',
  'Show what the business has and uses, with its quotas.',
  () => shows('The use.', businessUsageSchema),
  async ({ accounts: { quotas } }, { businessId }) =>
    (await quotas.countUsage([businessId]))(businessId),
)

export const listUsage = operator.get(
  '/instance/usage',
  'List what businesses have and use, with their quotas, the oldest first.',
  () => {
    const item = { id: Type.String(), name: Type.String(), usage: businessUsageSchema }
    return lists('businesses', StrictObject(item), 'The businesses.')
  },
  async ({ accounts }) => {
    const businesses = await accounts.listBusinesses()
    const countUsage = await accounts.quotas.countUsage(businesses.map(({ id }) => id))
    return businesses.map(({ id, name }) => ({ id, name, usage: countUsage(id) }))
  },
)

export const setQuotas = operator.patch(
  '/businesses/:business/quotas',
  'Set the quotas of one business.',
  () => ({
    description:
      'What is left out stays; null takes a quota away. It holds at once in this process, ' +
      'elsewhere after `businessQuotaCacheMs`.',
    body: quotaChangeSchema,
    ...shows('The quotas.', businessQuotasSchema),
    example: { request: { devices: 1000, messages: 50 } },
  }),
  async ({ accounts }, { params, body }) =>
    accounts.quotas.set(await businessNamed(accounts, params), body),
)
