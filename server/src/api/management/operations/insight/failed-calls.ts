import { AnyValue, SearchText, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import { failedCallSchema } from '../../../../insight/pipelines/index.ts'
import { failureId } from '../../calls.ts'
import { does, holds, PathText, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'
import { failurePage, failurePaging, pageAsked, pageEnd } from '../failures/pages.ts'

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
      ...failurePaging(),
      asset: Type.Optional(SearchText('Only those of the asset with this id.')),
      link: Type.Optional(SearchText('Only those of the link with this id.')),
    }),
    ...failurePage('calls', failedCallSchema),
  }),
  async ({ pipelines: { failedCalls } }, { view, query: { asset, link, ...page } }) => {
    const asked = { ...pageAsked(page), assetId: asset, linkId: link }
    const { calls, before } = await failedCalls.list(view, asked)
    return { calls, ...pageEnd(before) }
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
  () => holds('retried', Type.Integer(), 'How many are queued.'),
  ({ pipelines: { failedCalls } }, { view }) => failedCalls.retryAll(view),
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
  () => holds('discarded', Type.Integer(), 'How many are deleted.'),
  ({ pipelines: { failedCalls } }, { view }) => failedCalls.discardAll(view),
)
