import { Fault } from '../../../../foundation/kernel/index.ts'
import {
  createRetentionChangeSchema,
  createValueRetentionSchema,
  retentionInForceSchema,
  retentionPeriodsSchema,
  valueRetentionSchema,
} from '../../../../log/upkeep/index.ts'
import { businessNamed } from '../../calls.ts'
import { shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const account = operations('instance', 'account', '/api:1/retention')
const operator = operations('instance', 'operator', '/api:1')
const setup = operations('connectors', 'Setup', '/api:1/connectors/:connector/retention')
const views = operations('assets', 'View Asset', '/api:1/signals', { ofGroups: true })
const changes = operations('assets', 'Asset Management', '/api:1/signals', { ofGroups: true })

export const getRetention = account.get(
  '',
  'Show how long the data of the business are kept.',
  () => ({
    description: 'Values of some connectors and signals may have periods of their own.',
    ...shows('The periods in force.', retentionInForceSchema),
  }),
  ({ upkeep: { retention } }, { businessId }) => retention.inForce(businessId),
)

export const getInstanceRetention = operator.get(
  '/instance/retention',
  'Show how long data are kept of businesses without a period of their own.',
  () => shows('What is set.', retentionPeriodsSchema),
  ({ upkeep: { retention } }) => retention.of(null),
)

export const setInstanceRetention = operator.patch(
  '/instance/retention',
  'Set how long data are kept of businesses without a period of their own.',
  () => ({
    description: 'What is left out stays; null: as the limits say, values and contents for ever.',
    body: createRetentionChangeSchema(),
    ...shows('What is set.', retentionPeriodsSchema),
    example: { request: { values: 8760 } },
  }),
  ({ upkeep: { retention } }, { body }) => retention.set(null, body),
)

export const setBusinessRetention = operator.patch(
  '/businesses/:business/retention',
  'Set how long the data of one business are kept.',
  () => ({
    description: 'What is left out stays; null: as the instance has it.',
    body: createRetentionChangeSchema(),
    ...shows('What is set.', retentionPeriodsSchema),
    example: { request: { values: 720, audit: null } },
  }),
  async ({ accounts, upkeep: { retention } }, { params, body }) =>
    retention.set(await businessNamed(accounts, params), body),
)

export const getConnectorRetention = setup.get(
  '',
  'Show how long values of the signals are kept that the connector feeds.',
  () => shows('What is set.', valueRetentionSchema),
  async ({ provisioning: { connectors } }, { businessId, params }) => {
    const { id } = await connectors.get(businessId, params.connector)
    return { hours: (await connectors.retentions(businessId)).get(id) ?? null }
  },
)

export const setConnectorRetention = setup.put(
  '',
  'Set how long values of the signals are kept that the connector feeds.',
  () => ({
    description: 'It counts before the period of the business; that of a signal before it.',
    body: createValueRetentionSchema(),
    ...shows('What is set.', valueRetentionSchema),
    example: { request: { hours: 720 } },
  }),
  async ({ provisioning: { connectors } }, { view, params, body }) => {
    await connectors.setRetention(view, params.connector, body.hours)
    return body
  },
)

export const getSignalRetention = views.get(
  '/:signal/retention',
  'Show how long the values of a signal are kept.',
  () => shows('What is set.', valueRetentionSchema),
  async ({ assets: { valueRetention } }, { view, params }) => {
    const [signal] = await valueRetention.some(view, [params.signal])
    if (signal === undefined) throw new Fault('not_found', 'There is no such signal.')
    return { hours: signal.hours }
  },
)

export const setSignalRetention = changes.put(
  '/:signal/retention',
  'Set how long the values of a signal are kept.',
  () => ({
    description: 'It counts before the periods of its connector, the business and the instance.',
    body: createValueRetentionSchema(),
    ...shows('What is set.', valueRetentionSchema),
    example: { request: { hours: 24 } },
  }),
  async ({ assets: { valueRetention } }, { view, params, body }) => {
    await valueRetention.set(view, params.signal, body.hours)
    return body
  },
)
