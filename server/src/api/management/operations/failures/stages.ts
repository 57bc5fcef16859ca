import { AnyValue, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import {
  type StageFailure,
  stageCountsSchema,
  stageFailureSchema,
  stageSchema,
} from '../../../failures/index.ts'
import { valueBody } from '../../calls.ts'
import { does, holds, PathText, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'
import { failurePage, failurePaging, pageAsked, pageEnd } from './pages.ts'

const on = operations('ledger', 'Setup', '/api:1/failures', {
  params: { stage: stageSchema('The stage.'), id: PathText('The id of a failure in its stage.') },
})

export const listStageFailures = on.get(
  '',
  'List what failed at every stage, newest first.',
  () => ({
    query: StrictObject({
      stage: Type.Optional(stageSchema('Only those of this stage.')),
      ...failurePaging(),
    }),
    ...failurePage('failures', stageFailureSchema),
  }),
  async ({ failures }, { principal, query }) => {
    const page = await failures.list(principal, pageAsked(query))
    return { failures: page.failures.map(withInput), ...pageEnd(page.before) }
  },
)

export const countStageFailures = on.get(
  '/count',
  'Count what failed at each stage and was neither sent again nor discarded.',
  () => ({
    description: 'It reads no inputs, and of each stage no more than `most`.',
    ...shows('The counts.', stageCountsSchema),
  }),
  ({ failures }, { businessId }) => failures.count(businessId),
)

export const getStageFailure = on.get(
  '/:stage/:id',
  'Show what failed, with its input.',
  () => shows('It.', stageFailureSchema),
  async ({ failures }, { principal, params: { stage, id } }) =>
    withInput(await failures.of(stage).get(principal, id)),
)

export const retryStageFailure = on.post(
  '/:stage/:id/retry',
  'Send again what failed, as it was or corrected.',
  () => ({
    body: Type.Optional(
      StrictObject({
        input: Type.Optional(
          AnyValue<unknown>({ description: 'In place of the input, in the form of it.' }),
        ),
      }),
    ),
    ...does('It is durable, and on its way.'),
    refuses: ['invalid_argument', 'value_refused'],
    example: {
      request: {
        input: {
          payload: [{ timestamp: 1_767_225_600_000_000, values: { data_in: '{"001":21}' } }],
        },
      },
    },
  }),
  async ({ failures }, { principal, params: { stage, id }, body = {} }) => {
    const input = 'input' in body ? { value: body.input } : undefined
    await failures.of(stage).retry(principal, id, input)
  },
)

export const retryStageFailures = on.post(
  '/:stage/retry',
  'Send again all that failed at a stage, in the order in which they failed.',
  () => holds('retried', Type.Integer(), 'How many.'),
  ({ failures }, { principal, params: { stage } }) => failures.of(stage).retryAll(principal),
)

export const discardStageFailure = on.remove(
  '/:stage/:id',
  'Discard what failed.',
  () => does('It is discarded.'),
  ({ failures }, { principal, params: { stage, id } }) => failures.of(stage).discard(principal, id),
)

export const discardStageFailures = on.remove(
  '/:stage',
  'Discard all that failed at a stage.',
  () => holds('discarded', Type.Integer(), 'How many.'),
  ({ failures }, { principal, params: { stage } }) => failures.of(stage).discardAll(principal),
)

function withInput({ input, ...failure }: StageFailure) {
  return { ...failure, input: valueBody(input) ?? null }
}
