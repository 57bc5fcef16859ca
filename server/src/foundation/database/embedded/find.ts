import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../kernel/index.ts'
import { answers, type Server } from './client.ts'
import { ownDirectory, type Place } from './place.ts'
import { anyWorksOn, poll, worksOn } from './processes.ts'
import { removeSocketDirectory } from './socket.ts'

/** The content of a server's lock file, which stays when the server is killed. */
export type PidFile = Server & { readonly ready: boolean }

/** The lock file's lines, counted from 0. */
const line = { pid: 0, socketDir: 4, state: 7 } as const

export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined)
  const lines = text?.split('\n') ?? []
  const pid = Number.parseInt(lines[line.pid] ?? '', 10)
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  const ready = lines[line.state]?.trim() === 'ready'
  const socketDir = lines[line.socketDir] ?? ''
  return { pid, socketDir: socketDir === ownDirectory ? cluster : socketDir, ready }
}

/**
 * The server that runs on this place, once it answers. A server that is starting is waited for, and
 * so is the end of one that is stopping. Undefined where none runs; what a killed one left behind
 * is gone then.
 * @throws Error where a process keeps the data directory and does not answer.
 */
export async function findServer(place: Place): Promise<Server | undefined> {
  const found = await poll(() => look(place), limits.engineStartMsMax)
  if (found === undefined) {
    throw new Error(
      `A PostgreSQL process keeps ${place.cluster} and does not answer; see ${place.log}.`,
    )
  }
  return found === 'none' ? undefined : found
}

async function look(place: Place): Promise<Server | 'none' | undefined> {
  const file = await readPidFile(place.cluster)
  if (file?.ready && (await answers(file))) return { pid: file.pid, socketDir: file.socketDir }
  if (file !== undefined && (await worksOn(file.pid, place.cluster))) return undefined
  if (await anyWorksOn(place.cluster)) return undefined
  await forget(place, file)
  return 'none'
}

/** PostgreSQL stops at a lock that is empty, or if another process has the id of the killed one. */
async function forget(place: Place, file: PidFile | undefined): Promise<void> {
  await rm(join(place.cluster, 'postmaster.pid'), { force: true })
  if (file !== undefined) await removeSocketDirectory(place, file.socketDir)
}
