import { AnyValue, limits, newId, StrictObject, Type } from '../../../foundation/kernel/index.ts'
import {
  createReplayRequestSchema,
  type Ended,
  type HandlerCall,
  handlerRunSchema,
  replaySchema,
  type ScriptValue,
} from '../../../scripts/scripting/index.ts'
import { failureId, solutionArguments, valueBody } from '../calls.ts'
import { largeBody, shows } from '../contract/common.ts'
import { managementLimits } from '../limits.ts'
import { operations } from '../operation.ts'
import type { ApiServices } from '../services.ts'
import { failureParams } from './failures/solution.ts'

const description =
  'It calls the real services, within the limits of the solution. A handler that fails, or is ' +
  'not there, is a 200 with its error.'

const exampleAnswer = {
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
    ...shows('Its end.', handlerRunSchema),
    example: {
      request: { service: 'user', event: 'double', argument: { level: 21 } },
      answer: exampleAnswer,
    },
  }),
  (services, call) => {
    const { argument = null, ...handler } = call.body
    return run(services, solutionArguments(call), { ...handler, argument: argument as ScriptValue })
  },
)

export const runFailure = runs.post(
  '/failures/:id/run',
  'Run the handler of an event that failed now; the event stays failed.',
  () => ({
    description,
    ...shows('Its end.', handlerRunSchema),
    example: { answer: exampleAnswer },
  }),
  async (services, call) => {
    const where = solutionArguments(call)
    return run(services, where, await services.scripting.failures.get(...where, failureId(call)))
  },
)

export const replaySolution = on.post(
  '/replay',
  "Run recorded events of devices through a solution's scripts, and changed ones.",
  () => ({
    description:
      'Calls of services that read are made, and see what is stored now. All others are ' +
      'recorded, not made; the script gets the least answer that there can be. The clock of the ' +
      'scripts is that of the event. Nothing is stored.',
    body: largeBody(managementLimits.solutionPushBytesMax, createReplayRequestSchema()),
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
  ({ scripting: { replays } }, call) => replays.run(...solutionArguments(call), call.body),
)

type Handler = Pick<HandlerCall, 'service' | 'event' | 'argument'>

/** Runs a handler by hand, with the permissions and the limits of any other call. */
async function run(
  { scripting, activity, random }: ApiServices,
  [businessId, solutionId]: [string, string],
  { service, event, argument }: Handler,
) {
  const trackingId = newId(random)
  const call = { businessId, solutionId, service, event, argument, trackingId }
  const end = await scripting.api.run(call)
  // The caller reads the lines of the call next.
  await activity.solutions.flush()
  return runBody(end, trackingId)
}

function runBody(end: Ended, trackingId: string) {
  const { kind: outcome } = end
  if (end.kind === 'returned') return { outcome, result: valueBody(end.value) ?? null, trackingId }
  const limit = end.kind === 'stopped' ? end.limit : undefined
  return { outcome, error: end.error, limit, trackingId }
}
