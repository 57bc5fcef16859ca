import { rm } from 'node:fs/promises'
import { replaceFile } from '../../kernel/index.ts'
import { databaseLimits } from '../limits.ts'
import type { Client } from './client.ts'
import { describeSelf, findHolder } from './lock.ts'
import type { Place } from './place.ts'
import { poll } from './processes.ts'

/**
 * The owner of an engine is the one process that keeps it up and stops it. Two things name it: a
 * file, which is looked at before anything else happens, and a lock of PostgreSQL on the owner's
 * connection, which goes with the process however that ends and counts across containers too.
 */
const ownerLock = '7461, 1'

/** @throws Error that names the process, if a living one owns the engine of this place. */
export async function refuseIfOwned(place: Place): Promise<void> {
  const pid = await findHolder(place.owner)
  if (pid !== undefined) throw usedBy(place, String(pid))
}

/** Names this process as the owner; to be called while the lock of the place is held. */
export async function claim(place: Place): Promise<void> {
  replaceFile(place.owner, await describeSelf(), 0o600)
}

/** Takes the lock of PostgreSQL. @throws Error if a running process has it. */
export async function confirm(place: Place, presence: Client): Promise<void> {
  // PostgreSQL needs a moment to see that the connection of a killed owner is gone.
  const got = await poll(async () => {
    const { rows } = await presence.ask(`select pg_try_advisory_lock(${ownerLock}) as got`)
    return rows[0]?.got === true ? true : undefined
  }, databaseLimits.engineConnectMsMax)
  if (got === undefined) throw usedBy(place, 'of another system or container')
}

export async function disclaim(place: Place): Promise<void> {
  await rm(place.owner, { force: true })
}

function usedBy(place: Place, pid: string): Error {
  return new Error(
    `The data directory ${place.dataDir} is used by process ${pid}. ` +
      'Stop that one first, or choose another directory with MILLRACE_DATA.',
  )
}
