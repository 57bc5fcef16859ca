import { ownProblem, problemIn } from './problem.ts'

/** Whom to ask, as whom. */
export type Client = {
  /** Scheme, host and port of the server. */
  readonly origin: string
  /** A session's token; undefined before the sign-in. */
  readonly token?: string
  /** Told what the server's clock says with each answer, in milliseconds since 1970. */
  readonly onServerTime?: (serverMs: number) => void
}

type Ask = {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

const answerMsMax = 15_000

/**
 * Asks, and gives back the JSON of the answer (undefined for none), believed to be an `Answer`.
 * Without the browser's own credentials: it would ask for a password by itself after a 401.
 * @throws Problem; an abort by `signal` passes through as it is.
 */
export async function call<Answer>(
  { origin, token, onServerTime }: Client,
  path: string,
  { method = 'GET', body, signal }: Ask = {},
): Promise<Answer> {
  const timeout = AbortSignal.timeout(answerMsMax)
  try {
    const response = await fetch(`${origin}${path}`, {
      method,
      credentials: 'omit',
      cache: 'no-store',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      headers: {
        ...(token === undefined ? {} : { authorization: `token ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = parse(await response.text())
    const problem = problemIn(response.ok, answer)
    if (problem !== undefined) throw problem
    tellTime(response, onServerTime)
    return answer as Answer
  } catch (error) {
    if (timeout.aborted && signal?.aborted !== true) throw ownProblem('no_answer_in_time')
    // What fetch throws where nobody answers; why, a page is not told.
    throw error instanceof TypeError ? ownProblem('unreachable') : error
  }
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw ownProblem('unreadable_answer')
  }
}

function tellTime(response: Response, tell: Client['onServerTime']): void {
  const serverMs = Date.parse(response.headers.get('date') ?? '')
  if (!Number.isNaN(serverMs)) tell?.(serverMs)
}
