import { logLevels } from '../../activity/index.ts'
import { AnyValue, limits, Nullable, type Static, StrictObject, Type } from '../../kernel/index.ts'
import { createFilesSchema, stopLimits } from '../../scripting/index.ts'
import { component, json, Microseconds, solutionParams } from './common.ts'
import { contract } from './contract.ts'
import { failureParams, scriptErrorSchema } from './failures/solution.ts'

const runSchema = component(
  'HandlerRun',
  {
    outcome: Type.Enum(['returned', 'failed', 'stopped'], {
      description: '`stopped`: by a limit.',
    }),
    result: Type.Optional(
      AnyValue<unknown>({
        description: 'What it returned; bytes that are no text are `{base64}`.',
      }),
    ),
    error: Type.Optional(scriptErrorSchema),
    limit: Type.Optional(Type.Enum([...stopLimits], { description: 'What stopped it.' })),
    tracking_id: Type.String({
      description: 'The id of the call in the log, which has all its lines by now.',
    }),
  },
  { description: 'The end of a call.' },
)

export type HandlerRunBody = Static<typeof runSchema>

const head = { method: 'POST', permission: 'Setup', tag: 'solutions' } as const

const description =
  'It calls the real services, within the limits of the solution. A handler that fails, or is ' +
  'not there, is a 200 with its error.'

const answers = { 200: json('Its end.', runSchema) }

const exampleAnswer: HandlerRunBody = {
  outcome: 'returned',
  result: 42,
  tracking_id: '3q2w8k1x7v5m9p0d',
}

function handlerPart(pattern: string, text: string) {
  return Type.String({ description: text, pattern, maxLength: limits.scriptNameCharsMax })
}

export const runHandler = contract(
  {
    ...head,
    id: 'runHandler',
    path: '/api:1/solution/:solution/run',
    summary: 'Run a handler of a solution now.',
    description,
  },
  () => ({
    params: solutionParams,
    body: StrictObject({
      service: handlerPart('^[a-zA-Z0-9_]+$', 'The script key of the service.'),
      event: handlerPart('^[a-zA-Z0-9]+$', 'The event that it handles.'),
      argument: Type.Optional(AnyValue<unknown>({ description: 'Left out: null.' })),
    }),
    answers,
    example: {
      request: { service: 'user', event: 'double', argument: { level: 21 } },
      answer: exampleAnswer,
    },
  }),
)

export const runFailure = contract(
  {
    ...head,
    id: 'runFailure',
    path: '/api:1/solution/:solution/failures/:id/run',
    summary: 'Run the handler of an event that failed now; the event stays failed.',
    description,
  },
  () => ({
    params: failureParams,
    answers,
    example: { answer: exampleAnswer },
  }),
)

const replayedSchema = component(
  'ReplayedRun',
  {
    outcome: Type.Enum(['returned', 'failed', 'stopped', 'none'], {
      description: '`stopped`: by a limit. `none`: the scripts have no handler for it.',
    }),
    error: Nullable(Type.String(), { description: 'Null if it returned.' }),
    calls: Type.Array(
      StrictObject({
        service: Type.String(),
        operation: Type.String(),
        args: AnyValue<unknown>({ description: 'Bytes are `{"$bytes": "<base64>"}`.' }),
        made: Type.Boolean({
          description: 'False for one that may change something: it was recorded only.',
        }),
      }),
      { description: 'In their order.' },
    ),
    logs: Type.Array(StrictObject({ level: Type.Enum([...logLevels]), text: Type.String() })),
  },
  { description: 'What one handler did with one event.' },
)

const eventSchema = component(
  'ReplayedEvent',
  {
    part: Type.Integer({ description: 'The partition of the event log.' }),
    seq: Type.Integer({ description: 'The number in the partition.' }),
    at: Microseconds(),
    connector: Type.String(),
    identity: Type.String(),
    type: Type.String({ description: 'As scripts see it, such as `data_in`.' }),
    handler: Type.String(),
    live: Nullable(replayedSchema, { description: 'By the scripts as they are.' }),
    changed: replayedSchema,
  },
  { description: 'An event, and what both did with it.' },
)

const countsSchema = StrictObject({
  calls: Type.Integer(),
  writes: Type.Integer({ description: 'Calls that were not made.' }),
  logs: Type.Integer(),
  failed: Type.Integer({ description: 'Events whose handler failed or was stopped.' }),
})

const replaySchema = component(
  'Replay',
  {
    from: Microseconds(),
    to: Microseconds(),
    events: Type.Integer({ description: 'The events that have a handler.' }),
    differing: Type.Integer({ description: 'Those with which the two do not do the same.' }),
    live: Nullable(countsSchema, { description: 'Null if no files were given.' }),
    changed: countsSchema,
    shown: Type.Array(eventSchema, {
      description: 'The first that differ; all, if no files were given.',
    }),
    notes: Type.Array(Type.String(), { description: 'What was not replayed.' }),
  },
  { description: 'Two versions of scripts on the same recorded events.' },
)

export type ReplayBody = Static<typeof replaySchema>

export const replaySolution = contract(
  {
    id: 'replaySolution',
    method: 'POST',
    path: '/api:1/solution/:solution/replay',
    permission: 'Setup',
    tag: 'solutions',
    summary: "Run recorded events of devices through a solution's scripts, and changed ones.",
    description:
      'Calls of services that read are made, and see what is stored now. All others are ' +
      'recorded, not made; the script gets the least answer that there can be. The clock of the ' +
      'scripts is that of the event. Nothing is stored.',
  },
  () => ({
    params: solutionParams,
    body: {
      stream: ['application/json'],
      bytesMax: limits.solutionPushBytesMax,
      schema: StrictObject({
        from: Microseconds('Part of the range, in microseconds.'),
        to: Microseconds('Not part of the range, in microseconds.'),
        files: Type.Optional(createFilesSchema()),
      }),
    },
    answers: { 200: json('What the scripts do with them.', replaySchema) },
    refuses: ['script_refused', 'time_exceeded'],
    example: {
      request: {
        from: 1_767_225_600_000_000,
        to: 1_767_229_200_000_000,
        files: [{ path: 'device2_event.lua', text: 'log.info(event.type)' }],
      },
    },
  }),
)
