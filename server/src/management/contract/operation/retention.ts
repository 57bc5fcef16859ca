import { limits, Nullable, StrictObject, type TSchema, Type } from '../../../kernel/index.ts'
import { component, connectorParams, json, PathText } from '../common.ts'
import { contract } from '../contract.ts'

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

export const getRetention = contract(
  {
    id: 'getRetention',
    method: 'GET',
    path: '/api:1/retention',
    permission: 'account',
    tag: 'instance',
    summary: 'Show how long the data of the business are kept.',
    description: 'Values of some connectors and signals may have periods of their own.',
  },
  () => ({
    answers: { 200: json('The periods in force.', StrictObject(byKind(() => inForce))) },
  }),
)

export const getInstanceRetention = contract(
  {
    id: 'getInstanceRetention',
    method: 'GET',
    path: '/api:1/instance/retention',
    permission: 'operator',
    tag: 'instance',
    summary: 'Show how long data are kept of businesses without a period of their own.',
  },
  () => ({ answers: { 200: json('What is set.', ownPeriods) } }),
)

export const setInstanceRetention = contract(
  {
    id: 'setInstanceRetention',
    method: 'PATCH',
    path: '/api:1/instance/retention',
    permission: 'operator',
    tag: 'instance',
    summary: 'Set how long data are kept of businesses without a period of their own.',
    description: 'What is left out stays; null: as the limits say, values and contents for ever.',
  },
  () => ({
    body: changeSchema(),
    answers: { 200: json('What is set.', ownPeriods) },
    example: { request: { values: 8760 } },
  }),
)

const business = PathText('The id or the name of a business, percent-encoded.')

export const setBusinessRetention = contract(
  {
    id: 'setBusinessRetention',
    method: 'PATCH',
    path: '/api:1/businesses/:business/retention',
    permission: 'operator',
    tag: 'instance',
    summary: 'Set how long the data of one business are kept.',
    description: 'What is left out stays; null: as the instance has it.',
  },
  () => ({
    params: StrictObject({ business }),
    body: changeSchema(),
    answers: { 200: json('What is set.', ownPeriods) },
    example: { request: { values: 720, audit: null } },
  }),
)

const valueHours = component(
  'ValueRetention',
  { hours: Nullable(Type.Integer(), { description: 'Null: nothing is set here.' }) },
  { description: 'How long values are kept.' },
)

const valueHoursChange = () =>
  StrictObject({ hours: Nullable(hours(), { description: 'Null takes it away.' }) })

export const getConnectorRetention = contract(
  {
    id: 'getConnectorRetention',
    method: 'GET',
    path: '/api:1/connectors/:connector/retention',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'Show how long values of the signals are kept that the connector feeds.',
  },
  () => ({
    params: connectorParams,
    answers: { 200: json('What is set.', valueHours) },
  }),
)

export const setConnectorRetention = contract(
  {
    id: 'setConnectorRetention',
    method: 'PUT',
    path: '/api:1/connectors/:connector/retention',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'Set how long values of the signals are kept that the connector feeds.',
    description: 'It counts before the period of the business; that of a signal before it.',
  },
  () => ({
    params: connectorParams,
    body: valueHoursChange(),
    answers: { 200: json('What is set.', valueHours) },
    example: { request: { hours: 720 } },
  }),
)

const signalParams = StrictObject({ signal: PathText('The id of a signal.') })

export const getSignalRetention = contract(
  {
    id: 'getSignalRetention',
    method: 'GET',
    path: '/api:1/signals/:signal/retention',
    permission: 'View Asset',
    tag: 'assets',
    ofGroups: true,
    summary: 'Show how long the values of a signal are kept.',
  },
  () => ({
    params: signalParams,
    answers: { 200: json('What is set.', valueHours) },
  }),
)

export const setSignalRetention = contract(
  {
    id: 'setSignalRetention',
    method: 'PUT',
    path: '/api:1/signals/:signal/retention',
    permission: 'Asset Management',
    tag: 'assets',
    ofGroups: true,
    summary: 'Set how long the values of a signal are kept.',
    description: 'It counts before the periods of its connector, the business and the instance.',
  },
  () => ({
    params: signalParams,
    body: valueHoursChange(),
    answers: { 200: json('What is set.', valueHours) },
    example: { request: { hours: 24 } },
  }),
)
