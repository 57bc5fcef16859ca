import { DelayedFlush, type Logger } from '../../foundation/kernel/index.ts'
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
  readonly #flushing: DelayedFlush

  constructor(options: SpanQueueOptions) {
    this.#options = options
    this.#flushing = new DelayedFlush(() => this.#sendAll(), metricLimits.traceSendMs)
  }

  add(span: EndedSpan): void {
    if (this.#waiting.length >= metricLimits.traceSpansMax) return
    this.#waiting.push(span)
    if (this.#waiting.length === traceBatchSpansMax) void this.#flushing.flush()
    else this.#flushing.schedule()
  }

  /** Sends what is left, once. */
  close(): Promise<void> {
    return this.#flushing.close()
  }

  /** Ends at the first request that the collector does not take. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, traceBatchSpansMax)
      const outcome = await this.#send(batch)
      if (outcome === 'later') return this.#flushing.schedule()
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
