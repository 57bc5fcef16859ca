import type { Socket, Server as TcpServer } from 'node:net'
import { limits } from '../../kernel/index.ts'
import type { ServerNames } from '../certificates/server-names.ts'
import { parseTakesEcdsa } from './client-hello.ts'
import { readHead } from './read-head.ts'

/** Reads what precedes the protocol of a server. @returns the server that gets the connection. */
type Front = (socket: Socket) => Promise<TcpServer> | TcpServer

/**
 * Puts a front before what a server does with its connections. A connection that it rejects is
 * ended.
 */
function putInFront(server: TcpServer, front: Front): void {
  const own = server.listeners('connection')
  server.removeAllListeners('connection')
  function pass(target: TcpServer, socket: Socket): void {
    if (target !== server) target.emit('connection', socket)
    else for (const listener of own) listener.call(server, socket)
  }
  server.on('connection', (socket: Socket) => {
    const target = front(socket)
    if (!(target instanceof Promise)) return pass(target, socket)
    target
      .then((found) => {
        if (!socket.destroyed) pass(found, socket)
      })
      .catch(() => socket.destroy())
  })
}

/**
 * Node uses one certificate of the context for a name. So a client's kind of key is read from the
 * start of its handshake, if there are certificates of both kinds.
 */
export function chooseByKey(
  names: Pick<ServerNames, 'hasBothKinds'>,
  server: TcpServer,
  rsa: TcpServer,
  ms: number,
): void {
  const bytesMax = limits.clientHelloBytesMax
  putInFront(server, (socket) => {
    if (!names.hasBothKinds) return server
    const takesEcdsa = readHead(socket, parseTakesEcdsa, { bytesMax, ms })
    return takesEcdsa.then((takes) => (takes ? server : rsa))
  })
}
