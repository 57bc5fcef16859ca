import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../kernel/index.ts'
import type { Asked } from './asked.ts'

export type Presented = Pick<Asked, 'settings' | 'shared'> & {
  readonly message: { readonly headers: IncomingHttpHeaders }
}

const credentialProtocol = /^(basic|bearer|apiKey)\.(.+)$/

/**
 * The headers of an upgrade, as far as they count. A page of any origin can open a websocket, and
 * its browser adds the cookies and the password that it keeps for the host: so pages of other
 * origins come in only where `cors` says so, and what browsers add by themselves counts only where
 * it says that, too.
 * @throws Fault forbidden, malformed_request
 */
export function presentedBy({
  message: { headers },
  settings: { cors },
  shared,
}: Presented): IncomingHttpHeaders {
  const { origin } = headers
  const credential = credentialOf(offeredBy(headers))
  if (origin === undefined || isOwn(origin, headers)) return { ...headers, ...credential }
  const isNamed = cors?.origin.includes(origin) === true
  if (!isNamed && cors?.origin.includes('*') !== true) {
    throw new Fault('forbidden', 'The page has an origin that may not open websockets here.')
  }
  if (isNamed && cors?.credentials === true && !shared) return { ...headers, ...credential }
  return { ...withoutKept(headers), ...credential }
}

/** The first protocol that the client offers, its credential aside. */
export function chooseProtocol(offered: Iterable<string>): string | false {
  for (const one of offered) if (!credentialProtocol.test(one)) return one
  return false
}

function isOwn(origin: string, { host }: IncomingHttpHeaders): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

function withoutKept({ cookie: _, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  const { authorization, ...others } = headers
  return /^basic /i.test(authorization ?? '') ? others : headers
}

function offeredBy(headers: IncomingHttpHeaders): string[] {
  const { 'sec-websocket-protocol': offered = '' } = headers
  return offered.split(',').map((one) => one.trim())
}

/**
 * A page can send no header: it offers `bearer.<token>`, `apiKey.<key>` or `basic.<user:password in
 * base64url>` as a protocol, beside the one that it means. That one is chosen: a browser takes no
 * answer without, and a credential is never said again.
 */
function credentialOf(offered: readonly string[]): IncomingHttpHeaders {
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
