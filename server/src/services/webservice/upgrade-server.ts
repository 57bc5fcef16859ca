import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../../kernel/index.ts'
import { type Look, noSolution, type Where } from './asked.ts'
import type { Pair } from './headers.ts'
import { sandbox, sendRefusal } from './send.ts'
import type { Upgrade } from './upgrade.ts'

/** Where connections come in that are to be websockets. */
export type UpgradeServer = {
  handle(message: IncomingMessage, socket: Socket, head: Buffer, where: Where): void
  /** Drops those that have no answer yet. */
  drop(): void
}

export type UpgradeDoorNeeds = {
  readonly upgrade: Upgrade
  readonly look: Look
  readonly logger: Logger
}

export function createUpgradeServer({ upgrade, look, logger }: UpgradeDoorNeeds): UpgradeServer {
  const waiting = new Set<Socket>()

  async function serve(
    message: IncomingMessage,
    socket: Socket,
    head: Buffer,
    where: Where,
  ): Promise<void> {
    const more: Pair[] = where.shared ? [...sandbox] : []
    try {
      const asked = await look(message, where, more)
      if (asked === undefined) throw noSolution()
      await upgrade(asked, socket, head)
    } catch (error) {
      refuse(message, socket, error, more)
    } finally {
      waiting.delete(socket)
    }
  }

  /** Says it as any refusal is said, and ends the connection. */
  function refuse(
    message: IncomingMessage,
    socket: Socket,
    thrown: unknown,
    more: readonly Pair[],
  ): void {
    const response = new ServerResponse(message)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.destroySoon())
    sendRefusal(response, thrown, more, logger)
  }

  return {
    handle(message, socket, head, where) {
      // Nobody listens to a socket that was given out; its error would end the process.
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

/** Whether an earlier request of the connection has no whole answer yet: it would end in frames. */
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
