import type { OutgoingHttpHeaders } from 'node:http'
import type { Fault } from '../../../foundation/kernel/index.ts'

/** The answer to a request of which nothing was run. */
export type RefusalAnswer = {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly text: string
}

/** The refusals of which the specification gives the message, as entries of `errors`. */
const ofWindows: readonly string[] = ['rate_requests_exceeded', 'rate_time_exceeded']
/** Some clients look for the message in an answer of success only. */
const ofClients = 'persisted_query_not_supported'

/**
 * A window that is used up is an answer like any other to a client of `application/json`, which
 * finds the message in `errors`; the newer media type carries the status.
 */
export function toRefusal(fault: Fault, type: string): RefusalAnswer {
  const message = fault.code === 'internal' ? 'internal' : fault.detail
  const text = JSON.stringify({ errors: [{ message, extensions: { code: fault.code } }] })
  const isPlain = type === 'application/json'
  const isSuccess = fault.code === ofClients || (isPlain && ofWindows.includes(fault.code))
  const status = isSuccess ? 200 : fault.status
  return { status, headers: makeHeaders(fault, type), text }
}

function makeHeaders(fault: Fault, type: string): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'content-type': `${type}; charset=utf-8` }
  if (fault.status === 401) headers['www-authenticate'] = 'Automation realm="Millrace"'
  if (fault.retryAfterS !== undefined) headers['retry-after'] = `${fault.retryAfterS}`
  return headers
}
