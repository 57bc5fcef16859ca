import {
  AnyValue,
  component,
  type Json,
  Microseconds,
  Nullable,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'

const pointSchema = component('TracePoint', {
  signalId: Type.String({ description: 'The id of the signal.', wire: 'signal' }),
  name: Type.String(),
  ts: Microseconds(),
  value: AnyValue<Json>(),
})
export type TracePoint = StaticResult<typeof pointSchema>

const durationUs = { wire: 'duration_us' } as const

const microsecondsTaken = (description: string, keywords: { readonly wire?: string } = {}) =>
  Type.Integer({ description, minimum: 0, ...keywords })

const kind = <Kind extends string>(name: Kind) => Type.Literal(name)

const stepSchema = Type.Union(
  [
    StrictObject(
      {
        kind: kind('write'),
        connectorId: Type.String({ wire: 'connector' }),
        identity: Type.String(),
        at: Microseconds('When it was acknowledged, in microseconds.'),
        part: Type.Integer({ description: 'The partition of the event log.' }),
        seq: Type.Integer({ description: 'The number in the partition.' }),
        signalId: Type.String({ description: 'The signal that it wrote.', wire: 'signal' }),
      },
      { description: 'The entry of the event log by which a device wrote the value.' },
    ),
    StrictObject(
      {
        kind: kind('function'),
        linkId: Type.String({ wire: 'link' }),
        name: Type.String(),
        moduleId: Type.String({ wire: 'module' }),
        functionId: Type.String({ wire: 'function' }),
        inputs: Type.Array(pointSchema),
        outputs: Type.Array(pointSchema),
        us: Nullable(microsecondsTaken('It ran last for so long; null: not known.'), durationUs),
      },
      { description: 'A function with the values that it received and made.' },
    ),
    StrictObject(
      {
        kind: kind('call'),
        linkId: Type.String({ wire: 'link' }),
        name: Type.String(),
        moduleId: Type.String({ wire: 'module' }),
        trackingId: Type.String({ description: 'The `X-Request-Id` of its requests.' }),
        at: Microseconds('When its run was stored, in microseconds.'),
        us: microsecondsTaken('The call took so long.', durationUs),
        tries: Type.Integer({ description: 'How often it was made, this time included.' }),
        requests: Type.Integer({ description: 'Requests of this time; 0 if none was sent.' }),
        status: Nullable(Type.Integer({ description: 'The HTTP status of the answer.' })),
        reason: Nullable(Type.String({ description: 'Why it failed; null if it did not.' })),
      },
      { description: "A call of a module's function or of an action." },
    ),
    StrictObject(
      {
        kind: kind('status'),
        linkId: Type.String({ wire: 'link' }),
        name: Type.String(),
        ts: Microseconds(),
        level: Type.Integer(),
        previous: Type.Integer(),
        actions: Type.Array(
          StrictObject({ linkId: Type.String({ wire: 'link' }), name: Type.String() }),
        ),
      },
      { description: 'A rule changed its level, and called these actions.' },
    ),
    StrictObject(
      {
        kind: kind('notification'),
        linkId: Type.String({ wire: 'link' }),
        name: Type.String(),
        solutionId: Type.String({ wire: 'solution' }),
        sid: Type.String(),
        acceptedAt: Microseconds(),
        states: Nullable(
          Type.Record(Type.String(), Type.Integer(), {
            description: 'The number of its deliveries by state; null: it is not kept any more.',
          }),
        ),
      },
      { description: 'A notification that an action sent.' },
    ),
    StrictObject(
      {
        kind: kind('script_call'),
        cause: Type.Union([kind('write'), kind('status'), kind('action')], {
          description: 'It came of the write, of a change of a level, or of an action.',
        }),
        solutionId: Type.String({ wire: 'solution' }),
        service: Type.String(),
        handler: Type.String(),
        trackingId: Type.String({ description: 'That of its lines in the log of the solution.' }),
        at: Microseconds('When it ended, in microseconds.'),
        us: Nullable(microsecondsTaken('The call took so long; null: not known.'), durationUs),
        failed: Type.Boolean(),
      },
      { description: 'A call of a script.' },
    ),
    StrictObject(
      {
        kind: kind('failed_call'),
        id: Type.String(),
        linkId: Type.String({ wire: 'link' }),
        name: Type.String(),
        failedAt: Microseconds(),
        reason: Type.String(),
      },
      { description: 'A call that failed and waits to be made again.' },
    ),
  ],
  { description: 'By `kind`.' },
)

export type TraceStep = StaticResult<typeof stepSchema>
export type TraceStepOf<Kind extends TraceStep['kind']> = Extract<
  TraceStep,
  { readonly kind: Kind }
>

export const traceSchema = component(
  'Trace',
  {
    assetId: Type.String({ description: 'The id of the asset.', wire: 'asset' }),
    value: pointSchema,
    steps: Type.Array(stepSchema),
    notes: Type.Array(Type.String(), { description: 'What is not known.' }),
  },
  { description: 'Where a value came from and what it led to.' },
)
export type ValueTrace = StaticResult<typeof traceSchema>
