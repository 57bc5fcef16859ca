import { chmod, chown, mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Place } from './place.ts'

/** Every connection is told this number; a unix socket's name contains it. */
export const port = 5432
const socketName = `.s.PGSQL.${port}`
/** What the kernel takes as a socket's path; macOS takes four bytes less. */
const pathBytesMax = process.platform === 'linux' ? 107 : 103
const prefix = 'millrace-socket-'
const ownerOnly = 0o700

/**
 * A directory for the server's socket that only its user (and root) can enter, which is all the
 * authentication there is. It lies with the data where the path is short enough and open to the
 * engine's user, and else in a fresh directory for temporary files.
 */
export async function makeSocketDirectory(place: Place, wanted?: string): Promise<string> {
  const directory = await (wanted === undefined ? choose(place) : make(wanted))
  if (place.user.switched) await chown(directory, place.user.uid, place.user.gid)
  await chmod(directory, ownerOnly)
  return directory
}

async function choose(place: Place): Promise<string> {
  const beside = join(place.dataDir, 'run')
  const fits = Buffer.byteLength(join(beside, socketName)) <= pathBytesMax
  return fits && place.reachable ? make(beside) : makeTemporary()
}

async function make(directory: string): Promise<string> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: ownerOnly })
  return directory
}

async function makeTemporary(): Promise<string> {
  const short = Buffer.byteLength(join(tmpdir(), `${prefix}XXXXXX`, socketName)) <= pathBytesMax
  return mkdtemp(join(short ? tmpdir() : '/tmp', prefix))
}

/** Removes what a server that is gone has left. Its own directory beside the data stays. */
export async function removeSocketDirectory(place: Place, directory: string): Promise<void> {
  if (directory.startsWith(place.dataDir) || !basename(directory).startsWith(prefix)) return
  await rm(join(directory, socketName), { force: true })
  await rm(join(directory, `${socketName}.lock`), { force: true })
  await rmdir(directory).catch(() => {})
}
