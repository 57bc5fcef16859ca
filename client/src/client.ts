import createFetchClient, { type Client } from 'openapi-fetch'
import { ApiError, errorOf } from './errors.ts'
import type { paths } from './generated/api.ts'

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
  /** Replaces `fetch`, for another transport or for tests. */
  readonly fetch?: typeof globalThis.fetch
  /** How long an answer may take to begin, in milliseconds, or a piece of a file; 0: any time. */
  readonly timeoutMs?: number
}

const timeoutMsPreset = 60_000

/**
 * The typed client. `GET`, `POST`, … take a path of the API and return `{ data, error, response }`,
 * as openapi-fetch does; `unwrap` turns that into the data or an `ApiError`.
 */
export type MillraceClient = Client<paths> & {
  readonly url: string
  /** Sends a request that the document does not type: a stream, a file. */
  request(path: string, init?: RequestInit): Promise<Response>
}

export function createClient(options: ClientOptions): MillraceClient {
  const url = options.url.replace(/\/+$/, '')
  const headers = headersOf(options)
  const send = options.fetch ?? globalThis.fetch
  const bounded = (input: Request | string, init: RequestInit = {}) => {
    const { timeoutMs = timeoutMsPreset } = options
    return timeoutMs === 0 ? send(input, init) : beforeTimeout(send, input, init, timeoutMs)
  }
  const client = createFetchClient<paths>({
    baseUrl: url,
    headers,
    fetch: (request) => bounded(request),
    credentials: 'omit',
    // The API takes a list as one parameter with commas.
    querySerializer: { array: { style: 'form', explode: false } },
  })
  const request = (path: string, init: RequestInit = {}) => {
    const all = new Headers(init.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return bounded(`${url}${path}`, { ...init, headers: all, credentials: 'omit' })
  }
  return Object.assign(client, { url, request })
}

/**
 * Bounds the wait for the head of an answer; its body may take longer. The wait begins again with
 * each piece of a body that is sent as a stream.
 */
async function beforeTimeout(
  send: typeof globalThis.fetch,
  input: Request | string,
  init: RequestInit,
  timeoutMs: number,
): Promise<Response> {
  const timeout = new AbortController()
  const start = () => setTimeout(() => timeout.abort(), timeoutMs)
  let timer = start()
  const restart = () => {
    clearTimeout(timer)
    timer = start()
  }
  const own = input instanceof Request ? input.signal : init.signal
  const signal = own ? AbortSignal.any([own, timeout.signal]) : timeout.signal
  try {
    return await send(input, { ...init, ...watched(init.body, restart), signal })
  } catch (error) {
    if (error instanceof TypeError && error.cause !== undefined) throw unreachable(error)
    if (timeout.signal.aborted)
      throw new ApiError({
        code: 'timeout',
        status: 0,
        message: `no answer within ${timeoutMs} ms`,
      })
    throw error
  } finally {
    clearTimeout(timer)
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

/** fetch hides the reason in the cause of its error. */
function unreachable({ cause }: TypeError): ApiError {
  const { code, message } = cause as { readonly code?: string; readonly message: string }
  const why = code ?? message
  return new ApiError({
    code: 'unreachable',
    status: 0,
    message: `the instance cannot be reached: ${why}`,
    cause,
  })
}

function headersOf({ credential, business }: ClientOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  if (credential !== undefined) headers.authorization = authorizationOf(credential)
  if (business !== undefined) headers['millrace-business'] = encodeURIComponent(business)
  return headers
}

/** The `Authorization` header of a credential. */
export function authorizationOf(credential: Credential): string {
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
  const { data, error, response } = await result
  if (!response.ok) throw errorOf(response, error)
  return data as Data
}
