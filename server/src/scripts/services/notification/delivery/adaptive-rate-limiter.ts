import { limits } from '../../../../foundation/kernel/index.ts'
import { notificationLimits } from '../limits.ts'
import type { DeliveryOutcome } from '../sending/channel.ts'

const usPerMs = 1_000
const usPerSecond = 1_000_000

export type Pause = { readonly untilUs: number; readonly reason: string | undefined }

/**
 * The pace at which a queue may go. A provider that wants less makes it pause; after a pause one
 * job goes first, and each that is answered well lets one more be under way, so that a provider
 * that is still busy is not asked by hundreds. Beside that stands the rate of the configuration.
 */
export class AdaptiveRateLimiter {
  #pause: Pause = { untilUs: 0, reason: undefined }
  #window: number = limits.notificationRunsOfQueueMax
  /** Pauses since the last good answer. */
  #pauses = 0
  /** Addresses to be retried, since the last good answer. */
  readonly #failing = new Set<string>()
  #tokens = 1
  #refilledAtUs = 0

  get pause(): Pause {
    return this.#pause
  }

  /** Takes over a stored pause. */
  restore(pause: Pause): void {
    this.#pause = pause
    if (pause.untilUs > 0) this.#window = 1
  }

  /** Starts again for another configuration. */
  reset(): void {
    this.restore({ untilUs: 0, reason: undefined })
    this.#window = limits.notificationRunsOfQueueMax
    this.#pauses = 0
    this.#failing.clear()
  }

  /** Returns how many jobs may begin now, beside those in flight. */
  allowed(underWay: number, rate: number | undefined, nowUs: number): number {
    if (nowUs < this.#pause.untilUs) return 0
    const room = Math.max(0, this.#window - underWay)
    if (rate === undefined) return room
    this.#refill(rate, nowUs)
    return this.#tokens < minTokens(rate) ? 0 : Math.min(room, Math.floor(this.#tokens))
  }

  markBegun(count: number): void {
    this.#tokens -= count
  }

  /** Returns when the next job may begin, if only time prevents it now. */
  nextUs(rate: number | undefined, nowUs: number): number {
    if (nowUs < this.#pause.untilUs) return this.#pause.untilUs
    if (rate === undefined) return nowUs
    this.#refill(rate, nowUs)
    const missing = minTokens(rate) - this.#tokens
    if (missing <= 0) return nowUs
    return nowUs + Math.ceil((missing / rate) * usPerSecond)
  }

  /**
   * Adapts to an outcome. A single address makes no pause. `busy`: many different ones are busy.
   * @returns whether the pause has changed
   */
  record(outcome: DeliveryOutcome, address: string, busy: boolean, nowUs: number): boolean {
    if (outcome.kind !== 'retry') {
      this.#pauses = 0
      this.#failing.clear()
      this.#window = Math.min(this.#window + 1, limits.notificationRunsOfQueueMax)
      return false
    }
    this.#failing.add(address)
    const { slow, afterMs, reason } = outcome
    const many = busy || this.#failing.size >= notificationLimits.notificationFailuresMax
    return slow === true || many ? this.#startPause(reason, afterMs, nowUs) : false
  }

  /** Starts a pause. Jobs in flight at its start have the same answer, and do not extend it. */
  #startPause(reason: string, afterMs: number | undefined, nowUs: number): boolean {
    const { notificationRetryMs, notificationRetryMsMax } = notificationLimits
    const paused = nowUs < this.#pause.untilUs
    if (paused && afterMs === undefined) return false
    const backOff = Math.min(notificationRetryMsMax, notificationRetryMs * 2 ** this.#pauses)
    if (!paused) this.#pauses += 1
    this.#failing.clear()
    this.#window = 1
    const untilUs = nowUs + Math.round((afterMs ?? backOff) * usPerMs)
    // Hundreds may have been in flight, with the same answer a moment later each.
    const longer = paused ? notificationRetryMs * usPerMs : 0
    if (untilUs <= this.#pause.untilUs + longer) return false
    this.#pause = { untilUs, reason }
    return true
  }

  /** Adds the tokens of the time since the last call, up to the burst. */
  #refill(rate: number, nowUs: number): void {
    const most = Math.max(1, computeBurst(rate))
    const more = (Math.max(0, nowUs - this.#refilledAtUs) / usPerSecond) * rate
    this.#tokens = Math.min(most, this.#tokens + more)
    this.#refilledAtUs = nowUs
  }
}

function computeBurst(rate: number): number {
  return (rate * notificationLimits.notificationRateBurstMs) / 1_000
}

/** The least number of tokens to begin with, so that jobs begin in batches. */
function minTokens(rate: number): number {
  return Math.max(1, computeBurst(rate) / 2)
}
