import { presentUntil } from '../../../foundation/kernel/index.ts'
import type { Stamps, StateReading } from './read.ts'

const usPerSecond = 1_000_000
/** A client adds a second to a `Last-Modified`, which has no fractions. */
const memoryUs = 2 * usPerSecond

/**
 * Returns true if a reading has a value that is new to a client that has those before `sinceUs`. A
 * value that changed since the first read of the poll is newer, whatever it is stamped with. A
 * client that remembers a time of a clock that ran ahead, or back, gets what was written since: a
 * value that had such a stamp and has another one.
 */
export function isNewer(
  reading: StateReading,
  first: StateReading,
  sinceUs: number,
  nowUs: number,
): boolean {
  const knowsThese = sinceUs <= knownUntil(findNewestUs(reading, nowUs))
  return reading.stamps.some(
    (stamps, place) =>
      stamps.at >= sinceUs ||
      stamps.at !== first.stamps[place]?.at ||
      (!knowsThese && isRemembered(stamps, sinceUs, nowUs)),
  )
}

/** The time that a client sends after it got these values: a second after the whole second. */
function knownUntil(newestUs: number): number {
  return (Math.floor(newestUs / usPerSecond) + 1) * usPerSecond
}

function isRemembered({ aheadAt }: Stamps, sinceUs: number, nowUs: number): boolean {
  if (aheadAt === null) return false
  const at = Math.abs(aheadAt)
  if (sinceUs > at + memoryUs || (aheadAt < 0 && sinceUs > at)) return false
  return sinceUs > presentUntil(nowUs) || sinceUs >= at - memoryUs
}

/** Returns true if a value is stamped with a time in the future. */
export function isAhead(reading: StateReading, nowUs: number): boolean {
  return reading.stamps.some(({ at }) => at > presentUntil(nowUs))
}

/** Microseconds of the newest of the values, for `Last-Modified`; never of the future. */
export function findNewestUs({ stamps }: StateReading, nowUs: number): number {
  return Math.min(nowUs, Math.max(0, ...stamps.map(({ at }) => at)))
}
