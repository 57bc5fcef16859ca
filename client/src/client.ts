import createFetchClient, { type Client } from 'openapi-fetch'
import { readWhole, timeoutMsPreset } from './answers.ts'
import { notAnApi, timedOut, toError, unreachable } from './errors.ts'
import type { paths } from './generated/api.ts'
import { querySerializer } from './paths.ts'

/** The credential of a client. */
export type Credential =
  /** An API token. */
  | { readonly apiToken: string }
  /** A session, from `signIn`. */
  | { readonly session: string }
  /** A user. */
  | { readonly email: string; readonly password: string }
  /** The operator of the instance, from `operator.json` of its data directory. */
  | { readonly operatorToken: string }

export type ClientOptions = {
  /** The address of the instance, such as `https://millrace.example.com`. */
  readonly url: string
  readonly credential?: Credential
  /** The operator's business, by its id or name. */
  readonly business?: string
  /** The program that calls, for the audit log: `cli`, `console`. */
  readonly program?: string
  /** Replaces `fetch`, for another transport or for tests. */
  readonly fetch?: typeof globalThis.fetch
  /**
   * The time that an answer, or a piece of it or of a file, may take, in milliseconds; 0: any time.
   */
  readonly timeoutMs?: number
}

/**
 * The typed client. `GET`, `POST`, … take a path of the API and return `{ data, error, response }`,
 * as openapi-fetch does; `unwrap` turns that into the data or an `ApiError`.
 */
export type MillraceClient = Client<paths, 'application/json'> & {
  readonly url: string
  /**
   * Sends a request that the document does not type: a stream, a file. The body of the answer is
   * not read: `readJson` and `piecesOf` bound the wait for it.
   */
  request(path: string, init?: RequestOptions): Promise<Response>
}

/** As for `fetch`; `timeoutMs` replaces that of the client. */
export type RequestOptions = RequestInit & Pick<ClientOptions, 'timeoutMs'>

export function createClient(options: ClientOptions): MillraceClient {
  const url = options.url.replace(/\/+$/, '')
  const headers = makeHeaders(options)
  const { fetch: send = globalThis.fetch, timeoutMs = timeoutMsPreset } = options
  const client = createFetchClient<paths, 'application/json'>({
    baseUrl: url,
    headers,
    fetch: (request) => beforeTimeout(send, request, {}, timeoutMs),
    // A browser would ask for a password by itself after a 401.
    credentials: 'omit',
    querySerializer,
  })
  client.use({
    onResponse: ({ response, options: { parseAs } }) =>
      parseAs === 'stream' ? undefined : readWhole(response, timeoutMs),
  })
  const request = (
    path: string,
    { timeoutMs: ownTimeoutMs = timeoutMs, ...init }: RequestOptions = {},
  ) => {
    const all = new Headers(init.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    const rest = { ...init, headers: all, credentials: 'omit' } as const
    return beforeTimeout(send, `${url}${path}`, rest, ownTimeoutMs)
  }
  return Object.assign(client, { url, request })
}

/** A file that is sent at once may take the time of one answer for so many bytes. */
const bytesInTime = 2 ** 20

/**
 * Bounds the wait for the head of an answer. The wait begins again with each piece of a body that
 * is sent as a stream.
 */
async function beforeTimeout(
  send: typeof globalThis.fetch,
  input: Request | string,
  init: RequestInit,
  timeoutMs: number,
): Promise<Response> {
  const timeout = new AbortController()
  const size = init.body instanceof Blob ? init.body.size : 0
  const waitMs = timeoutMs * (1 + Math.floor(size / bytesInTime))
  const start = () => setTimeout(() => timeout.abort(), waitMs)
  let timer = timeoutMs === 0 ? undefined : start()
  const restart = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = start()
  }
  const own = input instanceof Request ? input.signal : init.signal
  const signal = own ? AbortSignal.any([own, timeout.signal]) : timeout.signal
  try {
    return await send(input, { ...init, ...watched(init.body, restart), signal })
  } catch (error) {
    if (timeout.signal.aborted) throw timedOut(waitMs)
    throw unreachable(error)
  } finally {
    clearTimeout(timer)
    // A body that was refused may still be read for a moment.
    timer = undefined
  }
}

/** The same stream, which reports each piece; nothing for another body. */
function watched(body: RequestInit['body'], onPiece: () => void): Pick<RequestInit, 'body'> {
  if (!(body instanceof ReadableStream)) return {}
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      onPiece()
      controller.enqueue(piece)
    },
  })
  return { body: body.pipeThrough(watch) }
}

function makeHeaders({ credential, business, program }: ClientOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  if (program !== undefined) headers['millrace-program'] = program
  if (credential !== undefined) headers.authorization = formatAuthorization(credential)
  if (business !== undefined) headers['millrace-business'] = encodeURIComponent(business)
  return headers
}

/** The `Authorization` header of a credential. */
export function formatAuthorization(credential: Credential): string {
  if ('apiToken' in credential) return `Automation ${credential.apiToken}`
  if ('session' in credential) return `token ${credential.session}`
  if ('operatorToken' in credential) return `Operator ${credential.operatorToken}`
  const bytes = new TextEncoder().encode(`${credential.email}:${credential.password}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

type Result<Data> = {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/**
 * The data of an answer.
 * @throws ApiError with the code, the status and the sentence of the API.
 */
export async function unwrap<Data>(result: Promise<Result<Data>> | Result<Data>): Promise<Data> {
  try {
    const { data, error, response } = await result
    if (!response.ok) throw toError(response, error)
    return data as Data
  } catch (error) {
    // A good answer whose body is no JSON.
    throw error instanceof SyntaxError ? notAnApi(okStatus) : error
  }
}

const okStatus = 200
