import { AnyValue, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import {
  type DeadDelivery,
  type ScriptValue,
  scriptFailureSchema,
} from '../../../../scripts/scripting/index.ts'
import { failureId, solutionArguments, valueBody } from '../../calls.ts'
import { does, holds, PathText, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'
import { failurePage, failurePaging, pageAsked, pageEnd } from './pages.ts'

export const failureParams = { id: PathText('The id of a failure.') }

const on = operations('solutions', 'Setup', '/api:1/solution/:solution/failures', {
  params: failureParams,
  inSolution: true,
})

export const listFailures = on.get(
  '',
  'List the events that a solution failed to handle, newest first.',
  () => ({
    query: StrictObject(failurePaging()),
    ...failurePage('failures', scriptFailureSchema),
  }),
  async ({ scripting }, call) => {
    const page = await scripting.failures.list(...solutionArguments(call), pageAsked(call.query))
    return { failures: page.deliveries.map(withArgument), ...pageEnd(page.before) }
  },
)

export const getFailure = on.get(
  '/:id',
  'Show an event that a solution failed to handle.',
  () => shows('The failure.', scriptFailureSchema),
  async ({ scripting }, call) =>
    withArgument(await scripting.failures.get(...solutionArguments(call), failureId(call))),
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
    await scripting.failures.retry(...solutionArguments(call), failureId(call), argument)
  },
)

export const retryFailures = on.post(
  '/retry',
  'Handle all events that failed again, in the order in which they failed.',
  () => holds('retried', Type.Integer(), 'How many are queued.'),
  ({ scripting }, call) => scripting.failures.retryAll(...solutionArguments(call)),
)

export const discardFailure = on.remove(
  '/:id',
  'Delete an event that failed.',
  () => does('It is deleted.'),
  ({ scripting }, call) => scripting.failures.discard(...solutionArguments(call), failureId(call)),
)

export const discardFailures = on.remove(
  '',
  'Delete all events that failed.',
  () => holds('discarded', Type.Integer(), 'How many are deleted.'),
  ({ scripting }, call) => scripting.failures.discardAll(...solutionArguments(call)),
)

function withArgument({ argument, ...failure }: DeadDelivery) {
  return { ...failure, argument: valueBody(argument) ?? null }
}
