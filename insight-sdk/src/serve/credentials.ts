import { createHash, timingSafeEqual } from 'node:crypto'
import { ModuleError } from '../errors.ts'

/** The credentials of every call but `GET /interface`. */
export type Credentials =
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | {
      readonly type: 'apiKey'
      readonly in: 'header' | 'query'
      /** The name of the header or the query parameter. */
      readonly name: string
      readonly key: string
    }

/** The credentials of a request. */
export type Presented = {
  readonly header: (name: string) => string | undefined
  readonly query: URLSearchParams
}

/** Throws ModuleError Unauthorized if a request lacks the credentials that are required. */
export function checkCredentials(asked: Credentials | undefined, request: Presented): void {
  if (asked === undefined) return
  const presented =
    asked.type === 'basic' ? readBasic(request) : readKey(asked.in, asked.name, request)
  const expected = asked.type === 'basic' ? `${asked.username}:${asked.password}` : asked.key
  if (presented === undefined || !isSame(presented, expected)) {
    throw new ModuleError('Unauthorized', 'The credentials are missing or not known.')
  }
}

function readBasic({ header }: Presented): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(header('authorization') ?? '') ?? []
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
}

function readKey(
  place: 'header' | 'query',
  name: string,
  { header, query }: Presented,
): string | undefined {
  return place === 'query' ? (query.get(name) ?? undefined) : header(name.toLowerCase())
}

/** Hashed first, so that neither length nor content shows in the time it takes. */
function isSame(presented: string, expected: string): boolean {
  return timingSafeEqual(sha256(presented), sha256(expected))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
