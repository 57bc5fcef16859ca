import { AnyValue, limits, omitUndefined, StrictObject, Type } from '../../../kernel/index.ts'
import { failedCallSchema } from '../../../pipelines/index.ts'
import { formatDeadKey, parseDeadKey } from '../../../scripting/index.ts'
import { failureId } from '../../calls.ts'
import { does, PageSize, PathText, pageEnd, SearchText, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'
import { DeadKey } from '../failures/solution.ts'

/** Data that replace those of a call. */
const Data = () =>
  Type.Array(AnyValue<unknown>(), {
    description: 'The `data` of the request, in place of those that were sent.',
    minItems: 1,
  })

const on = operations('modules', 'Setup', '/api:1/failed-calls', {
  params: { id: PathText('The id of a failed call.') },
})

export const listFailedCalls = on.get(
  '',
  'List the calls of functions that failed, newest first.',
  () => ({
    query: StrictObject({
      limit: PageSize(limits.pageMax),
      before: DeadKey(),
      asset: Type.Optional(SearchText('Only those of the asset with this id.')),
      link: Type.Optional(SearchText('Only those of the link with this id.')),
    }),
    ...shows(
      'A page.',
      StrictObject({
        calls: Type.Array(failedCallSchema),
        ...pageEnd,
      }),
    ),
  }),
  async ({ pipelines: { failedCalls } }, { view, query }) => {
    const { limit, before = '', asset: assetId, link: linkId } = query
    const asked = { limit, before: parseDeadKey(before), assetId, linkId }
    const page = await failedCalls.list(view, asked)
    const next = page.before && formatDeadKey(page.before)
    return {
      calls: page.calls,
      mayLoadMore: next !== undefined,
      ...omitUndefined({ before: next }),
    }
  },
)

export const getFailedCall = on.get(
  '/:id',
  'Show a call of a function that failed, with its request.',
  () => shows('The call.', failedCallSchema),
  ({ pipelines: { failedCalls } }, call) => failedCalls.get(call.view, failureId(call)),
)

const exampleDatum = {
  ts: 1_767_225_600_000_000,
  value: 21,
  origin: 'c.d.data_in.001',
  generated: 'c.d.data_in.001',
  tags: { inlet: '0' },
}

export const correctFailedCall = on.put(
  '/:id',
  'Replace the data of a call that failed, without making it again.',
  () => ({
    body: StrictObject({ data: Data() }),
    ...does('They are replaced.'),
    refuses: ['invalid_argument'],
    example: { request: { data: [exampleDatum] } },
  }),
  ({ pipelines: { failedCalls } }, call) =>
    failedCalls.correct(call.view, failureId(call), call.body.data),
)

export const retryFailedCall = on.post(
  '/:id/retry',
  'Make a call that failed again, after all that wait for its asset.',
  () => ({
    body: Type.Optional(StrictObject({ data: Type.Optional(Data()) })),
    ...does('It is queued.'),
    refuses: ['invalid_argument'],
    example: { request: { data: [exampleDatum] } },
  }),
  ({ pipelines: { failedCalls } }, call) =>
    failedCalls.retry(call.view, failureId(call), call.body?.data && call.body),
)

export const retryFailedCalls = on.post(
  '/retry',
  'Make all calls that failed again, in the order in which they failed.',
  () => shows('How many are queued.', StrictObject({ retried: Type.Integer() })),
  async ({ pipelines: { failedCalls } }, { view }) => ({
    retried: await failedCalls.retryAll(view),
  }),
)

export const discardFailedCall = on.remove(
  '/:id',
  'Delete a call that failed.',
  () => does('It is deleted.'),
  ({ pipelines: { failedCalls } }, call) => failedCalls.discard(call.view, failureId(call)),
)

export const discardFailedCalls = on.remove(
  '',
  'Delete all calls that failed.',
  () => shows('How many are deleted.', StrictObject({ discarded: Type.Integer() })),
  async ({ pipelines: { failedCalls } }, { view }) => ({
    discarded: await failedCalls.discardAll(view),
  }),
)
