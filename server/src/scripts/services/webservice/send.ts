import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import {
  errorCatalogue,
  type Fault,
  type Logger,
  toFault,
} from '../../../foundation/kernel/index.ts'
import { type EndpointAnswer, Refusal } from './answer.ts'
import type { HeaderPair } from './headers.ts'

/** On the console's origin a page of a solution has no origin, no scripts and no forms. */
export const sandbox: readonly HeaderPair[] = [
  ['Content-Security-Policy', 'sandbox'],
  ['X-Content-Type-Options', 'nosniff'],
]

/** Sends an answer. `more`: the platform's headers, which replace a script's of the same name. */
export function send(
  response: ServerResponse,
  answer: EndpointAnswer,
  more: readonly HeaderPair[],
): void {
  const { status, headers, body } = answer
  const own = headers.filter(([name]) => !isReplaced(name, more))
  const length: HeaderPair[] = body === undefined ? [] : [['Content-Length', String(body.length)]]
  response.writeHead(status, [...own, ...more, ...length].flat())
  if (body === undefined || Buffer.isBuffer(body)) response.end(body)
  else if (response.req.method === 'HEAD') response.end()
  else pipeline(Readable.from(body.chunks), response, () => {})
}

/** `Vary` headers add up; every other one is replaced. */
function isReplaced(written: string, more: readonly HeaderPair[]): boolean {
  const name = written.toLowerCase()
  return name !== 'vary' && more.some(([one]) => one.toLowerCase() === name)
}

/** The one translation of errors at this edge: `{code, message, status}`, as the API has it. */
export function sendRefusal(
  response: ServerResponse,
  thrown: unknown,
  more: readonly HeaderPair[],
  logger: Logger,
): void {
  if (response.destroyed || response.headersSent) return
  const fault = thrown instanceof Refusal ? thrown.fault : toFault(thrown)
  if (fault.code === 'internal') {
    logger.error({ err: fault.cause ?? fault }, 'endpoint request failed')
  }
  const { code, status, retryAfterS } = fault
  const message = code === 'internal' ? errorCatalogue.internal.text : fault.detail
  const headers: HeaderPair[] = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    ...(retryAfterS === undefined ? [] : [['Retry-After', String(retryAfterS)] as const]),
    ...(thrown instanceof Refusal ? thrown.headers : []),
  ]
  const body = Buffer.from(JSON.stringify({ code, message, status } satisfies Partial<Fault>))
  send(response, { status, headers, body }, more)
}
