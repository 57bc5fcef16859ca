import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { PresenceBody } from '../eventlog/index.ts'
import type { ConnectionInfo } from '../provisioning/index.ts'

const mappedPrefix = '::ffff:'

/** An open socket of a device, over HTTP or MQTT: one object as long as the socket is open. */
export class DeviceConnection implements ConnectionInfo {
  readonly id: string
  /** The peer's address; an IPv4 address that is mapped to IPv6 as IPv4. */
  readonly ip: string
  readonly encrypted: boolean
  readonly protocol: 'http' | 'https' | 'mqtt' | 'mqtts'
  /** The fields of an entry that identify the connection. */
  readonly presence: PresenceBody
  protected readonly socket: Socket
  /** Null if the peer sent none; undefined before it is read. */
  #certificate: X509Certificate | null | undefined

  constructor(socket: Socket, protocol: 'http' | 'mqtt', id: string) {
    const address = socket.remoteAddress ?? ''
    this.id = id
    this.ip = address.startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address
    this.encrypted = (socket as Partial<TLSSocket>).encrypted === true
    this.protocol = this.encrypted ? `${protocol}s` : protocol
    this.presence = { ip: this.ip, protocol: this.protocol, connection: id }
    this.socket = socket
  }

  /**
   * The peer's certificate of the TLS handshake, whoever signed it. Always the same object: reading
   * it costs more than a request.
   */
  get certificate(): X509Certificate | undefined {
    if (this.#certificate === undefined) {
      this.#certificate = (this.socket as Partial<TLSSocket>).getPeerX509Certificate?.() ?? null
    }
    return this.#certificate ?? undefined
  }

  /** The TLS server name in lower case; empty if there is none. */
  get serverName(): string {
    const { servername } = this.socket as { readonly servername?: string | false | null }
    return typeof servername === 'string' ? servername.toLowerCase() : ''
  }
}
