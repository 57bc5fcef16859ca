import type { Queryable } from '../../../../foundation/database/index.ts'
import { exactText } from '../../../../foundation/kernel/index.ts'
import type { Frame } from '../frames.ts'
import type { SocketEnd } from '../sockets/socket-ends.ts'

/** A command for a socket: send a frame, or close it. */
export type RemoteCommand =
  | { readonly frame: Frame; readonly end?: undefined }
  | { readonly end: SocketEnd; readonly frame?: undefined }

export type SocketRow = {
  readonly id: string
  readonly solutionId: string
  readonly route: string
  readonly openedUs: number
}

/** @returns whether the process is new, or had expired. */
export async function putProcess(
  queryable: Queryable,
  process: string,
  nowUs: number,
): Promise<boolean> {
  const row = await queryable.one<{ fresh: boolean }>(
    `insert into webservice_process (id, seen_at) values ($1, $2)
     on conflict (id) do update set seen_at = excluded.seen_at
     returning (xmax = 0) as fresh`,
    [process, nowUs],
  )
  return row?.fresh === true
}

/**
 * Removes processes, with their sockets and commands, that were not seen since, or only by a clock
 * that ran ahead; one that is alive registers again when it renews its lease.
 */
export async function removeExpiredProcesses(
  queryable: Queryable,
  sinceUs: number,
  presentUntilUs: number,
): Promise<void> {
  await queryable.run(
    `with gone as (
       delete from webservice_process where seen_at < $1 or seen_at > $2 returning id),
       commands as (delete from webservice_remote_command where process in (select id from gone))
     delete from webservice_socket where process in (select id from gone)`,
    [sinceUs, presentUntilUs],
  )
}

export async function removeProcess(queryable: Queryable, process: string): Promise<void> {
  await queryable.run(
    `with gone as (delete from webservice_process where id = $1),
       commands as (delete from webservice_remote_command where process = $1)
     delete from webservice_socket where process = $1`,
    [process],
  )
}

export async function putSocket(
  queryable: Queryable,
  process: string,
  { id, solutionId, route, openedUs }: SocketRow,
): Promise<void> {
  await queryable.run(
    `insert into webservice_socket (id, solution_id, process, route, opened_at)
     values ($1, $2, $3, $4, $5) on conflict (id) do nothing`,
    [id, solutionId, process, route, openedUs],
  )
}

export async function removeSocket(queryable: Queryable, id: string): Promise<void> {
  await queryable.run('delete from webservice_socket where id = $1', [id])
}

export async function removeSockets(queryable: Queryable, solutionId: string): Promise<void> {
  await queryable.run('delete from webservice_socket where solution_id = $1', [solutionId])
}

/** The solution's sockets of running processes, except those of process `but`. */
export async function readSockets(
  queryable: Queryable,
  solutionId: string,
  but: string,
  sinceUs: number,
): Promise<SocketRow[]> {
  return queryable.rows(
    `select s.id, s.solution_id as "solutionId", s.route, s.opened_at as "openedUs"
     from webservice_socket s join webservice_process p on p.id = s.process
     where s.solution_id = $1 and s.process <> $2 and p.seen_at >= $3
     order by s.opened_at, s.id`,
    [solutionId, but, sinceUs],
  )
}

/** The running process that has the socket, except `but`. */
export async function findProcess(
  queryable: Queryable,
  { solutionId, id }: Pick<SocketRow, 'solutionId' | 'id'>,
  but: string,
  sinceUs: number,
): Promise<string | undefined> {
  const row = await queryable.one<{ process: string }>(
    `select s.process from webservice_socket s join webservice_process p on p.id = s.process
     where s.id = $1 and s.solution_id = $2 and s.process <> $3 and p.seen_at >= $4`,
    [id, solutionId, but, sinceUs],
  )
  return row?.process
}

export async function countCommands(queryable: Queryable, process: string): Promise<number> {
  const row = await queryable.one<{ count: number }>(
    'select count(*) from webservice_remote_command where process = $1',
    [process],
  )
  return row?.count ?? 0
}

export async function putCommand(
  queryable: Queryable,
  process: string,
  socketId: string,
  command: RemoteCommand,
): Promise<void> {
  const { frame, end } = command
  const data = frame === undefined ? null : Buffer.from(frame.data)
  await queryable.run(
    `insert into webservice_remote_command (process, socket_id, data, is_binary, code, reason)
     values ($1, $2, $3, $4, $5, $6)`,
    [process, socketId, data, frame?.binary ?? null, end?.code ?? null, end?.reason ?? null],
  )
}

/** Adds commands that close the solution's sockets of other processes. @returns their number. */
export async function putCloses(
  queryable: Queryable,
  solutionId: string,
  but: string,
  sinceUs: number,
  { code, reason }: SocketEnd,
): Promise<number> {
  return queryable.run(
    `insert into webservice_remote_command (process, socket_id, code, reason)
     select s.process, s.id, $4::integer, $5
     from webservice_socket s join webservice_process p on p.id = s.process
     where s.solution_id = $1 and s.process <> $2 and p.seen_at >= $3`,
    [solutionId, but, sinceUs, code, reason],
  )
}

type CommandRow = {
  readonly number: number
  readonly socket_id: string
  readonly data: Buffer | null
  readonly is_binary: boolean | null
  readonly code: number | null
  readonly reason: string | null
}

/** Takes the commands for a process, in the order in which they were added. */
export async function takeCommands(
  queryable: Queryable,
  process: string,
): Promise<(readonly [socketId: string, command: RemoteCommand])[]> {
  const rows = await queryable.rows<CommandRow>(
    `delete from webservice_remote_command where process = $1
     returning number, socket_id, data, is_binary, code, reason`,
    [process],
  )
  return rows
    .sort((one, other) => one.number - other.number)
    .map((row) => {
      return [row.socket_id, toCommand(row)] as const
    })
}

function toCommand({ data, is_binary: binary, code, reason }: CommandRow): RemoteCommand {
  if (data === null) return { end: { code: code ?? 1_000, reason: reason ?? '' } }
  if (binary === true) return { frame: { data, binary } }
  return { frame: { data: exactText(data), binary: false } }
}
