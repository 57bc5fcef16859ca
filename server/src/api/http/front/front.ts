import type { Socket, Server as TcpServer } from 'node:net'
import {
  type Logger,
  limits,
  namePeer,
  type Peer,
  peerOfSocket,
} from '../../../foundation/kernel/index.ts'
import type { ServerNames } from '../certificates/server-names.ts'
import { type ClientHello, parseClientHello } from './client-hello.ts'
import { parseProxyHeader } from './proxy-header.ts'
import { readHead } from './read-head.ts'

/** A header of the PROXY protocol. */
const proxyHeaderBytesMax = 4 * 1024
/** The start of a TLS handshake that is read to choose the kind of certificate. */
const clientHelloBytesMax = 17 * 1024

export type FrontOptions = {
  /** The server that gets clients that take RSA alone; undefined: the listener has no TLS. */
  readonly rsa?: TcpServer
  /** The names of ALPN that the server takes; a client that offers others gets none. */
  readonly protocols?: readonly string[]
  readonly names: Pick<ServerNames, 'hasBothKinds'>
  /** Returns whether the connections of an address begin with a header of the PROXY protocol. */
  readonly isProxied: (address: string) => boolean
  readonly handshakeMs: number
  readonly logger: Logger
}

/**
 * Reads what precedes the protocol of a server: the header of a proxy, and the start of a TLS
 * handshake. Node uses one certificate of the context for a name, so the kind of key that a client
 * takes selects one of two servers, if there are certificates of both kinds.
 */
export function putFront(server: TcpServer, options: FrontOptions): void {
  const { rsa, protocols, names, isProxied, handshakeMs, logger } = options
  const own = server.listeners('connection')
  server.removeAllListeners('connection')
  const peers = rsa === undefined ? undefined : nameSecure([server, rsa])
  const isRead = () => protocols !== undefined || (rsa !== undefined && names.hasBothKinds)
  function pass(target: TcpServer, socket: Socket): void {
    if (target !== server) target.emit('connection', socket)
    else for (const listener of own) listener.call(server, socket)
  }
  function passSecure(socket: Socket, hello: ClientHello): void {
    const takesOwn = hello.takesEcdsa || !names.hasBothKinds
    const target: AlpnServer = takesOwn || rsa === undefined ? server : rsa
    const { ALPNProtocols } = target
    const isKnown = hello.protocols.some((name) => protocols?.includes(name))
    // Node reads them when it takes a connection; with them it refuses clients that offer others.
    if (!isKnown) target.ALPNProtocols = undefined
    pass(target, socket)
    target.ALPNProtocols = ALPNProtocols
  }
  async function read(socket: Socket, proxied: boolean): Promise<void> {
    if (proxied) await readProxy(socket, peers)
    if (!isRead()) return pass(server, socket)
    const bounds = { bytesMax: clientHelloBytesMax, ms: handshakeMs }
    const hello = await readHead(socket, parseClientHello, bounds)
    if (!socket.destroyed) passSecure(socket, hello)
  }
  server.on('connection', (socket: Socket) => {
    const { ip } = peerOfSocket(socket)
    const proxied = isProxied(ip)
    if (!proxied && !isRead()) return pass(server, socket)
    read(socket, proxied).catch((error) => {
      const why = (error as Error).message
      if (proxied) logger.info({ ip, why }, 'the start of a connection cannot be read')
      socket.destroy()
    })
  })
}

/** Node's own field for the names of ALPN. */
type AlpnServer = TcpServer & { ALPNProtocols?: Buffer | undefined }

type Peers = Map<string, Peer>

async function readProxy(socket: Socket, peers: Peers | undefined): Promise<void> {
  const bounds = { bytesMax: proxyHeaderBytesMax, ms: limits.proxyHeaderMsMax }
  const { ip, encrypted, serverName } = await readHead(socket, parseProxyHeader, bounds)
  if (ip === undefined) return
  const peer = { ip, encrypted, serverName }
  namePeer(socket, peer)
  if (peers === undefined) return
  const key = socketKey(socket)
  peers.set(key, peer)
  socket.once('close', () => peers.delete(key))
}

/** A TLS socket does not lead to the connection below it, but has the same addresses. */
function nameSecure(servers: readonly TcpServer[]): Peers {
  const peers: Peers = new Map()
  for (const server of servers) {
    server.prependListener('secureConnection', (socket: Socket) => {
      const peer = peers.size === 0 ? undefined : peers.get(socketKey(socket))
      if (peer === undefined) return
      // The client's handshake ended here, so its own name and encryption are known.
      namePeer(socket, { ip: peer.ip, encrypted: true })
    })
  }
  return peers
}

function socketKey({ localAddress, localPort, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`
}
