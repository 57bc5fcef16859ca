import { Server, type ServerResponse } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { Socket, Server as TcpServer } from 'node:net'

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

  /** One function for all answers: it is called for each request. */
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
