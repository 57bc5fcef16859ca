import { chmod, chown, mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { directoryArgument, type Place } from './place.ts'

/** The port of every connection; a unix socket's name contains it. */
export const port = 5432
const socketName = `.s.PGSQL.${port}`
/** The longest path of a socket that the kernel takes; macOS takes four bytes less. */
const pathBytesMax = process.platform === 'linux' ? 107 : 103
const prefix = 'millrace-socket-'
const ownerOnly = 0o700

/** The directory of the socket, as its users and as the server itself name it. */
type SocketDirectory = { readonly socketDir: string; readonly argument: string }

/**
 * A directory for the server's socket that only its user (and root) can enter. It lies with the
 * data where that is open to the engine's user. Else it is the server's own directory, which the
 * server names by the kernel's link, and where the path is too long for a socket a fresh directory
 * for temporary files.
 */
export async function makeSocketDirectory(place: Place, wanted?: string): Promise<SocketDirectory> {
  const inside = wanted === undefined ? isInside(place) : wanted === place.cluster
  if (inside) {
    await removeSocket(place.cluster)
    return { socketDir: place.cluster, argument: directoryArgument(place, place.cluster) }
  }
  const directory = await (wanted === undefined ? choose(place) : make(wanted))
  if (place.user.switched) await chown(directory, place.user.uid, place.user.gid)
  await chmod(directory, ownerOnly)
  return { socketDir: directory, argument: directory }
}

function isInside({ reachable, cluster }: Place): boolean {
  return !reachable && process.platform === 'linux' && fits(cluster)
}

async function choose(place: Place): Promise<string> {
  const beside = join(place.dataDir, 'run')
  return fits(beside) && place.reachable ? make(beside) : makeTemporary()
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, socketName)) <= pathBytesMax
}

async function make(directory: string): Promise<string> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: ownerOnly })
  return directory
}

async function makeTemporary(): Promise<string> {
  const short = fits(join(tmpdir(), `${prefix}XXXXXX`))
  return mkdtemp(join(short ? tmpdir() : '/tmp', prefix))
}

/** Removes what a server that is gone has left. Its own directory beside the data stays. */
export async function removeSocketDirectory(place: Place, directory: string): Promise<void> {
  if (directory.startsWith(place.dataDir) || !basename(directory).startsWith(prefix)) return
  await removeSocket(directory)
  await rmdir(directory).catch(() => {})
}

async function removeSocket(directory: string): Promise<void> {
  await rm(join(directory, socketName), { force: true })
  await rm(join(directory, `${socketName}.lock`), { force: true })
}
