import { Fault, limits } from '../../kernel/index.ts'
import type { GuestTls } from '../../outbound/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { type HttpMethod, methodNamed } from './methods.ts'
import { parseSslOptions } from './ssl-options.ts'

type Fields = { readonly [key: string]: ScriptValue }

/** The table of arguments, read; nothing is put in or encoded yet. */
export type HttpArguments = {
  readonly method: HttpMethod
  readonly url: string
  readonly headers: Fields
  readonly content: Content | undefined
  /** Pairs for the query of a GET. */
  readonly query: Fields | undefined
  readonly credentials: string | undefined
  /** `given` false: not said here, so the configuration's hold. */
  readonly sslOptions: { readonly given: boolean; readonly tls: GuestTls | undefined }
  readonly connectMs: number
  readonly receiveMs: number
}

export type Content =
  | { readonly kind: 'raw'; readonly value: string | Uint8Array }
  | { readonly kind: 'json'; readonly value: ScriptValue }
  | { readonly kind: 'form'; readonly value: Fields }

function invalid(field: string, rule: string): Fault {
  return new Fault('invalid_argument', `${field} ${rule}`)
}

/** @throws Fault invalid_argument, for what is missing or is not as the table says. */
export function readArguments(operation: string, args: ScriptValue): HttpArguments {
  const fields = fieldsOf('the arguments', args) ?? {}
  const method = methodOf(operation, textOf('method', fields.method))
  const url = textOf('url', fields.url)
  if (url === undefined || url === '') throw invalid('url', 'is missing')
  if (url.length > limits.httpUrlCharsMax) throw invalid('url', 'is too long')
  const ssl = fields.sslOptions ?? undefined
  const credentials = textOf('credentials', fields.credentials)
  return {
    method,
    url,
    headers: fieldsOf('headers', fields.headers) ?? {},
    content: contentOf(method, fields),
    query: method === 'GET' ? fieldsOf('params', fields.params) : undefined,
    credentials,
    sslOptions: {
      given: ssl !== undefined,
      tls: ssl === undefined ? undefined : parseSslOptions(ssl),
    },
    connectMs: timeOf('conn_timeout', fields.conn_timeout, {
      standard: limits.httpConnectMs,
      max: limits.httpConnectMsMax,
    }),
    receiveMs: timeOf('recv_timeout', fields.recv_timeout, {
      standard: limits.httpReceiveMs,
      max: limits.httpReceiveMsMax,
    }),
  }
}

function methodOf(operation: string, asked: string | undefined): HttpMethod {
  const method = methodNamed(asked ?? 'get')
  if (method === undefined) throw invalid('method', 'is not one of the seven')
  return methodNamed(operation) ?? method
}

/** The body that a request will have. A GET has none, whatever was given. */
function contentOf(method: HttpMethod, fields: Fields): Content | undefined {
  const [raw, json] = [fields.body ?? undefined, fields.json ?? undefined]
  const params = fieldsOf('params', fields.params)
  if (raw !== undefined && typeof raw !== 'string' && !(raw instanceof Uint8Array)) {
    throw invalid('body', 'must be a string')
  }
  if (json !== undefined && (typeof json !== 'object' || json instanceof Uint8Array)) {
    throw invalid('json', 'must be an object')
  }
  if (method === 'GET') return undefined
  const contents: Content[] = [
    ...(raw === undefined ? [] : [{ kind: 'raw', value: raw } as const]),
    ...(json === undefined ? [] : [{ kind: 'json', value: json } as const]),
    ...(params === undefined ? [] : [{ kind: 'form', value: params } as const]),
  ]
  if (contents.length > 1) throw invalid('body, json and params', 'are three ways to say one thing')
  return contents[0]
}

function textOf(field: string, value: ScriptValue): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalid(field, 'must be a string')
  return value
}

function fieldsOf(field: string, value: ScriptValue): Fields | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array) {
    throw invalid(field, 'must be an object')
  }
  return value as Fields
}

function timeOf(
  field: string,
  value: ScriptValue,
  { standard, max }: { standard: number; max: number },
): number {
  if (value === undefined || value === null) return standard
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) {
    return value
  }
  throw invalid(field, `must be an integer from 1 to ${max}`)
}
