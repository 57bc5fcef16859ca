import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

const peers = new WeakMap<Socket, X509Certificate | null>()

/**
 * Returns the peer's certificate of the TLS handshake, whoever signed it. Always the same object
 * for a socket: reading it costs more than a request.
 */
export function peerCertificateOf(socket: Socket): X509Certificate | undefined {
  const before = peers.get(socket)
  if (before !== undefined) return before ?? undefined
  const certificate = (socket as Partial<TLSSocket>).getPeerX509Certificate?.()
  peers.set(socket, certificate ?? null)
  return certificate
}

/** The properties of a connection that connector rules check. */
export function securityOf(socket: Socket) {
  return {
    encrypted: (socket as Partial<TLSSocket>).encrypted === true,
    certificate: peerCertificateOf(socket),
  }
}
