import { omitUndefined } from '../../kernel/index.ts'
import {
  formatDeadKey,
  parseDeadKey,
  type Scripting,
  type ScriptValue,
} from '../../scripting/index.ts'
import {
  discardFailure,
  discardFailures,
  getFailure,
  listFailures,
  retryFailure,
  retryFailures,
} from '../contract/failures/solution.ts'
import { noContent, ok, type Route, route } from '../route.ts'
import { failureBody } from '../wire/solution.ts'
import { solutionOf } from './solutions.ts'

type Options = Pick<Scripting, 'solutions' | 'failures'>

/** Events that a solution failed to handle: to be looked at, mended and sent again. */
export function solutionFailureRoutes({ solutions, failures }: Options): Route[] {
  const named = async (call: Parameters<typeof solutionOf>[0]) => {
    const where = solutionOf(call)
    await solutions.get(...where)
    return where
  }
  return [
    route(listFailures, async (call) => {
      const { limit, before = '' } = call.query
      const asked = { limit, before: parseDeadKey(before) }
      const page = await failures.list(...(await named(call)), asked)
      const next = page.before && formatDeadKey(page.before)
      return ok({
        failures: page.deliveries.map(failureBody),
        mayLoadMore: next !== undefined,
        ...omitUndefined({ before: next }),
      })
    }),
    route(discardFailures, async (call) =>
      ok({ discarded: await failures.discardAll(...(await named(call))) }),
    ),
    route(retryFailures, async (call) =>
      ok({ retried: await failures.retryAll(...(await named(call))) }),
    ),
    route(getFailure, async (call) =>
      ok(failureBody(await failures.get(...(await named(call)), failureIdOf(call)))),
    ),
    route(discardFailure, async (call) => {
      await failures.discard(...(await named(call)), failureIdOf(call))
      return noContent()
    }),
    route(retryFailure, async (call) => {
      const { body = {} } = call
      const argument = 'argument' in body ? { value: body.argument as ScriptValue } : undefined
      await failures.retry(...(await named(call)), failureIdOf(call), argument)
      return noContent()
    }),
  ]
}

/** Ids are of letters and digits; what is none is not found. */
export function failureIdOf({
  params: { id },
}: {
  readonly params: { readonly id: string }
}): string {
  return /^[a-z0-9]+$/.test(id) ? id : '-'
}
