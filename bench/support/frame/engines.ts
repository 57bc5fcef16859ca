import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEngine } from '../../../server/src/foundation/database/embedded/index.ts'
import { createLogger, newId, systemRandom } from '../../../server/src/foundation/kernel/index.ts'
import type { EngineKind } from '../report/report.ts'

/** The address by which a process opens a database; plain data, so that it can be sent to one. */
export type Address = {
  readonly url: string | undefined
  readonly dataDir: string
  readonly name: string
}

/** A PostgreSQL that runs, and room on it for the bench's own databases. */
export type BenchEngine = {
  readonly kind: EngineKind
  readonly title: string
  /** A new empty database. */
  database(): Promise<Address>
  /** Removes the databases, and the engine where it was started for this. */
  close(): Promise<void>
}

const externalServer = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** The embedded engine in a folder of its own. */
export async function embeddedEngine(): Promise<BenchEngine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-bench-'))
  await chmod(dataDir, 0o711)
  const engine = await startEngine({ dataDir, owner: true, logger: createLogger('warn') })
  const connection = await engine.database('postgres')
  return {
    kind: 'embedded',
    title: `embedded, PostgreSQL ${await readVersion(connection)}`,
    database: async () => ({ url: undefined, dataDir, name: newName() }),
    async close() {
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The server that DATABASE_URL names, or the machine's own; undefined where none answers. */
export async function externalEngine(): Promise<BenchEngine | undefined> {
  const connection = { connectionString: externalServer, connectionTimeoutMillis: 2_000 }
  const version = await readVersion(connection).catch(() => undefined)
  if (version === undefined) return undefined
  const names: string[] = []
  return {
    kind: 'external',
    title: `external, PostgreSQL ${version}`,
    async database() {
      const name = newName()
      await query(connection, `create database ${name}`)
      names.push(name)
      const url = new URL(externalServer)
      url.pathname = `/${name}`
      return { url: url.href, dataDir: '', name }
    },
    async close() {
      for (const name of names) {
        await query(connection, `drop database if exists ${name} with (force)`)
      }
    },
  }
}

/** Opens a database of the bench as a client of PostgreSQL that is not ours. */
export async function openConnection({ url, dataDir, name }: Address): Promise<{
  readonly config: pg.ClientConfig
  close(): Promise<void>
}> {
  if (url !== undefined) return { config: { connectionString: url }, close: async () => {} }
  const engine = await startEngine({ dataDir, owner: false, logger: createLogger('warn') })
  return { config: await engine.database(name), close: () => engine.stop() }
}

/** All engines that can be had here, or the one that is asked for. */
export async function eachEngine(
  only: string | undefined,
  work: (engine: BenchEngine) => Promise<void>,
  missing: (kind: EngineKind, sentence: string) => void,
): Promise<void> {
  const kinds = { embedded: embeddedEngine, external: externalEngine }
  for (const [kind, open] of Object.entries(kinds)) {
    if (only !== undefined && only !== kind) continue
    const engine = await open()
    if (engine === undefined) missing('external', 'no server answers')
    else await work(engine).finally(() => engine.close())
  }
}

function newName(): string {
  return `millrace_bench_${newId(systemRandom)}`
}

async function readVersion(connection: pg.ClientConfig): Promise<string> {
  const rows = await query(connection, 'show server_version')
  return String(rows[0]?.server_version)
}

async function query(connection: pg.ClientConfig, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const result = client.query(text).finally(() => client.end())
  return (await result).rows
}
