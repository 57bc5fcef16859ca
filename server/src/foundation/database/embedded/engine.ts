import { setTimeout as delay } from 'node:timers/promises'
import { type Logger, limits } from '../../kernel/index.ts'
import type { Connection } from '../connection/pool.ts'
import { type Client, connect, makeDatabase, type Server, visitorsLeft } from './client.ts'
import { findServer } from './find.ts'
import { initialise } from './initialise.ts'
import { launch, stopServer } from './launch.ts'
import { findHolder, forgetWaiters, takeLock } from './lock.ts'
import { claim, confirm, disclaim, refuseIfOwned } from './owner.ts'
import { findPlace, type Place } from './place.ts'
import { prepareRuntime } from './runtime.ts'

/** The pause before another attempt to start an embedded engine that ended. */
const engineRetryMs = 1_000

export type EngineOptions = {
  /** The instance's data directory; made where it is missing. */
  readonly dataDir: string
  /**
   * True if this process owns the engine, as one process at a time can: stop() ends it whichever
   * process started it or is connected, and an engine that crashes is started again.
   */
  readonly owner: boolean
  readonly logger: Logger
}

/** A running engine, for one process that uses it. */
export type Engine = {
  /** The process id of the server. */
  readonly pid: number
  /** Returns the address of a database by its name, [a-z0-9_]; creates it if it is missing. */
  database(name: string): Promise<Connection>
  /** The id of another process that owns the engine; undefined if there is none. */
  otherOwner(): Promise<number | undefined>
  /**
   * Leaves. The server ends with its owner; one that was started by a visitor (a command that
   * looked in while no platform ran) ends with the last visitor.
   */
  stop(): Promise<void>
}

/** The server, and the connection that shows its other users that this process is one of them. */
type Attached = { readonly server: Server; readonly presence: Client }

/**
 * Attaches to the engine of a data directory, and starts it where none is running. If several
 * processes come together, one starts it; the others wait and attach.
 * @throws Error with a sentence for the operator if it cannot be started, or if it is to be owned
 * and another process owns it; then nothing is touched.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const place = await findPlace(options.dataDir)
  if (!options.owner) return makeEngine(place, await attach(place, options), options)
  await refuseIfOwned(place)
  const release = await takeLock(place.lock)
  try {
    await refuseIfOwned(place)
    await claim(place)
  } finally {
    await release()
  }
  try {
    return makeEngine(place, await attach(place, options), options)
  } catch (error) {
    await disclaim(place)
    throw error
  }
}

/** @throws Error that names the process which owns the engine of a data directory, if one does. */
export async function refuseUsed(dataDir: string): Promise<void> {
  await refuseIfOwned(await findPlace(dataDir))
}

/** @param socketDir where a server that has to be started shall be reached; else chosen. */
async function attach(place: Place, options: EngineOptions, socketDir?: string): Promise<Attached> {
  const release = await takeLock(place.lock)
  try {
    const server = (await findServer(place)) ?? (await start(place, options, socketDir))
    // It runs; on a busy machine its first answer takes as long as the start may.
    const presence = await connect(server, limits.engineStartMsMax)
    if (options.owner) {
      await confirm(place, presence).catch(async (error) => {
        await presence.end()
        throw error
      })
    }
    return { server, presence }
  } finally {
    await release()
  }
}

async function start(place: Place, options: EngineOptions, socketDir?: string): Promise<Server> {
  await forgetWaiters(place.lock)
  const runtime = await prepareRuntime(place)
  await initialise(place, runtime, options.logger)
  return launch(place, runtime, options, socketDir)
}

/**
 * An engine is attached until stop() is called. When the server falls meanwhile (killed for want of
 * memory, say), its owner starts it again at the same address, where the pools find it; a visitor
 * leaves that to the owner.
 */
function makeEngine(place: Place, first: Attached, options: EngineOptions): Engine {
  let now = Promise.resolve(first)
  let pid = first.server.pid
  let left: Promise<void> | undefined

  function watch({ server, presence }: Attached): void {
    presence.onceLost(() => {
      if (left !== undefined || !options.owner) return
      options.logger.error({ pid: server.pid }, 'the embedded PostgreSQL fell')
      now = revive(server.socketDir)
      now.then(watch, () => {})
    })
  }
  async function revive(socketDir: string): Promise<Attached> {
    while (left === undefined) {
      try {
        const attached = await attach(place, options, socketDir)
        pid = attached.server.pid
        return attached
      } catch (error) {
        options.logger.error({ err: error }, 'the embedded PostgreSQL does not come up again')
        await delay(engineRetryMs)
      }
    }
    throw new Error('the embedded PostgreSQL was stopped')
  }

  watch(first)
  return {
    get pid() {
      return pid
    },
    database: async (name) => makeDatabase(await now, name),
    async otherOwner() {
      const owner = await findHolder(place.owner)
      return owner === process.pid ? undefined : owner
    },
    stop() {
      left ??= now.then(
        (attached) => leave(place, attached, options.owner),
        () => (options.owner ? disclaim(place) : undefined),
      )
      return left
    },
  }
}

async function leave(place: Place, { server, presence }: Attached, owner: boolean): Promise<void> {
  const release = await takeLock(place.lock)
  try {
    const last = owner || (await visitorsLeft(presence))
    await presence.end()
    if (last) await stopServer(place, server)
    if (owner) await disclaim(place)
  } finally {
    await release()
  }
}
