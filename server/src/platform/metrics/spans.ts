import { hash } from 'node:crypto'
import {
  type Attributes,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type CallerSpan, type Clock, type Logger, limits } from '../../foundation/kernel/index.ts'

export type SpansOptions = {
  readonly settings: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly serviceName: string
    /** The part of all traces that is sent, 0 to 1. */
    readonly ratio: number
    /** True if a trusted caller decides about the spans below its own. */
    readonly parentBased: boolean
    /** The attributes that describe the instance, beside its name. */
    readonly attributes: Readonly<Record<string, string>>
  }
  /** The name that all processes on one database share, and no others. */
  readonly namespace: string
  readonly version: string
  readonly clock: Pick<Clock, 'nowMs'>
  readonly logger: Pick<Logger, 'warn'>
}

type SpanIds = Pick<SpanContext, 'traceId' | 'spanId'>

type NewSpan = {
  readonly name: string
  readonly kind: SpanKind
  /** The time that it took until now. */
  readonly ms: number
  readonly attributes: Attributes
  readonly parent?: SpanIds | undefined
  /** A span of somebody else who is believed: it becomes the parent. */
  readonly caller?: CallerSpan | undefined
  readonly links?: readonly SpanIds[]
  /** Its own ids, where others name it by them. */
  readonly ids?: Partial<SpanIds>
  readonly failed?: boolean
}

/** Gives a span the ids that were chosen for it, if any were, or random ones. */
class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  next: Partial<SpanIds> = {}

  generateTraceId(): string {
    return this.next.traceId ?? this.#random.generateTraceId()
  }

  generateSpanId(): string {
    return this.next.spanId ?? this.#random.generateSpanId()
  }
}

/** Decides by the trace's id, unless it was decided before. */
class ChosenSampling implements Sampler {
  readonly #byId: Sampler
  next: boolean | undefined

  constructor(byId: Sampler) {
    this.#byId = byId
  }

  shouldSample(...asked: Parameters<Sampler['shouldSample']>): SamplingResult {
    if (this.next === undefined) return this.#byId.shouldSample(...asked)
    const { RECORD_AND_SAMPLED, NOT_RECORD } = SamplingDecision
    return { decision: this.next ? RECORD_AND_SAMPLED : NOT_RECORD }
  }

  toString(): string {
    return `ChosenSampling(${this.#byId})`
  }
}

/**
 * Makes spans of what has ended. The ids of a message's trace and of its first span are derived
 * from its tracking id: so each stage, in any process, finds its parent, and nothing is stored. All
 * spans of a trace are sent, or none: the choice follows from its id, too.
 */
export class Spans {
  readonly #options: SpansOptions
  readonly #ids = new ChosenIds()
  readonly #sampler: TraceIdRatioBasedSampler
  readonly #sampling: ChosenSampling
  readonly #provider: TracerProvider
  readonly #tracer: Tracer

  constructor(options: SpansOptions) {
    const { settings, version, logger } = options
    this.#options = options
    const warn = (text: string) => logger.warn({ text }, 'traces could not be sent')
    const ignore = () => {}
    const to = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
    diag.setLogger(to, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
    const { url, headers, serviceName, attributes, ratio } = settings
    this.#sampler = new TraceIdRatioBasedSampler(ratio)
    this.#sampling = new ChosenSampling(this.#sampler)
    const exporter = new OTLPTraceExporter({
      url,
      headers: { ...headers },
      timeoutMillis: limits.traceSendMsMax,
    })
    this.#provider = new TracerProvider({
      idGenerator: this.#ids,
      sampler: this.#sampling,
      resource: resourceFromAttributes({
        ...attributes,
        'service.name': serviceName,
        'service.version': version,
      }),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          scheduledDelayMillis: limits.traceSendMs,
          exportTimeoutMillis: limits.traceSendMsMax,
          maxQueueSize: limits.traceSpansMax,
        }),
      ],
    })
    this.#tracer = this.#provider.getTracer('millrace', version)
  }

  /** The ids of the trace of all that has a tracking id, and of its first span. */
  idsOf(trackingId: string): SpanIds {
    const digest = hash('sha256', `${this.#options.namespace} ${trackingId}`)
    return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
  }

  isSent({ traceId }: SpanIds): boolean {
    const { decision } = this.#sampler.shouldSample(ROOT_CONTEXT, traceId)
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  }

  /** A caller chooses the id of its trace, which so must not decide by itself. */
  #isCallersSent({ traceId, isSampled }: CallerSpan): boolean {
    if (this.#options.settings.parentBased) return isSampled
    return this.isSent(this.idsOf(`caller ${traceId}`))
  }

  /** Makes a span that ends now. */
  add({
    name,
    kind,
    ms,
    attributes,
    links = [],
    ids = {},
    failed = false,
    ...more
  }: NewSpan): void {
    const { caller, parent = caller } = more
    const endMs = this.#options.clock.nowMs()
    const context =
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote(parent))
    this.#ids.next = ids
    this.#sampling.next = caller && this.#isCallersSent(caller)
    const span = this.#tracer.startSpan(
      name,
      {
        kind,
        attributes,
        links: links.map((one) => ({ context: remote(one) })),
        startTime: endMs - ms,
      },
      context,
    )
    this.#ids.next = {}
    this.#sampling.next = undefined
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endMs)
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    await this.#provider.shutdown().catch((error) => {
      this.#options.logger.warn({ err: error }, 'traces could not be sent')
    })
    diag.disable()
  }
}

function remote({ traceId, spanId }: SpanIds): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}
