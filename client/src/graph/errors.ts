import { ApiError } from '../errors.ts'

/** An entry of the `errors` of an answer. */
export type GraphErrorEntry = {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  /** `code` is one of docs/reference/errors.md. */
  readonly extensions?: Readonly<Record<string, unknown>> & { readonly code?: string }
}

/** The cost of an answer: `extensions.cost`. Times are in milliseconds. */
export type GraphCost = {
  readonly usage: { readonly time: number; readonly cost: number | null }
  readonly limits: { readonly time: number; readonly cost: number | null }
  readonly rateUsage: { readonly time: number; readonly requests: number } | null
  readonly rateLimits: { readonly time: number; readonly requests: number } | null
}

type Parts = {
  readonly errors: readonly GraphErrorEntry[]
  readonly status: number
  readonly data: unknown
  readonly retryAfterS: number | undefined
}

/** An answer with `errors`: its code and message are those of the first. */
export class GraphError extends ApiError {
  readonly errors: readonly GraphErrorEntry[]
  /** The data that could be answered all the same; null or undefined if nothing. */
  readonly data: unknown

  constructor({ errors, status, data, retryAfterS }: Parts) {
    const [first] = errors
    const message = first?.message ?? 'the answer has errors'
    super({ code: first?.extensions?.code ?? 'internal', message, status, retryAfterS })
    this.name = 'GraphError'
    this.errors = errors
    this.data = data
  }
}

/** The API token has used up its window, and nothing was run: `retryAfterS` says how long. */
export class RateLimitError extends GraphError {
  constructor(parts: Parts) {
    super(parts)
    this.name = 'RateLimitError'
  }
}

const rateCodes: readonly unknown[] = ['rate_requests_exceeded', 'rate_time_exceeded']

/** The error of an answer; undefined for one without `errors`. */
export function toGraphError(parts: Omit<Parts, 'errors'> & { readonly errors: unknown }) {
  const { errors } = parts
  if (!Array.isArray(errors) || errors.length === 0) return undefined
  const entries = errors as readonly GraphErrorEntry[]
  const isRate = rateCodes.includes(entries[0]?.extensions?.code)
  const whole = { ...parts, errors: entries }
  return isRate ? new RateLimitError(whole) : new GraphError(whole)
}
