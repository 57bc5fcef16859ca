import { type Accounts, type Principal, requirePermission } from '../../accounts/index.ts'
import { Fault, invalidField } from '../../kernel/index.ts'
import {
  createApiToken,
  createBusiness,
  createUser,
  deleteApiToken,
  deleteUser,
  getCaller,
  listApiTokens,
  listBusinesses,
  listUsers,
  setUserPassword,
} from '../contract/accounts.ts'
import { getSession, signIn, signOut } from '../contract/token.ts'
import { created, noContent, ok, type Route, route } from '../route.ts'

/** Businesses, their users and their API tokens. */
export function accountRoutes(accounts: Accounts): Route[] {
  return [
    callerRoute(accounts),
    ...businessRoutes(accounts),
    ...userRoutes(accounts),
    ...sessionRoutes(accounts),
    ...tokenRoutes(accounts),
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
      const users = await accounts.listUsers(businessId)
      const user = users.find(({ id }) => subject === `user:${id}`)
      if (user === undefined) throw new Fault('unknown_credential')
      return ok({ email: user.email })
    }),
  ]
}

function userRoutes(accounts: Accounts): Route[] {
  return [
    route(listUsers, async ({ principal }) =>
      ok({ users: await accounts.listUsers(principal.businessId) }),
    ),
    route(createUser, async ({ principal, body }) => {
      await refuseMore(accounts, principal, body.role)
      return created(await accounts.createUser(principal.businessId, body))
    }),
    route(deleteUser, async ({ principal, params }) => {
      await accounts.removeUser(principal.businessId, params.user)
      return noContent()
    }),
    route(setUserPassword, async ({ principal, params, body }) => {
      const user = await accounts.findUser(principal.businessId, { id: params.user })
      if (user === undefined) throw new Fault('not_found', 'There is no such user.')
      await refuseMore(accounts, principal, user.role)
      await accounts.setPassword(principal.businessId, user.email, body.password)
      return noContent()
    }),
  ]
}

function tokenRoutes(accounts: Accounts): Route[] {
  return [
    route(listApiTokens, async ({ principal }) => {
      const all = await accounts.listTokens(principal.businessId)
      const shown = ({ id, name, role, ...rest }: (typeof all)[number]) => {
        const times = { created_at: rest.createdAt, expires_at: rest.expiresAt }
        const rates = { requests: rest.requestsMax, time: rest.msMax }
        return { id, name, role, ...times, rate_limits: rates }
      }
      return ok({ tokens: all.map(shown) })
    }),
    route(createApiToken, async ({ principal, body }) => {
      await refuseMore(accounts, principal, body.role)
      const { name, role, expires_at: expiresAt, rate_limits: rates } = body
      refuseLonger(principal, expiresAt)
      const rateLimits = { requests: rates?.requests, timeMs: rates?.time }
      const wanted = { name, role, expiresAt, rateLimits }
      return created(await accounts.createToken(principal.businessId, wanted))
    }),
    route(deleteApiToken, async ({ principal, params }) => {
      await accounts.revokeToken(principal.businessId, params.token)
      return noContent()
    }),
  ]
}

/** Faults: forbidden for a permission that the caller does not have, invalid_argument. */
async function refuseMore(accounts: Accounts, principal: Principal, name: string): Promise<void> {
  const roles = await accounts.listRoles(principal.businessId)
  const wanted = roles.find((role) => role.name === name)
  if (wanted === undefined) throw invalidField('role', 'is none of the business')
  for (const permission of wanted.permissions) requirePermission(principal, permission)
}

/** @throws Fault `forbidden` for an end after that of the caller: a token cannot renew itself. */
function refuseLonger({ expiresAt: own }: Principal, wanted = Number.POSITIVE_INFINITY): void {
  if (own === undefined || wanted <= own) return
  const rule = `"expires_at" must be at most its own, ${own} (${new Date(own).toISOString()}).`
  throw new Fault('forbidden', `A token that expires creates none that outlives it: ${rule}`)
}
