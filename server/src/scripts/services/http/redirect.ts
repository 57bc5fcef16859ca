import { decodeTextOrLatin1, Fault } from '../../../foundation/kernel/index.ts'
import type { OutboundAnswer } from '../../../foundation/outbound/index.ts'
import { type HttpRequest, unfitFor } from './compose.ts'
import { withoutContent } from './headers.ts'

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Returns the request after a redirect, as browsers do; undefined for other answers.
 * Possible secrets are not sent to another origin.
 * @throws Fault http_failed, for a redirect that is not followed
 */
export function nextRequest(
  { status, headers }: OutboundAnswer,
  request: HttpRequest,
): HttpRequest | undefined {
  const { location } = headers
  if (!redirects.has(status) || typeof location !== 'string') return undefined
  if (location.trim() === '') return undefined
  const url = URL.parse(decodeWords(location), request.url.href)
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
function decodeWords(letters: string): string {
  return decodeTextOrLatin1(Buffer.from(letters, 'latin1'))
}

/** 303 turns the request into a GET; so do 301 and 302 after a POST. */
function afterStatus(status: number, request: HttpRequest): HttpRequest {
  const { method } = request
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  if (!becomesGet) return request
  const headers = withoutContent(request.headers)
  const openHeaders = withoutContent(request.openHeaders)
  const content = { method: 'GET', body: undefined, secretBody: false } as const
  return { ...request, ...content, headers, openHeaders }
}

function forOtherOrigin(request: HttpRequest, from: string): HttpRequest {
  if (request.secretBody) {
    const what = `${from} redirects a body with credentials in it to another origin.`
    throw new Fault('http_failed', what)
  }
  return { ...request, headers: request.openHeaders }
}
