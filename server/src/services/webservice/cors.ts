import type { IncomingHttpHeaders } from 'node:http'
import { Fault, headerName, isJsonObject, limits } from '../../kernel/index.ts'

/** Which pages of other origins may ask, and what. Left out: nothing is said, so none may. */
export type Cors = {
  /** `["*"]` are all. */
  readonly origin: readonly string[]
  readonly methods?: readonly string[]
  readonly headers?: readonly string[]
  readonly credentials: boolean
}

type Pair = readonly [name: string, value: string]

const usualHeaders = ['authorization', 'content-type', 'x-api-key']

/** @throws Fault invalid_argument */
export function parseCors(given: unknown): Cors {
  if (!isJsonObject(given)) throw refused('cors must be an object')
  const { origin, methods, headers, credentials = false, ...others } = given
  const [other] = Object.keys(others)
  if (other !== undefined) throw refused(`cors has no ${other.slice(0, limits.nameCharsMax)}`)
  const origins = texts('origin', typeof origin === 'string' ? [origin] : origin, isOrigin)
  if (origins.length === 0) throw refused('cors.origin must name an origin, or "*"')
  if (typeof credentials !== 'boolean') throw refused('cors.credentials must be true or false')
  if (credentials && origins.includes('*')) {
    throw refused('cors.credentials needs origins that are named: "*" is every page of the web')
  }
  const isToken = (text: string) => headerName.test(text)
  return {
    origin: origins,
    ...(methods === undefined ? {} : { methods: texts('methods', methods, isToken) }),
    ...(headers === undefined ? {} : { headers: texts('headers', headers, isToken) }),
    credentials,
  }
}

function texts(field: string, given: unknown, fits: (text: string) => boolean): string[] {
  const { endpointCorsItemsMax } = limits
  const isList = Array.isArray(given) && given.length <= endpointCorsItemsMax
  if (isList && given.every((one) => typeof one === 'string' && fits(one))) {
    return given as string[]
  }
  const what = field === 'origin' ? 'origins such as https://example.com' : 'names'
  throw refused(`cors.${field} must be a list of up to ${endpointCorsItemsMax} ${what}`)
}

/** As browsers write it: nothing behind the port. */
function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text)
}

/** What an answer says to the page that asked. `shared`: with no credentials, whatever is set. */
export function corsHeaders(
  cors: Cors | undefined,
  { origin }: IncomingHttpHeaders,
  shared: boolean,
): Pair[] {
  if (cors === undefined) return []
  if (cors.origin.includes('*')) return [['Access-Control-Allow-Origin', '*']]
  const vary = ['Vary', 'Origin'] as const
  if (origin === undefined || !cors.origin.includes(origin)) return [vary]
  const allowed = ['Access-Control-Allow-Origin', origin] as const
  const credentials = ['Access-Control-Allow-Credentials', 'true'] as const
  return [vary, allowed, ...(cors.credentials && !shared ? [credentials] : [])]
}

export function isPreflight(method: string, headers: IncomingHttpHeaders): boolean {
  const { origin, 'access-control-request-method': wanted } = headers
  return method === 'OPTIONS' && origin !== undefined && wanted !== undefined
}

/** What a browser is told that asks beforehand. */
export function preflightHeaders(cors: Cors | undefined, allow: readonly string[]): Pair[] {
  if (cors === undefined) return []
  return [
    ['Access-Control-Allow-Methods', (cors.methods ?? allow).join(', ')],
    ['Access-Control-Allow-Headers', (cors.headers ?? usualHeaders).join(', ')],
    ['Access-Control-Max-Age', String(limits.endpointCorsSeconds)],
  ]
}

function refused(rule: string): Fault {
  return new Fault('invalid_argument', rule)
}
