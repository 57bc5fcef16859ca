import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { type Address, openConnection } from './engines.ts'

/** Bytes of tables with their indexes. */
export type TableBytes = {
  readonly log: number
  readonly history: number
  readonly devices: number
  readonly assets: number
}

/** The resources that the server of a database uses. */
export type DatabaseUse = {
  /** Microseconds of CPU of the whole server until now; NaN if its processes are not seen here. */
  cpuUs(): Promise<number>
  bytes(): Promise<TableBytes>
  close(): Promise<void>
}

const usPerTick = 10_000

export async function watchDatabase(address: Address): Promise<DatabaseUse> {
  const { config, close } = await openConnection(address)
  const client = new pg.Client(config)
  await client.connect()
  const [backend] = (await client.query('select pg_backend_pid() as pid')).rows
  const server = (await processes()).find(({ pid }) => pid === backend?.pid)
  const postmaster = server?.name === 'postgres' ? server.parent : undefined
  return {
    cpuUs: () =>
      postmaster === undefined ? Promise.resolve(Number.NaN) : readServerCpuUs(postmaster),
    async bytes() {
      const [row] = (await client.query<TableBytes>(sizes)).rows
      if (row === undefined) throw new Error('no sizes')
      return row
    },
    async close() {
      await client.end()
      await close()
    },
  }
}

/** The server's first process counts for those that ended, the others for themselves. */
async function readServerCpuUs(postmaster: number): Promise<number> {
  const ticks = (await processes()).map((one) => {
    if (one.pid === postmaster) return one.own + one.ended
    return one.parent === postmaster ? one.own : 0
  })
  return ticks.reduce((sum, one) => sum + one, 0) * usPerTick
}

type Process = {
  readonly pid: number
  readonly name: string
  readonly parent: number
  /** Ticks of CPU. */
  readonly own: number
  /** Ticks of children that ended. */
  readonly ended: number
}

/** The processes that Linux shows; none elsewhere. */
async function processes(): Promise<Process[]> {
  const names = await readdir('/proc').catch(() => [])
  const found = names.filter((name) => /^\d+$/.test(name)).map((name) => readProcess(Number(name)))
  return (await Promise.all(found)).flatMap((one) => one ?? [])
}

/** Nothing if it ended meanwhile. */
async function readProcess(pid: number): Promise<Process | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  if (text === undefined) return undefined
  const end = text.lastIndexOf(')')
  // From the third field of proc(5) on: the state, the parent, and so on.
  const fields = text.slice(end + 2).split(' ')
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number)
  return {
    pid,
    name: text.slice(text.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    own: Number(user) + Number(system),
    ended: Number(endedUser) + Number(endedSystem),
  }
}

const sizes = `
select coalesce(sum(bytes) filter (where name like 'eventlog%'), 0)::float8 as log,
       coalesce(sum(bytes) filter (where name like 'assets_value%'), 0)::float8 as history,
       coalesce(sum(bytes) filter (where name like 'provisioning%'), 0)::float8 as devices,
       coalesce(sum(bytes) filter (
         where name like 'assets%' and name not like 'assets_value%'), 0)::float8 as assets
from (
  select relname as name, pg_total_relation_size(oid) as bytes from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace
) tables`
