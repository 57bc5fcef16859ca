import { logLevels } from '../../activity/index.ts'
import {
  AnyValue,
  component,
  limits,
  Microseconds,
  Nullable,
  newId,
  type Static,
  StrictObject,
  Type,
} from '../../kernel/index.ts'
import {
  createFilesSchema,
  type Ended,
  type HandlerCall,
  type ReplayedEvent,
  type ScriptValue,
  stopLimits,
} from '../../scripting/index.ts'
import { failureId, solutionOf, valueBody } from '../calls.ts'
import { largeBody, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'
import type { ApiServices } from '../services.ts'
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

const description =
  'It calls the real services, within the limits of the solution. A handler that fails, or is ' +
  'not there, is a 200 with its error.'

const exampleAnswer: HandlerRunBody = {
  outcome: 'returned',
  result: 42,
  tracking_id: '3q2w8k1x7v5m9p0d',
}

function handlerPart(pattern: string, text: string) {
  return Type.String({ description: text, pattern, maxLength: limits.scriptNameCharsMax })
}

const path = '/api:1/solution/:solution'
const runs = operations('solutions', 'Setup', path, { params: failureParams, inSolution: true })
const on = operations('solutions', 'Setup', path)

export const runHandler = runs.post(
  '/run',
  'Run a handler of a solution now.',
  () => ({
    description,
    body: StrictObject({
      service: handlerPart('^[a-zA-Z0-9_]+$', 'The script key of the service.'),
      event: handlerPart('^[a-zA-Z0-9]+$', 'The event that it handles.'),
      argument: Type.Optional(AnyValue<unknown>({ description: 'Left out: null.' })),
    }),
    ...shows('Its end.', runSchema),
    example: {
      request: { service: 'user', event: 'double', argument: { level: 21 } },
      answer: exampleAnswer,
    },
  }),
  (services, call) => {
    const { argument = null, ...handler } = call.body
    return run(services, solutionOf(call), { ...handler, argument: argument as ScriptValue })
  },
)

export const runFailure = runs.post(
  '/failures/:id/run',
  'Run the handler of an event that failed now; the event stays failed.',
  () => ({
    description,
    ...shows('Its end.', runSchema),
    example: { answer: exampleAnswer },
  }),
  async (services, call) => {
    const where = solutionOf(call)
    return run(services, where, await services.scripting.failures.get(...where, failureId(call)))
  },
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

export const replaySolution = on.post(
  '/replay',
  "Run recorded events of devices through a solution's scripts, and changed ones.",
  () => ({
    description:
      'Calls of services that read are made, and see what is stored now. All others are ' +
      'recorded, not made; the script gets the least answer that there can be. The clock of the ' +
      'scripts is that of the event. Nothing is stored.',
    body: largeBody(
      limits.solutionPushBytesMax,
      StrictObject({
        from: Microseconds('Part of the range, in microseconds.'),
        to: Microseconds('Not part of the range, in microseconds.'),
        files: Type.Optional(createFilesSchema()),
      }),
    ),
    ...shows('What the scripts do with them.', replaySchema),
    refuses: ['script_refused', 'time_exceeded'],
    example: {
      request: {
        from: 1_767_225_600_000_000,
        to: 1_767_229_200_000_000,
        files: [{ path: 'device2_event.lua', text: 'log.info(event.type)' }],
      },
    },
  }),
  async ({ scripting: { replays } }, call) => {
    const { shown, ...replay } = await replays.run(...solutionOf(call), call.body)
    return { ...replay, shown: shown.map(replayedBody) } as ReplayBody
  },
)

function replayedBody({ connectorId: connector, ...event }: ReplayedEvent) {
  return { connector, ...event }
}

type Handler = Pick<HandlerCall, 'service' | 'event' | 'argument'>

/** Runs a handler by hand, with the permissions and the limits of any other call. */
async function run(
  { scripting, activity, random }: ApiServices,
  [businessId, solutionId]: [string, string],
  { service, event, argument }: Handler,
): Promise<HandlerRunBody> {
  const trackingId = newId(random)
  const call = { businessId, solutionId, service, event, argument, trackingId }
  const end = await scripting.api.run(call)
  // The caller reads the lines of the call next.
  await activity.solutions.flush()
  return runBody(end, trackingId)
}

function runBody(end: Ended, trackingId: string): HandlerRunBody {
  const { kind: outcome } = end
  if (end.kind === 'returned') {
    return { outcome, result: valueBody(end.value) ?? null, tracking_id: trackingId }
  }
  const { type, error, status } = end.error
  return {
    outcome,
    error: { type, error, status },
    ...(end.kind === 'stopped' && { limit: end.limit }),
    tracking_id: trackingId,
  }
}
