import type { Database } from '../../foundation/database/index.ts'
import { type Clock, limits, presentUntil } from '../../foundation/kernel/index.ts'
import type { LogStore } from './log-store/log-store.ts'
import { readLowestPosition } from './store/cursors.ts'

export type RetentionOptions = {
  readonly database: Database
  readonly store: Pick<LogStore, 'trim' | 'partitionCount'>
  readonly clock: Clock
  /** The names of the consumers that must have passed an entry before it may go. */
  readonly consumers: () => readonly string[]
  /** Each returns the last number of a partition that may go, if it needs the entries after it. */
  readonly lowestPositions: readonly ((part: number) => Promise<number | undefined>)[]
}

const usPerHour = 3_600_000_000

/**
 * Runs a pass over all partitions, of entries of so many hours.
 * @returns how many were removed.
 */
export async function expire(options: RetentionOptions, hours: number): Promise<number> {
  const { database, store, clock, lowestPositions } = options
  const consumers = options.consumers()
  if (consumers.length === 0) return 0
  const nowUs = clock.nowUs()
  const beforeUs = nowUs - hours * usPerHour
  const presentUntilUs = presentUntil(nowUs)
  const count = limits.retentionBatchMax
  let removed = 0
  for (let part = 0; part < store.partitionCount; part += 1) {
    // Cursors only move on, so what all have passed now stays passed.
    let upTo = await readLowestPosition(database, part, consumers)
    // Read after the cursors: who falls behind one of these is there by the time it has moved on.
    for (const lowest of lowestPositions) upTo = Math.min(upTo, (await lowest(part)) ?? upTo)
    for (;;) {
      const trimmed = await store.trim(part, { upTo, beforeUs, presentUntilUs, count })
      removed += trimmed
      if (trimmed < count) break
    }
  }
  return removed
}
