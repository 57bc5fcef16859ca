import type { IncomingHttpHeaders } from 'node:http'
import {
  type Clock,
  Fault,
  hashToken,
  RateLimiter,
  readPeer,
} from '../../../foundation/kernel/index.ts'
import type { Endpoint, ScriptValue } from '../../scripting/index.ts'
import { Refusal } from './answer.ts'
import type { Demand } from './demands.ts'
import type { EndpointRequest } from './endpoint-request.ts'
import {
  authenticateHolder,
  demandsFor,
  formatChallenge,
  type Holders,
  presented,
} from './security.ts'

/**
 * Addresses whose requests to endpoints are counted in a process; past it the oldest count begins
 * anew.
 */
const endpointCallersRememberedMax = 100_000

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
  { message, served, settings, uri }: EndpointRequest,
  endpoint: Endpoint,
  headers: IncomingHttpHeaders,
): void {
  const { rate = settings.rate, name } = endpoint
  if (rate === undefined) return
  const credential = demandsFor(endpoint, settings)
    .map((demand) => presented(demand, settings, { headers, uri }))
    .find((one) => one !== undefined)
  const caller = credential === undefined ? readPeer(message).ip : hashToken(credential)
  takeRequest(`${served.solutionId} ${name} ${caller}`, rate)
}

/** The solution that a request calls, and the network address that it comes from. */
export type Caller = Pick<EndpointRequest, 'served' | 'settings' | 'shared' | 'uri'> & {
  readonly address: string
}

export function toCaller({ message, ...request }: EndpointRequest): Caller {
  return { ...request, address: readPeer(message).ip }
}

/** Returns the caller that the headers authenticate. @throws Fault, Refusal */
export async function authenticate(
  { holders }: Pick<AuthenticationOptions, 'holders'>,
  caller: Caller,
  endpoint: Endpoint,
  headers: IncomingHttpHeaders,
): Promise<ScriptValue> {
  const { served, settings, shared } = caller
  const demands = demandsFor(endpoint, settings)
  let refusal: unknown
  for (const demand of demands) {
    try {
      return await meet(holders, caller, demand, headers)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'unknown_credential') throw error
      refusal = error
    }
  }
  if (!(refusal instanceof Fault)) return undefined
  const challenges = demands.flatMap((one) => formatChallenge(one, served.solutionId, shared) ?? [])
  if (challenges.length === 0) throw refusal
  throw new Refusal(refusal, ['WWW-Authenticate', challenges.join(', ')])
}

/** @throws Fault unknown_credential if the request does not have the credential */
function meet(
  holders: Holders,
  { served: { businessId }, settings, uri, address }: Caller,
  demand: Demand,
  headers: IncomingHttpHeaders,
): Promise<ScriptValue> {
  const { security, isChecked } = demand
  if (isChecked && security !== 'unknown') {
    return authenticateHolder({ security, businessId, settings, headers, address }, holders)
  }
  const isThere = presented(demand, settings, { headers, uri }) !== undefined
  return isThere ? Promise.resolve(undefined) : Promise.reject(new Fault('unknown_credential'))
}

const credentials = ['authorization', 'x-api-key', 'proxy-authorization', 'sec-websocket-protocol']
const hiddenAlways = new Set(['proxy-authorization'])
const hiddenIfSecured = new Set(credentials)
/** On the console's origin they are the console's credentials: scripts must not see them. */
const hiddenIfShared = new Set([...credentials, 'cookie'])

/** The headers that the script does not see. */
export function hiddenHeaders(
  { shared, settings }: Pick<EndpointRequest, 'shared' | 'settings'>,
  endpoint: Endpoint,
): ReadonlySet<string> {
  if (shared) return hiddenIfShared
  return demandsFor(endpoint, settings).some(({ isChecked }) => isChecked)
    ? hiddenIfSecured
    : hiddenAlways
}

const msPerSecond = 1_000

/** @throws Fault too_many_requests if the caller has used up what the endpoint allows. */
export type TakeRequest = (caller: string, rate: NonNullable<Endpoint['rate']>) => void

/** Counts requests in windows that begin with a caller's first one. Each process counts its own. */
export function createRequestLimiter(clock: Clock): TakeRequest {
  const limiter = new RateLimiter(clock, endpointCallersRememberedMax)

  return (caller, { requests, seconds }) => {
    const leftMs = limiter.take(caller, { count: requests, windowMs: seconds * msPerSecond })
    if (leftMs === 0) return
    const retryAfterS = Math.max(1, Math.ceil(leftMs / msPerSecond))
    const words = `The endpoint takes ${requests} requests in ${seconds} seconds.`
    throw new Fault('too_many_requests', words, { retryAfterS })
  }
}
