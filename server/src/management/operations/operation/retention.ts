import {
  component,
  Fault,
  limits,
  Nullable,
  StrictObject,
  type TSchema,
  Type,
} from '../../../kernel/index.ts'
import type { RetentionKind, RetentionPeriods } from '../../../upkeep/index.ts'
import { businessNamed } from '../../calls.ts'
import { shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const hours = () => Type.Integer({ minimum: 1, maximum: limits.retentionHoursMax })

const meanings = {
  log: 'The event log; of the instance alone.',
  values: 'Values of signals over time.',
  lines: 'Lines of the logs of connectors, solutions and assets.',
  notifications: 'Notifications and their jobs.',
  contents: 'Contents of connectors and of solutions, from when they were last written.',
  audit: 'The audit log.',
} as const

function byKind<Schema extends TSchema>(schemaOf: (meaning: string) => Schema) {
  return {
    log: schemaOf(meanings.log),
    values: schemaOf(meanings.values),
    lines: schemaOf(meanings.lines),
    notifications: schemaOf(meanings.notifications),
    contents: schemaOf(meanings.contents),
    audit: schemaOf(meanings.audit),
  }
}

const ownPeriods = component(
  'RetentionPeriods',
  byKind((description) => Nullable(Type.Integer(), { description })),
  { description: 'Hours for which data are kept, as set here; null: nothing is set here.' },
)

const changeSchema = () =>
  StrictObject(byKind((description) => Type.Optional(Nullable(hours(), { description }))))

const inForce = component(
  'RetentionInForce',
  {
    hours: Nullable(Type.Integer(), { description: 'Null: for ever.' }),
    set_by: Type.Enum(['business', 'instance', 'default']),
  },
  { description: 'How long data of one kind are kept, and what says so.' },
)

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
    ...shows('The periods in force.', StrictObject(byKind(() => inForce))),
  }),
  async ({ upkeep: { retention } }, { businessId }) => {
    const [own, instance] = await Promise.all([retention.of(businessId), retention.of(null)])
    return periodsInForce(own, instance)
  },
)

export const getInstanceRetention = operator.get(
  '/instance/retention',
  'Show how long data are kept of businesses without a period of their own.',
  () => shows('What is set.', ownPeriods),
  ({ upkeep: { retention } }) => retention.of(null),
)

export const setInstanceRetention = operator.patch(
  '/instance/retention',
  'Set how long data are kept of businesses without a period of their own.',
  () => ({
    description: 'What is left out stays; null: as the limits say, values and contents for ever.',
    body: changeSchema(),
    ...shows('What is set.', ownPeriods),
    example: { request: { values: 8760 } },
  }),
  async ({ upkeep: { retention } }, { body }) => {
    await retention.set(null, body)
    return await retention.of(null)
  },
)

export const setBusinessRetention = operator.patch(
  '/businesses/:business/retention',
  'Set how long the data of one business are kept.',
  () => ({
    description: 'What is left out stays; null: as the instance has it.',
    body: changeSchema(),
    ...shows('What is set.', ownPeriods),
    example: { request: { values: 720, audit: null } },
  }),
  async ({ accounts, upkeep: { retention } }, { params, body }) => {
    const business = await businessNamed(accounts, params)
    await retention.set(business, body)
    return await retention.of(business)
  },
)

const valueHours = component(
  'ValueRetention',
  { hours: Nullable(Type.Integer(), { description: 'Null: nothing is set here.' }) },
  { description: 'How long values are kept.' },
)

const valueHoursChange = () =>
  StrictObject({ hours: Nullable(hours(), { description: 'Null takes it away.' }) })

export const getConnectorRetention = setup.get(
  '',
  'Show how long values of the signals are kept that the connector feeds.',
  () => shows('What is set.', valueHours),
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
    body: valueHoursChange(),
    ...shows('What is set.', valueHours),
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
  () => shows('What is set.', valueHours),
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
    body: valueHoursChange(),
    ...shows('What is set.', valueHours),
    example: { request: { hours: 24 } },
  }),
  async ({ assets: { valueRetention } }, { view, params, body }) => {
    await valueRetention.set(view, params.signal, body.hours)
    return body
  },
)

/** The periods of the limits; null: for ever. Lines of assets have a limit of their own. */
const defaults = (): RetentionPeriods => ({
  log: limits.logRetentionHours,
  values: null,
  lines: limits.lineRetentionHours,
  notifications: limits.notificationHours,
  contents: null,
  audit: limits.auditDays * hoursPerDay,
})

const hoursPerDay = 24

function periodsInForce(own: RetentionPeriods, instance: RetentionPeriods) {
  const byDefault = defaults()
  const of = (kind: RetentionKind) => {
    if (own[kind] !== null) return { hours: own[kind], set_by: 'business' as const }
    if (instance[kind] !== null) return { hours: instance[kind], set_by: 'instance' as const }
    return { hours: byDefault[kind], set_by: 'default' as const }
  }
  return {
    log: of('log'),
    values: of('values'),
    lines: of('lines'),
    notifications: of('notifications'),
    contents: of('contents'),
    audit: of('audit'),
  }
}
