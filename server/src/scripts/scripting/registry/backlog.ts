import type { Database } from '../../../foundation/database/index.ts'
import type { EventLog } from '../../../log/eventlog/index.ts'
import type { Behind } from '../schema.ts'
import { readLeft } from '../store/solution-cursors.ts'

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
