import type { Logger } from '../../kernel/index.ts'
import type { Connection } from '../pool.ts'
import { type Client, connect, makeDatabase, visitorsLeft } from './client.ts'
import { findServer } from './find.ts'
import { initialise } from './initialise.ts'
import { launch, type Server } from './launch.ts'
import { takeLock } from './lock.ts'
import { findPlace, type Place } from './place.ts'
import { prepareRuntime } from './runtime.ts'
import { stopServer } from './stop.ts'

export type EngineOptions = {
  /** The instance's data directory; made where it is missing. */
  readonly dataDir: string
  /** Whether stop() ends the engine whoever started it and whoever is connected. */
  readonly owner: boolean
  readonly logger: Logger
}

/** A running engine, as one user of it sees it. */
export type Engine = {
  /** The process id of the server. */
  readonly pid: number
  /** How to reach a database of it by its name, [a-z0-9_]; it is made where it is missing. */
  database(name: string): Promise<Connection>
  /**
   * Leaves. The server ends with its owner; one that was started by a visitor (a command that
   * looked in while no platform ran) ends with the last visitor.
   */
  stop(): Promise<void>
}

/**
 * Attaches to the engine of a data directory, and starts it where none is running. Of processes
 * that come together one starts it; the others wait and attach.
 * @throws Error with a sentence for the operator where it cannot be started.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const place = await findPlace(options.dataDir)
  const release = await takeLock(place.lock)
  try {
    const server = (await findServer(place)) ?? (await start(place, options))
    const presence = await connect(server)
    return engineOf(place, server, presence, options)
  } finally {
    await release()
  }
}

async function start(place: Place, options: EngineOptions): Promise<Server> {
  const runtime = await prepareRuntime(place)
  await initialise(place, runtime, options.logger)
  return launch(place, runtime, options)
}

/** `presence` is a connection that tells the others that this process is using the engine. */
function engineOf(place: Place, server: Server, presence: Client, options: EngineOptions): Engine {
  async function leave(): Promise<void> {
    const release = await takeLock(place.lock)
    try {
      const last = options.owner || (await visitorsLeft(presence))
      await presence.end().catch(() => {})
      if (last) await stopServer(place, server)
    } finally {
      await release()
    }
  }
  let left: Promise<void> | undefined
  return {
    pid: server.pid,
    database: (name) => makeDatabase(presence, server, name),
    stop() {
      left ??= leave()
      return left
    },
  }
}
