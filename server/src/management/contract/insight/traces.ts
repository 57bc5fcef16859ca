import { AnyValue, Nullable, type Static, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, Microseconds } from '../common.ts'
import { contract } from '../contract.ts'

const pointSchema = component('TracePoint', {
  signal: Type.String({ description: 'The id of the signal.' }),
  name: Type.String(),
  ts: Microseconds(),
  value: AnyValue<unknown>(),
})

const microsecondsTaken = (meaning: string) => Type.Integer({ description: meaning, minimum: 0 })

const kind = <Kind extends string>(name: Kind) => Type.Literal(name)

const stepSchema = Type.Union(
  [
    StrictObject(
      {
        kind: kind('write'),
        connector: Type.String(),
        identity: Type.String(),
        at: Microseconds('When it was acknowledged, in microseconds.'),
        part: Type.Integer({ description: 'The partition of the event log.' }),
        seq: Type.Integer({ description: 'The number in the partition.' }),
        signal: Type.String({ description: 'The signal that it wrote.' }),
      },
      { description: 'The entry of the event log by which a device wrote the value.' },
    ),
    StrictObject(
      {
        kind: kind('function'),
        link: Type.String(),
        name: Type.String(),
        module: Type.String(),
        function: Type.String(),
        inputs: Type.Array(pointSchema),
        outputs: Type.Array(pointSchema),
        duration_us: Nullable(microsecondsTaken('It ran last for so long; null: not known.')),
      },
      { description: 'A function with the values that it received and made.' },
    ),
    StrictObject(
      {
        kind: kind('call'),
        link: Type.String(),
        name: Type.String(),
        module: Type.String(),
        tracking_id: Type.String({ description: 'The `X-Request-Id` of its requests.' }),
        at: Microseconds('When its run was stored, in microseconds.'),
        duration_us: microsecondsTaken('The call took so long.'),
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
        link: Type.String(),
        name: Type.String(),
        ts: Microseconds(),
        level: Type.Integer(),
        previous: Type.Integer(),
        actions: Type.Array(StrictObject({ link: Type.String(), name: Type.String() })),
      },
      { description: 'A rule changed its level, and called these actions.' },
    ),
    StrictObject(
      {
        kind: kind('notification'),
        link: Type.String(),
        name: Type.String(),
        solution: Type.String(),
        sid: Type.String(),
        accepted_at: Microseconds(),
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
        solution: Type.String(),
        service: Type.String(),
        handler: Type.String(),
        tracking_id: Type.String({ description: 'That of its lines in the log of the solution.' }),
        at: Microseconds('When it ended, in microseconds.'),
        duration_us: Nullable(microsecondsTaken('The call took so long; null: not known.')),
        failed: Type.Boolean(),
      },
      { description: 'A call of a script.' },
    ),
    StrictObject(
      {
        kind: kind('failed_call'),
        id: Type.String(),
        link: Type.String(),
        name: Type.String(),
        failed_at: Microseconds(),
        reason: Type.String(),
      },
      { description: 'A call that failed and waits to be made again.' },
    ),
  ],
  { description: 'By `kind`.' },
)

export type TraceStepBody = Static<typeof stepSchema>
export type TracePointBody = Static<typeof pointSchema>

const traceSchema = component(
  'Trace',
  {
    asset: Type.String({ description: 'The id of the asset.' }),
    value: pointSchema,
    steps: Type.Array(stepSchema),
    notes: Type.Array(Type.String(), { description: 'What is not known.' }),
  },
  { description: 'Where a value came from and what it led to.' },
)

export const traceValue = contract(
  {
    id: 'traceValue',
    method: 'GET',
    path: '/api:1/trace',
    permission: 'View Asset Data',
    tag: 'modules',
    summary: 'Follow a value to the write that it came from, and to all that it led to.',
  },
  () => ({
    query: StrictObject({
      signal: Type.String({ description: 'The id of a signal.' }),
      ts: Type.Optional(
        Type.Integer({
          description: 'The stamp of its value, in microseconds; the newest if it is left out.',
        }),
      ),
    }),
    answers: { 200: json('The trace.', traceSchema) },
    refuses: ['not_found'],
  }),
)
