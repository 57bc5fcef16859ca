import type { Database } from '../../foundation/database/index.ts'
import { limits } from '../../foundation/kernel/index.ts'
import { assetLimits } from './limits.ts'
import type { AssetsOptions } from './options.ts'
import { dropClearedBefore } from './store/conditions.ts'
import {
  addPartition,
  dropDefaultBefore,
  dropEventsBefore,
  dropPartition,
  dropValues,
  forgetRemoved,
  holdPartitioning,
  partitionWeeks,
  removedBefore,
  toWeek,
} from './store/retention.ts'

const lockNotAvailable = '55P03'
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
  const first = toWeek(nowUs)
  const there = new Set(await partitionWeeks(database))
  for (let week = first; week <= first + assetLimits.valueWeeksAhead; week += 1) {
    if (there.has(week)) continue
    await database.transaction(async (transaction) => {
      await holdPartitioning(transaction)
      const made = await partitionWeeks(transaction)
      if (!made.includes(week)) await addPartition(transaction, week)
    })
  }
}

/**
 * Whole weeks only, each in a transaction of its own; what lies outside the partitions is removed
 * by time. A week that is in use for too long stays until the next time.
 */
export async function dropValuesBefore(
  database: Database,
  us: number,
): Promise<{ weeks: number; rows: number }> {
  let weeks = 0
  for (const week of await partitionWeeks(database)) {
    if (week < toWeek(us) && (await dropWeek(database, week))) weeks += 1
  }
  const rows = await untilFew((rowsMax) => dropDefaultBefore(database, us, rowsMax))
  return { weeks, rows }
}

/** @returns false if another process dropped it, or it is in use. */
async function dropWeek(database: Database, week: number): Promise<boolean> {
  try {
    return await database.transaction(async (transaction) => {
      await holdPartitioning(transaction)
      if (!(await partitionWeeks(transaction)).includes(week)) return false
      await dropPartition(transaction, week)
      return true
    })
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return false
    throw error
  }
}

/**
 * Values of removed signals. Signals that were removed just now are left for the next time: a batch
 * that is under way may still write some.
 */
async function sweepRemoved(database: Database, before: number): Promise<void> {
  for (;;) {
    const keys = await removedBefore(database, before, limits.pageMax)
    if (keys.length === 0) return
    for (const key of keys) await untilFew((rowsMax) => dropValues(database, key, rowsMax))
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
