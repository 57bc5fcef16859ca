import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { AllowEntry } from './allow.ts'
import { hasCoding, isTooLong, readBody, tooLarge } from './answer.ts'
import { guarded, type OutboundAnswer, type OutboundCall } from './call.ts'
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

function exchange(
  call: OutboundCall,
  url: URL,
  dispatcher: Dispatcher,
  watch: Watch,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const handler = new AnswerHandler(call, watch, resolve, reject)
    watch.onAbort((reason) => handler.abort(reason))
    const { method, headers = null, body = null } = call
    const path = `${url.pathname}${url.search}`
    dispatcher.dispatch({ origin: url.origin, path, method, headers, body }, handler)
  })
}

/**
 * Collects an answer by undici's own events. A stream for each answer, as `request` of undici makes
 * one, and what it takes to end it cost as much as the rest of a call; only a compressed answer
 * needs one.
 */
class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #call: OutboundCall
  readonly #watch: Watch
  readonly #resolve: (answer: OutboundAnswer) => void
  readonly #reject: (error: unknown) => void
  #controller: Controller | undefined
  #aborted: { readonly reason: Error } | undefined
  #head: Pick<OutboundAnswer, 'status' | 'headers'> = { status: 0, headers: {} }
  #chunks: Buffer[] = []
  #bytes = 0
  /** Of a compressed answer. */
  #stream: Readable | undefined

  constructor(
    call: OutboundCall,
    watch: Watch,
    resolve: (answer: OutboundAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#call = call
    this.#watch = watch
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Ends the exchange; one that has ended stays as it is. */
  abort(reason: Error): void {
    this.#aborted = { reason }
    this.#reject(reason)
    this.#controller?.abort(reason)
  }

  /** undici writes the request to a connection that stands. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#aborted === undefined) this.#watch.sent()
    else controller.abort(this.#aborted.reason)
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    // An interim answer.
    if (status < 200) return
    this.#head = { status, headers }
    const { method, answerBytesMax } = this.#call
    if (!hasBody(method, status)) return
    if (hasCoding(headers)) this.#decode(controller)
    else if (isTooLong(headers, answerBytesMax)) this.abort(tooLarge(answerBytesMax))
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#stream !== undefined) {
      if (!this.#stream.push(chunk)) controller.pause()
      return
    }
    const { answerBytesMax } = this.#call
    this.#bytes += chunk.length
    if (this.#bytes > answerBytesMax) this.abort(tooLarge(answerBytesMax))
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#controller = undefined
    if (this.#stream !== undefined) {
      this.#stream.push(null)
      return
    }
    const [first, second] = this.#chunks
    const isOne = first !== undefined && second === undefined
    const body = isOne ? first : Buffer.concat(this.#chunks)
    const { status, headers } = this.#head
    this.#resolve({ status, headers, body })
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#controller = undefined
    if (this.#stream === undefined) this.#reject(error)
    else this.#stream.destroy(error)
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
    readBody(stream, headers, this.#call.answerBytesMax).then(
      (body) => this.#resolve({ status, headers, body }),
      this.#reject,
    )
  }
}

/** Without a body by definition, the headers describe that of another answer. */
function hasBody(method: OutboundCall['method'], status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}
