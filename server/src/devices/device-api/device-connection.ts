import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Peer, peerOfSocket } from '../../foundation/kernel/index.ts'
import type { PresenceBody } from '../../log/eventlog/index.ts'
import type { ConnectionInfo } from '../provisioning/index.ts'

/** A host in lower case, without its port and the dot of the root. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.?(?::\d*)?$/, '')
}

/** An open socket of a device, over HTTP or MQTT: one object as long as the socket is open. */
export class DeviceConnection implements ConnectionInfo {
  readonly id: string
  /** The device's address; an IPv4 address that is mapped to IPv6 as IPv4. */
  readonly ip: string
  readonly encrypted: boolean
  readonly protocol: 'http' | 'https' | 'mqtt' | 'mqtts'
  /** The fields of an entry that identify the connection. */
  readonly presence: PresenceBody
  protected readonly socket: Socket
  /** Null if the peer sent none; undefined before it is read. */
  #certificate: X509Certificate | null | undefined

  readonly #peer: Peer

  constructor(
    socket: Socket,
    protocol: 'http' | 'mqtt',
    id: string,
    peer: Peer = peerOfSocket(socket),
  ) {
    this.id = id
    this.#peer = peer
    this.ip = peer.ip
    this.encrypted = peer.encrypted
    this.protocol = this.encrypted ? `${protocol}s` : protocol
    this.presence = { ip: this.ip, protocol: this.protocol, connection: id }
    this.socket = socket
  }

  /**
   * The device's certificate of the TLS handshake, whoever signed it. Always the same object:
   * reading it costs more than a request.
   */
  get certificate(): X509Certificate | undefined {
    const { forwarded } = this.#peer
    // On a proxy's connection the certificate of the handshake is the proxy's.
    if (forwarded !== undefined) return forwarded.certificate
    if (this.#certificate === undefined) {
      this.#certificate = (this.socket as Partial<TLSSocket>).getPeerX509Certificate?.() ?? null
    }
    return this.#certificate ?? undefined
  }

  /** The TLS server name as `plainHost` writes it; empty if there is none. */
  get serverName(): string {
    const { servername } = this.socket as { readonly servername?: string | false | null }
    return plainHost(this.#peer.serverName ?? (servername || ''))
  }
}
