import { Fault } from '../../../foundation/kernel/index.ts'
import type { HttpArguments, HttpMethod } from './arguments.ts'
import { composeBody, encodePairs, percent } from './content.ts'
import { createReplacer, type HttpCredentials, type Replacer } from './credentials.ts'
import { composeHeaders, type Headers } from './headers.ts'

/** An outgoing request; it contains secrets and must not be logged. */
export type HttpRequest = {
  readonly method: HttpMethod
  readonly url: URL
  readonly headers: Headers
  readonly body: string | Buffer | undefined
  /** True if the body contains a secret. */
  readonly secretBody: boolean
  /** The headers that may be sent to another origin. */
  readonly openHeaders: Headers
}

const defaultHeaders: Headers = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'user-agent': 'Millrace',
}

/** @throws Fault invalid_argument */
export function composeRequest(given: HttpArguments, credentials: HttpCredentials): HttpRequest {
  const url = readUrl(given.url)
  const inBody = createReplacer(credentials, url)
  const body = given.content && composeBody(given.content, inBody)
  const elsewhere = createReplacer(credentials, url)
  const type: Headers = body?.type === undefined ? {} : { 'content-type': body.type }
  const { all, open } = composeHeaders(given.headers, elsewhere)
  return {
    method: given.method,
    url: composeUrl(given, elsewhere),
    headers: { ...defaultHeaders, ...type, ...all },
    body: body?.bytes,
    secretBody: inBody.used,
    openHeaders: { ...defaultHeaders, ...type, ...open },
  }
}

/** @throws Fault invalid_argument */
function readUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new Fault('invalid_argument', 'url cannot be read')
  const unfit = unfitFor(url)
  if (unfit !== undefined) throw new Fault('invalid_argument', `url ${unfit}`)
  return url
}

/** Returns the reason why a URL is refused, for a request or a redirect. */
export function unfitFor({ protocol, username, password }: URL): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') {
    return `is of the scheme ${protocol}, not http: or https:`
  }
  const isNamed = username !== '' || password !== ''
  return isNamed ? 'holds a user name or a password: a header is their place' : undefined
}

/** Scheme and authority, and the rest. */
const parts = /^([a-z][a-z\d+.-]*:\/\/[^/?#\\]*)(.*)$/is

/**
 * Inserts secrets in the path and the query only, percent-encoded: refusals name the host, and a
 * secret must not change the destination.
 */
function composeUrl({ url: text, query }: HttpArguments, replace: Replacer): URL {
  const [, head = text, tail = ''] = parts.exec(text) ?? []
  const url = readUrl(head + replace(tail, percent))
  const pairs = query === undefined ? '' : encodePairs(query, replace)
  if (pairs !== '') url.search = url.search === '' ? pairs : `${url.search}&${pairs}`
  return url
}
