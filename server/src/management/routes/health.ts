import type { Accounts } from '../../accounts/index.ts'
import { Fault } from '../../kernel/index.ts'
import { ok, type Route } from '../route.ts'

/** 200 while the database answers. Any small question to it will do. */
export function healthRoutes(accounts: Accounts): Route[] {
  return [
    {
      path: '/healthz',
      GET: {
        permission: 'nobody',
        async act() {
          await accounts.findBusiness('healthz').catch((error: unknown) => {
            throw new Fault('log_unavailable', 'The database does not answer.', { cause: error })
          })
          return ok({ status: 'ok' })
        },
      },
    },
  ]
}
