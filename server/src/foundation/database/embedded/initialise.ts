import { execFile } from 'node:child_process'
import { chown, lchown, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from '../../kernel/index.ts'
import { role } from './client.ts'
import { directoryArgument, type Place } from './place.ts'
import { program, unusable } from './runtime.ts'
import { asUser } from './user.ts'

const unfinished = 'postgres.new-'

/**
 * Makes the engine's data where there are none yet. They are made beside their place and moved to
 * it when they are complete and on the disk, so that a cut leaves nothing that would start.
 * @throws Error with the output of initdb.
 */
export async function initialise(place: Place, runtime: string, logger: Logger): Promise<void> {
  await sweep(place.dataDir)
  if (await exists(join(place.cluster, 'PG_VERSION'))) return adopt(place)
  logger.info({ directory: place.cluster }, 'making the data of the embedded PostgreSQL')
  const fresh = await mkdtemp(join(place.dataDir, unfinished))
  try {
    if (place.user.switched) await chown(fresh, place.user.uid, place.user.gid)
    await runInitdb(place, runtime, fresh)
    await moveIn(place, fresh)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

async function runInitdb(place: Place, runtime: string, fresh: string): Promise<void> {
  const directory = directoryArgument(place, fresh)
  // Each start writes down who may connect; these rules count where a person starts it by hand.
  const auth = ['--auth-local=peer', '--auth-host=reject']
  const text = ['--encoding=UTF8', '--locale=C', '--no-instructions']
  await promisify(execFile)(
    program(runtime, 'initdb'),
    ['-D', directory, '-U', role, ...auth, ...text],
    { cwd: fresh, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, ...asUser(place.user) },
  ).catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    if (typeof error.code === 'string') throw unusable(error)
    throw new Error(`The embedded PostgreSQL cannot make its data: ${error.stderr?.trim()}`)
  })
}

async function moveIn(place: Place, fresh: string): Promise<void> {
  await rename(fresh, place.cluster)
  const directory = await open(place.dataDir)
  await directory.sync().finally(() => directory.close())
}

/** Removes the rest of a cut start. Its initdb may still write; the next start repeats this. */
async function sweep(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  for (const name of names.filter((one) => one.startsWith(unfinished))) {
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Data that root has copied here from a backup are given to the engine's user. */
async function adopt(place: Place): Promise<void> {
  const { uid } = await stat(place.cluster)
  if (!place.user.switched || uid === place.user.uid) return
  const names = await readdir(place.cluster, { recursive: true })
  for (const name of ['.', ...names]) {
    await lchown(join(place.cluster, name), place.user.uid, place.user.gid)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
