import { type Clock, Fault } from '../../../foundation/kernel/index.ts'
import type { RateGrant } from '../store/quotas.ts'

/** The time for which a process may use what it has taken of a rate. */
const quotaLeaseMs = 1_000
/** The shortest time for which a process refuses without asking again. */
const quotaRefusalMs = 100
/** The longest of these times. */
const quotaRefusalMsMax = 5_000

/** Takes from what all processes share: at least so much, or nothing. */
export type TakeShared = (least: number, atMost: number) => Promise<RateGrant>

export type LeaseOptions = {
  readonly clock: Pick<Clock, 'elapsedMs'>
  readonly take: TakeShared
  /** The amount that flows in in a millisecond, and the most that is taken in advance. */
  readonly perMs: number
  readonly chunk: number
  readonly text: string
}

/**
 * The share of one process in a rate that all processes share. It takes a tenth in advance and uses
 * it by itself, so that a message costs no statement; what it has not used after a second is lost.
 * While nothing is left, nobody asks the database.
 */
export class RateLease {
  readonly #options: LeaseOptions
  #left = 0
  #untilMs = 0
  #refusedUntilMs = 0
  #taking: Promise<void> | undefined

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  /** Uses so much. @throws Fault, or rejects with it, if nothing is left. */
  use(amount: number): Promise<void> | undefined {
    const nowMs = this.#options.clock.elapsedMs()
    if (nowMs >= this.#untilMs) this.#left = Math.min(this.#left, 0)
    if (this.#left >= amount) {
      this.#left -= amount
      return undefined
    }
    this.#refuse(nowMs)
    return this.#wait(amount)
  }

  /** Counts what was used already; it may leave a debt. */
  charge(amount: number): void {
    this.#left -= amount
  }

  async #wait(amount: number): Promise<void> {
    while (this.#left < amount) {
      this.#refuse(this.#options.clock.elapsedMs())
      this.#taking ??= this.#take(amount).finally(() => {
        this.#taking = undefined
      })
      await this.#taking
    }
    this.#left -= amount
  }

  #refuse(nowMs: number): void {
    if (nowMs >= this.#refusedUntilMs) return
    const { text } = this.#options
    const retryAfterS = Math.max(1, Math.ceil((this.#refusedUntilMs - nowMs) / msPerSecond))
    throw new Fault('business_rate_exceeded', text, { retryAfterS })
  }

  /** Takes what is needed, with the debt; if there is too little, all wait for it. */
  async #take(amount: number): Promise<void> {
    const { clock, take, perMs, chunk } = this.#options
    const least = amount - this.#left
    const { granted, left } = await take(least, Math.max(least, chunk))
    this.#left += granted
    this.#untilMs = clock.elapsedMs() + quotaLeaseMs
    if (granted > 0) return
    const waitMs = Math.min((least - left) / perMs, quotaRefusalMsMax)
    this.#refusedUntilMs = clock.elapsedMs() + Math.max(waitMs, quotaRefusalMs)
  }
}

const msPerSecond = 1_000
