import { Fault, limits } from '../../kernel/index.ts'
import { Socket, type SocketNeeds } from './socket.ts'
import {
  createSocketDirectory,
  type DirectoryOptions,
  type SocketDirectory,
} from './socket-directory.ts'
import { socketEnds } from './socket-ends.ts'

type NewSocket =
  ConstructorParameters<typeof Socket> extends [unknown, ...infer Rest] ? Rest : never

export type SocketsNeeds = SocketNeeds & Pick<DirectoryOptions, 'database'>

/** The websockets that are open in this process. */
export type Sockets = {
  /** @throws Fault too_many_requests, overloaded where there is no room for another. */
  refuseFull(solutionId: string): void
  add(...socket: NewSocket): void
  find(solutionId: string, id: string): Socket | undefined
  of(solutionId: string): readonly Socket[]
  /** Those of other processes. */
  readonly directory: Omit<SocketDirectory, 'close'>
  /** Ends them all; their scripts hear of it, as far as there is time. */
  close(): Promise<void>
}

export function createSockets(needs: SocketsNeeds): Sockets {
  const all = new Map<string, Socket>()
  const bySolution = new Map<string, Map<string, Socket>>()
  const directory = createSocketDirectory({
    ...needs,
    run: (id, errand) => all.get(id)?.run(errand),
    own: () => [...all.values()].map(({ opened }) => opened),
  })
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const look = createLook(needs, bySolution)

  function forget(solutionId: string, id: string): void {
    const its = bySolution.get(solutionId)
    its?.delete(id)
    if (its?.size === 0) bySolution.delete(solutionId)
    all.delete(id)
    directory.leave(id)
    if (all.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const of = (solutionId: string) => [...(bySolution.get(solutionId)?.values() ?? [])]

  return {
    of,
    directory,
    refuseFull(solutionId) {
      const retryAfterS = limits.retryAfterS
      if (closed || all.size >= limits.socketsMax) {
        throw new Fault('overloaded', 'Too many websockets are open.', { retryAfterS })
      }
      if ((bySolution.get(solutionId)?.size ?? 0) < limits.socketsOfSolutionMax) return
      const words = `A solution has at most ${limits.socketsOfSolutionMax} websockets.`
      throw new Fault('too_many_requests', words, { retryAfterS })
    },
    add(ws, opened, served) {
      const { id, solutionId } = opened
      const its = bySolution.get(solutionId) ?? new Map<string, Socket>()
      bySolution.set(solutionId, its)
      const socket = new Socket(needs, ws, opened, served)
      its.set(id, socket)
      all.set(id, socket)
      ws.once('close', () => forget(solutionId, id))
      timer ??= setInterval(() => void look(), limits.socketLookMs).unref()
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
      clearInterval(timer)
      await directory.close()
    },
  }
}

/** Looks the sockets over, one solution after another; while it does it is not begun again. */
function createLook(
  { endpoints, logger }: SocketsNeeds,
  bySolution: ReadonlyMap<string, ReadonlyMap<string, Socket>>,
): () => Promise<void> {
  let looks = false
  return async () => {
    if (looks) return
    looks = true
    try {
      for (const [solutionId, its] of [...bySolution]) {
        const served = await endpoints.find(solutionId)
        for (const socket of [...its.values()]) await socket.look(served)
      }
    } catch (error) {
      logger.warn({ err: error }, 'websockets could not be looked over')
    } finally {
      looks = false
    }
  }
}
