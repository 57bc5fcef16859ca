import { makeAudience } from '../bindings/audience.ts'
import { notificationLimits } from '../limits.ts'
import { countJobs, type NotificationOptions } from '../options.ts'
import { lockBindings } from '../store/bindings.ts'
import { expand, takeExpanding } from '../store/notifications.ts'

/** Queues jobs for those bindings of accepted notifications that `send` has left. */
export class Expander {
  readonly #options: NotificationOptions
  readonly #wake: () => void
  #expanding: Promise<void> | undefined
  #stopped = false

  /** @param wake is called when there are new jobs. */
  constructor(options: NotificationOptions, wake: () => void) {
    this.#options = options
    this.#wake = wake
  }

  /** Expands all that there are, unless it does so already. */
  start(): void {
    this.#expanding ??= this.#expandAll()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#expanding
  }

  async #expandAll(): Promise<void> {
    try {
      while (!this.#stopped && (await this.#expandNext())) this.#wake()
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'notification expansion failed; retrying')
    } finally {
      this.#expanding = undefined
    }
  }

  /** Returns whether there was a notification to expand. */
  #expandNext(): Promise<boolean> {
    const { database, ledger, clock } = this.#options
    return database.transaction(async (transaction) => {
      const next = await takeExpanding(transaction)
      if (next === undefined) return false
      const { solutionId, part } = next
      const audience = makeAudience(solutionId, next)
      const most = notificationLimits.notificationExpandMax
      await lockBindings(transaction, [solutionId])
      const { count } = await expand(transaction, audience, next, clock.nowUs(), most)
      await countJobs(ledger, transaction, part, { taken: count })
      return true
    })
  }
}
