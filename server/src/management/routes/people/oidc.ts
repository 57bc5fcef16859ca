import type { Accounts, OidcSettings } from '../../../accounts/index.ts'
import { Fault, faultOf, type Logger, limits } from '../../../kernel/index.ts'
import {
  deleteOidc,
  findOidc,
  getOidc,
  leaveForOidc,
  returnFromOidc,
  setOidc,
  takeOidcSession,
} from '../../contract/people/oidc.ts'
import { noContent, type OpenCall, ok, type Route, route } from '../../route.ts'
import { fromOf } from './signing-in.ts'

/** Signing in at the OpenID Connect provider of a business, and its settings. */
export function oidcRoutes(accounts: Accounts, logger: Pick<Logger, 'warn'>): Route[] {
  return [...settingsRoutes(accounts), ...browserRoutes(accounts, logger), sessionRoute(accounts)]
}

function settingsRoutes(accounts: Accounts): Route[] {
  const shown = ({ label, issuer, clientId, domains, createsRole }: OidcSettings) => {
    const [client, role] = [{ client_id: clientId }, { creates_role: createsRole }]
    const given = { label, issuer, domains: [...domains], ...client, ...role }
    return ok(Object.assign(given, { redirect_uri: accounts.oidcRedirectUri }))
  }
  return [
    route(getOidc, async ({ principal }) => {
      const settings = await accounts.oidcSettings(principal)
      if (settings !== undefined) return shown(settings)
      throw new Fault('not_found', 'The business has no sign-in provider.')
    }),
    route(setOidc, async ({ principal, body }) => {
      const { label, issuer, domains, secret, client_id: clientId } = body
      const createsRole = body.creates_role ?? null
      const wanted = { label, issuer, domains, secret, clientId, createsRole }
      return shown(await accounts.setOidc(principal, wanted))
    }),
    route(deleteOidc, async ({ principal }) => {
      await accounts.removeOidc(principal)
      return noContent()
    }),
  ]
}

/** Binds a sign-in to the browser in which it began. */
const cookieName = 'millrace-oidc'

function browserRoutes(accounts: Accounts, logger: Pick<Logger, 'warn'>): Route[] {
  const isSecure = accounts.oidcRedirectUri.startsWith('https:')

  function cookie(value: string, seconds: number): string {
    const rules = `Path=/api:1/oidc; Max-Age=${seconds}; HttpOnly; SameSite=Lax`
    return `${cookieName}=${value}; ${rules}${isSecure ? '; Secure' : ''}`
  }

  function redirect({ raw: { reply } }: OpenCall, to: string, set: string): 'sent' {
    reply.header('set-cookie', set).header('cache-control', 'no-store').redirect(to, 302)
    return 'sent'
  }

  /** A browser shows no JSON: an error leads back to the page. */
  function refuse(call: OpenCall, error: unknown): 'sent' {
    const { code } = faultOf(error)
    if (code === 'internal') logger.warn({ err: error }, 'a sign-in at a provider failed')
    return redirect(call, `/#oidc-error=${code}`, cookie('', 0))
  }

  return [
    route(findOidc, async ({ query: { business }, ip }) => {
      const name = business ?? (await onlyBusiness(accounts))
      const found = name === undefined ? undefined : await accounts.oidcOf(name, ip)
      if (found === undefined) return ok({ provider: null })
      const { label, businessId } = found
      return ok({ provider: { label, url: `/api:1/oidc/${businessId}/start` } })
    }),
    route(leaveForOidc, async (call) => {
      try {
        const { url, browser } = await accounts.leaveForOidc(call.params.business, call.ip)
        return redirect(call as OpenCall, url, cookie(browser, limits.oidcSignInMinutes * 60))
      } catch (error) {
        return refuse(call as OpenCall, error)
      }
    }),
    route(returnFromOidc, async (call) => {
      const { request } = call.raw
      const search = request.raw.url?.replace(/^[^?]*/, '') ?? ''
      const browser = cookieOf(call.headers.cookie ?? '')
      try {
        const code = await accounts.returnFromOidc(search, browser, fromOf(call))
        return redirect(call, `/#oidc=${code}`, cookie('', 0))
      } catch (error) {
        return refuse(call, error)
      }
    }),
  ]
}

function cookieOf(header: string): string {
  const [, value = ''] =
    new RegExp(`(?:^|; )${cookieName}=([0-9a-f]{40})(?:;|$)`).exec(header) ?? []
  return value
}

async function onlyBusiness(accounts: Accounts): Promise<string | undefined> {
  const [only, ...others] = await accounts.listBusinesses()
  return others.length === 0 ? only?.id : undefined
}

function sessionRoute(accounts: Accounts): Route {
  return route(takeOidcSession, async ({ body: { code }, ...request }) => {
    const { token, email } = await accounts.takeOidcSession(code, fromOf(request))
    return ok({ token, email })
  })
}
