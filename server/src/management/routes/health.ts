import type { Accounts } from '../../accounts/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import { getHealth } from '../contract/instance.ts'
import { ok, type Route, route } from '../route.ts'

/** 200 while the database answers and takes writes. Any small question to it will do. */
export function healthRoutes(
  accounts: Accounts,
  unwritable: () => Promise<string | undefined>,
): Route[] {
  return [
    route(getHealth, async () => {
      await accounts.findBusiness('healthz').catch((error: unknown) => {
        throw unavailable('The database does not answer.', error)
      })
      const why = await unwritable()
      if (why !== undefined) throw unavailable(why)
      return ok({ status: 'ok' })
    }),
  ]
}

function unavailable(why: string, cause?: unknown): Fault {
  const options = { cause, retryAfterS: limits.retryAfterS }
  return new Fault('log_unavailable', why, options)
}
