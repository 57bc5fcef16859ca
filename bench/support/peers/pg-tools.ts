import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Address, openConnection } from '../frame/engines.ts'

const run = promisify(execFile)
/** The folder in which Debian puts the programs of each major version. */
const debian = '/usr/lib/postgresql'
const outputBytesMax = 1_048_576

/** The programs of PostgreSQL, on a database of the bench. */
export type PgTools = {
  /** Seconds; undefined if there is no pg_dump of the server's version or a later one. */
  readonly dump: ((file: string) => Promise<number>) | undefined
  /** Seconds of COPY of all tables to files that nobody keeps. */
  copy(): Promise<number>
  close(): Promise<void>
}

export async function openPgTools(address: Address): Promise<PgTools> {
  const { config, close } = await openConnection(address)
  const { major, tables } = await readServer(config)
  const env = { ...process.env, ...toEnvironment(config) }
  const seconds = async (program: string, args: readonly string[]) => {
    const startedMs = performance.now()
    await run(program, args, { env, maxBuffer: outputBytesMax })
    return (performance.now() - startedMs) / 1_000
  }
  const program = findProgram('pg_dump', major)
  const copies = tables.flatMap((table) => ['-c', `\\copy ${table} to /dev/null`])
  return {
    dump:
      program === undefined
        ? undefined
        : (file) => seconds(program, ['--format=custom', `--file=${file}`]),
    copy: () => seconds('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', ...copies]),
    close,
  }
}

/** @returns seconds. */
export async function pgRestore(address: Address, file: string): Promise<number> {
  const { config, close } = await openConnection(address)
  try {
    const { major } = await readServer(config)
    const program = findProgram('pg_restore', major) ?? 'pg_restore'
    const env = { ...process.env, ...toEnvironment(config) }
    const startedMs = performance.now()
    const args = ['--no-owner', '--exit-on-error', `--dbname=${env.PGDATABASE}`, file]
    await run(program, args, { env, maxBuffer: outputBytesMax })
    return (performance.now() - startedMs) / 1_000
  } finally {
    await close()
  }
}

/** A dump is refused by a program that is older than the server. */
function findProgram(name: string, major: number): string | undefined {
  try {
    const versions = readdirSync(debian).map(Number)
    const fit = versions.filter((version) => version >= major)
    return fit.length === 0 ? undefined : join(debian, String(Math.min(...fit)), 'bin', name)
  } catch {
    return undefined
  }
}

async function readServer(config: pg.ClientConfig) {
  const client = new pg.Client(config)
  await client.connect()
  try {
    const version = await client.query('show server_version_num')
    const tables = await client.query(
      `select relname as name from pg_class where relkind = 'r'
       and relnamespace = current_schema()::regnamespace`,
    )
    return {
      major: Math.floor(Number(version.rows[0]?.server_version_num) / 10_000),
      tables: tables.rows.map(({ name }) => String(name)),
    }
  } finally {
    await client.end()
  }
}

function toEnvironment(config: pg.ClientConfig): Readonly<Record<string, string>> {
  const { host, port, user, password, database } = new pg.Client(config)
  return {
    ...{ PGHOST: host, PGPORT: `${port}`, PGUSER: user ?? '', PGDATABASE: database ?? '' },
    ...(typeof password === 'string' ? { PGPASSWORD: password } : {}),
  }
}
