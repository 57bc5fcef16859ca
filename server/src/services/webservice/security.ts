import type { IncomingHttpHeaders } from 'node:http'
import { Fault, hashToken } from '../../kernel/index.ts'
import type { EndpointSecurity, ScriptValue } from '../../scripting/index.ts'
import type { WebserviceSettings } from './configuration.ts'

/** Finds the holder of the credential in an `Authorization` header. */
export type Holders = {
  /** @throws Fault unknown_credential, too_many_requests, overloaded */
  authorize(
    header: string,
    address: string,
  ): Promise<{
    readonly businessId: string
    readonly subject: string
    readonly permissions: ReadonlySet<string>
  }>
}

export type PresentedCredential = {
  readonly security: EndpointSecurity
  readonly businessId: string
  readonly settings: WebserviceSettings
  readonly headers: IncomingHttpHeaders
  /** The caller's network address. */
  readonly address: string
}

/**
 * Returns the caller, as the script gets it; undefined if the endpoint needs no credential. The
 * script never receives the credential itself: it may open more than this endpoint.
 * @throws Fault unknown_credential, overloaded
 */
export async function authenticateHolder(
  { security, businessId, settings, headers, address }: PresentedCredential,
  holders: Holders,
): Promise<ScriptValue> {
  if (security === 'none') return undefined
  if (security === 'apiKey') return keyHolder(settings, headers['x-api-key'])
  const holder = await holders.authorize(headerOf(security, headers.authorization ?? ''), address)
  // A user of another business counts as unknown.
  if (holder.businessId !== businessId) throw new Fault('unknown_credential')
  const permissions = [...holder.permissions]
  return { type: security, subject: holder.subject, permissions }
}

function keyHolder(
  { keys }: WebserviceSettings,
  key: string | readonly string[] | undefined,
): ScriptValue {
  const name = typeof key === 'string' ? keys.get(hashToken(key)) : undefined
  if (name === undefined) throw new Fault('unknown_credential')
  return { type: 'apiKey', name }
}

/** Accepts passwords and API tokens; a console session is not a credential here. */
function headerOf(security: 'basic' | 'bearer', header: string): string {
  if (security === 'basic' && /^basic /i.test(header)) return header
  const [, token] = /^(?:bearer|automation) +(\S+)$/i.exec(header) ?? []
  if (security === 'bearer' && token !== undefined) return `Automation ${token}`
  throw new Fault('unknown_credential')
}

/** The credential of the kind that a request has; whether it is a good one is not looked at. */
export function presented(
  security: EndpointSecurity,
  { schemes }: WebserviceSettings,
  headers: IncomingHttpHeaders,
): string | undefined {
  if (security === 'none') return undefined
  const { authorization = '' } = headers
  if (security !== 'apiKey') {
    const pattern = security === 'basic' ? /^basic +\S/i : /^(?:bearer|automation) +\S/i
    return pattern.test(authorization) ? authorization : undefined
  }
  const names = schemes.flatMap((one) =>
    one.type === 'apiKey' && one.in === 'header' ? one.name : [],
  )
  const found = ['x-api-key', ...names].map((name = '') => headers[name.toLowerCase()])
  return found.find((value) => typeof value === 'string' && value !== '') as string | undefined
}

/**
 * Returns the challenge of a 401. None requests a password on the console's origin: a browser would
 * keep sending it to all of that origin.
 */
export function challengeOf(
  security: EndpointSecurity,
  solutionId: string,
  shared: boolean,
): string | undefined {
  if (security === 'bearer') return `Bearer realm="${solutionId}"`
  return security === 'basic' && !shared ? `Basic realm="${solutionId}"` : undefined
}
