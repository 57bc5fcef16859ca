import { type StageFailure, stageFailureSchema, stageSchema } from '../../../failures/index.ts'
import {
  AnyValue,
  component,
  type FailureKey,
  limits,
  omitUndefined,
  StrictObject,
  Type,
} from '../../../kernel/index.ts'
import { valueBody } from '../../calls.ts'
import { does, PageSize, PathText, pageEnd, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

/** `<microseconds>.<id>` */
export const stageKeyPattern = /^(\d{1,16})\.([a-z0-9-]{1,64})$/

const on = operations('ledger', 'Setup', '/api:1/failures', {
  params: { stage: stageSchema('The stage.'), id: PathText('The id of a failure in its stage.') },
})

export const listStageFailures = on.get(
  '',
  'List what failed at every stage, newest first.',
  () => ({
    query: StrictObject({
      stage: Type.Optional(stageSchema('Only those of this stage.')),
      limit: PageSize(limits.pageMax),
      before: Type.Optional(
        Type.Refine(
          Type.String({ description: 'The `before` of a page.' }),
          (text) => stageKeyPattern.test(text),
          () => 'must be what a page before gave',
        ),
      ),
    }),
    ...shows(
      'A page.',
      StrictObject({
        failures: Type.Array(stageFailureSchema),
        ...pageEnd,
      }),
    ),
  }),
  async ({ failures }, { principal, query }) => {
    const { stage, limit = limits.pageDefault, before = '' } = query
    const page = await failures.list(principal, { stage, before: parseKey(before), limit })
    const next = page.before && `${page.before.failedAtUs}.${page.before.id}`
    return {
      failures: page.failures.map(withInput),
      mayLoadMore: next !== undefined,
      ...omitUndefined({ before: next }),
    }
  },
)

const counted = (name: string) => Type.Integer({ description: `Of the stage ${name}.` })

export const countStageFailures = on.get(
  '/count',
  'Count what failed at each stage and was neither sent again nor discarded.',
  () => ({
    description: 'It reads no inputs, and of each stage no more than `most`.',
    ...shows(
      'The counts.',
      component('StageFailureCounts', {
        stages: StrictObject({
          values: counted('values'),
          functions: counted('functions'),
          scripts: counted('scripts'),
          'functions.calls': counted('functions.calls'),
          deliveries: counted('deliveries'),
          notifications: counted('notifications'),
        }),
        most: Type.Integer({
          description: 'A stage with this count may have more (`failuresCountedMax`).',
        }),
      }),
    ),
  }),
  async ({ failures }, { businessId }) => ({
    stages: await failures.count(businessId),
    most: limits.failuresCountedMax,
  }),
)

export const getStageFailure = on.get(
  '/:stage/:id',
  'Show what failed, with its input.',
  () => ({ ...shows('It.', stageFailureSchema) }),
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
  () => ({
    ...shows('How many.', StrictObject({ retried: Type.Integer() })),
  }),
  async ({ failures }, { principal, params: { stage } }) => ({
    retried: await failures.of(stage).retryAll(principal),
  }),
)

export const discardStageFailure = on.remove(
  '/:stage/:id',
  'Discard what failed.',
  () => ({ ...does('It is discarded.') }),
  ({ failures }, { principal, params: { stage, id } }) => failures.of(stage).discard(principal, id),
)

export const discardStageFailures = on.remove(
  '/:stage',
  'Discard all that failed at a stage.',
  () => ({
    ...shows('How many.', StrictObject({ discarded: Type.Integer() })),
  }),
  async ({ failures }, { principal, params: { stage } }) => ({
    discarded: await failures.of(stage).discardAll(principal),
  }),
)

function parseKey(text: string): FailureKey | undefined {
  const [, failedAtUs, id = ''] = stageKeyPattern.exec(text) ?? []
  return failedAtUs === undefined ? undefined : { failedAtUs: Number(failedAtUs), id }
}

function withInput({ input, ...failure }: StageFailure) {
  return { ...failure, input: valueBody(input) ?? null }
}
