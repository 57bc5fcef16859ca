import { Fault, limits } from '../../kernel/index.ts'
import { Socket, type SocketNeeds } from './socket.ts'
import { socketEnds } from './socket-ends.ts'

type NewSocket =
  ConstructorParameters<typeof Socket> extends [unknown, ...infer Rest] ? Rest : never

/** The websockets that are open in this process. */
export type Sockets = {
  /** @throws Fault too_many_requests, overloaded where there is no room for another. */
  refuseFull(solutionId: string): void
  add(...socket: NewSocket): void
  find(solutionId: string, id: string): Socket | undefined
  of(solutionId: string): readonly Socket[]
  /** Ends them all; their scripts hear of it, as far as there is time. */
  close(): Promise<void>
}

export function createSockets(needs: SocketNeeds): Sockets {
  const bySolution = new Map<string, Map<string, Socket>>()
  let count = 0
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let looks = false

  function forget(solutionId: string, id: string): void {
    const its = bySolution.get(solutionId)
    if (its?.delete(id)) count -= 1
    if (its?.size === 0) bySolution.delete(solutionId)
    if (count > 0) return
    clearInterval(timer)
    timer = undefined
  }

  async function look(): Promise<void> {
    if (looks) return
    looks = true
    try {
      for (const [solutionId, its] of [...bySolution]) {
        const served = await needs.endpoints.find(solutionId)
        for (const socket of [...its.values()]) await socket.look(served)
      }
    } catch (error) {
      needs.logger.warn({ err: error }, 'websockets could not be looked over')
    } finally {
      looks = false
    }
  }

  const of = (solutionId: string) => [...(bySolution.get(solutionId)?.values() ?? [])]

  return {
    of,
    refuseFull(solutionId) {
      const retryAfterS = limits.retryAfterS
      if (closed || count >= limits.socketsMax) {
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
      its.set(id, new Socket(needs, ws, opened, served))
      count += 1
      ws.once('close', () => forget(solutionId, id))
      timer ??= setInterval(() => void look(), limits.socketLookMs).unref()
    },
    find: (solutionId, id) => bySolution.get(solutionId)?.get(id),
    async close() {
      closed = true
      const all = [...bySolution.values()].flatMap((its) => [...its.values()])
      for (const socket of all) socket.close(socketEnds.stopping)
      const { promise, resolve } = Promise.withResolvers<void>()
      const cut = setTimeout(resolve, limits.shutdownMsMax)
      await Promise.race([Promise.all(all.map(({ ended }) => ended)), promise])
      clearTimeout(cut)
      for (const socket of all) socket.terminate()
      clearInterval(timer)
    },
  }
}
