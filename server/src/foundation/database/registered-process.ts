import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import {
  elapsedMs,
  Fault,
  type Logger,
  newId,
  PollLoop,
  presentUntil,
  systemRandom,
} from '../kernel/index.ts'
import type { Database } from './open.ts'
import { databaseClock, type Queryable } from './statement.ts'

/**
 * The time for which a process that serves counts as running after it last said so in the database,
 * where others compare their settings with its own. All processes of an instance must agree on it.
 */
const processSeenMs = 6_000
/**
 * The interval at which a process that serves says in the database that it runs. All processes of
 * an instance must agree on it.
 */
const processRenewMs = 2_000
/** The interval at which a start compares its settings again with those of others. */
const processCompareMs = 200

/** A setting that has one value in all processes of an instance. */
export type AgreedSetting = {
  readonly name: string
  /** Stored in the database, where every process reads it; a check value for what is secret. */
  readonly value: string
  /** True if the value may be shown to the operator. */
  readonly shown: boolean
  /** The action of the operator if others have another value. */
  readonly remedy: string
}

export type RegisterOptions = {
  readonly database: Database
  readonly logger: Logger
  readonly settings: readonly AgreedSetting[]
}

const usPerMs = 1_000

/**
 * Records this process among those that serve from the database, until `close`. The row is renewed
 * every `processRenewMs`; that of a process that was killed counts for `processSeenMs`, and a start
 * that it contradicts waits for that long.
 * @throws Fault settings_differ, with a sentence, if processes that run have another value.
 */
export async function registerProcess(
  options: RegisterOptions,
): Promise<{ close(): Promise<void> }> {
  const { database, logger, settings } = options
  const id = newId(systemRandom)
  const values = Object.fromEntries(settings.map(({ name, value }) => [name, value]))
  const row = { id, name: `process ${process.pid} on ${hostname()}`, values }
  // The embedded engine has one process: rows are of earlier ones.
  const old = database.engine === 'embedded' ? 'true' : `seen_until < ${databaseClock} - 3600000000`
  await database.run(`delete from database_process where ${old}`)
  await agree(database, settings, row)
  const renewing = new PollLoop({
    look: () => write(database, row),
    failed: (error) => logger.warn({ err: error }, 'failed to record that this process runs'),
    pollMs: processRenewMs,
    pauseMs: 0,
  })
  renewing.startLater()
  return {
    async close() {
      await renewing.stop()
      await database.run('delete from database_process where id = $1', [id]).catch((error) => {
        logger.warn({ err: error }, 'failed to record that this process ended; its row expires')
      })
    },
  }
}

type Row = {
  readonly id: string
  readonly name: string
  readonly values: Readonly<Record<string, string>>
}

/** Writes the row once no process that runs contradicts it. */
async function agree(
  database: Database,
  settings: readonly AgreedSetting[],
  row: Row,
): Promise<void> {
  const sinceMs = elapsedMs()
  for (;;) {
    const difference = await database.transaction(async (transaction) => {
      // If two start together, the second one reads what the first has written.
      await transaction.run('select id from database_lock where id = 1 for update')
      const found = findDifference(settings, await readOthers(transaction, row.id))
      if (found === undefined) await write(transaction, row)
      return found
    })
    if (difference === undefined) return
    // Rows of processes that were killed have run out by then.
    if (elapsedMs() - sinceMs > processSeenMs + processCompareMs) {
      throw new Fault('settings_differ', difference)
    }
    await pause(processCompareMs)
  }
}

type Others = readonly Row['values'][]

async function readOthers(queryable: Queryable, id: string): Promise<Others> {
  const rows = await queryable.rows<{ settings: Row['values'] }>(
    `select settings from database_process
     where id <> $1 and seen_until between ${databaseClock} and ${databaseClock} + $2::bigint`,
    [id, presentUntil(processSeenMs * usPerMs)],
  )
  return rows.map(({ settings }) => settings)
}

async function write(queryable: Queryable, { id, name, values }: Row): Promise<void> {
  await queryable.run(
    `insert into database_process (id, name, settings, seen_until)
     values ($1, $2, $3, ${databaseClock} + $4::bigint)
     on conflict (id) do update set seen_until = excluded.seen_until`,
    [id, name, JSON.stringify(values), processSeenMs * usPerMs],
  )
}

/** A setting that a process of another version does not record is not compared. */
function findDifference(settings: readonly AgreedSetting[], rows: Others): string | undefined {
  for (const { name, value, shown, remedy } of settings) {
    const those = rows.map((values) => values[name]).filter((one) => one !== undefined)
    const different = those.filter((one) => one !== value)
    if (different.length === 0) continue
    const running = different.length === 1 ? 'running process' : 'running processes'
    const others = `${different.length} other ${running} of this instance`
    const there = [...new Set(different)].map((one) => JSON.stringify(one)).join(' and ')
    return shown
      ? `${name} is ${JSON.stringify(value)} here, and ${there} in ${others}. ${remedy}`
      : `${name} is not here what it is in ${others}. ${remedy}`
  }
  return undefined
}
