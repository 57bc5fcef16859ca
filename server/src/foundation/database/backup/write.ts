import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { type Headers, type Pack, pack } from 'tar-stream'
import { Fault } from '../../kernel/index.ts'
import { BoundedClient } from '../connection/bounded-client.ts'
import type { Connection } from '../connection/pool.ts'
import { databaseLimits } from '../limits.ts'
import { recordedMigrations } from '../migrate/table-version.ts'
import { CopyReader } from './copy-reader.ts'
import {
  type End,
  endName,
  keysFolder,
  type Manifest,
  manifestName,
  type Part,
  partName,
  type TableShape,
} from './manifest.ts'
import { copyOut, readTables } from './tables.ts'

const compress = promisify(zstdCompress)

/**
 * Compressed or unpacked data come in one buffer. The collector counts its whole length, and so
 * looks after a few parts; of what was not written to, the system gives no memory.
 */
export const onePiece = { chunkSize: databaseLimits.backupPartBytes }

/** A file that holds keys of the instance. */
export type KeyFile = { readonly name: string; readonly bytes: Buffer }

export type BackupProgress = {
  readonly table: string
  /** Bytes of the backup up to now. */
  readonly bytes: number
}

export type BackupOptions = {
  /** Stored unencrypted: who has them reads all secrets. */
  readonly keys: readonly KeyFile[]
  readonly progress?: ((progress: BackupProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export type BackupResult = { readonly rows: number; readonly bytes: number }

/**
 * Writes all tables as they are at one moment, while others go on to write. The backup is a tar
 * archive: `manifest.json`, the parts of each table, `end.json`. Memory is bounded by a few parts.
 * @throws Error if the database or the output fails; what was written is then of no use.
 */
export async function writeBackup(
  connection: Connection,
  output: Writable,
  options: BackupOptions,
): Promise<BackupResult> {
  const client = new BoundedClient(connection)
  await client.connect()
  const archive = new Archive(output)
  try {
    await client.query('begin isolation level repeatable read read only')
    const manifest = await makeManifest(client)
    if (manifest.migrations.length === 0) throw nothingToBackUp()
    await archive.add(manifestName, toJson(manifest))
    for (const { name, bytes } of options.keys) await archive.add(`${keysFolder}/${name}`, bytes)
    const parts: Part[] = []
    const room = Buffer.allocUnsafe(databaseLimits.backupPartBytes)
    let rows = 0
    for (const table of manifest.tables) {
      const reader = client.query(new CopyReader(copyOut(table), room))
      rows += await writeTable(reader, archive, table, parts, options)
    }
    const end: End = { rows, parts }
    await archive.add(endName, toJson(end))
    await client.query('commit')
    await archive.end()
    return { rows, bytes: archive.bytes }
  } catch (error) {
    archive.fail(error as Error)
    throw error
  } finally {
    await client.end()
  }
}

/** A backup of the wrong place looks like one that went well. */
function nothingToBackUp(): Fault {
  return new Fault(
    'not_found',
    'There is nothing to back up: this database has no tables of Millrace. Check MILLRACE_DATA ' +
      'and DATABASE_URL.',
  )
}

function toJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}

async function makeManifest(client: BoundedClient): Promise<Manifest> {
  const { rows } = await client.query<{ server: string; now: Date }>(
    'select version() as server, now() as now',
  )
  const migrations = await recordedMigrations(client)
  return {
    format: 1,
    createdAt: rows[0]?.now.toISOString() ?? '',
    server: rows[0]?.server ?? '',
    migrations: [...migrations].sort().map(([name, checksum]) => ({ name, checksum })),
    tables: await readTables(client),
  }
}

/** @returns the number of its rows. */
async function writeTable(
  reader: CopyReader,
  archive: Archive,
  table: TableShape,
  parts: Part[],
  { progress, signal }: BackupOptions,
): Promise<number> {
  let number = 0
  for (let part = await reader.next(); part; part = await reader.next()) {
    signal?.throwIfAborted()
    const bytes = await compress(part, onePiece)
    const name = partName(table.name, number)
    await archive.add(name, bytes)
    parts.push({ name, sha256: hashBytes(bytes) })
    number += 1
    progress?.({ table: table.name, bytes: archive.bytes })
  }
  return reader.rowCount
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A tar archive that is written to a stream, one entry after the other. */
class Archive {
  readonly #pack: Pack = pack()
  readonly #written: Promise<void>
  readonly #output: Writable
  bytes = 0

  constructor(output: Writable) {
    this.#output = output
    this.#written = finished(output, { readable: false })
    // Whoever adds the next entry gets the error.
    this.#written.catch(() => {})
    this.#pack.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length
    })
    this.#pack.pipe(output)
    output.once('error', (error) => this.#pack.destroy(error))
  }

  /** Resolves once the output has room for the next. */
  add(name: string, bytes: Buffer): Promise<void> {
    const header: Headers = { name, size: bytes.length, mode: 0o600 }
    return new Promise((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve())
      const entry = this.#pack.entry(header, done)
      // The pack ends its entries without an error when its output has failed.
      this.#written.catch(reject)
      entry.end(bytes)
    })
  }

  async end(): Promise<void> {
    this.#pack.finalize()
    await this.#written
  }

  fail(error: Error): void {
    this.#pack.destroy(error)
    this.#output.destroy()
  }
}
