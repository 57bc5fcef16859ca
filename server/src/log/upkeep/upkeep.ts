import type { Database } from '../../foundation/database/index.ts'
import { type Clock, type Logger, limits } from '../../foundation/kernel/index.ts'
import { upkeepLimits } from './limits.ts'
import { createRetention, type Retention } from './retention.ts'
import { readRun, writeRun } from './store.ts'

/*
 * Old data are removed by the wall clock, and a machine may start with one that is years ahead. The
 * platform has no other source of the time. But it removes old data every few minutes and keeps
 * when that was: if a clock is days later now, it was set, or nothing ran for days. Then nothing is
 * removed until one process has run for `limits.upkeepSettleHours` with a clock that was not set
 * again, or an operator has confirmed the time. A clock that is earlier than the last time removes
 * less than it might, so it is believed at once, and the next jump is measured from there.
 */

export type Upkeep = {
  /** Returns whether the clock is trusted; if so, stores the time as that of the last removal. */
  mayRemove(): Promise<boolean>
  /** Takes the time of now as right. @returns it, in microseconds. */
  confirm(): Promise<number>
  /** The periods for which data are kept. */
  readonly retention: Retention
}

type UpkeepOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

/** Both clocks at the moment from which the time has to stay as it is. */
type Settling = { readonly wallMs: number; readonly elapsedMs: number }

const msPerHour = 3_600_000
const usPerHour = msPerHour * 1_000

export function createUpkeep({ database, clock, logger }: UpkeepOptions): Upkeep {
  let settling: Settling | undefined

  /** True once the clock has been stable for long enough. */
  function hasSettled(lastUs: number): boolean {
    const now = { wallMs: clock.nowMs(), elapsedMs: clock.elapsedMs() }
    if (settling === undefined || wasSet(settling, now)) {
      settling = now
      warn(logger, now.wallMs, lastUs)
    }
    return now.elapsedMs - settling.elapsedMs >= limits.upkeepSettleHours * msPerHour
  }

  return {
    retention: createRetention({ database }),
    async mayRemove() {
      const nowUs = clock.nowUs()
      const lastUs = await readRun(database)
      const isNear = lastUs === undefined || nowUs - lastUs <= limits.upkeepGapHoursMax * usPerHour
      if (!isNear && !hasSettled(lastUs)) return false
      settling = undefined
      await writeRun(database, nowUs)
      return true
    },
    async confirm() {
      const nowUs = clock.nowUs()
      await writeRun(database, nowUs)
      return nowUs
    },
  }
}

function wasSet(from: Settling, to: Settling): boolean {
  const offMs = to.wallMs - from.wallMs - (to.elapsedMs - from.elapsedMs)
  return Math.abs(offMs) > upkeepLimits.upkeepDriftMsMax
}

function warn(logger: Logger, wallMs: number, lastUs: number): void {
  const times = { now: formatTime(wallMs), last: formatTime(lastUs / 1_000) }
  logger.warn(
    times,
    `the clock is days later than when old data were last removed; none are removed until it has ` +
      `been stable for ${limits.upkeepSettleHours} hours. If the time is right, run: ` +
      'millrace upkeep confirm',
  )
}

/** A wrong clock may be past what a date can express. */
function formatTime(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.valueOf()) ? `${ms} ms` : date.toISOString()
}
