import type { Accounts } from '../../accounts/index.ts'
import { Fault, limits, type ProcessRole } from '../../kernel/index.ts'
import { contracts } from '../contract/all.ts'
import { getHealth, getOpenApi } from '../contract/instance.ts'
import { describeApi } from '../openapi/document.ts'
import { ok, type Route, route } from '../route.ts'

/** The health of the instance, and the description of its API. */
export function instanceRoutes(
  accounts: Accounts,
  unwritable: () => Promise<string | undefined>,
  roles: readonly ProcessRole[],
): Route[] {
  let document: object | undefined
  return [
    route(getOpenApi, async () => {
      document ??= describeApi(contracts)
      return ok(document)
    }),
    route(getHealth, async () => {
      // Any small question will do.
      await accounts.findBusiness('healthz').catch((error: unknown) => {
        throw unavailable('The database does not answer.', error)
      })
      const why = await unwritable()
      if (why !== undefined) throw unavailable(why)
      return ok({ status: 'ok', roles: [...roles] })
    }),
  ]
}

function unavailable(why: string, cause?: unknown): Fault {
  const options = { cause, retryAfterS: limits.retryAfterS }
  return new Fault('log_unavailable', why, options)
}
