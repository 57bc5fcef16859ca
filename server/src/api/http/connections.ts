import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { Socket, Server as TcpServer } from 'node:net'
import { limits, nextTurn } from '../../foundation/kernel/index.ts'
import { refuseRest } from './node-answers.ts'

/** The connections of servers: raw sockets, also those that never finish a handshake. */
export type OpenConnections = {
  follow(server: TcpServer): void
  /** Resolves once no HTTP request is under way. To be called once, after the servers closed. */
  answered(): Promise<void>
  /** Destroys every socket that is still open. */
  cut(): void
}

export function createConnections(): OpenConnections {
  const sockets = new Set<Socket>()
  const answering = new Set<ServerResponse>()
  const { promise: answered, resolve: resolveAnswered } = Promise.withResolvers<void>()
  let waiting = false

  function followAnswer(response: ServerResponse): void {
    answering.add(response)
    response.on('close', forgetAnswer)
  }

  /** All answers share this function: it is called for each request. */
  function forgetAnswer(this: ServerResponse): void {
    answering.delete(this)
    if (waiting && answering.size === 0) resolveAnswered()
  }

  return {
    follow(server) {
      server.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
      if (server instanceof Server || server instanceof HttpsServer) {
        server.on('request', (_, response: ServerResponse) => followAnswer(response))
      }
    },
    answered() {
      waiting = true
      if (answering.size === 0) resolveAnswered()
      return answered
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Refuses a request whose body does not arrive in time. */
export async function limitBody(message: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers
  if (encoding === undefined && (length === undefined || length === '0')) return
  await nextTurn()
  if (message.complete || message.destroyed) return
  // A body that is refused unread may never end, and must not hold up the end of the process.
  const timer = setTimeout(() => refuseRest(message.socket, 408), limits.deviceRequestMsMax).unref()
  const clear = () => clearTimeout(timer)
  message.once('end', clear)
  message.once('close', clear)
}
