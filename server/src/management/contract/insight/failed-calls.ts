import {
  AnyValue,
  limits,
  Nullable,
  type Static,
  StrictObject,
  Type,
} from '../../../kernel/index.ts'
import {
  component,
  json,
  Microseconds,
  nothing,
  PageSize,
  PathText,
  pageEnd,
  SearchText,
} from '../common.ts'
import { contract } from '../contract.ts'
import { DeadKey } from '../failures/solution.ts'

const failedCallSchema = component(
  'FailedCall',
  {
    id: Type.String(),
    asset: Type.String({
      description: 'The id of the asset; empty for `init` or `gc` of a module.',
    }),
    link: Nullable(Type.String(), {
      description: 'The id of the link; null for a run that was not begun: too many waited.',
    }),
    link_name: Nullable(Type.String()),
    module: Nullable(Type.String(), { description: 'The id of the module.' }),
    function: Nullable(Type.String(), { description: 'The id of the function.' }),
    request: AnyValue<unknown>({ description: 'The body of the call; null if none was made.' }),
    tracking_id: Nullable(Type.String(), { description: 'The `X-Request-Id` of the call.' }),
    error: StrictObject({
      code: Type.String({ description: 'One of the codes of errors, such as `module_failed`.' }),
      reason: Type.String(),
    }),
    tries: Type.Integer({ description: 'How often it was tried, by itself or by a person.' }),
    created_at: Microseconds('When it was first kept, in microseconds.'),
    failed_at: Microseconds('When it failed for the last time, in microseconds.'),
  },
  { description: 'A call of a function of an insight module that failed.' },
)

export type FailedCallBody = Static<typeof failedCallSchema>

const callParams = StrictObject({ id: PathText('The id of a failed call.') })

/** Data that replace those of a call. */
const Data = () =>
  Type.Array(AnyValue<unknown>(), {
    description: 'The `data` of the request, in place of those that were sent.',
    minItems: 1,
  })

const path = '/api:1/failed-calls'
const common = { permission: 'Setup', tag: 'modules' } as const

export const listFailedCalls = contract(
  {
    ...common,
    id: 'listFailedCalls',
    method: 'GET',
    path,
    summary: 'List the calls of functions that failed, newest first.',
  },
  () => ({
    query: StrictObject({
      limit: PageSize(limits.pageMax),
      before: DeadKey(),
      asset: Type.Optional(SearchText('Only those of the asset with this id.')),
      link: Type.Optional(SearchText('Only those of the link with this id.')),
    }),
    answers: {
      200: json(
        'A page.',
        StrictObject({
          calls: Type.Array(failedCallSchema),
          ...pageEnd,
        }),
      ),
    },
  }),
)

export const getFailedCall = contract(
  {
    ...common,
    id: 'getFailedCall',
    method: 'GET',
    path: `${path}/:id`,
    summary: 'Show a call of a function that failed, with its request.',
  },
  () => ({ params: callParams, answers: { 200: json('The call.', failedCallSchema) } }),
)

const exampleDatum = {
  ts: 1_767_225_600_000_000,
  value: 21,
  origin: 'c.d.data_in.001',
  generated: 'c.d.data_in.001',
  tags: { inlet: '0' },
}

export const correctFailedCall = contract(
  {
    ...common,
    id: 'correctFailedCall',
    method: 'PUT',
    path: `${path}/:id`,
    summary: 'Replace the data of a call that failed, without making it again.',
  },
  () => ({
    params: callParams,
    body: StrictObject({ data: Data() }),
    answers: { 204: nothing('They are replaced.') },
    refuses: ['invalid_argument'],
    example: { request: { data: [exampleDatum] } },
  }),
)

export const retryFailedCall = contract(
  {
    ...common,
    id: 'retryFailedCall',
    method: 'POST',
    path: `${path}/:id/retry`,
    summary: 'Make a call that failed again, after all that wait for its asset.',
  },
  () => ({
    params: callParams,
    body: Type.Optional(StrictObject({ data: Type.Optional(Data()) })),
    answers: { 204: nothing('It is queued.') },
    refuses: ['invalid_argument'],
    example: { request: { data: [exampleDatum] } },
  }),
)

export const retryFailedCalls = contract(
  {
    ...common,
    id: 'retryFailedCalls',
    method: 'POST',
    path: `${path}/retry`,
    summary: 'Make all calls that failed again, in the order in which they failed.',
  },
  () => ({
    answers: { 200: json('How many are queued.', StrictObject({ retried: Type.Integer() })) },
  }),
)

export const discardFailedCall = contract(
  {
    ...common,
    id: 'discardFailedCall',
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Delete a call that failed.',
  },
  () => ({ params: callParams, answers: { 204: nothing('It is deleted.') } }),
)

export const discardFailedCalls = contract(
  {
    ...common,
    id: 'discardFailedCalls',
    method: 'DELETE',
    path,
    summary: 'Delete all calls that failed.',
  },
  () => ({
    answers: { 200: json('How many are deleted.', StrictObject({ discarded: Type.Integer() })) },
  }),
)
