import type { ServerResponse } from 'node:http'
import { errorCatalogue, type Fault, faultOf, type Logger } from '../../kernel/index.ts'
import type { Answer } from './answer.ts'
import type { Pair } from './headers.ts'
import { Refusal } from './refusal.ts'

/** On the console's origin a page of a solution has no origin, no scripts and no forms. */
export const sandbox: readonly Pair[] = [
  ['Content-Security-Policy', 'sandbox'],
  ['X-Content-Type-Options', 'nosniff'],
]

/** `more`: what the platform says, in place of what a script may have said by these names. */
export function send(response: ServerResponse, answer: Answer, more: readonly Pair[]): void {
  const { status, headers, body } = answer
  const said = headers.filter(([name]) => !isPlatforms(name, more))
  const length: Pair[] = body === undefined ? [] : [['Content-Length', String(body.length)]]
  response.writeHead(status, [...said, ...more, ...length].flat())
  response.end(body)
}

/** `Vary` adds up; of the rest there is one. */
function isPlatforms(written: string, more: readonly Pair[]): boolean {
  const name = written.toLowerCase()
  return name !== 'vary' && more.some(([one]) => one.toLowerCase() === name)
}

/** The one translation of errors at this edge: `{code, message, status}`, as the API has it. */
export function sendRefusal(
  response: ServerResponse,
  thrown: unknown,
  more: readonly Pair[],
  logger: Logger,
): void {
  if (response.destroyed || response.headersSent) return
  const fault = thrown instanceof Refusal ? thrown.fault : faultOf(thrown)
  if (fault.code === 'internal') {
    logger.error({ err: fault.cause ?? fault }, 'a request to an endpoint failed')
  }
  const { code, status, retryAfterS } = fault
  const message = code === 'internal' ? errorCatalogue.internal.text : fault.detail
  const headers: Pair[] = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    ...(retryAfterS === undefined ? [] : [['Retry-After', String(retryAfterS)] as const]),
    ...(thrown instanceof Refusal ? thrown.headers : []),
  ]
  const body = Buffer.from(JSON.stringify({ code, message, status } satisfies Partial<Fault>))
  send(response, { status, headers, body }, more)
}
