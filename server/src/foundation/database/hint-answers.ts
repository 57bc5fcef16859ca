import { setTimeout as delay } from 'node:timers/promises'
import { elapsedMs, limits, newId, pauseUnlessAborted, systemRandom } from '../kernel/index.ts'
import type { Queryable } from './statement.ts'

/** The interval at which a request checks whether all processes have answered. */
const hintAnswerPollMs = 10

/** The prefix of the name of connections that listen for hints, in the list of the server. */
const prefix = 'millrace '

export function listenerName(process: string): string {
  return `${prefix}${process}`
}

export type AnswersOptions = Pick<Queryable, 'rows'> & { readonly process: string }

/** The processes that have answered a question to all. */
export class HintAnswers {
  readonly #options: AnswersOptions
  readonly #asked = new Map<string, Set<string>>()

  constructor(options: AnswersOptions) {
    this.#options = options
  }

  /** Records the answer of a process; that of this process is its own question. */
  take(question: string, process: string): void {
    this.#asked.get(question)?.add(process)
  }

  /**
   * Sends a question, and waits until every process that listens has answered; at most
   * `limits.hintReachMs`, and that long if this process does not receive its own question.
   */
  async wait(ask: (question: string) => Promise<void>): Promise<void> {
    const question = newId(systemRandom)
    const answered = new Set<string>()
    this.#asked.set(question, answered)
    const deadline = elapsedMs() + limits.hintReachMs
    const over = new AbortController()
    try {
      const late = pauseUnlessAborted(limits.hintReachMs, over.signal)
      await Promise.race([ask(question), late])
      while (elapsedMs() < deadline && !(await this.#complete(answered))) {
        await delay(hintAnswerPollMs)
      }
    } finally {
      over.abort()
      this.#asked.delete(question)
    }
  }

  /** Does not wait for processes that have gone meanwhile. */
  async #complete(answered: ReadonlySet<string>): Promise<boolean> {
    const { rows, process } = this.#options
    if (!answered.has(process)) return false
    try {
      const listening = await rows<{ name: string }>(
        `select application_name as name from pg_stat_activity
         where datname = current_database() and starts_with(application_name, $1)`,
        [prefix],
      )
      return listening.every(({ name }) => answered.has(name.slice(prefix.length)))
    } catch {
      return false
    }
  }
}
