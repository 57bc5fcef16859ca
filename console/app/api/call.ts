import { ownProblem, problemIn } from './problem.ts'

/** The server, and the session for its requests. */
export type Client = {
  /** Scheme, host and port of the server. */
  readonly origin: string
  /** A session's token; undefined before the sign-in. */
  readonly token?: string
  /** Called with the server's time of each answer, in milliseconds since 1970. */
  readonly onServerTime?: (serverMs: number) => void
}

type Ask = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export const answerMsMax = 15_000

/**
 * Sends a request and returns the JSON of its answer as an `Answer`, without a check of its shape.
 * Without the browser's own credentials: it would ask for a password by itself after a 401.
 * @throws Problem; an abort by `signal` passes through as it is.
 */
export async function call<Answer>(
  client: Client,
  path: string,
  { method = 'GET', body, signal }: Ask = {},
): Promise<Answer> {
  const timeout = AbortSignal.timeout(answerMsMax)
  try {
    const response = await send(client, path, {
      method,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await answerOf(response)) as Answer
  } catch (error) {
    if (timeout.aborted && signal?.aborted !== true) throw ownProblem('no_answer_in_time')
    throw inWords(error)
  }
}

type Request = {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Sends a request with the client's session, and reads the server's time from the answer. */
export async function send(
  { origin, token, onServerTime }: Client,
  path: string,
  { headers, ...rest }: Request,
): Promise<Response> {
  const response = await fetch(`${origin}${path}`, {
    ...rest,
    credentials: 'omit',
    cache: 'no-store',
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `token ${token}` }) },
  })
  if (response.ok) reportTime(response, onServerTime)
  return response
}

/** @throws Problem if the answer is an error. */
export async function answerOf(response: Response): Promise<unknown> {
  const answer = parse(await response.text())
  const problem = problemIn(response.ok, answer)
  if (problem !== undefined) throw problem
  return answer
}

/** The error of fetch has no reason if no answer comes: browsers give pages none. */
export function inWords(error: unknown): unknown {
  return error instanceof TypeError ? ownProblem('unreachable') : error
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw ownProblem('unreadable_answer')
  }
}

function reportTime(response: Response, tell: Client['onServerTime']): void {
  const serverMs = Date.parse(response.headers.get('date') ?? '')
  if (!Number.isNaN(serverMs)) tell?.(serverMs)
}
