import { AnyValue, limits, type Static, StrictObject, Type } from '../../kernel/index.ts'
import { stopLimits } from '../../scripting/index.ts'
import { component, json, solutionParams } from './common.ts'
import { contract } from './contract.ts'
import { failureParams, scriptErrorSchema } from './failures.ts'

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
