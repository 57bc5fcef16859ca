import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../../../foundation/kernel/index.ts'
import { namesOrigin } from '../cors.ts'
import type { EndpointRequest } from '../endpoint-request.ts'

export type UpgradeHeaders = Pick<EndpointRequest, 'settings' | 'shared'> & {
  readonly message: { readonly headers: IncomingHttpHeaders }
}

const credentialProtocol = /^(basic|bearer|apiKey)\.(.+)$/

/**
 * Extracts the headers of an upgrade that authenticate it. A page of any origin can open a
 * websocket, and its browser adds the cookies and the password that it stores for the host. So a
 * page of another origin is accepted only if `cors` names its origin, and what browsers add by
 * themselves counts only if `cors` allows credentials.
 * @throws Fault forbidden, malformed_request
 */
export function extractCredentials({
  message: { headers },
  settings: { cors },
  shared,
}: UpgradeHeaders): IncomingHttpHeaders {
  const { origin } = headers
  const credential = readCredential(offeredProtocols(headers))
  if (origin === undefined || isSameOrigin(origin, headers)) return { ...headers, ...credential }
  const isNamed = cors !== undefined && namesOrigin(cors, origin)
  if (!isNamed && cors?.origin.includes('*') !== true) {
    throw new Fault('forbidden', 'The page has an origin that may not open websockets here.')
  }
  if (isNamed && cors?.credentials === true && !shared) return { ...headers, ...credential }
  return { ...withoutBrowserCredentials(headers), ...credential }
}

/** Returns the first protocol offered that is not a credential. */
export function chooseProtocol(offered: Iterable<string>): string | false {
  for (const one of offered) if (!credentialProtocol.test(one)) return one
  return false
}

function isSameOrigin(origin: string, { host }: IncomingHttpHeaders): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

function withoutBrowserCredentials({
  cookie: _,
  ...headers
}: IncomingHttpHeaders): IncomingHttpHeaders {
  const { authorization, ...others } = headers
  return /^basic /i.test(authorization ?? '') ? others : headers
}

function offeredProtocols(headers: IncomingHttpHeaders): string[] {
  const { 'sec-websocket-protocol': offered = '' } = headers
  return offered.split(',').map((one) => one.trim())
}

/**
 * A page can send no header: it offers `bearer.<token>`, `apiKey.<key>` or `basic.<user:password in
 * base64url>` as a protocol, beside the protocol that it requests. The latter is chosen: a browser
 * needs one in the answer, and a credential must not be echoed.
 */
function readCredential(offered: readonly string[]): IncomingHttpHeaders {
  const found = offered.find((one) => credentialProtocol.test(one))
  if (found === undefined) return {}
  if (chooseProtocol(offered) === false) {
    throw new Fault('malformed_request', 'Offer a protocol beside the credential.')
  }
  const [, scheme, value = ''] = credentialProtocol.exec(found) ?? []
  if (scheme === 'apiKey') return { 'x-api-key': unescaped(value) }
  if (scheme === 'bearer') return { authorization: `Bearer ${value}` }
  return { authorization: `Basic ${Buffer.from(value, 'base64url').toString('base64')}` }
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
