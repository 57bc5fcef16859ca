import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { AllowEntry } from './allow.ts'
import { hasCoding, isTooLong, readBody, tooLarge } from './answer.ts'
import { guarded, type OutboundAnswer, type OutboundCall } from './call.ts'
import type { ExchangeHandler, PooledConnection } from './connection.ts'
import { outboundLimits } from './limits.ts'
import type { Watch } from './watch.ts'

type Controller = Dispatcher.DispatchController

/** Checks the URL, sends, and reads the whole answer, all within the call's limits. */
export function send(
  call: OutboundCall,
  allow: readonly AllowEntry[],
  dispatcher: Dispatcher,
  onRefused: (reason: string) => void,
): Promise<OutboundAnswer> {
  return guarded(call, allow, onRefused, ({ url, watch }) => exchange(call, url, dispatcher, watch))
}

/** Methods that do the same when a server gets them twice (RFC 9110, 9.2.2). */
const idempotent: ReadonlySet<OutboundCall['method']> = new Set([
  'GET',
  'HEAD',
  'PUT',
  'DELETE',
  'OPTIONS',
])

/**
 * Servers close connections that were idle for a time of their own, and a request may meet the end
 * of one. It is sent once more then, on a new connection, if its method allows it; others go out
 * only on connections that were idle for a short time, and shorter than their servers keep them.
 */
function exchange(
  call: OutboundCall,
  url: URL,
  dispatcher: Dispatcher,
  watch: Watch,
): Promise<OutboundAnswer> {
  const path = `${url.pathname}${url.search}`
  const attempt = (idleMsMax: number, again?: () => Promise<OutboundAnswer>) =>
    new Promise<OutboundAnswer>((resolve, reject) => {
      const handler = new AnswerHandler({ call, watch, idleMsMax, again, resolve, reject })
      watch.onAbort((reason) => handler.abort(reason))
      const { method, headers = null, body = null } = call
      dispatcher.dispatch({ origin: url.origin, path, method, headers, body }, handler)
    })
  if (!idempotent.has(call.method)) return attempt(outboundLimits.outboundOnceIdleMsMax)
  return attempt(Number.POSITIVE_INFINITY, () => attempt(0))
}

type Attempt = Pick<ExchangeHandler, 'idleMsMax'> & {
  readonly call: OutboundCall
  readonly watch: Watch
  /** Sends the request once more. */
  readonly again: (() => Promise<OutboundAnswer>) | undefined
  readonly resolve: (answer: OutboundAnswer | Promise<OutboundAnswer>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Collects an answer by undici's own events. A stream for each answer, as `request` of undici makes
 * one, and what it takes to end it cost as much as the rest of a call; only a compressed answer
 * needs one.
 */
class AnswerHandler implements ExchangeHandler {
  connection: PooledConnection | undefined
  readonly #attempt: Attempt
  #reused = false
  #answered = false
  #controller: Controller | undefined
  #aborted: { readonly reason: Error } | undefined
  #head: Pick<OutboundAnswer, 'status' | 'headers'> = { status: 0, headers: {} }
  #chunks: Buffer[] = []
  #bytes = 0
  /** The stream of a compressed answer. */
  #stream: Readable | undefined

  constructor(attempt: Attempt) {
    this.#attempt = attempt
  }

  get idleMsMax(): number {
    return this.#attempt.idleMsMax
  }

  /** Ends the exchange; one that has ended stays as it is. */
  abort(reason: Error): void {
    this.#aborted = { reason }
    this.#attempt.reject(reason)
    this.#controller?.abort(reason)
  }

  /** undici writes the request to a connection that stands. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller
    this.#reused = this.connection?.begin() ?? false
    if (this.#aborted === undefined) this.#attempt.watch.sent()
    else controller.abort(this.#aborted.reason)
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    this.#answered = true
    // An interim answer.
    if (status < 200) return
    this.#head = { status, headers }
    const { method, answerBytesMax } = this.#attempt.call
    if (!hasBody(method, status)) return
    if (hasCoding(headers)) this.#decode(controller)
    else if (isTooLong(headers, answerBytesMax)) this.abort(tooLarge(answerBytesMax))
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#stream !== undefined) {
      if (!this.#stream.push(chunk)) controller.pause()
      return
    }
    const { answerBytesMax } = this.#attempt.call
    this.#bytes += chunk.length
    if (this.#bytes > answerBytesMax) this.abort(tooLarge(answerBytesMax))
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#controller = undefined
    this.connection?.end()
    if (this.#stream !== undefined) {
      this.#stream.push(null)
      return
    }
    const [first, second] = this.#chunks
    const isOne = first !== undefined && second === undefined
    const body = isOne ? first : Buffer.concat(this.#chunks)
    const { status, headers } = this.#head
    this.#attempt.resolve({ status, headers, body })
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#controller = undefined
    const { again, reject, resolve } = this.#attempt
    const isStale = this.#reused && !this.#answered && this.#aborted === undefined
    if (isStale) this.connection?.wasStale()
    if (this.#stream !== undefined) this.#stream.destroy(error)
    else if (isStale && again !== undefined) resolve(again())
    else reject(error)
  }

  /** Whoever reads it sets the pace, and ends the exchange by not reading on. */
  #decode(controller: Controller): void {
    const stream = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        this.#controller?.abort(error ?? new Error('the answer is not read on'))
        done(error)
      },
    })
    this.#stream = stream
    const { status, headers } = this.#head
    const { call, resolve, reject } = this.#attempt
    readBody(stream, headers, call.answerBytesMax).then(
      (body) => resolve({ status, headers, body }),
      reject,
    )
  }
}

/** Without a body by definition, the headers describe that of another answer. */
function hasBody(method: OutboundCall['method'], status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}
