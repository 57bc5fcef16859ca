import type { CallerSpan } from '../../foundation/kernel/index.ts'

/** Links of a span that are sent; a batch of a consumer can have more. */
const traceLinksMax = 128

export type SpanIds = Pick<CallerSpan, 'traceId' | 'spanId'>

/** The kinds of spans, by the numbers that OTLP gives them. */
export const spanKinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const

type AttributeValue = string | number | boolean | null | undefined
export type Attributes = Readonly<Record<string, AttributeValue>>

/** A span that has ended, as it waits to be sent. */
export type EndedSpan = SpanIds & {
  readonly name: string
  /** One of `spanKinds`. */
  readonly kind: number
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly parentSpanId: string | undefined
  readonly links: readonly SpanIds[]
  readonly failed: boolean
}

/** The program that has made the spans. */
export type SpanSource = { readonly version: string; readonly attributes: Attributes }

const failedStatus = 2

/** Writes spans as an ExportTraceServiceRequest of OTLP 1, in its JSON. */
export function writeSpans(spans: readonly EndedSpan[], { version, attributes }: SpanSource) {
  const scope = { name: 'millrace', version }
  const scopeSpans = [{ scope, spans: spans.map(writeSpan) }]
  const resource = { attributes: writeAttributes(attributes) }
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] })
}

function writeSpan({ startMs, endMs, attributes, links, failed, ...span }: EndedSpan) {
  const dropped = Math.max(0, links.length - traceLinksMax)
  return {
    ...span,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: writeAttributes(attributes),
    links: links.slice(dropped).map(({ traceId, spanId }) => ({ traceId, spanId })),
    droppedLinksCount: dropped,
    status: failed ? { code: failedStatus } : {},
  }
}

/** A number of JSON cannot hold it. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  return `${BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000))}`
}

function writeAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) => {
    return value === null || value === undefined ? [] : [{ key, value: writeValue(value) }]
  })
}

function writeValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value }
}
