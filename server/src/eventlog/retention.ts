import type { Database } from '../database/index.ts'
import { type Clock, limits, presentUntil } from '../kernel/index.ts'
import type { LogStore } from './log-store/log-store.ts'
import { readLowestPosition } from './store/cursors.ts'

export type RetentionOptions = {
  readonly database: Database
  readonly store: Pick<LogStore, 'trim'>
  readonly clock: Clock
  /** The names of the consumers that must have passed an entry before it may go. */
  readonly consumers: () => readonly string[]
}

const usPerHour = 3_600_000_000

/** One pass over all partitions. @returns how many entries were removed. */
export async function expire(options: RetentionOptions): Promise<number> {
  const { database, store, clock } = options
  const consumers = options.consumers()
  if (consumers.length === 0) return 0
  const nowUs = clock.nowUs()
  const beforeUs = nowUs - limits.logRetentionHours * usPerHour
  const presentUntilUs = presentUntil(nowUs)
  const count = limits.retentionBatchMax
  let removed = 0
  for (let part = 0; part < limits.logPartitions; part += 1) {
    // Cursors only move on, so what all have passed now stays passed.
    const upTo = await readLowestPosition(database, part, consumers)
    for (;;) {
      const trimmed = await store.trim(part, { upTo, beforeUs, presentUntilUs, count })
      removed += trimmed
      if (trimmed < count) break
    }
  }
  return removed
}
