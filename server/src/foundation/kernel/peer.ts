import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/**
 * The sender of a request or the owner of a connection: the proxy's client, if a trusted proxy
 * names it.
 */
export type Peer = {
  /** An IPv4 address that is mapped to IPv6 as IPv4. */
  readonly ip: string
  /** True if the client's own connection is encrypted. */
  readonly encrypted: boolean
  /** The host that the client asked the proxy's TLS for; undefined: that of the connection. */
  readonly serverName?: string | undefined
  /** The facts that a proxy's header gives in place of the connection; undefined: there is none. */
  readonly forwarded?: Forwarded | undefined
}

/** A request that a proxy forwarded on a connection of its own. */
export type Forwarded = {
  /** The client's certificate, which the proxy verified to be its own. */
  readonly certificate: X509Certificate | undefined
  /** The same for all requests of one client. */
  readonly key: string
}

const namedPeer = Symbol('the peer that a proxy names')

type Named = { [namedPeer]?: Peer }

/** Says who stands behind a request or a connection; only what is in front of all parts may. */
export function namePeer(target: IncomingMessage | Socket, peer: Peer): void {
  const named = target as Named
  named[namedPeer] = peer
}

export function readPeer(message: IncomingMessage): Peer {
  return (message as Named)[namedPeer] ?? peerOfSocket(message.socket)
}

export function peerOfSocket(socket: Socket): Peer {
  const named = (socket as Named)[namedPeer]
  if (named !== undefined) return named
  const encrypted = (socket as Partial<TLSSocket>).encrypted === true
  return { ip: plainAddress(socket.remoteAddress ?? ''), encrypted }
}

/** Returns the facts of a request that a proxy's header gives; undefined if none is trusted. */
export function readForwarded(message: IncomingMessage): Forwarded | undefined {
  return (message as Named)[namedPeer]?.forwarded
}

/** Returns whether a host, as it stands in a URL or in a setting, is an address of this machine. */
export function isLoopbackHost(host: string): boolean {
  return isLocalName(host) || /^(?:::1|\[::1\]|127(?:\.\d{1,3}){3})$/.test(host)
}

/** Returns whether a name is always one of this machine (RFC 6761). */
export function isLocalName(host: string): boolean {
  return /^(?:[^.]+\.)*localhost$/.test(host)
}

const mappedPrefix = '::ffff:'

/** Writes an IPv4 address that is mapped to IPv6 as IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address
}
