import type { IncomingHttpHeaders } from 'node:http'
import { Fault, hashToken } from '../../kernel/index.ts'
import type { EndpointSecurity, ScriptValue } from '../../scripting/index.ts'
import type { Settings } from './configuration.ts'

/** Who holds the credential of an `Authorization` header. */
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

export type Shown = {
  readonly security: EndpointSecurity
  readonly businessId: string
  readonly settings: Settings
  readonly headers: IncomingHttpHeaders
  /** The network address of who calls. */
  readonly address: string
}

/**
 * Who calls, as the script is told; undefined where the endpoint asks nobody. The platform looks
 * at the credential, the script never sees it: it would be the key to more than the endpoint.
 * @throws Fault unknown_credential, overloaded
 */
export async function holderOf(
  { security, businessId, settings, headers, address }: Shown,
  holders: Holders,
): Promise<ScriptValue> {
  if (security === 'none') return undefined
  if (security === 'apiKey') return keyHolder(settings, headers['x-api-key'])
  const holder = await holders.authorize(headerOf(security, headers.authorization ?? ''), address)
  // Another business's user is nobody here.
  if (holder.businessId !== businessId) throw new Fault('unknown_credential')
  const permissions = [...holder.permissions]
  return { type: security, subject: holder.subject, permissions }
}

function keyHolder({ keys }: Settings, key: string | readonly string[] | undefined): ScriptValue {
  const name = typeof key === 'string' ? keys.get(hashToken(key)) : undefined
  if (name === undefined) throw new Fault('unknown_credential')
  return { type: 'apiKey', name }
}

/** A session of the console is no credential here: only passwords, and API tokens. */
function headerOf(security: 'basic' | 'bearer', header: string): string {
  if (security === 'basic' && /^basic /i.test(header)) return header
  const [, token] = /^(?:bearer|automation) +(\S+)$/i.exec(header) ?? []
  if (security === 'bearer' && token !== undefined) return `Automation ${token}`
  throw new Fault('unknown_credential')
}

/**
 * What a 401 asks for. On the console's origin no password: a browser would keep sending it to all
 * of that origin.
 */
export function challengeOf(
  security: EndpointSecurity,
  solutionId: string,
  shared: boolean,
): string | undefined {
  if (security === 'bearer') return `Bearer realm="${solutionId}"`
  return security === 'basic' && !shared ? `Basic realm="${solutionId}"` : undefined
}
