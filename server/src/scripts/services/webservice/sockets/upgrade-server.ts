import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../../../../foundation/kernel/index.ts'
import { noSolution, type RequestTarget, type ResolveRequest } from '../endpoint-request.ts'
import type { HeaderPair } from '../headers.ts'
import { sandbox, sendRefusal } from '../send.ts'
import type { Upgrade } from './upgrade.ts'

/** Handles the HTTP upgrades to a websocket. */
export type UpgradeServer = {
  handle(message: IncomingMessage, socket: Socket, head: Buffer, where: RequestTarget): void
  /** Drops the connections that have no answer yet. */
  drop(): void
}

export type UpgradeServerOptions = {
  readonly upgrade: Upgrade
  readonly resolve: ResolveRequest
  readonly logger: Logger
}

export function createUpgradeServer({
  upgrade,
  resolve,
  logger,
}: UpgradeServerOptions): UpgradeServer {
  const waiting = new Set<Socket>()

  async function serve(
    message: IncomingMessage,
    socket: Socket,
    head: Buffer,
    where: RequestTarget,
  ): Promise<void> {
    const more: HeaderPair[] = where.shared ? [...sandbox] : []
    try {
      const request = await resolve(message, where, more)
      if (request === undefined) throw noSolution()
      await upgrade(request, socket, head)
    } catch (error) {
      refuse(message, socket, error, more)
    } finally {
      waiting.delete(socket)
    }
  }

  /** Sends the refusal as an HTTP answer and ends the connection. */
  function refuse(
    message: IncomingMessage,
    socket: Socket,
    thrown: unknown,
    more: readonly HeaderPair[],
  ): void {
    const response = new ServerResponse(message)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.destroySoon())
    sendRefusal(response, thrown, more, logger)
  }

  return {
    handle(message, socket, head, where) {
      // Node removes its own listeners from an upgraded socket: an unhandled error would crash us.
      socket.on('error', () => socket.destroy())
      if (isAnswering(message, socket)) {
        socket.destroy()
        return
      }
      waiting.add(socket)
      void serve(message, socket, head, where)
    },
    drop() {
      for (const socket of waiting) socket.destroy()
    },
  }
}

/** True if an earlier request of the connection is unanswered: frames would end its answer. */
function isAnswering(message: IncomingMessage, socket: Socket): boolean {
  const probe = new ServerResponse(message)
  try {
    probe.assignSocket(socket)
  } catch {
    return true
  }
  probe.detachSocket(socket)
  return false
}
