import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type EngineUser, findUser, mayEnter } from './user.ts'

/**
 * The places of the parts of an engine, and the user who runs it. All paths are absolute and
 * without links.
 */
export type Place = {
  readonly dataDir: string
  /** PostgreSQL's data directory, which it calls a cluster. */
  readonly cluster: string
  readonly log: string
  readonly lock: string
  /** Names the process that keeps the engine up: its owner. */
  readonly owner: string
  readonly user: EngineUser
  /** True if the engine's user can reach the data directory by its path. */
  readonly reachable: boolean
}

/**
 * A new directory is its user's alone. Only where there is no `ownDirectory` does root let the
 * engine's user pass through.
 */
export const newDirectory = process.getuid?.() === 0 && process.platform !== 'linux' ? 0o711 : 0o700

/** The kernel's own link to the directory in which a process runs. */
export const ownDirectory = '/proc/self/cwd'

export async function findPlace(given: string): Promise<Place> {
  await mkdir(resolve(given), { recursive: true, mode: newDirectory })
  const dataDir = await realpath(given)
  const named = join(dataDir, 'postgres')
  // The operator may have laid it elsewhere with a link.
  const cluster = await realpath(named).catch(() => named)
  const user = await findUser(cluster)
  return {
    dataDir,
    cluster,
    log: join(dataDir, 'engine.log'),
    lock: join(dataDir, 'engine.lock'),
    owner: join(dataDir, 'engine.owner'),
    user,
    reachable: (await mayEnter(dataDir, user)) && (await mayEnter(dirname(cluster), user)),
  }
}

/**
 * Returns a directory as an argument of a program of the engine's user. The program is started
 * inside of it while Node is still root, so that the kernel's own link to it leads there even where
 * the path is closed to that user (a directory under /root); only Linux has that link.
 * @throws Error if the path is closed and there is no such link.
 */
export function directoryArgument(place: Place, directory: string): string {
  if (place.reachable) return directory
  if (process.platform === 'linux') return ownDirectory
  throw new Error(
    `The user that runs the embedded PostgreSQL (uid ${place.user.uid}) cannot enter ` +
      `${place.dataDir}. Choose a data directory that every user may pass through.`,
  )
}
