import type { IncomingMessage } from 'node:http'
import type { RawData, WebSocket } from 'ws'
import {
  type Clock,
  errorCatalogue,
  exactText,
  Fault,
  type Logger,
  newId,
  type Random,
  toFault,
} from '../../../../foundation/kernel/index.ts'
import type {
  Endpoint,
  Endpoints,
  ScriptValue,
  SolutionEndpoints,
} from '../../../scripting/index.ts'
import { faultOfEnd, parseTable, Refusal } from '../answer.ts'
import { type AuthenticationOptions, authenticate } from '../authenticate.ts'
import type { WebserviceSettings } from '../configuration.ts'
import { type Frame, makeFrame, messageTypes } from '../frames.ts'
import { webserviceLimits } from '../limits.ts'
import type { RemoteCommand } from '../store/sockets.ts'
import { extractCredentials } from './credentials.ts'
import type { SendBuffers } from './send-buffers.ts'
import type { SocketEntry } from './socket-directory.ts'
import { type SocketEnd, socketEnds, toSocketEnd } from './socket-ends.ts'

export type SocketOptions = Pick<AuthenticationOptions, 'holders'> & {
  readonly endpoints: Pick<Endpoints, 'find' | 'run' | 'reportError'>
  readonly readSettings: (served: SolutionEndpoints) => WebserviceSettings
  readonly sendBuffers: SendBuffers
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** The facts of a socket that do not change while it is open. */
export type OpenedSocket = SocketEntry & {
  readonly message: Pick<IncomingMessage, 'headers'>
  readonly shared: boolean
  /** The part of each event's request that is the same for all events. */
  readonly fields: Readonly<Record<string, ScriptValue>>
}

type SocketEvent =
  | { readonly type: 'open' }
  | { readonly type: 'data'; readonly message: string | Uint8Array; readonly timestamp: number }
  | { readonly type: 'close'; readonly code: number; readonly reason: string }

/**
 * A websocket of a solution. Its events go to the script one after another: `open` first, messages
 * in order, `close` last. While too many wait, reading pauses, so that TCP slows the client down.
 */
export class Socket {
  readonly opened: OpenedSocket
  /** Settles once it is closed and its script has handled the close. */
  readonly ended: Promise<void>
  readonly #options: SocketOptions
  readonly #ws: WebSocket
  readonly #end: () => void
  #waiting: SocketEvent[] = [{ type: 'open' }]
  #draining = false
  #closing = false
  /** The solution's version for which it was authenticated last, and when. */
  #served: SolutionEndpoints
  #authenticatedMs: number
  #aliveMs: number
  #pingedMs: number | undefined

  constructor(
    options: SocketOptions,
    ws: WebSocket,
    opened: OpenedSocket,
    served: SolutionEndpoints,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const nowMs = options.clock.elapsedMs()
    this.opened = opened
    this.ended = promise
    this.#end = resolve
    this.#options = options
    this.#ws = ws
    this.#served = served
    this.#authenticatedMs = nowMs
    this.#aliveMs = nowMs
    ws.on('message', (data, binary) => this.#receive(data, binary))
    ws.on('ping', () => this.#markAlive())
    ws.on('pong', () => this.#markAlive())
    ws.on('error', (error) => options.logger.debug({ err: error }, 'websocket connection failed'))
    ws.on('close', (code, reason) => {
      this.#closing = true
      this.#waiting.push({ type: 'close', code, reason: exactText(reason) })
      void this.#drain()
    })
    void this.#drain()
  }

  get isOpen(): boolean {
    return !this.#closing && this.#ws.readyState === this.#ws.OPEN
  }

  /** @throws Fault not_found if it is closed, overloaded if the client does not read. */
  send({ data, binary }: Frame): void {
    if (!this.isOpen) throw new Fault('not_found', 'The socket is closed.')
    const release = this.#options.sendBuffers.take(this.opened, Buffer.byteLength(data))
    if (release === 'of_all')
      throw new Fault('overloaded', 'Too much sent data has not been read yet.')
    if (release === 'of_socket') {
      this.#log('The client does not read what it is sent: the socket is closed.')
      this.close(socketEnds.notReading)
      throw new Fault('overloaded', 'The client does not read its messages.')
    }
    this.#ws.send(data, { binary }, release)
  }

  /** Runs a command of another process, which gets no answer. */
  run({ frame, end }: RemoteCommand): void {
    try {
      if (end === undefined) this.send(frame)
      else this.close(end)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
    }
  }

  /** Discards the messages that wait. */
  close({ code, reason }: SocketEnd): void {
    if (this.#closing) return
    this.#closing = true
    this.#waiting = this.#waiting.filter(({ type }) => type !== 'data')
    this.#ws.resume()
    this.#ws.close(code, reason)
  }

  terminate(): void {
    this.#closing = true
    this.#ws.terminate()
  }

  /** Checks if it may stay open: its endpoint, its credential, its client's heartbeat. */
  async recheck(served: SolutionEndpoints | undefined): Promise<void> {
    if (!this.isOpen) return
    const nowMs = this.#options.clock.elapsedMs()
    const endpoint = this.#findEndpoint(served)
    if (served === undefined || endpoint === undefined) {
      this.close(socketEnds.gone)
      return
    }
    this.#checkAlive(nowMs)
    const isOld = nowMs - this.#authenticatedMs >= webserviceLimits.socketCredentialMs
    if (served !== this.#served || isOld) await this.#reauthenticate(served, endpoint)
  }

  #receive(data: RawData, binary: boolean): void {
    this.#markAlive()
    if (this.#closing) return
    const bytes = data as Buffer
    const message = binary ? new Uint8Array(bytes) : exactText(bytes)
    if (this.#waiting.length >= webserviceLimits.socketFloodMax) {
      this.#log('The client sends faster than messages are handled: the socket is closed.')
      this.close(socketEnds.flood)
      return
    }
    this.#waiting.push({ type: 'data', message, timestamp: this.#options.clock.nowUs() })
    if (this.#waiting.length >= webserviceLimits.socketWaitingMax) this.#ws.pause()
    void this.#drain()
  }

  async #drain(): Promise<void> {
    if (this.#draining) return
    this.#draining = true
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      await this.#handle(event).catch((error) => this.#fail(error))
      if (this.#ws.isPaused && this.#waiting.length < webserviceLimits.socketWaitingMax)
        this.#ws.resume()
      if (event.type === 'close') this.#end()
    }
    this.#draining = false
  }

  async #handle(event: SocketEvent): Promise<void> {
    const { endpoints, random } = this.#options
    const served = await endpoints.find(this.opened.solutionId)
    const endpoint = this.#findEndpoint(served)
    if (served === undefined || endpoint === undefined) return this.close(socketEnds.gone)
    const isChanged = served !== this.#served && event.type === 'data'
    if (isChanged && !(await this.#reauthenticate(served, endpoint)))
      return this.close(socketEnds.later)
    const timestamp = this.#options.clock.nowUs()
    const kind = event.type === 'data' ? { message_type: messageType(event.message) } : {}
    const request = { ...this.opened.fields, timestamp, ...event, ...kind }
    const call = { solution: served, endpoint, request, trackingId: newId(random) }
    const end = await endpoints.run(call)
    if (event.type === 'close') return
    if (end.kind !== 'returned') return this.close(toSocketEnd(faultOfEnd(end)))
    try {
      this.#reply(end.value, event)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.code === 'overloaded') return this.close(socketEnds.later)
      endpoints.reportError(call, `The answer was refused: ${error.detail}`)
      this.close(socketEnds.refused)
    }
  }

  #reply(returned: ScriptValue, event: SocketEvent): void {
    const { value, response } = parseTable(returned)
    const toBinary = event.type === 'data' && typeof event.message !== 'string'
    const frame = makeFrame(value ?? parseTable(response).message, toBinary)
    // It may have been closed meanwhile, by the script itself.
    if (frame !== undefined && this.isOpen) this.send(frame)
  }

  /** Checks the credential again. @returns whether it is still valid */
  async #reauthenticate(served: SolutionEndpoints, endpoint: Endpoint): Promise<boolean> {
    const { clock, readSettings } = this.#options
    const { message, shared, fields } = this.opened
    const address = String(fields.ip)
    const uri = String(fields.uri)
    const headers = { message, served, shared, settings: readSettings(served), address, uri }
    try {
      await authenticate(this.#options, headers, endpoint, extractCredentials(headers))
    } catch (error) {
      const { status } = error instanceof Refusal ? error.fault : toFault(error)
      // A condition that cannot be checked now is checked again the next time.
      const isLater = status >= 500 || status === errorCatalogue.too_many_requests.status
      if (!isLater) this.close(socketEnds.credential)
      return false
    }
    this.#served = served
    this.#authenticatedMs = clock.elapsedMs()
    return true
  }

  #findEndpoint(served: SolutionEndpoints | undefined): Endpoint | undefined {
    return served?.endpoints.find(({ name }) => name === this.opened.endpoint)
  }

  #markAlive(): void {
    this.#aliveMs = this.#options.clock.elapsedMs()
    this.#pingedMs = undefined
  }

  /** While messages are handled nothing is read, so no pong can be expected. */
  #checkAlive(nowMs: number): void {
    if (this.#draining) this.#markAlive()
    else if (this.#pingedMs !== undefined) {
      if (nowMs - this.#pingedMs >= webserviceLimits.socketPongMsMax) this.terminate()
    } else if (nowMs - this.#aliveMs >= webserviceLimits.socketPingMs) {
      this.#pingedMs = nowMs
      this.#ws.ping()
    }
  }

  #log(text: string): void {
    const served = this.#served
    const endpoint = this.#findEndpoint(served)
    if (endpoint === undefined) return
    const call = { solution: served, endpoint, request: undefined, trackingId: '' }
    this.#options.endpoints.reportError(call, text)
  }

  #fail(error: unknown): void {
    this.#options.logger.error({ err: error }, 'websocket event failed')
    this.close(socketEnds.internal)
  }
}

function messageType(message: string | Uint8Array): string {
  return typeof message === 'string' ? messageTypes.text : messageTypes.binary
}
