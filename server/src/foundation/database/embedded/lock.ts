import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { limits } from '../../kernel/index.ts'
import { poll, readBirth } from './processes.ts'

/** A process; the time of its start distinguishes it from a later one with the same id. */
type Holder = { readonly pid: number; readonly birth: string }

let taken = 0

/**
 * Takes a lock that processes, and callers within one, hold one after the other while they start or
 * stop an engine. It is a file that names its holder, so that the lock of a process which was
 * killed is taken over. Nothing is lost if two should ever hold it: PostgreSQL's own lock lets one
 * server run, and new data are moved into place in one step.
 * @returns what gives the lock back.
 * @throws Error where another process holds it too long.
 */
export async function takeLock(path: string): Promise<() => Promise<void>> {
  taken += 1
  const mine = `${path}.${process.pid}.${taken}`
  await writeFile(mine, await describeSelf()).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${dirname(path)} cannot be written (${error.code}): ` +
        'a data directory is used by the user that made it, or by root.',
      { cause: error },
    )
  })
  try {
    const got = await poll(() => tryLock(mine, path), limits.engineStartMsMax)
    if (got === undefined) throw new Error(`Another process holds ${path} too long.`)
  } finally {
    await rm(mine, { force: true })
  }
  return () => rm(path, { force: true })
}

/** Removes what processes have left that were killed while they waited for the lock. */
export async function forgetWaiters(path: string): Promise<void> {
  const prefix = `${basename(path)}.`
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix)) continue
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    if ((await readBirth(pid)) === undefined) await rm(join(dirname(path), name), { force: true })
  }
}

async function tryLock(mine: string, path: string): Promise<true | undefined> {
  try {
    // A link appears with its content, so nobody ever reads a lock without a holder.
    await link(mine, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const text = await read(path)
  if (text === undefined || (await livingHolder(text)) !== undefined) return undefined
  if ((await read(path)) === text) await rm(path, { force: true })
  return undefined
}

/** The text of a file that names this process as its holder. */
export async function describeSelf(): Promise<string> {
  const holder: Holder = { pid: process.pid, birth: (await readBirth(process.pid)) ?? '' }
  return JSON.stringify(holder)
}

/** The id of the process that a file names; undefined if there is no file or it has ended. */
export async function findHolder(path: string): Promise<number | undefined> {
  const text = await read(path)
  return text === undefined ? undefined : livingHolder(text)
}

async function livingHolder(text: string): Promise<number | undefined> {
  const holder = parse(text)
  if (holder === undefined) return undefined
  const birth = await readBirth(holder.pid)
  return birth !== undefined && birth === holder.birth ? holder.pid : undefined
}

function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder
  } catch {
    return undefined
  }
}

async function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
