import type { Scripting, ScriptValue } from '../../scripting/index.ts'
import { type Call, noContent, ok, type Route } from '../legacy-route.ts'
import { failureBody, failuresNext, parseFailuresQuery } from '../wire/failure.ts'
import { bodyObject, fieldsOf } from '../wire/fields.ts'
import { solutionOf, solutionPath } from './solutions.ts'

type Options = Pick<Scripting, 'solutions' | 'failures'>

/** Events that a solution failed to handle: to be looked at, mended and sent again. */
export function solutionFailureRoutes({ solutions, failures }: Options): Route[] {
  const named = async (call: Call) => {
    const where = solutionOf(call)
    await solutions.get(...where)
    return where
  }
  return [
    {
      path: `${solutionPath}/failures`,
      GET: {
        permission: 'Setup',
        async act(call) {
          const page = await failures.list(...(await named(call)), parseFailuresQuery(call.query))
          return ok({
            failures: page.deliveries.map(failureBody),
            mayLoadMore: page.before !== undefined,
            before: failuresNext(page.before),
          })
        },
      },
      DELETE: {
        permission: 'Setup',
        act: async (call) => ok({ discarded: await failures.discardAll(...(await named(call))) }),
      },
    },
    {
      path: `${solutionPath}/failures/retry`,
      POST: {
        permission: 'Setup',
        act: async (call) => ok({ retried: await failures.retryAll(...(await named(call))) }),
      },
    },
    {
      path: `${solutionPath}/failures/:id`,
      GET: {
        permission: 'Setup',
        async act(call) {
          return ok(failureBody(await failures.get(...(await named(call)), idOf(call))))
        },
      },
      DELETE: {
        permission: 'Setup',
        async act(call) {
          await failures.discard(...(await named(call)), idOf(call))
          return noContent()
        },
      },
    },
    {
      path: `${solutionPath}/failures/:id/retry`,
      POST: {
        permission: 'Setup',
        async act(call) {
          const body = call.body === undefined ? {} : bodyObject(call.body)
          const given = fieldsOf('body', body, ['argument'])
          const argument =
            'argument' in given ? { value: given.argument as ScriptValue } : undefined
          await failures.retry(...(await named(call)), idOf(call), argument)
          return noContent()
        },
      },
    },
  ]
}

/** Ids are of letters and digits; what is none is not found. */
function idOf({ params: { id = '' } }: Call): string {
  return /^[a-z0-9]+$/.test(id) ? id : '-'
}
