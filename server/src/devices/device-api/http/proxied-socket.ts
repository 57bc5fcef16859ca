import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import {
  LruMap,
  limits,
  peerOfSocket,
  readForwarded,
  readPeer,
} from '../../../foundation/kernel/index.ts'
import { type Answering, HttpConnection, type HttpConnectionOptions } from './http-connection.ts'

const connectionOfSocket = Symbol('the device connection of a socket')
const clientsOfSocket = Symbol('the device connections of a socket of a proxy')

type DeviceSocket = Socket & {
  [connectionOfSocket]?: HttpConnection
  [clientsOfSocket]?: ProxiedSocket
}

/** Returns the connection of a request, the same one for each request of a client on a socket. */
export function connectionFor(
  options: HttpConnectionOptions,
  message: IncomingMessage,
): HttpConnection {
  const socket: DeviceSocket = message.socket
  const forwarded = readForwarded(message)
  if (forwarded === undefined) {
    socket[connectionOfSocket] ??= openConnection(options, socket)
    return socket[connectionOfSocket]
  }
  socket[clientsOfSocket] ??= new ProxiedSocket(options, socket)
  return socket[clientsOfSocket].connectionFor(message, forwarded.key)
}

function openConnection(options: HttpConnectionOptions, socket: Socket): HttpConnection {
  const parts = { peer: peerOfSocket(socket), answers: new Map() }
  const connection = new HttpConnection(options, socket, parts)
  socket.once('close', () => connection.closed())
  return connection
}

/** A socket on which a trusted proxy forwards requests of many clients: a connection for each. */
class ProxiedSocket {
  readonly #options: HttpConnectionOptions
  readonly #socket: Socket
  readonly #answers: Answering = new Map()
  readonly #connections = new LruMap<string, HttpConnection>(limits.proxiedClientsMax, {
    onEvicted: (connection) => connection.closed(),
  })

  constructor(options: HttpConnectionOptions, socket: Socket) {
    this.#options = options
    this.#socket = socket
    socket.once('close', () => {
      for (const connection of this.#connections.values()) connection.closed()
      this.#connections.clear()
    })
  }

  connectionFor(message: IncomingMessage, key: string): HttpConnection {
    const known = this.#connections.get(key)
    if (known !== undefined) return known
    const parts = { peer: readPeer(message), answers: this.#answers }
    const made = new HttpConnection(this.#options, this.#socket, parts)
    this.#connections.set(key, made)
    return made
  }
}
