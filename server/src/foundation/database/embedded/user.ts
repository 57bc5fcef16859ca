import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The user of PostgreSQL, which refuses to run as root. */
export type EngineUser = {
  readonly uid: number
  readonly gid: number
  /** True if this process is root and becomes that user when it starts the engine. */
  readonly switched: boolean
}

const root = 0
/** The user `nobody` of Linux and of the kernel's own mappings. */
const nobody = 65534

/** Ourselves; for root, the owner of the data where there are some, and else `nobody`. */
export async function findUser(cluster: string): Promise<EngineUser> {
  const uid = process.getuid?.() ?? nobody
  const gid = process.getgid?.() ?? nobody
  if (uid !== root) return { uid, gid, switched: false }
  const owner = await stat(cluster).catch(() => undefined)
  if (owner === undefined || owner.uid === root) return { uid: nobody, gid: nobody, switched: true }
  return { uid: owner.uid, gid: owner.gid, switched: true }
}

/** The options with which a child process runs as that user. */
export function asUser(user: EngineUser): { uid?: number; gid?: number } {
  return user.switched ? { uid: user.uid, gid: user.gid } : {}
}

const search = 0o1
const read = 0o4

/** Returns whether the user may pass through a directory and all above it. */
export async function mayEnter(directory: string, user: EngineUser): Promise<boolean> {
  if (!user.switched) return true
  for (let path = await realpath(directory); ; path = dirname(path)) {
    if (!(await permits(path, user, search))) return false
    if (path === dirname(path)) return true
  }
}

/** Returns whether the user may read this file, given that its directory may be entered. */
export async function mayRead(file: string, user: EngineUser): Promise<boolean> {
  return !user.switched || permits(file, user, read)
}

async function permits(path: string, user: EngineUser, bit: number): Promise<boolean> {
  const { uid, gid, mode } = await stat(path)
  if (uid === user.uid) return (mode & (bit << 6)) !== 0
  if (gid === user.gid) return (mode & (bit << 3)) !== 0
  return (mode & bit) !== 0
}
