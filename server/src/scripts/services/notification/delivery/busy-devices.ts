import { createHash } from 'node:crypto'
import { notificationLimits } from '../limits.ts'

const usPerMs = 1_000

type Busy = {
  /** No attempt for the device begins before. Microseconds. */
  untilUs: number
  /** Waits in a row. */
  waits: number
  /** An attempt is in flight again. */
  retrying: boolean
}

type Answer = { readonly busy: boolean; readonly atUs: number }

/**
 * The devices of a queue that take no more for a while. A device over its rate waits by itself; the
 * queue has to slow down if many different devices are busy within a short time. It lives as long
 * as its process: a job keeps its own time in the database.
 */
export class BusyDevices {
  /** By address, in order of the latest busy answer. */
  readonly #busy = new Map<string, Busy>()
  /** The latest answers of different devices, in order of time. */
  readonly #latestAnswers = new Map<string, Answer>()

  reset(): void {
    this.#busy.clear()
    this.#latestAnswers.clear()
  }

  /** Returns until when a device waits, undefined if something may be sent to it. */
  waitUntilUs(address: string, nowUs: number): number | undefined {
    if (this.#busy.size === 0) return undefined
    const busy = this.#busy.get(addressKey(address))
    if (busy === undefined || nowUs >= busy.untilUs) return undefined
    // The answer that is waited for may free it.
    const soonUs = nowUs + notificationLimits.notificationRetryMs * usPerMs
    return busy.retrying ? Math.min(busy.untilUs, soonUs) : busy.untilUs
  }

  /** While one attempt to a busy device is in flight, its other jobs wait. */
  begin(address: string, nowUs: number): void {
    if (this.#busy.size === 0) return
    const busy = this.#busy.get(addressKey(address))
    if (busy === undefined) return
    busy.retrying = true
    busy.untilUs = nowUs + notificationLimits.notificationAttemptMsMax * usPerMs
  }

  /** Records an answer by which the device is not busy. */
  markFree(address: string, nowUs: number): void {
    const key = addressKey(address)
    this.#busy.delete(key)
    this.#addAnswer(key, { busy: false, atUs: nowUs })
  }

  /**
   * Records a busy answer. The wait doubles, and is never less than the provider asks for. If
   * attempts were in flight together, the first one begins it; the others may extend it.
   * @returns until when the device waits, and whether it was free before.
   */
  markBusy(address: string, afterMs: number, nowUs: number): { untilUs: number; turned: boolean } {
    const key = addressKey(address)
    const known = this.#busy.get(key)
    const together = known !== undefined && !known.retrying && nowUs < known.untilUs
    const waits = (known?.waits ?? 0) + (together ? 0 : 1)
    const { notificationRetryMs, notificationRetryMsMax } = notificationLimits
    const backOffMs = Math.min(notificationRetryMsMax, notificationRetryMs * 2 ** (waits - 1))
    const wantedUs = nowUs + Math.round(Math.max(afterMs, together ? 0 : backOffMs) * usPerMs)
    const untilUs = together ? Math.max(known.untilUs, wantedUs) : wantedUs
    this.#busy.delete(key)
    this.#busy.set(key, { untilUs, waits, retrying: false })
    dropOldest(this.#busy, notificationLimits.notificationBusyDevicesMax)
    this.#addAnswer(key, { busy: true, atUs: nowUs })
    return { untilUs, turned: known === undefined }
  }

  /** Returns whether so many different devices are busy that it is the provider that is. */
  areMany(nowUs: number): boolean {
    const sinceUs = nowUs - notificationLimits.notificationBusyWindowMs * usPerMs
    const latest = [...this.#latestAnswers.values()].filter(({ atUs }) => atUs >= sinceUs)
    const busy = latest.filter((one) => one.busy).length
    const { notificationBusyDevicesMin, notificationBusyPercentMax } = notificationLimits
    if (busy < notificationBusyDevicesMin) return false
    return busy * 100 > latest.length * notificationBusyPercentMax
  }

  #addAnswer(key: string, latest: Answer): void {
    this.#latestAnswers.delete(key)
    this.#latestAnswers.set(key, latest)
    dropOldest(this.#latestAnswers, notificationLimits.notificationAnswersMax)
  }
}

/** An address may have thousands of characters. */
function addressKey(address: string): string {
  return createHash('sha256').update(address).digest('base64url')
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
