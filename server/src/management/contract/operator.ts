import { limits, StrictObject, Type } from '../../kernel/index.ts'
import { component, json, Microseconds, nothing, PageSize, PathText } from './common.ts'
import { contract } from './contract.ts'

const path = '/api:1/businesses/:business/outbound'

const business = PathText('The id or the name of a business, percent-encoded.')
const addressParams = StrictObject({
  business,
  address: PathText('`host:port`, such as `10.0.0.5:8080`, `erp.lan:443` or `10.0.0.5:*`.'),
})

export const listOutboundAddresses = contract(
  {
    id: 'listOutboundAddresses',
    method: 'GET',
    path,
    permission: 'operator',
    tag: 'outbound',
    summary: 'List the private addresses that the scripts of one business may call.',
  },
  () => ({
    params: StrictObject({ business }),
    answers: {
      200: json(
        'The addresses, in one spelling each.',
        StrictObject({ addresses: Type.Array(Type.String({ description: '`host:port`.' })) }),
      ),
    },
  }),
)

export const allowOutboundAddress = contract(
  {
    id: 'allowOutboundAddress',
    method: 'PUT',
    path: `${path}/:address`,
    permission: 'operator',
    tag: 'outbound',
    summary: 'Allow the scripts of one business to call a private address.',
    description: 'It holds at once in this process, elsewhere after `httpAllowCacheMs`.',
  },
  () => ({
    params: addressParams,
    answers: { 204: nothing('It is allowed.') },
    refuses: ['invalid_argument'],
  }),
)

export const removeOutboundAddress = contract(
  {
    id: 'removeOutboundAddress',
    method: 'DELETE',
    path: `${path}/:address`,
    permission: 'operator',
    tag: 'outbound',
    summary: 'Forbid the scripts of one business to call a private address again.',
    description: 'It holds at once in this process, elsewhere after `httpAllowCacheMs`.',
  },
  () => ({
    params: addressParams,
    answers: { 204: nothing('It is no longer allowed.') },
    refuses: ['invalid_argument'],
  }),
)

const hourSchema = component(
  'LedgerHour',
  {
    hour: Microseconds('The beginning of the hour (UTC), in microseconds since 1970.'),
    stage: Type.String({ description: 'Such as `log` or `deliveries`.' }),
    in: Type.Integer({ description: 'Messages that the stage took.' }),
    out: Type.Integer({ description: 'Messages that it dealt with.' }),
    failed: Type.Integer({ description: 'Messages that it could not deal with.' }),
  },
  { description: 'The counts of one stage in one hour, of all businesses.' },
)

export const getLedger = contract(
  {
    id: 'getLedger',
    method: 'GET',
    path: '/api:1/ledger',
    permission: 'operator',
    tag: 'ledger',
    summary: 'Show the counts per stage and hour, newest first.',
    description: 'It counts all businesses, and so it is for the operator of the instance.',
  },
  () => ({
    query: StrictObject({ limit: PageSize(limits.ledgerHoursMax) }),
    answers: { 200: json('The counts.', StrictObject({ hours: Type.Array(hourSchema) })) },
  }),
)
