/** An error that the API answered, or the failure to reach it (`status` 0). */
export class ApiError extends Error {
  /** A code of docs/reference/errors.md, `timeout`, `unreachable` or `not_an_api`. */
  readonly code: string
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  readonly reason: string | undefined
  /** Seconds after which trying again is worth while. */
  readonly retryAfterS: number | undefined

  constructor(parts: {
    readonly code: string
    readonly status: number
    readonly message: string
    readonly reason?: string | undefined
    readonly retryAfterS?: number | undefined
    readonly cause?: unknown
  }) {
    super(parts.message, { cause: parts.cause })
    this.name = 'ApiError'
    this.code = parts.code
    this.status = parts.status
    this.reason = parts.reason
    this.retryAfterS = parts.retryAfterS
  }
}

/** The error in an answer's parsed body. */
export function errorOf(response: Response, body: unknown): ApiError {
  const { status } = response
  const retryAfterS = Number(response.headers.get('retry-after') ?? Number.NaN)
  const later = Number.isFinite(retryAfterS) ? retryAfterS : undefined
  if (typeof body === 'object' && body !== null && 'code' in body && 'message' in body) {
    const { code, message, reason } = body as { code: unknown; message: unknown; reason?: string }
    return new ApiError({
      code: String(code),
      message: String(message),
      status,
      reason,
      retryAfterS: later,
    })
  }
  const message = `the address answered ${status}, and not as this API does`
  return new ApiError({ code: 'not_an_api', status, message, retryAfterS: later })
}

/** The error in an answer whose body was not read yet. */
export async function errorIn(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  try {
    return errorOf(response, JSON.parse(text))
  } catch {
    return errorOf(response, undefined)
  }
}
