import {
  limits,
  Nullable,
  StrictObject,
  Type,
  toFault,
} from '../../../../foundation/kernel/index.ts'
import {
  newOidcSettingsSchema,
  offeredProviderSchema,
  oidcSettingsSchema,
} from '../../../../people/accounts/index.ts'
import { does, holds, PathText, sent, shows } from '../../contract/common.ts'
import { managementLimits } from '../../limits.ts'
import { type OpenCall, operations } from '../../operation.ts'
import type { ApiServices } from '../../services.ts'

const people = operations('accounts', 'User Management', '/api:1/business/oidc')
const open = operations('accounts', 'none', '/api:1', {
  params: { business: PathText('The id of a business.') },
})

export const getOidc = people.get(
  '',
  'Show the OpenID Connect provider at which users of the business sign in.',
  () => shows('The provider, without its secret.', oidcSettingsSchema),
  ({ accounts }, { principal }) => accounts.oidcSettings(principal),
)

export const setOidc = people.put(
  '',
  'Set the OpenID Connect provider at which users of the business sign in.',
  () => ({
    description:
      'Who signs in there is found by the e-mail address that the provider has verified: a user ' +
      'of the business, or somebody who was invited. For callers who see the whole business.',
    body: newOidcSettingsSchema,
    ...shows('The provider, without its secret.', oidcSettingsSchema),
    example: {
      request: {
        label: 'Acme',
        issuer: 'https://login.acme.example',
        client_id: 'millrace',
        secret: '5f0c…',
        domains: ['acme.example'],
      },
    },
  }),
  ({ accounts }, { principal, body }) => accounts.setOidc(principal, body),
)

export const deleteOidc = people.remove(
  '',
  'Remove the OpenID Connect provider of the business.',
  () => ({
    description: 'Sessions that began there stay open until they end.',
    ...does('It is removed.'),
  }),
  ({ accounts }, { principal }) => accounts.removeOidc(principal),
)

export const findOidc = open.get(
  '/oidc',
  'Show how users of a business may sign in besides a password.',
  () => ({
    query: StrictObject({
      business: Type.Optional(
        Type.String({ description: 'Its id or name; left out: the only one of the instance.' }),
      ),
    }),
    ...holds('provider', Nullable(offeredProviderSchema), 'The provider; null: there is none.'),
    refuses: ['too_many_requests'],
  }),
  ({ accounts }, { query: { business }, ip }) => accounts.findOidc(business, ip),
)

export const leaveForOidc = open.get(
  '/oidc/:business/start',
  'Send a browser to the sign-in provider of a business.',
  () => ({
    answers: { 302: { description: 'The provider, or the console with `#oidc-error=<code>`.' } },
  }),
  async (services, call) => {
    const { accounts } = services
    try {
      const { url, browser } = await accounts.leaveForOidc(call.params.business, call.ip)
      return redirect(services, call, url, cookie(browser, limits.oidcSignInMinutes * 60))
    } catch (error) {
      return refuse(services, call, error)
    }
  },
)

export const returnFromOidc = open.get(
  '/oidc/callback',
  'Receive a browser from a sign-in provider.',
  () => ({
    answers: {
      302: { description: 'The console with `#oidc=<code>`, or with `#oidc-error=<code>`.' },
    },
  }),
  async (services, call) => {
    const { request } = call.raw
    const search = request.raw.url?.replace(/^[^?]*/, '') ?? ''
    const browser = readCookie(call.headers.cookie ?? '')
    try {
      const code = await services.accounts.returnFromOidc(search, browser, call.from)
      return redirect(services, call, `/#oidc=${code}`, cookie('', 0))
    } catch (error) {
      return refuse(services, call, error)
    }
  },
)

export const takeOidcSession = open.post(
  '/token/oidc',
  'Begin the session of who has come back from a sign-in provider.',
  () => ({
    body: StrictObject({
      code: Type.String({ description: 'What the address has behind `#oidc=`.' }),
    }),
    bodyBytesMax: managementLimits.signInBodyBytesMax,
    ...shows(
      'The token of the session.',
      StrictObject({ token: Type.String(), email: Type.String() }),
    ),
    refuses: ['unknown_credential', 'too_many_requests'],
    example: { request: { code: '3f6c…' } },
  }),
  ({ accounts }, { body: { code }, from }) => accounts.takeOidcSession(code, from),
)

/** Binds a sign-in to the browser in which it began. */
const cookieName = 'millrace-oidc'

function readCookie(header: string): string {
  const [, value = ''] =
    new RegExp(`(?:^|; )${cookieName}=([0-9a-f]{40})(?:;|$)`).exec(header) ?? []
  return value
}

function cookie(value: string, seconds: number): string {
  return `${cookieName}=${value}; Path=/api:1/oidc; Max-Age=${seconds}; HttpOnly; SameSite=Lax`
}

type Redirected = Pick<OpenCall, 'raw'>

function redirect({ accounts }: ApiServices, { raw }: Redirected, to: string, set: string) {
  const secure = accounts.oidcRedirectUri.startsWith('https:') ? '; Secure' : ''
  raw.reply.header('set-cookie', `${set}${secure}`)
  raw.reply.header('cache-control', 'no-store').redirect(to, 302)
  return sent
}

/** A browser shows no JSON: an error leads back to the page. */
function refuse(services: ApiServices, call: Redirected, error: unknown) {
  const { code } = toFault(error)
  if (code === 'internal') services.logger.warn({ err: error }, 'a sign-in at a provider failed')
  return redirect(services, call, `/#oidc-error=${code}`, cookie('', 0))
}
