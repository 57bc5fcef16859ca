import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ModuleError } from '../errors.ts'

/** The credentials of every call but `GET /interface`. */
export type Credentials =
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | {
      readonly type: 'apiKey'
      readonly in: 'header' | 'query'
      /** Of the header or the query parameter. */
      readonly name: string
      readonly key: string
    }

/** Throws ModuleError Unauthorized if a request lacks the credentials that are required. */
export function checkCredentials(
  asked: Credentials | undefined,
  request: IncomingMessage,
  query: URLSearchParams,
): void {
  if (asked === undefined) return
  const presented =
    asked.type === 'basic' ? basicOf(request) : keyOf(asked.in, asked.name, request, query)
  const expected = asked.type === 'basic' ? `${asked.username}:${asked.password}` : asked.key
  if (presented === undefined || !isSame(presented, expected)) {
    throw new ModuleError('Unauthorized', 'The credentials are missing or not known.')
  }
}

function basicOf(request: IncomingMessage): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? []
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
}

function keyOf(
  place: 'header' | 'query',
  name: string,
  request: IncomingMessage,
  query: URLSearchParams,
): string | undefined {
  if (place === 'query') return query.get(name) ?? undefined
  const header = request.headers[name.toLowerCase()]
  return Array.isArray(header) ? header[0] : header
}

/** Hashed first, so that neither length nor content shows in the time it takes. */
function isSame(presented: string, expected: string): boolean {
  return timingSafeEqual(sha256(presented), sha256(expected))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
