import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { Endpoint, ScriptValue } from '../../scripting/index.ts'
import { composeHeaders, type HeaderPair } from './headers.ts'

export type EndpointAnswer = {
  readonly status: number
  readonly headers: readonly HeaderPair[]
  /** Undefined if the status allows none. */
  readonly body: Buffer | StreamedBody | undefined
}

/** A body that is read while it is sent. */
export type StreamedBody = { readonly length: number; readonly chunks: AsyncIterable<Buffer> }

type Ended = Parameters<typeof faultOfEnd>[0]
type Fields = { readonly [name: string]: ScriptValue }

const withoutBody = new Set([204, 304])
const refused = (rule: string) => new Fault('response_refused', rule)

/** Makes the HTTP answer of what an endpoint's script returned. @throws Fault response_refused */
export function composeAnswer(
  returned: ScriptValue,
  endpoint: Endpoint,
  shared: boolean,
): EndpointAnswer {
  const { value, response } = parseTable(returned)
  const { code = 200, message, headers: given } = parseTable(response)
  const status = parseStatus(code)
  const headers = composeHeaders(given, shared)
  const { bytes, type } = makeContent(value ?? message, endpoint.contentType)
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type')
  const types: HeaderPair[] = typed || type === undefined ? [] : [['Content-Type', type]]
  if (withoutBody.has(status)) return { status, headers, body: undefined }
  return { status, headers: [...types, ...headers], body: bytes }
}

/** The fields of a table that a script gave. @throws Fault response_refused */
export function parseTable(value: ScriptValue): Fields {
  if (value === undefined || value === null) return {}
  if (typeof value === 'object' && !(value instanceof Uint8Array)) return value as Fields
  throw refused('response must be a table')
}

function parseStatus(code: ScriptValue): number {
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code
  if (typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599) {
    return status
  }
  throw refused('response.code must be a status from 200 to 599')
}

/** Text and bytes are sent as they are; everything else is JSON. */
function makeContent(message: ScriptValue, type: string | undefined) {
  if (message === undefined || message === null) return { bytes: Buffer.alloc(0), type: undefined }
  if (message instanceof Uint8Array) {
    return { bytes: Buffer.from(message), type: type ?? 'application/octet-stream' }
  }
  if (typeof message === 'string') {
    return { bytes: Buffer.from(message, 'utf8'), type: withCharset(type ?? 'text/plain') }
  }
  const isJson = type !== undefined && /[/+]json(?:;|$)/i.test(type)
  return { bytes: Buffer.from(jsonText(message)), type: isJson ? type : 'application/json' }
}

function withCharset(type: string): string {
  return /^text\/[^;]+$/i.test(type) ? `${type}; charset=utf-8` : type
}

/** @throws Fault response_refused */
export function jsonText(message: ScriptValue): string {
  return JSON.stringify(message, (_, value: unknown) => {
    if (value instanceof Uint8Array) throw refused('response.message holds bytes that are not text')
    return value
  })
}

/** Maps a script call that did not return to a fault that reveals nothing of the script. */
export function faultOfEnd(end: {
  readonly kind: 'failed' | 'stopped'
  readonly limit?: string
  readonly error: { readonly status: number; readonly error: string }
  readonly started: boolean
}): Fault {
  if (end.kind === 'failed') {
    const gone = !end.started && end.error.status === 404
    return new Fault(gone ? 'not_found' : 'script_failed')
  }
  return faultOfLimit(end)
}

function faultOfLimit({ limit = '', started, error }: Ended): Fault {
  const retryAfterS = limits.retryAfterS
  switch (limit) {
    case 'time':
    case 'cpu':
      return new Fault('time_exceeded', 'The script took too long.')
    case 'memory':
      return new Fault('script_memory')
    case 'queue':
      return new Fault('too_many_requests', undefined, { retryAfterS })
    case 'quota':
      return new Fault('business_rate_exceeded', error.error, { retryAfterS })
    case 'worker':
      return new Fault('overloaded', 'The script was interrupted. Try again.', { retryAfterS })
    case 'body':
      return new Fault(error.status === 413 ? 'too_large' : 'malformed_request', error.error)
    case 'value':
      return started
        ? new Fault('script_failed')
        : new Fault('too_large', 'The request is larger than the solution accepts.')
    default:
      return new Fault('script_failed')
  }
}

/** A refusal, with headers for its answer. */
export class Refusal extends Error {
  readonly fault: Fault
  readonly headers: readonly HeaderPair[]

  constructor(fault: Fault, ...headers: readonly HeaderPair[]) {
    super(fault.message, { cause: fault })
    this.fault = fault
    this.headers = headers
  }
}
