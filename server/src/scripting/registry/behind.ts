import type { Database } from '../../database/index.ts'
import type { EventLog } from '../../eventlog/index.ts'
import { readLeft } from '../store/solution-cursors.ts'

/** The events of the business that wait for a solution which is behind. */
export type Behind = {
  /** Of each partition, those among its next `logRangeCountedMax` entries. */
  readonly pending: number
  /** The time at which the oldest of them was taken, in microseconds. */
  readonly oldestAt: number
}

/** Returns the solutions of a business that are behind, by their ids. */
export type ReadBehind = (businessId: string) => Promise<ReadonlyMap<string, Behind>>

export type BehindOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'countRanges'>
}

/**
 * Counts from the places that the stage `scripts.behind` of the ledger counts from. A partition has
 * entries of several businesses: those of others are neither counted nor shown.
 */
export function createReadBehind({ database, eventlog }: BehindOptions): ReadBehind {
  return async (businessId) => {
    const left = await readLeft(database, businessId)
    if (left.length === 0) return new Map()
    const ranges = left.map(({ solutionId: key, part, after, until }) => ({
      key,
      part,
      after,
      until,
    }))
    const counted = await eventlog.countRanges(businessId, ranges)
    return new Map(counted.map(({ key, count: pending, oldestAt }) => [key, { pending, oldestAt }]))
  }
}
