import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '@millrace/client'

export type RetryOptions = {
  readonly signal: AbortSignal
  /** Called before a request is repeated. */
  readonly waits: (sentence: string) => void
}

const triesMax = 8
/** The wait doubles with each try, unless the instance asks for a longer one. */
const waitMsMin = 1_000
const waitMsMax = 60_000

/** Codes of a connection that broke, of an instance that restarts, or of a proxy in front of it. */
const lost: readonly string[] = ['unreachable', 'timeout', 'not_an_api']

/** Repeats requests for which an instance has no time; only those that may be sent twice. */
export class Retry {
  readonly #options: RetryOptions
  #hasAnswered = false

  constructor(options: RetryOptions) {
    this.#options = options
  }

  /** @throws ApiError if the request is refused, or still not answered after some minutes. */
  async run<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const { signal, waits } = this.#options
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await ask()
        this.#hasAnswered = true
        return answer
      } catch (error) {
        signal.throwIfAborted()
        if (tries === triesMax || !this.#mayPass(error)) throw error
        const wantedMs = Math.max((error.retryAfterS ?? 0) * 1_000, waitMsMin * 2 ** (tries - 1))
        const ms = Math.min(wantedMs, waitMsMax)
        waits(`${error.message.replace(/\.$/, '')}; trying again in ${Math.ceil(ms / 1_000)} s`)
        await pause(ms, undefined, { signal })
      }
    }
  }

  /** An address that has never answered may be wrong: it is not asked again. */
  #mayPass(error: unknown): error is ApiError {
    if (!(error instanceof ApiError)) return false
    const { code, status } = error
    if (lost.includes(code)) return this.#hasAnswered && (status === 0 || status > 500)
    this.#hasAnswered = true
    return status === 429 || status === 503
  }
}
