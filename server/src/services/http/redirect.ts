import { isUtf8 } from 'node:buffer'
import { Fault } from '../../kernel/index.ts'
import type { OutboundAnswer } from '../../outbound/index.ts'
import { type HttpRequest, unfitFor } from './compose.ts'
import { withoutContent, withoutSecrets } from './headers.ts'

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * The request that an answer asks for next, as browsers understand it; undefined if the answer
 * is the end. What may be a secret of the first origin does not go to another one.
 * @throws Fault http_failed, for a way that is not taken
 */
export function nextRequest(
  { status, headers }: OutboundAnswer,
  request: HttpRequest,
): HttpRequest | undefined {
  const { location } = headers
  if (!redirects.has(status) || typeof location !== 'string') return undefined
  if (location.trim() === '') return undefined
  const url = URL.parse(wordsOf(location), request.url.href)
  if (url === null) return undefined
  if (request.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new Fault('http_failed', `${request.url.hostname} redirects from https to http.`)
  }
  const unfit = unfitFor(url)
  if (unfit !== undefined) {
    throw new Fault('http_failed', `${request.url.hostname} redirects to a URL that ${unfit}.`)
  }
  const asked = afterStatus(status, { ...request, url })
  return url.origin === request.url.origin ? asked : forOtherOrigin(asked, request.url.hostname)
}

/** The HTTP client gives a letter for each byte; the bytes are UTF-8, or were letters before. */
function wordsOf(letters: string): string {
  const bytes = Buffer.from(letters, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : letters
}

/** 303 means: look there. 301 and 302 have always meant the same to a POST. */
function afterStatus(status: number, request: HttpRequest): HttpRequest {
  const { method } = request
  const looks = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  if (!looks) return request
  const headers = withoutContent(request.headers)
  return { ...request, method: 'GET', headers, body: undefined, secretBody: false }
}

function forOtherOrigin(request: HttpRequest, from: string): HttpRequest {
  if (request.secretBody) {
    const what = `${from} redirects a body with credentials in it to another origin.`
    throw new Fault('http_failed', what)
  }
  return { ...request, headers: withoutSecrets(request.headers) }
}
