import { statfs } from 'node:fs/promises'
import { elapsedMs, Fault, limits } from '../kernel/index.ts'
import type { BoundedClient } from './connection/bounded-client.ts'
import type { Transaction } from './statement.ts'

/** The interval at which `/healthz` checks that the database takes writes. */
const healthProbeMs = 1_000

type Transact = <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>

/** Decides whether the database takes writes, as far as their outcomes and the disk show it. */
export type Writable = {
  /** Returns the outcome of a statement, and records a failure to store. */
  noted<Result>(outcome: Promise<Result>): Promise<Result>
  /** @returns a sentence that says why nothing can be written; undefined if writes succeed. */
  why(): Promise<string | undefined>
}

/** SQLSTATE: no room on the disk, an error of the disk, a database that only reads. */
const storeFails = new Set(['53100', '58030', '25006'])
const mebibyte = 1024 ** 2

/**
 * Two things show that writes fail. The disk under the embedded engine's data has less room than a
 * new segment of its log takes; and a write failed for want of room or because of the disk, which
 * counts until a write of the same kind succeeds: one is tried, at most each `healthProbeMs`.
 * @param folders where the embedded engine keeps data; none for a server elsewhere.
 */
export function watchWrites(transact: Transact, folders: readonly string[]): Writable {
  let failed: string | undefined
  let last: { readonly atMs: number; readonly answer: Promise<string | undefined> } | undefined

  async function look(): Promise<string | undefined> {
    for (const folder of folders) {
      const { bavail, bsize } = await statfs(folder)
      const free = bavail * bsize
      if (free >= limits.diskFreeBytesMin) continue
      return `The disk of ${folder} is full: ${Math.floor(free / mebibyte)} MiB are left.`
    }
    if (failed === undefined) return undefined
    failed = await transact(tryWrite).then(
      () => undefined,
      (error: Error) => error.message,
    )
    return failed === undefined ? undefined : `The database stores nothing: ${failed}.`
  }

  return {
    noted(outcome) {
      return outcome.catch((error: { code?: unknown; message: string }) => {
        if (storeFails.has(String(error.code))) failed = error.message
        throw error
      })
    },
    why() {
      const atMs = elapsedMs()
      if (last === undefined || atMs - last.atMs >= healthProbeMs) {
        last = { atMs, answer: look() }
      }
      return last.answer
    },
  }
}

/** A write that needs new room on the disk, and gives it back. */
async function tryWrite(transaction: Transaction): Promise<void> {
  await transaction.run('create temporary table database_probe (filler text) on commit drop')
  await transaction.run(
    'insert into database_probe (filler) select md5(n::text) from generate_series(1, 20000) n',
  )
}

/** Settings of PostgreSQL without which a COMMIT that was answered may be lost. */
const needed = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * Refuses a server that answers a COMMIT before it is on the disk: an acknowledgement to a device
 * would promise what a power cut undoes.
 * @throws Fault database_not_durable that names the settings and where they are set.
 */
export async function checkDurable(client: BoundedClient): Promise<void> {
  const { rows } = await client.query<{ name: string; source: string }>(
    `select name, source from pg_settings where name = any($1) and setting = 'off' order by name`,
    [needed],
  )
  if (rows.length === 0) return
  const named = rows.map(({ name, source }) => `${name} is off (set by: ${source})`).join(', ')
  throw new Fault(
    'database_not_durable',
    `The database loses what it acknowledged if the power fails: ${named}. Set it to on.`,
  )
}
