import type { Logger } from '../../foundation/kernel/index.ts'
import { metricLimits } from './limits.ts'
import { type EndedSpan, type SpanSource, writeSpans } from './otlp.ts'

/** Spans that one request to the collector has. */
const traceBatchSpansMax = 512

export type SpanQueueOptions = {
  readonly source: SpanSource
  /** Posts spans to the collector. @returns the status of its answer. */
  readonly post: (body: string) => Promise<number>
  readonly logger: Pick<Logger, 'warn'>
}

/** The collector asks for a second attempt by these. */
const laterStatuses: readonly number[] = [429, 502, 503, 504]

/**
 * Spans that wait to be sent. They are sent together: `traceSendMs` after the first of them, or as
 * soon as they fill a request. Spans that the collector could not take wait for the next time, and
 * those that it has refused are dropped. Further spans are dropped while the queue is full.
 */
export class SpanQueue {
  readonly #options: SpanQueueOptions
  #waiting: EndedSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined

  constructor(options: SpanQueueOptions) {
    this.#options = options
  }

  add(span: EndedSpan): void {
    if (this.#waiting.length >= metricLimits.traceSpansMax) return
    this.#waiting.push(span)
    if (this.#waiting.length === traceBatchSpansMax) this.#begin()
    else this.#wait()
  }

  /** Sends what is left, once. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#sending
    await this.#sendAll()
    clearTimeout(this.#timer)
  }

  #wait(): void {
    if (this.#timer !== undefined || this.#sending !== undefined) return
    this.#timer = setTimeout(() => this.#begin(), metricLimits.traceSendMs)
    this.#timer.unref()
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendAll().then(() => {
      this.#sending = undefined
      if (this.#waiting.length > 0) this.#wait()
    })
  }

  /** Ends at the first request that the collector does not take. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, traceBatchSpansMax)
      const outcome = await this.#send(batch)
      if (outcome === 'later') return
      this.#waiting.splice(0, batch.length)
    }
  }

  async #send(batch: readonly EndedSpan[]): Promise<'done' | 'later'> {
    const { post, source, logger } = this.#options
    try {
      const status = await post(writeSpans(batch, source))
      if (status < 300) return 'done'
      logger.warn({ status }, 'traces could not be sent')
      return laterStatuses.includes(status) ? 'later' : 'done'
    } catch (error) {
      logger.warn({ err: error }, 'traces could not be sent')
      return 'later'
    }
  }
}
