import type { IncomingHttpHeaders } from 'node:http'
import type { Accounts, SignInFrom, UserSession } from '../../../accounts/index.ts'
import { Fault, invalidField, limits } from '../../../kernel/index.ts'
import {
  beginDemandedTotp,
  beginTotp,
  changeBusiness,
  confirmTotp,
  getBusiness,
  getTotp,
  removeTotp,
  removeUserTotp,
  renewRecoveryCodes,
} from '../../contract/people/second-step.ts'
import {
  endSession,
  endSessions,
  endUserSession,
  endUserSessions,
  getSession,
  listSessions,
  listUserSessions,
  signIn,
  signOut,
} from '../../contract/people/sessions.ts'
import { created, noContent, ok, type Route, route, sourceOf } from '../../route.ts'

/** Signing in and out, sessions, and the second step of sign-ins. */
export function signingInRoutes(accounts: Accounts): Route[] {
  return [
    ...signInRoutes(accounts),
    ...sessionRoutes(accounts),
    ...totpRoutes(accounts),
    ...businessRoutes(accounts),
  ]
}

type Request = { readonly ip: string; readonly headers: IncomingHttpHeaders }

/** Where a request to sign in comes from. */
export function fromOf({ ip, headers }: Request): SignInFrom {
  const userAgent = headers['user-agent']
  return { address: ip, source: sourceOf(headers), ...(userAgent !== undefined && { userAgent }) }
}

function signInRoutes(accounts: Accounts): Route[] {
  return [
    route(signIn, async ({ body: { email, password, code }, ...request }) => {
      const from = { ...fromOf(request), ...(code !== undefined && { code }) }
      const { token, recoveryCodes } = await accounts.signIn(email, password, from)
      return ok({ token, ...(recoveryCodes && { recovery_codes: [...recoveryCodes] }) })
    }),
    route(beginDemandedTotp, async ({ body: { email, password }, ...request }) =>
      created(await accounts.beginDemandedTotp(email, password, fromOf(request))),
    ),
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

function sessionRoutes(accounts: Accounts): Route[] {
  return [
    route(listSessions, async ({ principal }) =>
      ok({ sessions: (await accounts.listSessions(principal)).map(shown) }),
    ),
    route(endSession, async ({ principal, params: { session: id } }) => {
      await accounts.endSessions(principal, { id })
      return noContent()
    }),
    route(endSessions, async ({ principal }) => {
      await accounts.endSessions(principal, {})
      return noContent()
    }),
    route(listUserSessions, async ({ principal, params: { user } }) =>
      ok({ sessions: (await accounts.listSessions(principal, user)).map(shown) }),
    ),
    route(endUserSession, async ({ principal, params: { user: userId, session: id } }) => {
      await accounts.endSessions(principal, { userId, id })
      return noContent()
    }),
    route(endUserSessions, async ({ principal, params: { user: userId } }) => {
      await accounts.endSessions(principal, { userId })
      return noContent()
    }),
  ]
}

function shown({ id, createdAt, lastUsedAt, expiresAt, address, userAgent, method }: UserSession) {
  const times = { created_at: createdAt, last_used_at: lastUsedAt, expires_at: expiresAt }
  return Object.assign({ id, address, user_agent: userAgent, method }, times)
}

function totpRoutes(accounts: Accounts): Route[] {
  return [
    route(getTotp, async ({ principal }) => {
      const { isEnabled, confirmedAt, recoveryCodesLeft } = await accounts.totpOf(principal)
      return ok({
        enabled: isEnabled,
        confirmed_at: confirmedAt,
        recovery_codes_left: recoveryCodesLeft,
        demanded: await accounts.demandsTotp(principal.businessId),
      })
    }),
    route(beginTotp, async ({ principal, body: { password }, ip }) =>
      created(await accounts.beginTotp(principal, password, ip)),
    ),
    route(confirmTotp, async ({ principal, body: { code }, ip }) =>
      ok({ recovery_codes: await accounts.confirmTotp(principal, code, ip) }),
    ),
    route(renewRecoveryCodes, async ({ principal, body: { code }, ip }) =>
      ok({ recovery_codes: await accounts.renewRecoveryCodes(principal, code, ip) }),
    ),
    route(removeTotp, async ({ principal, body: { code }, ip }) => {
      await accounts.removeTotp(principal, code, ip)
      return noContent()
    }),
    route(removeUserTotp, async ({ principal, params }) => {
      await accounts.removeUserTotp(principal, params.user)
      return noContent()
    }),
  ]
}

function businessRoutes(accounts: Accounts): Route[] {
  const settings = async (businessId: string) => {
    const business = await accounts.findBusiness(businessId)
    if (business === undefined) throw new Fault('unknown_credential')
    const isDemanded = await accounts.demandsTotp(businessId)
    return { ...business, totp_demanded: isDemanded, sign_in: signInLimits() }
  }
  return [
    route(getBusiness, async ({ principal }) => ok(await settings(principal.businessId))),
    route(changeBusiness, async ({ principal, body }) => {
      await accounts.demandTotp(principal, body.totp_demanded)
      return ok(await settings(principal.businessId))
    }),
  ]
}

const msPerSecond = 1_000

/** What the operator sets for all businesses. */
function signInLimits() {
  return {
    session_hours: limits.sessionHours,
    failures_most: limits.failedSignInsMax,
    lock_seconds: Math.ceil(limits.lockoutMs / msPerSecond),
    lock_seconds_most: Math.ceil(limits.lockoutMsMax / msPerSecond),
    password_chars_least: limits.accountPasswordCharsMin,
  }
}
