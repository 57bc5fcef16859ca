import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2'
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Fault, limits } from '../kernel/index.ts'
import { readBody } from './answer.ts'
import type { OutboundAnswer, OutboundCall } from './call.ts'
import { OutboundError } from './errors.ts'
import type { CallTarget } from './guard.ts'
import type { GuestTls } from './guest.ts'
import { outboundLimits } from './limits.ts'
import type { Watch } from './watch.ts'

/** Streams at once on one HTTP/2 connection, if the server permits so many. More wait. */
const outboundHttp2StreamsMax = 1_000
/** The time for which an HTTP/2 connection without streams is kept. */
const outboundHttp2IdleMsMax = 10 * 60_000

/** The other end has surely done nothing about the request. */
export class NotBegun extends OutboundError {}

/**
 * A connection with many streams. It is open from its making until it is retired (it was idle, the
 * other end goes away, a call on it waited in vain); then nothing new begins on it, and it ends
 * with its last stream.
 */
export class Line {
  onClosed = () => {}
  readonly #host: string
  readonly #session: ClientHttp2Session
  readonly #ready: Promise<void>
  readonly #waiting: (() => void)[] = []
  #streams = 0
  #open = true
  #idle: NodeJS.Timeout | undefined

  constructor(origin: string, target: CallTarget, lookup: LookupFunction, tls: GuestTls = {}) {
    this.#host = target.host
    const socket = dial(origin, target, lookup, tls)
    this.#session = connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, maxHeaderListSize: limits.headerBytesMax },
    })
    this.#ready = this.#becomesReady(socket)
    this.#ready.catch(() => undefined)
    this.#session.on('error', () => this.retire())
    this.#session.on('goaway', () => this.retire())
    this.#session.on('close', () => this.retire())
    // Providers begin with one stream, and allow more after authentication.
    this.#session.on('remoteSettings', () => this.#wakeAll())
    this.#rest()
  }

  get open(): boolean {
    return this.#open
  }

  /** @throws NotBegun, OutboundError, Fault */
  async exchange(call: OutboundCall, url: URL, watch: Watch): Promise<OutboundAnswer> {
    clearTimeout(this.#idle)
    await this.#ready
    await this.#turn(watch.signal)
    this.#streams += 1
    clearTimeout(this.#idle)
    try {
      return await this.#ask(call, url, watch)
    } finally {
      this.#streams -= 1
      this.#waiting.shift()?.()
      if (this.#streams === 0) this.#rest()
    }
  }

  /** Nothing new begins; what is under way goes on. */
  retire(): void {
    if (!this.#open) return
    this.#open = false
    clearTimeout(this.#idle)
    this.onClosed()
    this.#wakeAll()
    if (this.#streams === 0) this.#session.destroy()
    else this.#session.close()
  }

  async destroy(): Promise<void> {
    this.retire()
    const closed = new Promise<void>((resolve) => this.#session.once('close', resolve))
    if (this.#session.destroyed) return
    this.#session.destroy(new OutboundError('broken', `${this.#host}: the platform closes`))
    await closed
  }

  /** A server of HTTP/2 sends its settings first. */
  #becomesReady(socket: Socket): Promise<void> {
    return new Promise((resolve, reject) => {
      const wait = setTimeout(() => {
        const late = `${this.#host} did not connect in time`
        this.#session.destroy(new OutboundError('unreachable', late))
      }, outboundLimits.outboundGuestConnectMsMax)
      this.#session.once('remoteSettings', () => {
        clearTimeout(wait)
        resolve()
      })
      this.#session.once('error', reject)
      socket.once('error', reject)
      this.#session.once('close', () => {
        clearTimeout(wait)
        reject(new NotBegun('broken', `${this.#host} ended before it spoke HTTP/2`))
      })
    })
  }

  async #turn(signal: AbortSignal): Promise<void> {
    while (this.#open && !signal.aborted && this.#streams >= this.#room()) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    signal.throwIfAborted()
    if (!this.#open) throw new NotBegun('broken', `${this.#host} went away`)
  }

  #room(): number {
    const { maxConcurrentStreams = 1 } = this.#session.remoteSettings
    return Math.min(maxConcurrentStreams, outboundHttp2StreamsMax)
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  async #ask(call: OutboundCall, url: URL, watch: Watch): Promise<OutboundAnswer> {
    const stream = this.#begin(call, url, watch.signal)
    watch.sent()
    stream.on('error', () => undefined)
    stream.end(call.body)
    try {
      const headers = await waitForHeaders(stream, this.#host)
      const body = await readBody(stream, headers, call.answerBytesMax)
      return { status: Number(headers[':status']), headers, body }
    } catch (error) {
      if (stream.rstCode !== constants.NGHTTP2_REFUSED_STREAM) throw error
      throw new NotBegun('broken', `${this.#host} refused the stream`, { cause: error })
    } finally {
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL)
    }
  }

  #begin({ method, headers }: OutboundCall, url: URL, signal: AbortSignal): ClientHttp2Stream {
    const path = `${url.pathname}${url.search}`
    try {
      return this.#session.request(
        { ...headers, ':method': method, ':path': path, ':authority': url.host },
        { signal },
      )
    } catch (error) {
      if (this.#session.closed || this.#session.destroyed) {
        throw new NotBegun('broken', `${this.#host} went away`, { cause: error })
      }
      throw new Fault('invalid_argument', (error as Error).message, { cause: error })
    }
  }

  #rest(): void {
    clearTimeout(this.#idle)
    if (this.#open) {
      this.#idle = setTimeout(() => this.retire(), outboundHttp2IdleMsMax).unref()
    } else {
      this.#session.destroy()
    }
  }
}

function dial(
  origin: string,
  { host, port }: CallTarget,
  lookup: LookupFunction,
  tls: GuestTls,
): Socket {
  if (origin.startsWith('http:')) return connectPlain({ host, port, lookup })
  return connectTls({
    ...tls,
    host,
    port,
    lookup,
    ALPNProtocols: ['h2'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
  })
}

function waitForHeaders(stream: ClientHttp2Stream, host: string): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const broke = () => reject(new OutboundError('broken', `${host} broke off`))
    stream.once('response', (headers) => {
      stream.off('close', broke)
      resolve(headers)
    })
    stream.once('error', reject)
    stream.once('close', broke)
  })
}
