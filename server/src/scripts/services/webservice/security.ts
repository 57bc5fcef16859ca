import type { IncomingHttpHeaders } from 'node:http'
import { Fault, hashToken } from '../../../foundation/kernel/index.ts'
import type { Endpoint, EndpointSecurity, ScriptValue } from '../../scripting/index.ts'
import type { WebserviceSettings } from './configuration.ts'
import type { CredentialScheme, Demand } from './demands.ts'

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
  readonly security: CheckedSecurity
  readonly businessId: string
  readonly settings: WebserviceSettings
  readonly headers: IncomingHttpHeaders
  /** The caller's network address. */
  readonly address: string
}

type CheckedSecurity = Exclude<EndpointSecurity, 'none'>

/** Returns the credentials of which one lets a caller of the endpoint in; none: it is open. */
export function demandsFor(
  { security, isChecked }: Endpoint,
  { demands }: WebserviceSettings,
): readonly Demand[] {
  if (security === undefined) return demands
  return security === 'none' ? [] : [{ security, isChecked }]
}

/**
 * Returns the caller, as the script gets it. The script never receives the credential itself: it
 * may open more than this endpoint.
 * @throws Fault unknown_credential, overloaded
 */
export async function authenticateHolder(
  { security, businessId, settings, headers, address }: PresentedCredential,
  holders: Holders,
): Promise<ScriptValue> {
  if (security === 'apiKey') return keyHolder(settings, headers['x-api-key'])
  const holder = await holders.authorize(
    toAuthorization(security, headers.authorization ?? ''),
    address,
  )
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
function toAuthorization(security: 'basic' | 'bearer', header: string): string {
  if (security === 'basic' && /^basic /i.test(header)) return header
  const [, token] = /^(?:bearer|automation) +(\S+)$/i.exec(header) ?? []
  if (security === 'bearer' && token !== undefined) return `Automation ${token}`
  throw new Fault('unknown_credential')
}

/** The parts of a request in which a credential may be. */
export type CredentialPlaces = { readonly headers: IncomingHttpHeaders; readonly uri: string }

/** The credential of the kind that a request has; whether it is a good one is not looked at. */
export function presented(
  { security }: Demand,
  { schemes }: WebserviceSettings,
  { headers, uri }: CredentialPlaces,
): string | undefined {
  const { authorization = '' } = headers
  if (security === 'basic') return /^basic +\S/i.test(authorization) ? authorization : undefined
  if (security === 'bearer') {
    return /^(?:bearer|automation) +\S/i.test(authorization) ? authorization : undefined
  }
  if (security !== 'apiKey') return undefined
  const query = new URLSearchParams(uri.split('?').slice(1).join('?'))
  const found = [headers['x-api-key'], ...schemes.map((one) => keyIn(one, headers, query))]
  return found.find((value) => typeof value === 'string' && value !== '') as string | undefined
}

function keyIn(
  { type, name = '', in: place }: CredentialScheme,
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
): string | readonly string[] | null | undefined {
  if (type !== 'apiKey') return undefined
  if (place === 'query') return query.get(name)
  return place === 'header' ? headers[name.toLowerCase()] : undefined
}

/**
 * Returns the challenge of a 401. None requests a password on the console's origin: a browser would
 * keep sending it to all of that origin.
 */
export function formatChallenge(
  { security }: Demand,
  solutionId: string,
  shared: boolean,
): string | undefined {
  if (security === 'bearer') return `Bearer realm="${solutionId}"`
  return security === 'basic' && !shared ? `Basic realm="${solutionId}"` : undefined
}
