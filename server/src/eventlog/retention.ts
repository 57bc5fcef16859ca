import type { Database } from '../database/index.ts'
import { type Clock, limits, presentUntil } from '../kernel/index.ts'
import { removeOld } from './store/retention.ts'

export type RetentionOptions = {
  readonly database: Database
  readonly clock: Clock
  /** The names of the consumers that must have passed an entry before it may go. */
  readonly consumers: () => readonly string[]
}

const usPerHour = 3_600_000_000

/** One pass over all partitions. @returns how many entries were removed. */
export async function expire(options: RetentionOptions): Promise<number> {
  const { database, clock } = options
  const consumers = options.consumers()
  if (consumers.length === 0) return 0
  const nowUs = clock.nowUs()
  const beforeUs = nowUs - limits.logRetentionHours * usPerHour
  const untilUs = presentUntil(nowUs)
  const batch = limits.retentionBatchMax
  let removed = 0
  for (let part = 0; part < limits.logPartitions; part += 1) {
    for (;;) {
      const count = await removeOld(database, part, beforeUs, consumers, batch, untilUs)
      removed += count
      if (count < batch) break
    }
  }
  return removed
}
