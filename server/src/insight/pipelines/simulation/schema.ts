import {
  AnyValue,
  component,
  type Json,
  Microseconds,
  Nullable,
  type StaticInput,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import { pipelineChangeSchema } from '../document/schema.ts'

/** Recorded values of an asset, and the pipeline that they are to go through. */
export const simulationRequestSchema = StrictObject({
  from: Microseconds('Part of the range, in microseconds.'),
  to: Microseconds('Not part of the range, in microseconds.'),
  change: Type.Optional(pipelineChangeSchema),
  store: Type.Optional(
    Type.Boolean({
      description: "Store functions' values as history of signals that have none in the range.",
    }),
  ),
})
export type SimulationRequest = StaticInput<typeof simulationRequestSchema>

const linkFields = { linkId: Type.String(), name: Type.String() }

/** A signal that a change makes has the name of the link and the outlet for its id. */
const signalFields = { id: Type.String(), name: Type.String(), count: Type.Integer() }
const signalSchema = StrictObject(signalFields)
export type SimulatedSignal = StaticResult<typeof signalSchema>

const levelSchema = StrictObject({
  ts: Microseconds(),
  level: Type.Integer(),
  previous: Type.Integer(),
  type: Nullable(Type.String()),
  value: AnyValue<Json>(),
})
export type SimulatedLevel = StaticResult<typeof levelSchema>

/** The level of a rule is 0 before the first value. */
const ruleSchema = StrictObject({
  ...linkFields,
  fired: Type.Integer({ description: 'How often its level rose.' }),
  changes: Type.Array(levelSchema),
})
export type SimulatedRule = StaticResult<typeof ruleSchema>

/** The times at which it would have run. */
const actionSchema = StrictObject({
  ...linkFields,
  count: Type.Integer(),
  at: Type.Array(Type.Integer()),
})

/** The reason is that of the first one. */
const failureSchema = StrictObject({
  ...linkFields,
  count: Type.Integer(),
  reason: Type.String(),
})
export type SimulatedFailure = StaticResult<typeof failureSchema>

/** Lists hold at most `simulationShownMax` items. */
const simulatedSchema = component(
  'SimulatedPipeline',
  {
    signals: Type.Array(signalSchema, {
      description: 'The signals of built-in functions, with the number of their values.',
    }),
    rules: Type.Array(ruleSchema),
    actions: Type.Array(actionSchema, { description: 'Those that would have run.' }),
    failures: Type.Array(failureSchema),
  },
  { description: 'What a pipeline makes of recorded values.' },
)
export type SimulatedPipeline = StaticResult<typeof simulatedSchema>

/** The values that are not equal, or at times at which only one pipeline has one; the first too. */
const signalDifferenceSchema = StrictObject({
  ...signalFields,
  first: StrictObject({
    ts: Microseconds(),
    live: AnyValue<Json>(),
    changed: AnyValue<Json>(),
  }),
})
export type SignalDifference = StaticResult<typeof signalDifferenceSchema>

const timesSchema = StrictObject({
  ...linkFields,
  liveOnly: Type.Array(Type.Integer(), { description: 'Times in microseconds.' }),
  changedOnly: Type.Array(Type.Integer(), { description: 'Times in microseconds.' }),
})
export type TimesDifference = StaticResult<typeof timesSchema>

export const simulationSchema = component(
  'Simulation',
  {
    from: Microseconds(),
    to: Microseconds(),
    values: Type.Integer({ description: 'The recorded values that went through.' }),
    live: simulatedSchema,
    changed: simulatedSchema,
    difference: StrictObject({
      signals: Type.Array(signalDifferenceSchema),
      rules: Type.Array(timesSchema),
      actions: Type.Array(timesSchema),
    }),
    stored: Type.Array(signalSchema, {
      description: 'The signals that were filled, with the number of their values.',
    }),
    // A sentence each.
    notes: Type.Array(Type.String(), { description: 'What was not simulated, or not stored.' }),
  },
  { description: 'Two pipelines on the same recorded values.' },
)
export type Simulation = StaticResult<typeof simulationSchema>
