import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import {
  type Clock,
  Fault,
  isLoopbackHost,
  type Logger,
  LruMap,
  limits,
} from '../../../foundation/kernel/index.ts'
import type { Outbound } from '../../../foundation/outbound/index.ts'

/** The time for which the endpoints of a provider are known before it is asked again. */
const oidcDiscoveryMs = 5 * 60_000
/** The time of one call of a sign-in provider. */
const oidcCallMsMax = 10_000
/** An answer of a sign-in provider. */
const oidcAnswerBytesMax = 256 * 1024

/** A provider with the secret that this instance has there. */
export type SignInProvider = {
  readonly issuer: string
  readonly clientId: string
  readonly secret: string
}

/** The values against which a provider's answer is checked. */
export type Checks = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The provider's statement about a person. */
export type Identity = { readonly email: string; readonly isVerified: boolean }

/** The authorization code flow with PKCE, state and nonce. */
export type OidcClient = {
  /** The address to which the browser goes. Faults: oidc_failed. */
  leave(provider: SignInProvider, checks: Checks, redirectUri: string): Promise<string>
  /**
   * Returns the person who has signed in there; `url` is the address with which the browser came
   * back.
   */
  identify(provider: SignInProvider, checks: Checks, url: URL): Promise<Identity>
}

export type OidcClientOptions = {
  /** The guarded way out: no private address that the operator did not allow. */
  readonly outbound: Pick<Outbound, 'call'>
  readonly logger: Pick<Logger, 'warn'>
  readonly clock: Pick<Clock, 'elapsedMs'>
}

const methods = ['GET', 'POST'] as const

/** Sends what openid-client asks for; a redirect is not followed. */
async function guardedFetch(
  outbound: Pick<Outbound, 'call'>,
  url: string,
  { method, headers, body }: { method: string; headers: object; body?: unknown },
): Promise<Response> {
  const known = methods.find((one) => one === method.toUpperCase())
  if (known === undefined) throw new TypeError(`the method ${method} is not sent`)
  const answer = await outbound.call({
    method: known,
    url,
    headers: Object.fromEntries(Object.entries(headers)),
    ...(body != null && { body: String(body) }),
    connectMsMax: oidcCallMsMax,
    totalMsMax: oidcCallMsMax,
    answerBytesMax: oidcAnswerBytesMax,
  })
  const type = answer.headers['content-type']
  const bytes = new Uint8Array(answer.body)
  return new Response(answer.status === 204 ? null : bytes, {
    status: answer.status,
    headers: type === undefined ? {} : { 'content-type': type },
  })
}

export function createOidcClient({ outbound, logger, clock }: OidcClientOptions): OidcClient {
  const known = new LruMap<string, { found: Promise<Configuration>; untilMs: number }>(
    limits.accountCacheMax,
  )

  /** Asks a provider once in a while where its endpoints are; a failure is not kept. */
  function loadConfiguration(provider: SignInProvider): Promise<Configuration> {
    const key = JSON.stringify([provider.issuer, provider.clientId, provider.secret])
    const recent = known.get(key)
    if (recent !== undefined && clock.elapsedMs() < recent.untilMs) return recent.found
    const found = discover(provider)
    known.set(key, { found, untilMs: clock.elapsedMs() + oidcDiscoveryMs })
    found.catch(() => known.delete(key))
    return found
  }

  async function discover({ issuer, clientId, secret }: SignInProvider): Promise<Configuration> {
    const url = new URL(issuer)
    // Without TLS only on this machine, where the operator has allowed the address.
    const isPlain = url.protocol === 'http:' && isLoopbackHost(url.hostname)
    const execute = [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])]
    return discovery(url, clientId, secret, undefined, {
      execute,
      [customFetch]: ((url: string, init: never) => guardedFetch(outbound, url, init)) as never,
      timeout: Math.ceil(oidcCallMsMax / msPerS),
    })
  }

  async function translated<Result>(issuer: string, run: () => Promise<Result>): Promise<Result> {
    try {
      return await run()
    } catch (cause) {
      if (cause instanceof Fault) throw cause
      logger.warn({ err: cause, issuer }, 'a sign-in provider failed')
      throw new Fault('oidc_failed', undefined, { cause })
    }
  }

  return {
    leave: (provider, { state, nonce, verifier }, redirectUri) =>
      translated(provider.issuer, async () => {
        const parameters = {
          redirect_uri: redirectUri,
          scope: 'openid email',
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        }
        return buildAuthorizationUrl(await loadConfiguration(provider), parameters).href
      }),
    identify: (provider, { state, nonce, verifier }, url) =>
      translated(provider.issuer, async () => {
        const configuration = await loadConfiguration(provider)
        const tokens = await authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new TypeError('the answer has no ID token')
        const found =
          claims.email === undefined
            ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims
        return { email: `${found.email ?? ''}`, isVerified: found.email_verified === true }
      }),
  }
}

const msPerS = 1_000
