import type { IncomingMessage } from 'node:http'
import type { CallerSpan } from './caller-span.ts'

/** The names of a request for log lines and traces. */
export type RequestInfo = {
  /** Its `X-Request-Id`. */
  readonly id: string
  /** When it began, by the clock of elapsed time. */
  readonly beganMs: number
  /** Missing if the request names none. */
  readonly caller: CallerSpan | undefined
  /** The call of the management API, or the kind of the GraphQL operation. */
  operation: string | undefined
}

const info = Symbol('what a request is named by')

type Named = { [info]?: RequestInfo }

/** Gives a request its id; only what is in front of all parts may. */
export function nameRequest(
  message: IncomingMessage,
  request: Omit<RequestInfo, 'operation'>,
): void {
  const named = message as Named
  named[info] = { operation: undefined, ...request }
}

/** Undefined if nothing names it: then nobody reads it. */
export function readRequestInfo(message: IncomingMessage): RequestInfo | undefined {
  return (message as Named)[info]
}

/** Says which operation a request is. */
export function nameOperation(message: IncomingMessage, operation: string): void {
  const named = readRequestInfo(message)
  if (named !== undefined) named.operation = operation
}

const wellFormed = /^[\w.:+/=@-]{1,128}$/

/** Returns the `X-Request-Id` that a trusted proxy sent, unless it could be anything. */
export function requestIdIn({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && wellFormed.test(id) ? id : undefined
}
