import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/** The interval at which a start or a stop of the embedded engine is checked. */
const enginePollMs = 10

const onLinux = process.platform === 'linux'

/**
 * Returns the time at which a process began, which distinguishes it from a later one with the same
 * id. Undefined if there is no such process, or only a zombie is left of it.
 */
export async function readBirth(pid: number): Promise<string | undefined> {
  if (!onLinux) return column(pid, 'lstart=')
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name, in parentheses, may hold anything; the state is the first field after it.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

/** Returns whether the process is a PostgreSQL that works on this data directory. */
export async function worksOn(pid: number, cluster: string): Promise<boolean> {
  if (!onLinux) return isClusterServer(cluster, await column(pid, 'command='))
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return directory === cluster && isPostgres(pid)
}

/**
 * Returns whether any PostgreSQL process works on this data directory: the children of a server
 * that was killed live on for a moment. Other systems than Linux show the servers alone.
 */
export async function anyWorksOn(cluster: string): Promise<boolean> {
  if (!onLinux) {
    const commands = (await ps('-ax', '-o', 'command=')).split('\n')
    return commands.some((command) => isClusterServer(cluster, command))
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const working = await Promise.all(pids.map((pid) => worksOn(Number(pid), cluster)))
  return working.includes(true)
}

/**
 * The command line of a PostgreSQL that works on this data directory, without waiting; undefined if
 * the process is none. @throws Error if there is no such process.
 */
export function readCommand(pid: number, cluster: string): string | undefined {
  if (!onLinux) {
    const command = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).toString()
    return isClusterServer(cluster, command) ? command : undefined
  }
  if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return undefined
  if (readlinkSync(`/proc/${pid}/cwd`) !== cluster) return undefined
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
}

/** A shell may stand in the directory as well. */
async function isPostgres(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return name.trim() === 'postgres'
}

function isClusterServer(cluster: string, command: string | undefined): boolean {
  return command?.includes(`/postgres -D ${cluster} -c `) ?? false
}

async function column(pid: number, name: string): Promise<string | undefined> {
  const text = (await ps('-o', name, '-p', String(pid))).trim()
  return text === '' ? undefined : text
}

/** It ends with an error where it has nothing to list. */
async function ps(...options: string[]): Promise<string> {
  return promisify(execFile)('ps', ['-ww', ...options]).then(
    ({ stdout }) => stdout,
    () => '',
  )
}

/** Looks again and again until something is seen; undefined when the time has passed. */
export async function poll<Seen>(
  look: () => Promise<Seen | undefined>,
  msMax: number,
): Promise<Seen | undefined> {
  const over = AbortSignal.timeout(msMax)
  for (;;) {
    const seen = await look()
    if (seen !== undefined || over.aborted) return seen
    await delay(enginePollMs)
  }
}
