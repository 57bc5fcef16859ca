import { Fault, limits, PollLoop, SharedBound } from '../../../../foundation/kernel/index.ts'
import { webserviceLimits } from '../limits.ts'
import { Socket, type SocketOptions } from './socket.ts'
import {
  createSocketDirectory,
  type DirectoryOptions,
  type SocketDirectory,
} from './socket-directory.ts'
import { socketEnds } from './socket-ends.ts'

/**
 * The interval at which websockets are checked: whether their endpoints are still there, and which
 * are silent.
 */
const socketRecheckMs = 1_000

type NewSocket =
  ConstructorParameters<typeof Socket> extends [unknown, ...infer Rest] ? Rest : never

type SolutionNamed = { readonly businessId: string; readonly solutionId: string }

export type SocketsOptions = SocketOptions & Pick<DirectoryOptions, 'database'>

/** The websockets that are open in this process. */
export type Sockets = {
  /** @throws Fault too_many_requests, overloaded if the limit of open sockets is reached. */
  refuseFull(solution: SolutionNamed): void
  add(...socket: NewSocket): void
  find(solutionId: string, id: string): Socket | undefined
  of(solutionId: string): readonly Socket[]
  /** The sockets of other processes. */
  readonly directory: Omit<SocketDirectory, 'close'>
  /** Closes all; their scripts handle `close` within `limits.shutdownMsMax`. */
  close(): Promise<void>
}

export function createSockets(options: SocketsOptions): Sockets {
  const all = new Map<string, Socket>()
  const bySolution = new Map<string, Map<string, Socket>>()
  const directory = createSocketDirectory({
    ...options,
    run: (id, command) => all.get(id)?.run(command),
    own: () => [...all.values()].map(({ opened }) => opened),
  })
  const bound = new SharedBound({ what: 'websockets', max: () => limits.socketsMax })
  let closed = false
  /** Runs while a socket is open. */
  let rechecks: PollLoop | undefined

  function forget(solutionId: string, id: string): void {
    const ofSolution = bySolution.get(solutionId)
    ofSolution?.delete(id)
    if (ofSolution?.size === 0) bySolution.delete(solutionId)
    all.delete(id)
    directory.unregister(id)
    if (all.size > 0) return
    void rechecks?.stop()
    rechecks = undefined
  }

  const of = (solutionId: string) => [...(bySolution.get(solutionId)?.values() ?? [])]

  return {
    of,
    directory,
    refuseFull({ businessId, solutionId }) {
      const retryAfterS = limits.retryAfterS
      if (closed) throw new Fault('server_closed')
      bound.requireRoom({ businessId })
      if ((bySolution.get(solutionId)?.size ?? 0) < webserviceLimits.socketsOfSolutionMax) return
      const words = `A solution has at most ${webserviceLimits.socketsOfSolutionMax} websockets.`
      throw new Fault('too_many_requests', words, { retryAfterS })
    },
    add(ws, opened, served) {
      const { id, solutionId } = opened
      const ofSolution = bySolution.get(solutionId) ?? new Map<string, Socket>()
      bySolution.set(solutionId, ofSolution)
      const socket = new Socket(options, ws, opened, served)
      ofSolution.set(id, socket)
      all.set(id, socket)
      const leave = bound.enter(served)
      ws.once('close', () => {
        leave()
        forget(solutionId, id)
      })
      rechecks ??= startRechecks(options, bySolution)
    },
    find: (solutionId, id) => bySolution.get(solutionId)?.get(id),
    async close() {
      closed = true
      const open = [...all.values()]
      for (const socket of open) socket.close(socketEnds.stopping)
      const { promise, resolve } = Promise.withResolvers<void>()
      const cut = setTimeout(resolve, limits.shutdownMsMax)
      await Promise.race([Promise.all(open.map(({ ended }) => ended)), promise])
      clearTimeout(cut)
      for (const socket of open) socket.terminate()
      void rechecks?.stop()
      await directory.close()
    },
  }
}

/** Checks all sockets again now and then, one solution after another. */
function startRechecks(
  { endpoints, logger }: SocketsOptions,
  bySolution: ReadonlyMap<string, ReadonlyMap<string, Socket>>,
): PollLoop {
  const loop = new PollLoop({
    async look() {
      for (const [solutionId, ofSolution] of [...bySolution]) {
        const served = await endpoints.find(solutionId)
        for (const socket of [...ofSolution.values()]) await socket.recheck(served)
      }
    },
    failed: (error) => logger.warn({ err: error }, 'websocket check failed; retrying'),
    pollMs: socketRecheckMs,
  })
  loop.startLater()
  return loop
}
