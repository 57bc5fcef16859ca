import { type Accounts, userIdOf } from '../../../accounts/index.ts'
import { Fault } from '../../../kernel/index.ts'
import {
  createBusiness,
  createFirstAccount,
  getCaller,
  listBusinesses,
} from '../../contract/people/accounts.ts'
import type { FirstAccount } from '../../first-account.ts'
import { created, ok, type Route, route } from '../../route.ts'

/** Businesses, and the caller itself. */
export function accountRoutes(accounts: Accounts, firstAccount?: FirstAccount): Route[] {
  return [
    callerRoute(accounts),
    ...businessRoutes(accounts),
    route(createFirstAccount, async ({ body: { code, ...account } }) => {
      if (firstAccount === undefined) throw new Fault('unknown_credential')
      return created(await firstAccount.create(code, account))
    }),
  ]
}

function callerRoute(accounts: Accounts): Route {
  return route(getCaller, async ({ principal: { businessId, subject, permissions, view } }) => {
    const business = await accounts.findBusiness(businessId)
    if (business === undefined) throw new Fault('unknown_credential')
    const id = userIdOf(subject)
    const user = id === undefined ? undefined : await accounts.findUser(businessId, { id })
    return ok({
      business,
      subject,
      email: user?.email ?? null,
      permissions: [...permissions],
      groups: view.groups === 'all' ? null : [...view.groups],
    })
  })
}

function businessRoutes(accounts: Accounts): Route[] {
  return [
    route(listBusinesses, async () => ok({ businesses: await accounts.listBusinesses() })),
    route(createBusiness, async ({ body: { name, email, password } }) => {
      const administrator = { email, password }
      return created(await accounts.createBusiness({ name, administrator }))
    }),
  ]
}
