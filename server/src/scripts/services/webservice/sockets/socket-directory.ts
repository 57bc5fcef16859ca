import type { Database, Transaction } from '../../../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  type Logger,
  newId,
  PollLoop,
  presentUntil,
  type Random,
} from '../../../../foundation/kernel/index.ts'
import { webserviceLimits } from '../limits.ts'
import {
  countCommands,
  findProcess,
  putCloses,
  putCommand,
  putProcess,
  putSocket,
  type RemoteCommand,
  readSockets,
  removeExpiredProcesses,
  removeProcess,
  removeSocket,
  removeSockets,
  type SocketRow,
  takeCommands,
} from '../store/sockets.ts'
import type { SocketEnd } from './socket-ends.ts'

/**
 * The time for which this lease holds. The websockets of a process without a lease are gone. All
 * processes of an instance must agree on it.
 */
const socketLeaseMs = 30_000
/** The interval at which a process polls for remote commands to its websockets. */
const socketCommandPollMs = 250
/** Remote commands that may wait. Past it a script of another process receives 503. */
const socketCommandsMax = 1_000

export type SocketEntry = {
  readonly id: string
  readonly solutionId: string
  /** The name of its endpoint; its script may change. */
  readonly endpoint: string
  readonly openedUs: number
}

/** Records which process has which websocket, and forwards commands to other processes. */
export type SocketDirectory = {
  /** To be called before the socket's id is given to anyone. */
  register(socket: SocketEntry): Promise<void>
  unregister(id: string): void
  /** The solution's sockets in other processes. */
  others(solutionId: string): Promise<readonly SocketRow[]>
  /** @throws Fault not_found if no other process has it, overloaded */
  forward(solutionId: string, id: string, command: RemoteCommand): Promise<void>
  /** @returns the number of sockets. */
  closeOthers(solutionId: string, end: SocketEnd): Promise<number>
  removeIn(transaction: Transaction, solutionId: string): Promise<void>
  close(): Promise<void>
}

export type DirectoryOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Runs a command that another process forwarded. */
  readonly run: (id: string, command: RemoteCommand) => void
  /** The sockets of this process. */
  readonly own: () => readonly SocketEntry[]
}

const usPerMs = 1_000

/** With the embedded engine there is one process, so nothing is shared. */
export function createSocketDirectory(options: DirectoryOptions): SocketDirectory {
  return options.database.engine === 'embedded' ? alone : createShared(options)
}

const notOpen = () => new Fault('not_found', 'The solution has no such socket open.')

const alone: SocketDirectory = {
  register: async () => {},
  unregister: () => {},
  others: async () => [],
  forward: async () => {
    throw notOpen()
  },
  closeOthers: async () => 0,
  removeIn: async () => {},
  close: async () => {},
}

function createShared({
  database,
  clock,
  random,
  logger,
  run,
  own,
}: DirectoryOptions): SocketDirectory {
  const process = newId(random)
  let leased: Promise<void> | undefined
  let nextRenewalMs = 0
  let stopListening: (() => void) | undefined

  const aliveSinceUs = () => clock.nowUs() - socketLeaseMs * usPerMs
  const failed = (error: unknown) => {
    logger.warn({ err: error }, 'websocket directory update failed; retrying')
  }

  /** Renews this process's lease; one that had expired registers its sockets again. */
  async function renewLease(): Promise<void> {
    nextRenewalMs = clock.elapsedMs() + webserviceLimits.socketLeaseRenewMs
    const isNew = await putProcess(database, process, clock.nowUs())
    if (isNew) for (const opened of own()) await putSocket(database, process, toRow(opened))
    await removeExpiredProcesses(database, aliveSinceUs(), presentUntil(clock.nowUs()))
  }

  async function poll(): Promise<void> {
    if (clock.elapsedMs() >= nextRenewalMs) await renewLease()
    if (own().length === 0) return
    for (const [id, command] of await takeCommands(database, process)) run(id, command)
  }

  const loop = new PollLoop({ look: poll, failed, pollMs: socketCommandPollMs, pauseMs: 0 })

  return {
    others: (solutionId) => readSockets(database, solutionId, process, aliveSinceUs()),
    async register(opened) {
      leased ??= renewLease().catch((error) => {
        leased = undefined
        throw error
      })
      await leased
      if (stopListening === undefined) loop.startLater()
      stopListening ??= database.hints.listen('sockets', () => loop.notify())
      await putSocket(database, process, toRow(opened))
    },
    unregister: (id) => void removeSocket(database, id).catch(failed),
    async forward(solutionId, id, command) {
      const other = await findProcess(database, { solutionId, id }, process, aliveSinceUs())
      if (other === undefined) throw notOpen()
      if ((await countCommands(database, other)) >= socketCommandsMax) {
        throw new Fault('overloaded', 'Too many messages wait for the process that has the socket.')
      }
      await putCommand(database, other, id, command)
      database.hints.notify('sockets', other)
    },
    async closeOthers(solutionId, end) {
      const closed = await putCloses(database, solutionId, process, aliveSinceUs(), end)
      if (closed > 0) database.hints.notify('sockets', solutionId)
      return closed
    },
    removeIn: removeSockets,
    async close() {
      stopListening?.()
      await loop.stop()
      if (leased !== undefined) await removeProcess(database, process).catch(failed)
    },
  }
}

function toRow({ id, solutionId, endpoint, openedUs }: SocketEntry): SocketRow {
  return { id, solutionId, route: endpoint.slice(endpoint.indexOf(' ') + 1), openedUs }
}
