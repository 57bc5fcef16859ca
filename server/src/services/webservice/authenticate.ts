import type { IncomingHttpHeaders } from 'node:http'
import { type Clock, Fault, hashToken, limits, peerOf, RateLimiter } from '../../kernel/index.ts'
import type { Endpoint, ScriptValue } from '../../scripting/index.ts'
import { Refusal } from './answer.ts'
import type { EndpointRequest } from './endpoint-request.ts'
import { authenticateHolder, challengeOf, type Holders, presented } from './security.ts'

export type AuthenticationOptions = {
  readonly holders: Holders
  readonly takeRequest: TakeRequest
}

/**
 * Counts a request of a caller that has its credential: of one credential, else of one address.
 * @throws Fault too_many_requests
 */
export function takeRate(
  { takeRequest }: AuthenticationOptions,
  { message, served, settings }: EndpointRequest,
  { rate = settings.rate, name, security }: Endpoint,
  headers: IncomingHttpHeaders,
): void {
  if (rate === undefined) return
  const credential = presented(security, settings, headers)
  const caller = credential === undefined ? peerOf(message).ip : hashToken(credential)
  takeRequest(`${served.solutionId} ${name} ${caller}`, rate)
}

/** The solution that a request calls, and the network address that it comes from. */
export type Caller = Pick<EndpointRequest, 'served' | 'settings' | 'shared'> & {
  readonly address: string
}

export function callerOf({ served, settings, shared, message }: EndpointRequest): Caller {
  return { served, settings, shared, address: peerOf(message).ip }
}

/** Returns the caller that the headers authenticate. @throws Fault, Refusal */
export async function authenticate(
  { holders }: Pick<AuthenticationOptions, 'holders'>,
  { served, settings, shared, address }: Caller,
  { security, isChecked }: Endpoint,
  headers: IncomingHttpHeaders,
): Promise<ScriptValue> {
  const { businessId, solutionId } = served
  try {
    if (!isChecked) {
      if (security === 'none' || presented(security, settings, headers) !== undefined)
        return undefined
      throw new Fault('unknown_credential')
    }
    return await authenticateHolder({ security, businessId, settings, headers, address }, holders)
  } catch (error) {
    const challenge = challengeOf(security, solutionId, shared)
    const isMissing = error instanceof Fault && error.code === 'unknown_credential'
    if (!isMissing || challenge === undefined) throw error
    throw new Refusal(error, ['WWW-Authenticate', challenge])
  }
}

const credentials = ['authorization', 'x-api-key', 'proxy-authorization', 'sec-websocket-protocol']
const hiddenAlways = new Set(['proxy-authorization'])
const hiddenIfSecured = new Set(credentials)
/** On the console's origin they are the console's credentials: scripts must not see them. */
const hiddenIfShared = new Set([...credentials, 'cookie'])

/** The headers that the script does not see. */
export function hiddenOf(shared: boolean, { isChecked }: Endpoint): ReadonlySet<string> {
  if (shared) return hiddenIfShared
  return isChecked ? hiddenIfSecured : hiddenAlways
}

const msPerSecond = 1_000

/** @throws Fault too_many_requests if the caller has used up what the endpoint allows. */
export type TakeRequest = (caller: string, rate: NonNullable<Endpoint['rate']>) => void

/** Counts requests in windows that begin with a caller's first one. Each process counts its own. */
export function createRequestLimiter(clock: Clock): TakeRequest {
  const limiter = new RateLimiter(clock, limits.endpointCallersRememberedMax)

  return (caller, { requests, seconds }) => {
    const leftMs = limiter.take(caller, { count: requests, windowMs: seconds * msPerSecond })
    if (leftMs === 0) return
    const retryAfterS = Math.max(1, Math.ceil(leftMs / msPerSecond))
    const words = `The endpoint takes ${requests} requests in ${seconds} seconds.`
    throw new Fault('too_many_requests', words, { retryAfterS })
  }
}
