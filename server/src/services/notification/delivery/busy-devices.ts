import { createHash } from 'node:crypto'
import { limits } from '../../../kernel/index.ts'

const usPerMs = 1_000

type Busy = {
  /** Nothing is given to the provider for the device before. Microseconds. */
  untilUs: number
  /** Waits in a row. */
  waits: number
  /** Whether an attempt asks it again. */
  asked: boolean
}

type Latest = { readonly busy: boolean; readonly atUs: number }

/**
 * The devices of a lane that take no more for a while. One device over its rate waits by itself;
 * the lane has to slow down if many different devices are told so within a short time. It lives as
 * long as its process: a job keeps its own time in the database.
 */
export class BusyDevices {
  /** By address; the one that was busy last stands last. */
  readonly #busy = new Map<string, Busy>()
  /** The latest answers of different devices; the newest stands last. */
  readonly #latest = new Map<string, Latest>()

  reset(): void {
    this.#busy.clear()
    this.#latest.clear()
  }

  /** Returns until when a device waits, undefined if something may be sent to it. */
  waitUntilUs(address: string, nowUs: number): number | undefined {
    if (this.#busy.size === 0) return undefined
    const busy = this.#busy.get(keyOf(address))
    if (busy === undefined || nowUs >= busy.untilUs) return undefined
    // The answer that is waited for may free it.
    const soonUs = nowUs + limits.notificationAgainMs * usPerMs
    return busy.asked ? Math.min(busy.untilUs, soonUs) : busy.untilUs
  }

  /** While one attempt asks a busy device again, its others wait. */
  begin(address: string, nowUs: number): void {
    if (this.#busy.size === 0) return
    const busy = this.#busy.get(keyOf(address))
    if (busy === undefined) return
    busy.asked = true
    busy.untilUs = nowUs + limits.notificationTryMsMax * usPerMs
  }

  /** An answer that does not say that the device is busy. */
  free(address: string, nowUs: number): void {
    const key = keyOf(address)
    this.#busy.delete(key)
    this.#keep(key, { busy: false, atUs: nowUs })
  }

  /**
   * The wait doubles, and is never less than the provider asks for. Of attempts that were under way
   * together the first one begins it, and the others may make it longer.
   * @returns until when the device waits, and whether it was free before.
   */
  occupy(address: string, afterMs: number, nowUs: number): { untilUs: number; turned: boolean } {
    const key = keyOf(address)
    const known = this.#busy.get(key)
    const together = known !== undefined && !known.asked && nowUs < known.untilUs
    const waits = (known?.waits ?? 0) + (together ? 0 : 1)
    const { notificationAgainMs, notificationAgainMsMax } = limits
    const backOffMs = Math.min(notificationAgainMsMax, notificationAgainMs * 2 ** (waits - 1))
    const wantedUs = nowUs + Math.round(Math.max(afterMs, together ? 0 : backOffMs) * usPerMs)
    const untilUs = together ? Math.max(known.untilUs, wantedUs) : wantedUs
    this.#busy.delete(key)
    this.#busy.set(key, { untilUs, waits, asked: false })
    dropOldest(this.#busy, limits.notificationBusyKept)
    this.#keep(key, { busy: true, atUs: nowUs })
    return { untilUs, turned: known === undefined }
  }

  /** Returns whether so many different devices are busy that it is the provider that is. */
  areMany(nowUs: number): boolean {
    const sinceUs = nowUs - limits.notificationBusyWindowMs * usPerMs
    const latest = [...this.#latest.values()].filter(({ atUs }) => atUs >= sinceUs)
    const busy = latest.filter((one) => one.busy).length
    const { notificationBusyDevicesMin, notificationBusyPercentMax } = limits
    if (busy < notificationBusyDevicesMin) return false
    return busy * 100 > latest.length * notificationBusyPercentMax
  }

  #keep(key: string, latest: Latest): void {
    this.#latest.delete(key)
    this.#latest.set(key, latest)
    dropOldest(this.#latest, limits.notificationAnswersKept)
  }
}

/** An address may have thousands of characters. */
function keyOf(address: string): string {
  return createHash('sha256').update(address).digest('base64url')
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
