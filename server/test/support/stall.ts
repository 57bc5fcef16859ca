import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/database/index.ts'
import { waitMsMax } from './bounds.ts'

/** Nothing can be appended to the log until this is let go. */
export type Stall = {
  /** Resolves when an append waits. */
  waitedFor(): Promise<void>
  release(): Promise<void>
}

const pollMs = 5
const pollsMax = waitMsMax / pollMs

/** Takes the locks that every append needs, as a database that hangs. */
export async function stallLog(database: Database): Promise<Stall> {
  const held = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const holding = database.transaction(async (transaction) => {
    await transaction.rows('select part from eventlog_partition for update')
    held.resolve()
    await over.promise
  })
  await held.promise
  return {
    waitedFor: () => untilOneWaits(database),
    async release() {
      over.resolve()
      await holding
    },
  }
}

/** Until somebody waits for a lock. */
export async function untilOneWaits(database: Database): Promise<void> {
  for (let polls = 0; polls < pollsMax; polls += 1) {
    const row = await database.one<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if ((row?.waiting ?? 0) > 0) return
    await pause(pollMs)
  }
  throw new Error('nobody waits for a lock')
}
