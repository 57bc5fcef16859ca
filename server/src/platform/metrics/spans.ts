import { hash } from 'node:crypto'
import type { CallerSpan, Clock, Logger, Random } from '../../foundation/kernel/index.ts'
import type { Attributes, SpanIds } from './otlp.ts'
import { SpanQueue } from './span-queue.ts'

export type SpansOptions = {
  readonly settings: {
    readonly serviceName: string
    /** The part of all traces that is sent, 0 to 1. */
    readonly ratio: number
    /** Whether a caller that is believed decides about the spans below its own. */
    readonly parentBased: boolean
    /** What describes the instance, beside its name. */
    readonly attributes: Readonly<Record<string, string>>
  }
  /** Posts spans to the collector, as JSON of OTLP. @returns the status of its answer. */
  readonly post: (body: string) => Promise<number>
  /** What all processes on one database share, and no others. */
  readonly namespace: string
  readonly version: string
  readonly clock: Pick<Clock, 'nowMs'>
  readonly random: Random
  readonly logger: Pick<Logger, 'warn'>
}

type NewSpan = {
  readonly name: string
  readonly kind: number
  /** How long it took until now. */
  readonly ms: number
  readonly attributes: Attributes
  readonly parent?: SpanIds | undefined
  /** The span of a trusted caller: it becomes the parent. */
  readonly caller?: CallerSpan | undefined
  readonly links?: readonly SpanIds[]
  /** Its own ids, where others name it by them. */
  readonly ids?: Partial<SpanIds>
  readonly failed?: boolean
}

const traceIdBytes = 16
const spanIdBytes = 8
const ids32Bit = 2 ** 32

/**
 * Makes spans of what has ended. The ids of a message's trace and of its first span are derived
 * from its tracking id: so each stage, in any process, finds its parent, and nothing is stored. Of
 * a trace all spans are sent, or none: what is sent is chosen by its id, too.
 */
export class Spans {
  readonly #options: SpansOptions
  readonly #queue: SpanQueue

  constructor(options: SpansOptions) {
    const { settings, version, post, logger } = options
    this.#options = options
    const names = { 'service.name': settings.serviceName, 'service.version': version }
    const source = { version, attributes: { ...settings.attributes, ...names } }
    this.#queue = new SpanQueue({ source, post, logger })
  }

  /** The ids of the trace of all that has a tracking id, and of its first span. */
  deriveIds(trackingId: string): SpanIds {
    const digest = hash('sha256', `${this.#options.namespace} ${trackingId}`)
    return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
  }

  /** Chooses by the trace's id as the sampler `traceidratio` of OpenTelemetry does. */
  isSent(traceId: string): boolean {
    const parts = traceId.match(/.{8}/g) ?? []
    const number = parts.reduce((sum, part) => (sum ^ Number.parseInt(part, 16)) >>> 0, 0)
    const { ratio } = this.#options.settings
    return number < (ratio === 1 ? ids32Bit : Math.floor(ratio * (ids32Bit - 1)))
  }

  /** A caller chooses the id of its trace, so the id alone must not decide. */
  #isCallersSent({ traceId, isSampled }: CallerSpan): boolean {
    if (this.#options.settings.parentBased) return isSampled
    return this.isSent(this.deriveIds(`caller ${traceId}`).traceId)
  }

  /** Makes a span that ends now. */
  add({ ms, links = [], ids = {}, failed = false, caller, ...span }: NewSpan): void {
    const { parent = caller, ...about } = span
    const traceId = parent?.traceId ?? ids.traceId ?? this.#newId(traceIdBytes)
    if (!(caller ? this.#isCallersSent(caller) : this.isSent(traceId))) return
    const endMs = this.#options.clock.nowMs()
    const spanId = ids.spanId ?? this.#newId(spanIdBytes)
    const times = { startMs: endMs - ms, endMs }
    const parentSpanId = parent?.spanId
    this.#queue.add({ ...about, ...times, traceId, spanId, parentSpanId, links, failed })
  }

  #newId(bytes: number): string {
    return this.#options.random(bytes).toString('hex')
  }

  /** Sends what is left. */
  close(): Promise<void> {
    return this.#queue.close()
  }
}
