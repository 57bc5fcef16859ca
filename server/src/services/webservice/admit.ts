import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../kernel/index.ts'
import type { Endpoint, ScriptValue } from '../../scripting/index.ts'
import type { Asked } from './asked.ts'
import { Refusal } from './refusal.ts'
import { addressOf } from './request.ts'
import type { TakeRequest } from './request-limiter.ts'
import { challengeOf, type Holders, holderOf } from './security.ts'

export type AdmitNeeds = {
  readonly holders: Holders
  readonly takeRequest: TakeRequest
}

/** @throws Fault too_many_requests */
export function takeRate(
  { takeRequest }: AdmitNeeds,
  { message, served }: Asked,
  { rate, name }: Endpoint,
): void {
  if (rate === undefined) return
  takeRequest(`${served.solutionId} ${name} ${addressOf(message.socket)}`, rate)
}

/** Whom a request asks, and from which network address. */
export type Caller = Pick<Asked, 'served' | 'settings' | 'shared'> & { readonly address: string }

export function callerOf({ served, settings, shared, message }: Asked): Caller {
  return { served, settings, shared, address: addressOf(message.socket) }
}

/** Who asks, by what the headers present. @throws Fault, Refusal */
export async function authenticate(
  { holders }: Pick<AdmitNeeds, 'holders'>,
  { served, settings, shared, address }: Caller,
  { security }: Endpoint,
  headers: IncomingHttpHeaders,
): Promise<ScriptValue> {
  const { businessId, solutionId } = served
  try {
    return await holderOf({ security, businessId, settings, headers, address }, holders)
  } catch (error) {
    const challenge = challengeOf(security, solutionId, shared)
    const isMissing = error instanceof Fault && error.code === 'unknown_credential'
    if (!isMissing || challenge === undefined) throw error
    throw new Refusal(error, ['WWW-Authenticate', challenge])
  }
}

const credentials = ['authorization', 'x-api-key', 'proxy-authorization', 'sec-websocket-protocol']
const hiddenAlways = new Set(['proxy-authorization'])
const hiddenWhereSecured = new Set(credentials)
/** There they are the console's: of its origin a script learns nothing. */
const hiddenWhereShared = new Set([...credentials, 'cookie'])

/** The headers that the script does not see. */
export function hiddenOf(shared: boolean, { security }: Endpoint): ReadonlySet<string> {
  if (shared) return hiddenWhereShared
  return security === 'none' ? hiddenAlways : hiddenWhereSecured
}
