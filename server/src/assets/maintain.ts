import type { Database } from '../database/index.ts'
import { limits } from '../kernel/index.ts'
import { dropClearedBefore } from './store/conditions.ts'
import {
  addPartition,
  dropDefaultBefore,
  dropEventsBefore,
  dropPartition,
  dropValuesOf,
  forgetRemoved,
  holdPartitioning,
  partitionWeeks,
  removedBefore,
  weekOf,
} from './store/retention.ts'
import type { AssetsOptions } from './types.ts'

const usPerMs = 1_000
const usPerHour = 3_600 * 1_000 * usPerMs

export async function removeOld({ database, clock }: AssetsOptions): Promise<void> {
  const now = clock.nowUs()
  await sweepRemoved(database, now - limits.retentionEveryMs * usPerMs)
  const eventsBefore = now - limits.statusEventHours * usPerHour
  await untilFew((rowsMax) => dropEventsBefore(database, eventsBefore, rowsMax))
  const clearedBefore = now - limits.conditionHours * usPerHour
  await untilFew((rowsMax) => dropClearedBefore(database, clearedBefore, rowsMax))
}

/** Each week in a transaction of its own: a partition is made in the shortest time it can. */
export async function ensurePartitions(database: Database, nowUs: number): Promise<void> {
  const first = weekOf(nowUs)
  const there = new Set(await partitionWeeks(database))
  for (let week = first; week <= first + limits.valueWeeksAhead; week += 1) {
    if (there.has(week)) continue
    await database.transaction(async (transaction) => {
      await holdPartitioning(transaction)
      const made = await partitionWeeks(transaction)
      if (!made.includes(week)) await addPartition(transaction, week)
    })
  }
}

/** Whole weeks only; what lies outside the partitions is removed by time. */
export async function dropValuesBefore(
  database: Database,
  us: number,
): Promise<{ weeks: number; rows: number }> {
  const weeks = await database.transaction(async (transaction) => {
    await holdPartitioning(transaction)
    const old = (await partitionWeeks(transaction)).filter((week) => week < weekOf(us))
    for (const week of old) await dropPartition(transaction, week)
    return old.length
  })
  const rows = await untilFew((rowsMax) => dropDefaultBefore(database, us, rowsMax))
  return { weeks, rows }
}

/**
 * Values of removed signals. Those removed just now are left for the next time: a batch that is
 * under way may still write some.
 */
async function sweepRemoved(database: Database, before: number): Promise<void> {
  for (;;) {
    const keys = await removedBefore(database, before, limits.pageMax)
    if (keys.length === 0) return
    for (const key of keys) await untilFew((rowsMax) => dropValuesOf(database, key, rowsMax))
    await database.transaction((transaction) => forgetRemoved(transaction, keys))
  }
}

/** Runs a removal in steps until one finds little; a step that removes little is the last. */
async function untilFew(remove: (rowsMax: number) => Promise<number>): Promise<number> {
  let rows = 0
  for (;;) {
    const removed = await remove(limits.retentionBatchMax)
    rows += removed
    if (removed <= limits.retentionBatchMax) return rows
  }
}
