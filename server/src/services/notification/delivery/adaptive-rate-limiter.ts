import { limits } from '../../../kernel/index.ts'
import type { Outcome } from '../sending/channel.ts'

const usPerMs = 1_000
const usPerSecond = 1_000_000

export type Pause = { readonly untilUs: number; readonly reason: string | undefined }

/**
 * How fast a lane may go. A provider that wants less makes it pause; after a pause one job goes
 * first, and each that is answered well lets one more be under way, so that a provider that is
 * still busy is not asked by hundreds. Beside that stands the rate of the configuration.
 */
export class AdaptiveRateLimiter {
  #pause: Pause = { untilUs: 0, reason: undefined }
  #window: number = limits.notificationRunsOfLaneMax
  /** Since the last good answer. */
  #pauses = 0
  /** The addresses that were told to come again, since the last good answer. */
  readonly #failing = new Set<string>()
  #tokens = 1
  #filledUs = 0

  get pause(): Pause {
    return this.#pause
  }

  /** What is known from before. */
  restore(pause: Pause): void {
    this.#pause = pause
    if (pause.untilUs > 0) this.#window = 1
  }

  /** Another configuration: what its predecessor was told does not count. */
  reset(): void {
    this.restore({ untilUs: 0, reason: undefined })
    this.#window = limits.notificationRunsOfLaneMax
    this.#pauses = 0
    this.#failing.clear()
  }

  /** How many may begin now, beside those under way. */
  allowed(underWay: number, rate: number | undefined, nowUs: number): number {
    if (nowUs < this.#pause.untilUs) return 0
    const room = Math.max(0, this.#window - underWay)
    if (rate === undefined) return room
    this.#fill(rate, nowUs)
    return this.#tokens < worthWhile(rate) ? 0 : Math.min(room, Math.floor(this.#tokens))
  }

  begun(count: number): void {
    this.#tokens -= count
  }

  /** When something may begin that may not now, where time alone decides. */
  nextUs(rate: number | undefined, nowUs: number): number {
    if (nowUs < this.#pause.untilUs) return this.#pause.untilUs
    if (rate === undefined) return nowUs
    this.#fill(rate, nowUs)
    const missing = worthWhile(rate) - this.#tokens
    if (missing <= 0) return nowUs
    return nowUs + Math.ceil((missing / rate) * usPerSecond)
  }

  /**
   * One address alone makes no pause. `busy`: many different ones take no more for now.
   * @returns whether the pause is another one now.
   */
  heard(outcome: Outcome, address: string, busy: boolean, nowUs: number): boolean {
    if (outcome.kind !== 'retry') {
      this.#pauses = 0
      this.#failing.clear()
      this.#window = Math.min(this.#window + 1, limits.notificationRunsOfLaneMax)
      return false
    }
    this.#failing.add(address)
    const { slow, afterMs, reason } = outcome
    const many = busy || this.#failing.size >= limits.notificationFailuresMax
    return slow === true || many ? this.#wait(reason, afterMs, nowUs) : false
  }

  /** What was under way when a pause began says the same again: that makes it no longer. */
  #wait(reason: string, afterMs: number | undefined, nowUs: number): boolean {
    const { notificationAgainMs, notificationAgainMsMax } = limits
    const paused = nowUs < this.#pause.untilUs
    if (paused && afterMs === undefined) return false
    const backOff = Math.min(notificationAgainMsMax, notificationAgainMs * 2 ** this.#pauses)
    if (!paused) this.#pauses += 1
    this.#failing.clear()
    this.#window = 1
    const untilUs = nowUs + Math.round((afterMs ?? backOff) * usPerMs)
    // Hundreds may have been under way, and say the same a moment later each.
    const longer = paused ? notificationAgainMs * usPerMs : 0
    if (untilUs <= this.#pause.untilUs + longer) return false
    this.#pause = { untilUs, reason }
    return true
  }

  /** A rest does not save up more than a moment's worth. */
  #fill(rate: number, nowUs: number): void {
    const most = Math.max(1, burstOf(rate))
    const more = (Math.max(0, nowUs - this.#filledUs) / usPerSecond) * rate
    this.#tokens = Math.min(most, this.#tokens + more)
    this.#filledUs = nowUs
  }
}

function burstOf(rate: number): number {
  return (rate * limits.notificationRateBurstMs) / 1_000
}

/** So that what may begin is not begun one by one. */
function worthWhile(rate: number): number {
  return Math.max(1, burstOf(rate) / 2)
}
