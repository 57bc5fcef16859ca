import { limits, PageSize, StrictObject, Type } from '../../../foundation/kernel/index.ts'
import { hourCountsSchema } from '../../../log/eventlog/index.ts'
import { businessNamed } from '../calls.ts'
import { does, lists } from '../contract/common.ts'
import { operations } from '../operation.ts'

const outbound = operations('outbound', 'operator', '/api:1/businesses/:business/outbound')
const ledger = operations('ledger', 'operator', '/api:1/ledger')

export const listOutboundAddresses = outbound.get(
  '',
  'List the private addresses that the scripts of one business may call.',
  () => {
    const address = Type.String({ description: '`host:port`.' })
    return lists('addresses', address, 'The addresses, in one spelling each.')
  },
  async ({ accounts, allowances }, { params }) =>
    allowances.list(await businessNamed(accounts, params)),
)

export const allowOutboundAddress = outbound.put(
  '/:address',
  'Allow the scripts of one business to call a private address.',
  () => ({
    description: 'It holds at once in this process, elsewhere after `httpAllowCacheMs`.',
    ...does('It is allowed.'),
    refuses: ['invalid_argument'],
  }),
  async ({ accounts, allowances }, { params }) =>
    await allowances.add(await businessNamed(accounts, params), params.address),
)

export const removeOutboundAddress = outbound.remove(
  '/:address',
  'Forbid the scripts of one business to call a private address again.',
  () => ({
    description: 'It holds at once in this process, elsewhere after `httpAllowCacheMs`.',
    ...does('It is no longer allowed.'),
    refuses: ['invalid_argument'],
  }),
  async ({ accounts, allowances }, { params }) =>
    await allowances.remove(await businessNamed(accounts, params), params.address),
)

export const getLedger = ledger.get(
  '',
  'Show the counts per stage and hour, newest first.',
  () => ({
    description: 'It counts all businesses, and so it is for the operator of the instance.',
    query: StrictObject({ limit: PageSize(limits.ledgerHoursMax) }),
    ...lists('hours', hourCountsSchema, 'The counts.'),
  }),
  ({ eventlog: { ledger } }, { query }) => ledger.hours(query.limit),
)
