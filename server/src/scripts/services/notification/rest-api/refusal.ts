import type { ServerResponse } from 'node:http'
import {
  errorCatalogue,
  type Fault,
  type Logger,
  toFault,
} from '../../../../foundation/kernel/index.ts'

/** The ending service's own numbers, for clients that look at `code`. */
const codes: Readonly<Record<number, number>> = {
  401: 20003,
  404: 20404,
  405: 20004,
  429: 20429,
  500: 20500,
  503: 20503,
}

/** An argument that is wrong, or missing, or too much. */
const wrongArgument = 20001

/** The one translation of errors at this edge: `{code, message, more_info, status}`. */
export function refuse(response: ServerResponse, thrown: unknown, logger: Logger): void {
  if (response.destroyed || response.headersSent) return
  const fault = toFault(thrown)
  if (fault.code === 'internal') logger.error({ err: fault.cause ?? fault }, 'internal')
  const { status, retryAfterS } = fault
  const code = codes[status] ?? (status < 500 ? wrongArgument : codes[500])
  const body = {
    code,
    message: refusalMessage(fault),
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  }
  if (status === 401) response.setHeader('www-authenticate', 'Basic realm="Millrace Notify"')
  if (retryAfterS !== undefined) response.setHeader('retry-after', retryAfterS)
  answer(response, status, body)
}

function refusalMessage({ status, code, detail }: Fault): string {
  if (status === 401) return 'Authenticate'
  return status >= 500 ? errorCatalogue[code].text : detail
}

export function answer(response: ServerResponse, status: number, body?: unknown): void {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  if (body === undefined) {
    response.writeHead(status, headers).end()
    return
  }
  const bytes = Buffer.from(JSON.stringify(body))
  const type = { 'content-type': 'application/json; charset=utf-8' }
  response.writeHead(status, { ...headers, ...type, 'content-length': bytes.length }).end(bytes)
}
