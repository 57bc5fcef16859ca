import type { Accounts } from '../../accounts/index.ts'
import { Fault, invalidField } from '../../kernel/index.ts'
import {
  createBusiness,
  createFirstAccount,
  getCaller,
  listBusinesses,
} from '../contract/people/accounts.ts'
import { getSession, signIn, signOut } from '../contract/people/sessions.ts'
import type { FirstAccount } from '../first-account.ts'
import { created, noContent, ok, type Route, route } from '../route.ts'

/** Businesses, sessions, and the caller itself. */
export function accountRoutes(accounts: Accounts, firstAccount?: FirstAccount): Route[] {
  return [
    callerRoute(accounts),
    ...businessRoutes(accounts),
    ...sessionRoutes(accounts),
    route(createFirstAccount, async ({ body: { code, ...account } }) => {
      if (firstAccount === undefined) throw new Fault('unknown_credential')
      return created(await firstAccount.create(code, account))
    }),
  ]
}

function callerRoute(accounts: Accounts): Route {
  return route(getCaller, async ({ principal: { businessId, subject, permissions } }) => {
    const business = await accounts.findBusiness(businessId)
    if (business === undefined) throw new Fault('unknown_credential')
    const [kind, id = ''] = subject.split(':')
    const user = kind === 'user' ? await accounts.findUser(businessId, { id }) : undefined
    return ok({ business, subject, email: user?.email ?? null, permissions: [...permissions] })
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

/** Signing in and out. */
function sessionRoutes(accounts: Accounts): Route[] {
  return [
    route(signIn, async ({ body: { email, password }, ip }) => {
      const { token } = await accounts.signIn(email, password, ip)
      return ok({ token })
    }),
    route(signOut, async ({ authorization = '' }) => {
      const [, token] = /^token (.*)$/i.exec(authorization) ?? []
      if (token === undefined) throw invalidField('Authorization', 'must be the token that ends')
      await accounts.signOut(token.trim())
      return noContent()
    }),
    route(getSession, async ({ params }) => {
      const { businessId, subject } = await accounts.session(params.token)
      const user = await accounts.findUser(businessId, { id: subject.slice('user:'.length) })
      if (user === undefined) throw new Fault('unknown_credential')
      return ok({ email: user.email })
    }),
  ]
}
