import { AnyValue, limits, omitUndefined, StrictObject, Type } from '../../../kernel/index.ts'
import {
  type DeadDelivery,
  formatDeadKey,
  parseDeadKey,
  type ScriptValue,
  scriptFailureSchema,
} from '../../../scripting/index.ts'
import { failureId, solutionOf, valueBody } from '../../calls.ts'
import { does, PageSize, PathText, pageEnd, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

export const failureParams = { id: PathText('The id of a failure.') }

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

const on = operations('solutions', 'Setup', '/api:1/solution/:solution/failures', {
  params: failureParams,
  inSolution: true,
})

export const listFailures = on.get(
  '',
  'List the events that a solution failed to handle, newest first.',
  () => ({
    query: StrictObject({
      limit: PageSize(limits.pageMax),
      before: DeadKey(),
    }),
    ...shows(
      'A page.',
      StrictObject({
        failures: Type.Array(scriptFailureSchema),
        ...pageEnd,
      }),
    ),
  }),
  async ({ scripting }, call) => {
    const { limit, before = '' } = call.query
    const asked = { limit, before: parseDeadKey(before) }
    const page = await scripting.failures.list(...solutionOf(call), asked)
    const next = page.before && formatDeadKey(page.before)
    return {
      failures: page.deliveries.map(withArgument),
      mayLoadMore: next !== undefined,
      ...omitUndefined({ before: next }),
    }
  },
)

export const getFailure = on.get(
  '/:id',
  'Show an event that a solution failed to handle.',
  () => ({
    ...shows('The failure.', scriptFailureSchema),
  }),
  async ({ scripting }, call) =>
    withArgument(await scripting.failures.get(...solutionOf(call), failureId(call))),
)

export const retryFailure = on.post(
  '/:id/retry',
  'Handle an event that failed again, after all that wait.',
  () => ({
    body: Type.Optional(
      StrictObject({
        argument: Type.Optional(
          AnyValue<unknown>({ description: 'In place of the stored argument.' }),
        ),
      }),
    ),
    ...does('It is queued.'),
    example: { request: { argument: { level: 21 } } },
  }),
  async ({ scripting }, call) => {
    const { body = {} } = call
    const argument = 'argument' in body ? { value: body.argument as ScriptValue } : undefined
    await scripting.failures.retry(...solutionOf(call), failureId(call), argument)
  },
)

export const retryFailures = on.post(
  '/retry',
  'Handle all events that failed again, in the order in which they failed.',
  () => shows('How many are queued.', StrictObject({ retried: Type.Integer() })),
  async ({ scripting }, call) => ({
    retried: await scripting.failures.retryAll(...solutionOf(call)),
  }),
)

export const discardFailure = on.remove(
  '/:id',
  'Delete an event that failed.',
  () => ({
    ...does('It is deleted.'),
  }),
  async ({ scripting }, call) =>
    await scripting.failures.discard(...solutionOf(call), failureId(call)),
)

export const discardFailures = on.remove(
  '',
  'Delete all events that failed.',
  () => shows('How many are deleted.', StrictObject({ discarded: Type.Integer() })),
  async ({ scripting }, call) => ({
    discarded: await scripting.failures.discardAll(...solutionOf(call)),
  }),
)

function withArgument({ argument, ...failure }: DeadDelivery) {
  return { ...failure, argument: valueBody(argument) ?? null }
}
