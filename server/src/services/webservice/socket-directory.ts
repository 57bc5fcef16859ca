import type { Database, Transaction } from '../../database/index.ts'
import {
  type Clock,
  Fault,
  type Logger,
  limits,
  newId,
  presentUntil,
  type Random,
} from '../../kernel/index.ts'
import type { Frame } from './frames.ts'
import type { Opened } from './socket.ts'
import type { SocketEnd } from './socket-ends.ts'
import {
  countErrands,
  findProcess,
  putCloses,
  putErrand,
  putProcess,
  putSocket,
  readSockets,
  removeProcess,
  removeSocket,
  removeSockets,
  removeUnseen,
  type SocketRow,
  takeErrands,
} from './store.ts'

/** What is to be done with a socket: something is sent, or it is closed. */
export type RemoteCommand =
  | { readonly frame: Frame; readonly end?: undefined }
  | { readonly end: SocketEnd; readonly frame?: undefined }

export type Entry = Pick<Opened, 'id' | 'solutionId' | 'endpoint' | 'openedUs'>

/** Which process has which websocket, and the way to those of other processes. */
export type SocketDirectory = {
  /** To be called before anybody may know the socket. */
  enter(socket: Entry): Promise<void>
  leave(id: string): void
  /** Those of the solution that other processes have. */
  others(solutionId: string): Promise<readonly SocketRow[]>
  /** @throws Fault not_found where no other process has it, overloaded */
  hand(solutionId: string, id: string, errand: RemoteCommand): Promise<void>
  /** @returns how many there are. */
  closeOthers(solutionId: string, end: SocketEnd): Promise<number>
  removeIn(transaction: Transaction, solutionId: string): Promise<void>
  close(): Promise<void>
}

export type DirectoryOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** What others want of a socket of this process. */
  readonly run: (id: string, errand: RemoteCommand) => void
  /** The sockets of this process. */
  readonly own: () => readonly Entry[]
}

const usPerMs = 1_000

/** With the embedded engine there is one process: nothing is written, and nobody else asked. */
export function createSocketDirectory(options: DirectoryOptions): SocketDirectory {
  return options.database.engine === 'embedded' ? alone : createShared(options)
}

const notOpen = () => new Fault('not_found', 'The solution has no such socket open.')

const alone: SocketDirectory = {
  enter: async () => {},
  leave: () => {},
  others: async () => [],
  hand: async () => {
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
  let beaten: Promise<void> | undefined
  let nextBeatMs = 0
  let timer: NodeJS.Timeout | undefined
  let works: Promise<void> | undefined

  const aliveSinceUs = () => clock.nowUs() - limits.socketLeaseMs * usPerMs
  const failed = (error: unknown) => {
    logger.warn({ err: error }, 'websockets could not be told to other processes')
  }

  /** A process that was taken for gone says anew what it has. */
  async function beat(): Promise<void> {
    nextBeatMs = clock.elapsedMs() + limits.socketLeaseRenewMs
    const isFresh = await putProcess(database, process, clock.nowUs())
    if (isFresh) for (const opened of own()) await putSocket(database, process, rowOf(opened))
    await removeUnseen(database, aliveSinceUs(), presentUntil(clock.nowUs()))
  }

  async function work(): Promise<void> {
    if (clock.elapsedMs() >= nextBeatMs) await beat()
    if (own().length === 0) return
    for (const [id, errand] of await takeErrands(database, process)) run(id, errand)
  }

  function tick(): void {
    works ??= work()
      .catch(failed)
      .finally(() => {
        works = undefined
      })
  }

  return {
    others: (solutionId) => readSockets(database, solutionId, process, aliveSinceUs()),
    async enter(opened) {
      beaten ??= beat().catch((error) => {
        beaten = undefined
        throw error
      })
      await beaten
      timer ??= setInterval(tick, limits.socketErrandPollMs).unref()
      await putSocket(database, process, rowOf(opened))
    },
    leave: (id) => void removeSocket(database, id).catch(failed),
    async hand(solutionId, id, errand) {
      const other = await findProcess(database, { solutionId, id }, process, aliveSinceUs())
      if (other === undefined) throw notOpen()
      if ((await countErrands(database, other)) >= limits.socketErrandsMax) {
        throw new Fault('overloaded', 'Too much waits for the process that has the socket.')
      }
      await putErrand(database, other, id, errand)
    },
    closeOthers: (solutionId, end) => putCloses(database, solutionId, process, aliveSinceUs(), end),
    removeIn: removeSockets,
    async close() {
      clearInterval(timer)
      await works
      if (beaten !== undefined) await removeProcess(database, process).catch(failed)
    },
  }
}

function rowOf({ id, solutionId, endpoint, openedUs }: Entry): SocketRow {
  return { id, solutionId, route: endpoint.slice(endpoint.indexOf(' ') + 1), openedUs }
}
