import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

const peers = new WeakMap<Socket, X509Certificate | null>()

/**
 * The certificate with which the socket's other end proved itself in the handshake, whoever
 * signed it. Always the same object for a socket: asking for it costs more than a request.
 */
export function peerCertificateOf(socket: Socket): X509Certificate | undefined {
  const before = peers.get(socket)
  if (before !== undefined) return before ?? undefined
  const certificate = (socket as Partial<TLSSocket>).getPeerX509Certificate?.()
  peers.set(socket, certificate ?? null)
  return certificate
}

/** On what a device speaks, as far as its connector's rules ask. */
export function securityOf(socket: Socket) {
  return {
    encrypted: (socket as Partial<TLSSocket>).encrypted === true,
    certificate: peerCertificateOf(socket),
  }
}
