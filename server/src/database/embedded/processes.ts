import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

const onLinux = process.platform === 'linux'

/**
 * What tells a process from a later one with the same id: when it began. Undefined where there is
 * no such process, or only a zombie is left of it.
 */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (!onLinux) return column(pid, 'lstart=')
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name, in parentheses, may hold anything; the state is the first field after it.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

/** Whether the process is a PostgreSQL that works on this data directory. */
export async function worksOn(pid: number, cluster: string): Promise<boolean> {
  if (onLinux) return (await workingDirectory(pid)) === cluster && isPostgres(pid)
  return (await column(pid, 'command='))?.includes(`-D ${cluster} `) ?? false
}

/**
 * Whether any process at all works on this data directory: the children of a server that was
 * killed live on for a moment. Other systems than Linux leave that question to PostgreSQL.
 */
export async function anyWorksOn(cluster: string): Promise<boolean> {
  if (!onLinux) return false
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const working = await Promise.all(pids.map((pid) => worksOn(Number(pid), cluster)))
  return working.includes(true)
}

/** A shell may stand in the directory as well. */
async function isPostgres(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return name.trim() === 'postgres'
}

async function workingDirectory(pid: number): Promise<string | undefined> {
  return readlink(`/proc/${pid}/cwd`).catch(() => undefined)
}

async function column(pid: number, name: string): Promise<string | undefined> {
  const list = promisify(execFile)('ps', ['-ww', '-o', name, '-p', String(pid)])
  const text = await list.then(({ stdout }) => stdout.trim()).catch(() => '')
  return text === '' ? undefined : text
}
