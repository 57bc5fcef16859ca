import { Fault, type Static } from '../../../foundation/kernel/index.ts'
import type { GuestTls, OutboundCall } from '../../../foundation/outbound/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import type { httpOperations } from './operations.ts'
import { readSslOptions } from './ssl-options.ts'

type Fields = { readonly [key: string]: ScriptValue }

type Given = Static<typeof httpOperations.schemas.get.args>

/** The table of arguments, read; nothing is put in or encoded yet. */
export type HttpArguments = {
  readonly method: HttpMethod
  readonly url: string
  readonly headers: Fields
  readonly content: HttpContent | undefined
  /** Pairs for the query of a GET. */
  readonly query: Fields | undefined
  readonly credentials: string | undefined
  /** `given` false: absent here, so those of the configuration hold. */
  readonly sslOptions: { readonly given: boolean; readonly tls: GuestTls | undefined }
  readonly connectMs: number
  readonly receiveMs: number
}

export type HttpContent =
  | { readonly kind: 'raw'; readonly value: string | Uint8Array }
  | { readonly kind: 'json'; readonly value: ScriptValue }
  | { readonly kind: 'form'; readonly value: Fields }

function invalid(field: string, rule: string): Fault {
  return new Fault('invalid_argument', `${field} ${rule}`)
}

/** @throws Fault invalid_argument, for a method, an option or a content that is not valid. */
export function readArguments(operation: string, given: Given): HttpArguments {
  const { sslOptions: ssl } = given
  const method = chooseMethod(operation, given.method)
  return {
    method,
    url: given.url,
    headers: given.headers,
    content: chooseContent(method, given),
    query: method === 'GET' ? given.params : undefined,
    credentials: given.credentials,
    sslOptions: {
      given: ssl !== undefined,
      tls: ssl === undefined ? undefined : readSslOptions(ssl),
    },
    connectMs: given.conn_timeout,
    receiveMs: given.recv_timeout,
  }
}

function chooseMethod(operation: string, asked: string | undefined): HttpMethod {
  const method = methodNamed(asked ?? 'get')
  if (method === undefined) throw invalid('method', 'is not one of the seven')
  return methodNamed(operation) ?? method
}

/** The body that a request will have. A GET has none, whatever was given. */
function chooseContent(method: HttpMethod, { body, json, params }: Given): HttpContent | undefined {
  if (method === 'GET') return undefined
  const contents: HttpContent[] = [
    ...(body === undefined ? [] : [{ kind: 'raw', value: body } as const]),
    ...(json === undefined ? [] : [{ kind: 'json', value: json } as const]),
    ...(params === undefined ? [] : [{ kind: 'form', value: params } as const]),
  ]
  if (contents.length > 1) throw invalid('body, json and params', 'are three ways to say one thing')
  return contents[0]
}

export type HttpMethod = OutboundCall['method']

/** The operation named for a method makes its request with that method. */
const named: Readonly<Record<string, HttpMethod>> = {
  delete: 'DELETE',
  get: 'GET',
  head: 'HEAD',
  options: 'OPTIONS',
  patch: 'PATCH',
  post: 'POST',
  put: 'PUT',
}

/** @returns undefined if the text names none of the seven; its letter case does not matter. */
export function methodNamed(text: string): HttpMethod | undefined {
  const name = text.toLowerCase()
  return Object.hasOwn(named, name) ? named[name] : undefined
}
