import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LruMap, newId, type Peer, type Random } from '../../../foundation/kernel/index.ts'
import type { Device, Provisioning } from '../../provisioning/index.ts'
import { DeviceConnection } from '../device-connection.ts'
import type { Presence } from '../presence.ts'

/** Devices for which the log records the end of one shared connection. */
const devicesPerSocketMax = 100

export type HttpConnectionOptions = {
  readonly provisioning: Pick<Provisioning, 'revocations' | 'checkConnectorRules'>
  readonly presence: Presence
  readonly random: Random
  /** Writes a line of the connector's log. */
  readonly note: (
    kind: 'connect' | 'disconnect',
    connection: DeviceConnection,
    device: Device,
  ) => void
}

/** The answers under way on a socket, with the keys of their devices. */
export type Answering = Map<ServerResponse, string>

/**
 * A socket with HTTP requests of one device, or of several behind a proxy that names none of them;
 * or those of one client of a proxy that does. A device connects with its first request. The socket
 * closes when a device of it loses access. It follows up to `devicesPerSocketMax` devices:
 * for more, connects are not logged, and a revocation rejects the next request and closes nothing.
 */
export class HttpConnection extends DeviceConnection {
  readonly #options: HttpConnectionOptions
  /** The devices that have connected, by key. */
  readonly #devices = new Map<string, Device>()
  /** By device the function that removes its listener for revocations. */
  readonly #watched = new LruMap<string, () => void>(devicesPerSocketMax, {
    onEvicted: (stop) => stop(),
  })
  /** The answers under way, with the keys of their devices; '' for an unauthenticated request. */
  readonly #answers: Answering
  /** The answers that carry the refusal themselves: the socket ends after them. */
  readonly #refusals = new WeakSet<ServerResponse>()
  /** Called when an answer closes; one function for all of the socket. */
  readonly #forgetAnswer: (this: ServerResponse) => void
  /** The device of the last request, which is mostly that of the next one. */
  #last: Device | undefined
  #lastKey = ''

  constructor(
    options: HttpConnectionOptions,
    socket: Socket,
    { peer, answers }: { readonly peer: Peer; readonly answers: Answering },
  ) {
    super(socket, 'http', newId(options.random), peer)
    this.#options = options
    this.#answers = answers
    this.#forgetAnswer = function () {
      answers.delete(this)
    }
  }

  /** To be called for each request: it is not authenticated yet, but has to be answered. */
  requestStarted(response: ServerResponse): void {
    this.#answers.set(response, '')
    response.on('close', this.#forgetAnswer)
  }

  /**
   * To be called for each authenticated request. Resolves when the device's connect precedes the
   * request in the log; undefined if no script subscribes, or if it has connected before.
   */
  authenticated(device: Device, response: ServerResponse): Promise<void> | undefined {
    const key = this.#deviceKey(device)
    if (!this.socket.destroyed) this.#watch(key, device, response)
    if (this.#devices.has(key) || this.#devices.size >= devicesPerSocketMax) return undefined
    this.#devices.set(key, device)
    this.#options.note('connect', this, device)
    return this.#options.presence.publish('connected', device, this.presence)
  }

  #deviceKey(device: Device): string {
    const last = this.#last
    const isSame = last?.identity === device.identity && last.connector.id === device.connector.id
    if (!isSame) this.#lastKey = `${device.connector.id}/${device.identity}`
    this.#last = device
    return this.#lastKey
  }

  /** Marks an answer that itself carries the refusal: the socket ends after it. */
  answersRevocation(response: ServerResponse): void {
    this.#refusals.add(response)
  }

  #watch(key: string, device: Device, response: ServerResponse): void {
    if (this.#answers.has(response)) this.#answers.set(response, key)
    if (this.#watched.get(key) !== undefined) return
    const { revocations, checkConnectorRules } = this.#options.provisioning
    const recheck = () => checkConnectorRules(device, this)
    this.#watched.set(
      key,
      revocations.onRevoked(device, () => this.#end(key), recheck),
    )
  }

  /** Destroys the socket, unless answers of other devices are under way: then after these. */
  #end(revokedKey: string): void {
    const answers = [...this.#answers]
    const mayFinish = answers.every(
      ([response, deviceKey]) => deviceKey !== revokedKey || this.#refusals.has(response),
    )
    if (answers.length === 0 || !mayFinish) {
      this.socket.destroy()
      return
    }
    for (const response of this.#answers.keys()) response.shouldKeepAlive = false
  }

  /** To be called once, when the socket closed or the proxy's client is forgotten. */
  closed(): void {
    for (const stop of this.#watched.values()) stop()
    this.#watched.clear()
    for (const device of this.#devices.values()) {
      this.#options.note('disconnect', this, device)
      this.#options.presence.publish('disconnected', device, this.presence)
    }
  }
}
