import { setTimeout as pause } from 'node:timers/promises'
import { limits } from './limits.ts'

/** The wall clock as an argument, so that tests can stand on both sides of every boundary. */
export type Clock = {
  /**
   * Microseconds since 1970, each of them once in a process. They increase, unless the wall clock
   * is set back by more than `limits.clockLeadMsMax`: then they go on from the wall clock. So they
   * stamp, and do not order: the order is that of positions in the log.
   */
  nowUs(): number
  /** Milliseconds since 1970: the wall clock as it is. */
  nowMs(): number
  /** Milliseconds that only move forward, whatever is done to the clock: for durations. */
  elapsedMs(): number
}

const usPerMs = 1000
const leadUsMax = limits.clockLeadMsMax * usPerMs

/**
 * The machine's clock, or another source of milliseconds since 1970. The machine's has microseconds
 * below the millisecond: a clock that is set back gives the same milliseconds once more, and what
 * they stamped before must not be stamped alike.
 */
export function systemClock(source?: () => number): Clock {
  const wallMs = source ?? (() => Date.now())
  const belowMs = source === undefined ? belowMillisecond : () => 0
  let last = 0
  return {
    nowUs() {
      const now = wallMs() * usPerMs + belowMs()
      last = now > last || last - now >= leadUsMax ? now : last + 1
      return last
    },
    nowMs: wallMs,
    elapsedMs,
  }
}

/** Microseconds, 0 to 999, of a clock that nobody sets. */
function belowMillisecond(): number {
  return Math.floor((performance.now() * usPerMs) % usPerMs)
}

/**
 * The last microsecond that does not count as the future: a stored stamp after it was made by a
 * clock that ran ahead, so its true time is unknown.
 */
export function presentUntil(nowUs: number): number {
  return nowUs + leadUsMax
}

/** Milliseconds that only move forward, whatever happens to the clock: for how long things take. */
export function elapsedMs(): number {
  return performance.now()
}

/** Resolves after so many milliseconds, or at once when the signal is aborted. */
export async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {})
}

/** Milliseconds of CPU that the calling thread has used, system calls included. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / usPerMs
}

/** Seconds are below this until the year 5138, microseconds above the next one since 1973. */
const secondsBelow = 1e11
const usFrom = 1e14

/** Returns the unit of a time since 1970 by its size. */
export function unitOfStamp(value: number): 'seconds' | 'milliseconds' | 'microseconds' {
  if (value < secondsBelow) return 'seconds'
  return value < usFrom ? 'milliseconds' : 'microseconds'
}

type StampUnit = ReturnType<typeof unitOfStamp>

/**
 * The end of a sentence that refuses a time for its unit; undefined for one in the unit that is
 * wanted, and for 0, which is the beginning in every unit.
 */
export function refuseUnit(time: number, wanted: StampUnit = 'microseconds'): string | undefined {
  const unit = unitOfStamp(time)
  if (time === 0 || unit === wanted) return undefined
  return `must be in ${wanted} since 1970: by its size ${time} is in ${unit}`
}
