import type { IncomingMessage } from 'node:http'
import type { RawData, WebSocket } from 'ws'
import {
  type Clock,
  errorCatalogue,
  Fault,
  faultOf,
  type Logger,
  limits,
  newId,
  type Random,
} from '../../kernel/index.ts'
import type { Endpoint, Endpoints, ScriptValue, Served } from '../../scripting/index.ts'
import { type AdmitNeeds, authenticate } from './admit.ts'
import { faultOfEnd, fieldsOf } from './answer.ts'
import type { Settings } from './configuration.ts'
import { type Frame, frameOf, messageTypes } from './frames.ts'
import { presentedBy } from './presented.ts'
import { Refusal } from './refusal.ts'
import type { RemoteCommand } from './socket-directory.ts'
import { type SocketEnd, socketEndOf, socketEnds } from './socket-ends.ts'
import type { Unread } from './unread.ts'

export type SocketNeeds = Pick<AdmitNeeds, 'holders'> & {
  readonly endpoints: Pick<Endpoints, 'find' | 'run' | 'reportError'>
  readonly settingsOf: (served: Served) => Settings
  readonly unread: Unread
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** What stays the same as long as a socket is open. */
export type Opened = {
  readonly id: string
  readonly solutionId: string
  /** The name of its endpoint; its script may change. */
  readonly endpoint: string
  readonly message: Pick<IncomingMessage, 'headers'>
  readonly shared: boolean
  /** Of what its scripts see: all but what happens. */
  readonly fields: Readonly<Record<string, ScriptValue>>
  readonly openedUs: number
}

type SocketEvent =
  | { readonly type: 'open' }
  | { readonly type: 'data'; readonly message: string | Uint8Array; readonly timestamp: number }
  | { readonly type: 'close'; readonly code: number; readonly reason: string }

/**
 * A websocket of a solution. Its events go to the script one after another: `open` first, messages
 * in their order, `close` last. While many wait nothing more is read: its client slows down.
 */
export class Socket {
  readonly opened: Opened
  /** Once it is closed and its script knows. */
  readonly ended: Promise<void>
  readonly #needs: SocketNeeds
  readonly #ws: WebSocket
  readonly #end: () => void
  #waiting: SocketEvent[] = [{ type: 'open' }]
  #works = false
  #closing = false
  /** For which of the solution's versions it was admitted, and when. */
  #served: Served
  #admittedMs: number
  #heardMs: number
  #pingedMs: number | undefined

  constructor(needs: SocketNeeds, ws: WebSocket, opened: Opened, served: Served) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const nowMs = needs.clock.elapsedMs()
    this.opened = opened
    this.ended = promise
    this.#end = resolve
    this.#needs = needs
    this.#ws = ws
    this.#served = served
    this.#admittedMs = nowMs
    this.#heardMs = nowMs
    ws.on('message', (data, binary) => this.#take(data, binary))
    ws.on('ping', () => this.#heard())
    ws.on('pong', () => this.#heard())
    ws.on('error', (error) => needs.logger.debug({ err: error }, 'a websocket failed'))
    ws.on('close', (code, reason) => {
      this.#closing = true
      this.#waiting.push({ type: 'close', code, reason: reason.toString('utf8') })
      void this.#work()
    })
    void this.#work()
  }

  get isOpen(): boolean {
    return !this.#closing && this.#ws.readyState === this.#ws.OPEN
  }

  /** @throws Fault not_found where it is closed, overloaded where it has to be. */
  send({ data, binary }: Frame): void {
    if (!this.isOpen) throw new Fault('not_found', 'The socket is closed.')
    const taken = this.#needs.unread.take(this.opened, Buffer.byteLength(data))
    if (taken === 'of_all') throw new Fault('overloaded', 'Too much that was sent is not read yet.')
    if (taken === 'of_socket') {
      this.#tell('What was sent is not read: the socket is closed.')
      this.close(socketEnds.unread)
      throw new Fault('overloaded', 'The client does not read what it is sent.')
    }
    this.#ws.send(data, { binary }, taken)
  }

  /** What a script of another process wants of it; that one is told nothing any more. */
  run({ frame, end }: RemoteCommand): void {
    try {
      if (end === undefined) this.send(frame)
      else this.close(end)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
    }
  }

  /** Messages that wait are left. */
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

  /** Looks whether it may stay: its endpoint, its credential, its client's signs of life. */
  async look(served: Served | undefined): Promise<void> {
    if (!this.isOpen) return
    const nowMs = this.#needs.clock.elapsedMs()
    const endpoint = this.#endpointOf(served)
    if (served === undefined || endpoint === undefined) {
      this.close(socketEnds.gone)
      return
    }
    this.#listen(nowMs)
    const isOld = nowMs - this.#admittedMs >= limits.socketCredentialMs
    if (served !== this.#served || isOld) await this.#admit(served, endpoint)
  }

  #take(data: RawData, binary: boolean): void {
    this.#heard()
    if (this.#closing) return
    const bytes = data as Buffer
    const message = binary ? new Uint8Array(bytes) : bytes.toString('utf8')
    if (this.#waiting.length >= limits.socketFloodMax) {
      this.#tell('Its client sends faster than messages are handled: the socket is closed.')
      this.close(socketEnds.flood)
      return
    }
    this.#waiting.push({ type: 'data', message, timestamp: this.#needs.clock.nowUs() })
    if (this.#waiting.length >= limits.socketWaitingMax) this.#ws.pause()
    void this.#work()
  }

  async #work(): Promise<void> {
    if (this.#works) return
    this.#works = true
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      await this.#handle(event).catch((error) => this.#fail(error))
      if (this.#ws.isPaused && this.#waiting.length < limits.socketWaitingMax) this.#ws.resume()
      if (event.type === 'close') this.#end()
    }
    this.#works = false
  }

  async #handle(event: SocketEvent): Promise<void> {
    const { endpoints, random } = this.#needs
    const served = await endpoints.find(this.opened.solutionId)
    const endpoint = this.#endpointOf(served)
    if (served === undefined || endpoint === undefined) return this.close(socketEnds.gone)
    const isChanged = served !== this.#served && event.type === 'data'
    if (isChanged && !(await this.#admit(served, endpoint))) return this.close(socketEnds.later)
    const timestamp = this.#needs.clock.nowUs()
    const kind = event.type === 'data' ? { message_type: typeOf(event.message) } : {}
    const request = { ...this.opened.fields, timestamp, ...event, ...kind }
    const call = { solution: served, endpoint, request, trackingId: newId(random) }
    const end = await endpoints.run(call)
    if (event.type === 'close') return
    if (end.kind !== 'returned') return this.close(socketEndOf(faultOfEnd(end)))
    try {
      this.#reply(end.value, event)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.code === 'overloaded') return this.close(socketEnds.later)
      endpoints.reportError(call, `The answer was refused: ${error.detail}`)
      this.close(socketEnds.refused)
    }
  }

  #reply(said: ScriptValue, event: SocketEvent): void {
    const { value, response } = fieldsOf(said)
    const toBinary = event.type === 'data' && typeof event.message !== 'string'
    const frame = frameOf(value ?? fieldsOf(response).message, toBinary)
    // It may have been closed meanwhile, by the script itself.
    if (frame !== undefined && this.isOpen) this.send(frame)
  }

  /** Whether it may still be open, by what it presented. */
  async #admit(served: Served, endpoint: Endpoint): Promise<boolean> {
    const { clock, settingsOf } = this.#needs
    const { message, shared, fields } = this.opened
    const address = String(fields.ip)
    const asked = { message, served, shared, settings: settingsOf(served), address }
    try {
      await authenticate(this.#needs, asked, endpoint, presentedBy(asked))
    } catch (error) {
      const { status } = error instanceof Refusal ? error.fault : faultOf(error)
      // What cannot be known now is asked again at the next look.
      const isLater = status >= 500 || status === errorCatalogue.too_many_requests.status
      if (!isLater) this.close(socketEnds.credential)
      return false
    }
    this.#served = served
    this.#admittedMs = clock.elapsedMs()
    return true
  }

  #endpointOf(served: Served | undefined): Endpoint | undefined {
    return served?.endpoints.find(({ name }) => name === this.opened.endpoint)
  }

  #heard(): void {
    this.#heardMs = this.#needs.clock.elapsedMs()
    this.#pingedMs = undefined
  }

  /** While messages wait nothing is read, and no sign of life is seen. */
  #listen(nowMs: number): void {
    if (this.#works) this.#heard()
    else if (this.#pingedMs !== undefined) {
      if (nowMs - this.#pingedMs >= limits.socketPongMsMax) this.terminate()
    } else if (nowMs - this.#heardMs >= limits.socketPingMs) {
      this.#pingedMs = nowMs
      this.#ws.ping()
    }
  }

  #tell(text: string): void {
    const served = this.#served
    const endpoint = this.#endpointOf(served)
    if (endpoint === undefined) return
    const call = { solution: served, endpoint, request: undefined, trackingId: '' }
    this.#needs.endpoints.reportError(call, text)
  }

  #fail(error: unknown): void {
    this.#needs.logger.error({ err: error }, 'an event of a websocket failed')
    this.close(socketEnds.internal)
  }
}

function typeOf(message: string | Uint8Array): string {
  return typeof message === 'string' ? messageTypes.text : messageTypes.binary
}
