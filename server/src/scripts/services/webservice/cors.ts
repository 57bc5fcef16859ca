import type { IncomingHttpHeaders } from 'node:http'
import { Fault, headerName, isJsonObject, limits } from '../../../foundation/kernel/index.ts'
import { webserviceLimits } from './limits.ts'

/** The CORS policy. Without one no CORS header is sent, so no other origin may read answers. */
export type Cors = {
  /** `["*"]` are all; `http://localhost:*` is a host at any port. */
  readonly origin: readonly string[]
  readonly methods?: readonly string[]
  readonly headers?: readonly string[]
  readonly credentials: boolean
}

type Pair = readonly [name: string, value: string]

const usualHeaders = ['authorization', 'content-type', 'x-api-key']

/** @throws Fault invalid_argument */
export function parseCors(value: unknown): Cors {
  if (!isJsonObject(value)) throw invalid('cors must be an object')
  const { origin, methods, headers, credentials = false, ...others } = value
  const [other] = Object.keys(others)
  if (other !== undefined) throw invalid(`cors has no ${other.slice(0, limits.nameCharsMax)}`)
  const origins = texts('origin', typeof origin === 'string' ? [origin] : origin, isOrigin)
  if (origins.length === 0) throw invalid('cors.origin must name an origin, or "*"')
  if (typeof credentials !== 'boolean') throw invalid('cors.credentials must be true or false')
  if (credentials && origins.includes('*')) {
    throw invalid('cors.credentials needs origins that are named: "*" is every page of the web')
  }
  const isToken = (text: string) => headerName.test(text)
  return {
    origin: origins,
    ...(methods === undefined ? {} : { methods: texts('methods', methods, isToken) }),
    ...(headers === undefined ? {} : { headers: texts('headers', headers, isToken) }),
    credentials,
  }
}

function texts(field: string, value: unknown, fits: (text: string) => boolean): string[] {
  const { endpointCorsItemsMax } = webserviceLimits
  const isList = Array.isArray(value) && value.length <= endpointCorsItemsMax
  if (isList && value.every((one) => typeof one === 'string' && fits(one))) {
    return value as string[]
  }
  const what = field === 'origin' ? 'origins such as https://example.com' : 'names'
  throw invalid(`cors.${field} must be a list of up to ${endpointCorsItemsMax} ${what}`)
}

const anyPort = ':*'

/** True for an origin as browsers write it: nothing after the port, which may be a star. */
function isOrigin(text: string): boolean {
  const origin = text.endsWith(anyPort) ? text.slice(0, -anyPort.length) : text
  return text === '*' || (!origin.includes('*') && URL.parse(origin)?.origin === origin)
}

/** Returns whether a policy names an origin, as itself or as its host at any port. */
export function namesOrigin({ origin: named }: Cors, origin: string): boolean {
  if (named.includes(origin)) return true
  const { protocol, hostname } = URL.parse(origin) ?? {}
  return named.includes(`${protocol}//${hostname}${anyPort}`)
}

/** Returns the CORS headers of an answer. `shared`: credentials are never allowed. */
export function corsHeaders(
  cors: Cors | undefined,
  { origin }: IncomingHttpHeaders,
  shared: boolean,
): Pair[] {
  if (cors === undefined) return []
  if (cors.origin.includes('*')) return [['Access-Control-Allow-Origin', '*']]
  const vary = ['Vary', 'Origin'] as const
  if (origin === undefined || !namesOrigin(cors, origin)) return [vary]
  const allowed = ['Access-Control-Allow-Origin', origin] as const
  const credentials = ['Access-Control-Allow-Credentials', 'true'] as const
  return [vary, allowed, ...(cors.credentials && !shared ? [credentials] : [])]
}

export function isPreflight(method: string, headers: IncomingHttpHeaders): boolean {
  const { origin, 'access-control-request-method': wanted } = headers
  return method === 'OPTIONS' && origin !== undefined && wanted !== undefined
}

/** Returns the headers of a preflight's answer. */
export function preflightHeaders(cors: Cors | undefined, allow: readonly string[]): Pair[] {
  if (cors === undefined) return []
  return [
    ['Access-Control-Allow-Methods', (cors.methods ?? allow).join(', ')],
    ['Access-Control-Allow-Headers', (cors.headers ?? usualHeaders).join(', ')],
    ['Access-Control-Max-Age', String(webserviceLimits.endpointCorsSeconds)],
  ]
}

function invalid(rule: string): Fault {
  return new Fault('invalid_argument', rule)
}
