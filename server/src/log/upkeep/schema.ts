import {
  component,
  limits,
  makeRecord,
  Nullable,
  type StaticResult,
  StrictObject,
  type TSchema,
  Type,
} from '../../foundation/kernel/index.ts'

/** The data that have a period. */
const meanings = {
  log: 'The event log; of the instance alone.',
  values: 'Values of signals over time.',
  lines: 'Lines of the logs of connectors, solutions and assets.',
  notifications: 'Notifications and their jobs.',
  contents: 'Contents of connectors and of solutions, from when they were last written.',
  audit: 'The audit log.',
} as const
export type RetentionKind = keyof typeof meanings
export const retentionKinds = Object.keys(meanings) as RetentionKind[]

const byKind = <Schema extends TSchema>(schemaOf: (meaning: string) => Schema) =>
  makeRecord(retentionKinds, (kind) => schemaOf(meanings[kind]))

export const retentionPeriodsSchema = component(
  'RetentionPeriods',
  byKind((description) => Nullable(Type.Integer(), { description })),
  { description: 'Hours for which data are kept, as set here; null: nothing is set here.' },
)
export type RetentionPeriods = StaticResult<typeof retentionPeriodsSchema>

const hours = () => Type.Integer({ minimum: 1, maximum: limits.retentionHoursMax })

/** Periods that are left out stay; null removes one. */
export const createRetentionChangeSchema = () =>
  StrictObject(byKind((description) => Type.Optional(Nullable(hours(), { description }))))
export type RetentionChange = StaticResult<ReturnType<typeof createRetentionChangeSchema>>

const inForceSchema = component(
  'RetentionInForce',
  {
    hours: Nullable(Type.Integer(), { description: 'Null: for ever.' }),
    setBy: Type.Enum(['business', 'instance', 'default']),
  },
  { description: 'How long data of one kind are kept, and what says so.' },
)
export const retentionInForceSchema = StrictObject(byKind(() => inForceSchema))
export type RetentionInForce = StaticResult<typeof retentionInForceSchema>

/** The period of the values of a connector or of a signal. */
export const valueRetentionSchema = component(
  'ValueRetention',
  { hours: Nullable(Type.Integer(), { description: 'Null: nothing is set here.' }) },
  { description: 'How long values are kept.' },
)

export const createValueRetentionSchema = () =>
  StrictObject({ hours: Nullable(hours(), { description: 'Null takes it away.' }) })
