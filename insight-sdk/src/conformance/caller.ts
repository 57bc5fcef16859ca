/** A module's answer; `json` is undefined if the body is not JSON. */
export type Answer = {
  readonly status: number
  readonly contentType: string
  readonly json: unknown
  /** Why there is no answer at all. */
  readonly unreachable?: string
}

export type Caller = {
  get(path: string): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
}

/** Calls one module. A call that fails is an answer too, so that the checks can go on. */
export function makeCaller(
  baseUrl: string,
  headers: { readonly [name: string]: string },
  msMax: number,
): Caller {
  const base = baseUrl.replace(/\/+$/, '')
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const signal = AbortSignal.timeout(msMax)
    try {
      const response = await fetch(base + path, { ...init, signal, redirect: 'manual' })
      const contentType = response.headers.get('content-type') ?? ''
      return { status: response.status, contentType, json: parse(await response.text()) }
    } catch (thrown) {
      return { status: 0, contentType: '', json: undefined, unreachable: toReason(thrown) }
    }
  }
  return {
    get: (path) => call(path, { headers }),
    post: (path, body) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  }
}

/** Why an answer is not a success with JSON in it, or undefined if it is one. */
export function faultOfSuccess(answer: Answer): string | undefined {
  if (answer.unreachable !== undefined) return answer.unreachable
  if (answer.status !== 200) return `answered ${answer.status}, not 200`
  if (!/^application\/json\b/i.test(answer.contentType)) {
    return `content type is ${JSON.stringify(answer.contentType)}, not application/json`
  }
  return answer.json === undefined ? 'the body is not JSON' : undefined
}

/** Why an answer is not a failure with an ErrorResponse in it, or undefined if it is one. */
export function faultOfFailure(answer: Answer): string | undefined {
  if (answer.unreachable !== undefined) return answer.unreachable
  if (answer.status < 400) return `answered ${answer.status}, not a failure`
  const { message, status, name } = { ...(answer.json as object | undefined) } as {
    readonly [field: string]: unknown
  }
  const isErrorResponse =
    typeof message === 'string' && typeof status === 'number' && typeof name === 'string'
  return isErrorResponse ? undefined : 'the body is not {message, status, name}'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toReason(thrown: unknown): string {
  const { message, cause } = thrown instanceof Error ? thrown : new Error(String(thrown))
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
