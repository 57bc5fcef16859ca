import type { FastifyReply } from 'fastify'
import {
  type ErrorCode,
  errorCatalogue,
  Fault,
  type Logger,
  toFault,
} from '../../foundation/kernel/index.ts'
import { discardRest } from './discard.ts'

/** Maps Fastify's own errors to the error catalogue. */
const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'wrong_content_type',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_NOT_FOUND: 'not_found',
}

/** Paths that tools of the field call, and the calls that do now what they want. */
const replaced: readonly (readonly [path: RegExp, call: string])[] = [
  [/^\/api:1\/user\/[^/]+\/membership\/?$/, 'GET /api:1/business'],
  [/^\/api:1\/business\/[^/]+\/solution(?:\/|$)/, '/api:1/solution'],
  [/^\/api:1\/business\/[^/]+\/product(?:\/|$)/, '/api:1/connectors'],
  [/^\/api:1\/business\/[^/]+\/overview\/?$/, 'GET /api:1/usage'],
]

/** Returns the fault of a path that no route has; it names the call of today if it knows one. */
export function nowhere(url: string): Fault {
  const path = url.replace(/[?#].*$/s, '')
  const call = replaced.find(([pattern]) => pattern.test(path))?.[1]
  if (call === undefined) return new Fault('not_found')
  return new Fault('not_found', `This call was removed. Call ${call} instead.`)
}

export type Refuse = (error: unknown, reply: FastifyReply) => FastifyReply

/** The one translation of errors at this edge. */
export function createRefusal(logger: Logger): Refuse {
  return (error, reply) => {
    const fault = translate(error, reply)
    const { code, status, retryAfterS } = fault
    if (code === 'internal') {
      logger.error(
        { err: fault.cause ?? fault, route: reply.request.routeOptions?.url },
        'internal',
      )
    }
    if (status === errorCatalogue.unknown_credential.status) {
      reply.header('www-authenticate', 'Basic realm="Millrace"')
    }
    if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS)
    if (code === 'too_large') discardUnread(reply)
    return reply
      .code(status)
      .header('content-type', 'application/json; charset=utf-8')
      .headers(apiHeaders)
      .send(JSON.stringify(refusalBody(fault)))
  }
}

/**
 * Fastify closes the connection behind a body that it has not read. The sender would fail to write
 * the rest, and never read the answer.
 */
function discardUnread(reply: FastifyReply): void {
  reply.removeHeader('connection')
  discardRest(reply.request.raw, reply.raw)
}

/** A fault as the API shows it. */
export function refusalBody({ code, status, detail, reason, problems, conflict }: Fault) {
  const message = code === 'internal' ? errorCatalogue.internal.text : detail
  return {
    code,
    message,
    status,
    ...(reason !== undefined && { reason }),
    ...(problems !== undefined && { problems }),
    ...(conflict !== undefined && { conflict }),
  }
}

/** An answer of the API is nobody's page and is kept by nobody. */
export const apiHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

function translate(error: unknown, reply: FastifyReply): Fault {
  const code = frameworkCodes[String((error as { code?: unknown } | null)?.code)]
  if (code === undefined) return toFault(error)
  const { mediaType } = reply.request.routeOptions?.config ?? {}
  const isOfBytes = code === 'wrong_content_type' && mediaType !== undefined
  const one = mediaType === '*/*' ? 'application/octet-stream' : mediaType
  const detail = isOfBytes ? `Content-Type must be a media type, such as ${one}.` : undefined
  return new Fault(code, detail, { cause: error })
}
