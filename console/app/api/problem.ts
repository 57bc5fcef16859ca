/** A problem, with the API's code and a text for operators. The one error type of the console. */
export class Problem extends Error {
  /** A code of the server's catalogue, or one of `ownCodes`. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'Problem'
    this.code = code
  }

  /** A heading for it. */
  get title(): string {
    return titles[this.code] ?? 'The request was refused'
  }

  /** Whether the server is out of reach, whatever the request was. */
  get isOutage(): boolean {
    return Object.hasOwn(ownCodes, this.code)
  }
}

/** Problems that the console itself finds: no answer, none in time, none that can be read. */
const ownCodes = {
  unreachable: 'Nothing answers at this address. Is the server running?',
  no_answer_in_time: 'The server took too long. It is asked again in a moment.',
  unreadable_answer: 'Something other than Millrace answered, perhaps a proxy.',
} as const

const titles: Readonly<Record<string, string>> = {
  unreachable: 'Millrace cannot be reached',
  no_answer_in_time: 'Millrace did not answer in time',
  unreadable_answer: 'The answer cannot be read',
  unknown_credential: 'Not signed in',
  forbidden: 'Your role does not permit this',
  not_found: 'It is not there',
  unknown_identity: 'There is no such device',
  too_complex: 'Too much at once',
  overloaded: 'Millrace is busy',
  log_unavailable: 'The event log cannot be written',
  time_exceeded: 'It took too long',
  internal: 'Something broke inside Millrace',
}

type ErrorBody = { readonly code?: unknown; readonly message?: unknown }
type GraphqlErrorBody = { readonly message?: unknown; readonly extensions?: ErrorBody }

/** Returns the problem in an answer of either API; undefined if it has none. */
export function problemIn(ok: boolean, body: unknown): Problem | undefined {
  const { errors } = (body ?? {}) as { readonly errors?: readonly GraphqlErrorBody[] }
  const [first] = errors ?? []
  if (first !== undefined) return problemOf({ ...first.extensions, message: first.message })
  return ok ? undefined : problemOf((body ?? {}) as ErrorBody)
}

function problemOf({ code, message }: ErrorBody): Problem {
  if (typeof code !== 'string') return ownProblem('unreadable_answer')
  if (code === 'internal') return new Problem(code, "The server's own log says what.")
  return new Problem(code, typeof message === 'string' ? message : '')
}

export function ownProblem(code: keyof typeof ownCodes): Problem {
  return new Problem(code, ownCodes[code])
}
