import { createHash } from 'node:crypto'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Place } from './place.ts'

const everybodyReads = 0o644
const everybodyRuns = 0o755
const othersWrite = 0o022

/**
 * A copy of the package's runtime in a folder named by its version, made once: with the data where
 * the engine's user can get there, and else in root's own folder for the state of programs.
 */
export async function copyRuntime(
  place: Place,
  shipped: string,
  complete: (copy: string) => Promise<boolean>,
): Promise<string> {
  const home = await findHome(place)
  const name = `runtime-${await readVersion(shipped)}`
  const final = join(home, name)
  if (await lstat(final).catch(() => undefined)) return final
  const fresh = await mkdtemp(join(home, `${name}.new-`))
  try {
    await copyTree(shipped, fresh)
    if (!(await complete(fresh))) throw new Error(`no links can be made in ${fresh}`)
    await rename(fresh, final).catch(async (error) => {
      // Another process was faster; its copy is the same.
      if (!(await lstat(final).catch(() => undefined))) throw error
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return final
}

async function findHome(place: Place): Promise<string> {
  if (place.reachable) return place.dataDir
  const tried = ['/var/lib/millrace', join(tmpdir(), 'millrace-runtime')]
  for (const home of tried) {
    await mkdir(home, { mode: everybodyRuns }).catch(() => {})
    if (await isOurs(home)) return home
  }
  throw new Error(`The embedded PostgreSQL cannot be copied to ${tried.join(' or ')}.`)
}

/**
 * The folder must be writable by its owner alone: any other writer would choose what runs as the
 * engine.
 */
async function isOurs(home: string): Promise<boolean> {
  const found = await lstat(home).catch(() => undefined)
  if (found === undefined || !found.isDirectory()) return false
  return found.uid === process.getuid?.() && (found.mode & othersWrite) === 0
}

/** The package's version, and its path: two installations may be of one version and differ. */
async function readVersion(shipped: string): Promise<string> {
  const text = await readFile(join(dirname(shipped), 'package.json'), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return `${version}-${createHash('sha1').update(shipped).digest('hex').slice(0, 8)}`
}

/** Files are put on the disk before the folder gets its name: it is never looked into again. */
async function copyTree(from: string, to: string): Promise<void> {
  await chmod(to, everybodyRuns)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      await mkdir(target)
      await copyTree(source, target)
    } else if (entry.isFile()) {
      await copyOne(source, target)
    }
  }
}

async function copyOne(source: string, target: string): Promise<void> {
  const { mode } = await lstat(source)
  await copyFile(source, target)
  const file = await open(target)
  try {
    await file.chmod((mode & 0o100) === 0 ? everybodyReads : everybodyRuns)
    await file.sync()
  } finally {
    await file.close()
  }
}
