import { AnyValue, limits, type Static, StrictObject, Type } from '../../../kernel/index.ts'
import { parseDeadKey } from '../../../scripting/index.ts'
import {
  component,
  json,
  Microseconds,
  nothing,
  PageSize,
  PathText,
  pageEnd,
  solutionParams,
} from '../common.ts'
import { contract } from '../contract.ts'

export const scriptErrorSchema = component(
  'ScriptError',
  {
    type: Type.String({ description: '`QueryError` if the caller is at fault.' }),
    error: Type.String(),
    status: Type.Integer(),
  },
  { description: 'An error as scripts have it.' },
)

const failureSchema = component(
  'Failure',
  {
    id: Type.String(),
    service: Type.String({ description: 'The script key of the service.' }),
    event: Type.String(),
    argument: AnyValue<unknown>({
      description: 'The argument of the handler; bytes that are no text are `{base64}`.',
    }),
    error: scriptErrorSchema,
    tries: Type.Integer(),
    tracking_id: Type.String({ description: 'The id of the call in the log.' }),
    created_at: Microseconds('When the event occurred, in microseconds.'),
    failed_at: Microseconds('When it failed for the last time, in microseconds.'),
  },
  { description: 'An event that a solution failed to handle.' },
)

export type FailureBody = Static<typeof failureSchema>

export const failureParams = StrictObject({
  solution: PathText('The id of a solution.'),
  id: PathText('The id of a failure.'),
})

/** The cursor of a list of what failed, for a query. */
export function DeadKey() {
  return Type.Optional(
    Type.Refine(
      Type.String({ description: 'The `before` of a page.' }),
      (text) => parseDeadKey(text) !== undefined,
      () => 'must be what a page before gave',
    ),
  )
}

const path = '/api:1/solution/:solution/failures'

export const listFailures = contract(
  {
    id: 'listFailures',
    method: 'GET',
    path,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'List the events that a solution failed to handle, newest first.',
  },
  () => ({
    params: solutionParams,
    query: StrictObject({
      limit: PageSize(limits.pageMax),
      before: DeadKey(),
    }),
    answers: {
      200: json(
        'A page.',
        StrictObject({
          failures: Type.Array(failureSchema),
          ...pageEnd,
        }),
      ),
    },
  }),
)

export const getFailure = contract(
  {
    id: 'getFailure',
    method: 'GET',
    path: `${path}/:id`,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Show an event that a solution failed to handle.',
  },
  () => ({
    params: failureParams,
    answers: { 200: json('The failure.', failureSchema) },
  }),
)

export const retryFailure = contract(
  {
    id: 'retryFailure',
    method: 'POST',
    path: `${path}/:id/retry`,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Handle an event that failed again, after all that wait.',
  },
  () => ({
    params: failureParams,
    body: Type.Optional(
      StrictObject({
        argument: Type.Optional(
          AnyValue<unknown>({ description: 'In place of the stored argument.' }),
        ),
      }),
    ),
    answers: { 204: nothing('It is queued.') },
    example: { request: { argument: { level: 21 } } },
  }),
)

export const retryFailures = contract(
  {
    id: 'retryFailures',
    method: 'POST',
    path: `${path}/retry`,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Handle all events that failed again, in the order in which they failed.',
  },
  () => ({
    params: solutionParams,
    answers: {
      200: json('How many are queued.', StrictObject({ retried: Type.Integer() })),
    },
  }),
)

export const discardFailure = contract(
  {
    id: 'discardFailure',
    method: 'DELETE',
    path: `${path}/:id`,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Delete an event that failed.',
  },
  () => ({
    params: failureParams,
    answers: { 204: nothing('It is deleted.') },
  }),
)

export const discardFailures = contract(
  {
    id: 'discardFailures',
    method: 'DELETE',
    path,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Delete all events that failed.',
  },
  () => ({
    params: solutionParams,
    answers: {
      200: json('How many are deleted.', StrictObject({ discarded: Type.Integer() })),
    },
  }),
)
