/** A problem of the request, of which there may be several. */
export type Problem = {
  /** A JSON pointer into it. */
  readonly pointer: string
  readonly detail: string
}

/** Two states of one thing, of which a person chooses. */
type Conflict = { readonly stored: unknown; readonly sent: unknown }

/** An error that the API answered, or the failure to reach it (`status` 0). */
export class ApiError extends Error {
  /** A code of docs/reference/errors.md, `timeout`, `unreachable` or `not_an_api`. */
  readonly code: string
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  readonly reason: string | undefined
  /** Seconds after which trying again is worth while. */
  readonly retryAfterS: number | undefined
  /** All that is wrong with a document that was refused; empty for other errors. */
  readonly problems: readonly Problem[]
  /** The conflict of a change of an older version: what is stored, and what was sent. */
  readonly conflict: Conflict | undefined

  constructor(parts: {
    readonly code: string
    readonly status: number
    readonly message: string
    readonly reason?: string | undefined
    readonly retryAfterS?: number | undefined
    readonly problems?: readonly Problem[] | undefined
    readonly conflict?: Conflict | undefined
    readonly cause?: unknown
  }) {
    super(parts.message, { cause: parts.cause })
    this.name = 'ApiError'
    this.code = parts.code
    this.status = parts.status
    this.reason = parts.reason
    this.retryAfterS = parts.retryAfterS
    this.problems = parts.problems ?? []
    this.conflict = parts.conflict
  }
}

/** The error in an answer's parsed body. */
export function toError(response: Response, body: unknown): ApiError {
  const retryAfterS = Number(response.headers.get('retry-after') ?? Number.NaN)
  const later = Number.isFinite(retryAfterS) ? retryAfterS : undefined
  return refusalIn(body, response.status, later) ?? notAnApi(response.status, later)
}

type Refusal = {
  readonly code?: unknown
  readonly message?: unknown
  readonly reason?: string
  readonly problems?: readonly Problem[]
  readonly conflict?: Conflict
}
type GraphqlError = { readonly message?: unknown; readonly extensions?: Refusal }

/** The error that a body of this API has, or the first of a GraphQL answer; undefined for others. */
export function refusalIn(
  body: unknown,
  status: number,
  retryAfterS?: number,
): ApiError | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { errors } = body as { readonly errors?: unknown }
  const first: GraphqlError | undefined = Array.isArray(errors) ? errors[0] : undefined
  const { code, message, reason, problems, conflict }: Refusal =
    first === undefined ? body : { ...first.extensions, message: first.message }
  if (code === undefined || message === undefined) return undefined
  return new ApiError({
    code: String(code),
    message: String(message),
    status,
    reason,
    retryAfterS,
    problems,
    conflict,
  })
}

/** The error where something else than this API answers. */
export function notAnApi(status: number, retryAfterS?: number): ApiError {
  const message = `the address answered ${status}, and not as this API does`
  return new ApiError({ code: 'not_an_api', status, message, retryAfterS })
}

export function timedOut(timeoutMs: number): ApiError {
  const message = `no answer within ${timeoutMs} ms`
  return new ApiError({ code: 'timeout', status: 0, message })
}

/**
 * The error of a failed fetch: a `TypeError`, which in Node has the reason as its cause, and in
 * browsers no reason. Other errors stay as they are.
 */
export function unreachable(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error
  const { cause = error } = error
  const { code, message: text } = cause as { readonly code?: string; readonly message: string }
  // A code of the library behind fetch explains nothing.
  const reason = code === undefined || code.startsWith('UND_ERR_') ? text : code
  const message = `the instance cannot be reached: ${reason}`
  return new ApiError({ code: 'unreachable', status: 0, message, cause })
}

/** The error in an answer whose body was not read yet. */
export async function errorIn(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  try {
    return toError(response, JSON.parse(text))
  } catch {
    return toError(response, undefined)
  }
}
