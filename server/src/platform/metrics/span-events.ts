import { type CallerSpan, onMeasured } from '../../foundation/kernel/index.ts'
import { spanKinds } from './otlp.ts'
import { Spans, type SpansOptions } from './spans.ts'

/** Makes spans of what the modules do. @returns a function that ends it and sends the rest. */
export function startSpans(options: SpansOptions): () => Promise<void> {
  const spans = new Spans(options)
  const ends = [
    onMeasured('write', ({ trackingId, request, requestMs, caller, ms, ...write }) => {
      const ids = spans.deriveIds(trackingId)
      const attributes = {
        'millrace.tracking_id': trackingId,
        'millrace.connector': write.connectorId,
        'millrace.device': write.identity,
        'network.protocol.name': write.protocol,
        ...(request !== undefined && { 'millrace.request_id': request }),
      }
      const about = { name: 'device write', kind: spanKinds.server, attributes }
      // A device is not trusted, and each stage finds the message's trace without the header.
      spans.add({ ...about, ids, ms: requestMs ?? ms, links: caller === undefined ? [] : [caller] })
      spans.add({ name: 'append', kind: spanKinds.internal, ms, attributes: {}, parent: ids })
    }),
    onMeasured('batch', ({ consumer, trackingIds, ms }) => {
      const links = trackingIds().map((id) => spans.deriveIds(id))
      const attributes = { 'millrace.consumer': consumer, 'millrace.entries': links.length }
      const parent = links.find((one) => spans.isSent(one.traceId))
      if (parent === undefined) return
      const about = { name: `consume ${consumer}`, kind: spanKinds.consumer, attributes }
      spans.add({ ...about, ms, parent, links })
    }),
    onMeasured('calling', (calling) => {
      const { traceId, spanId } = callIds(spans, calling.call, calling.trackingIds)
      const flags = spans.isSent(traceId) ? '01' : '00'
      calling.traceparent = `00-${traceId}-${spanId}-${flags}`
    }),
    onMeasured('call', (call) => addCall(spans, call)),
    onMeasured('attempt', ({ trackingId, provider, outcome, ms, channel, ...attempt }) => {
      const attributes = {
        'millrace.outcome': outcome,
        'millrace.channel': channel,
        'millrace.solution': attempt.solutionId,
        'millrace.notification': attempt.notification,
      }
      const about = { name: `notify ${provider}`, kind: spanKinds.client, attributes }
      const failed = outcome !== 'accepted'
      spans.add({ ...about, ...below(spans, trackingId ?? attempt.notification), ms, failed })
    }),
    onMeasured('request', ({ id, route, method, operation, status, caller, ms }) => {
      // A write of a device has a span of its own, and a read has none.
      if (route === 'deviceApi') return
      const attributes = {
        'millrace.request_id': id,
        'http.request.method': method,
        'http.response.status_code': status,
      }
      const about = { name: `${route} ${operation ?? method}`, kind: spanKinds.server, attributes }
      spans.add({ ...about, ...of(route, status, caller), ms, failed: status >= 500 })
    }),
  ]
  return async () => {
    for (const end of ends) end()
    await spans.close()
  }
}

const signedIn: readonly string[] = ['management', 'graphql']
const refusals: readonly number[] = [401, 403]

/**
 * The parent is the span of a caller that has a credential of the instance, or comes by a trusted
 * proxy. A parent span from any other caller is linked instead: it chooses neither the trace nor
 * whether the trace is sent.
 */
function of(route: string, status: number, caller: CallerSpan | undefined) {
  if (caller === undefined) return {}
  const isKnown = signedIn.includes(route) && !refusals.includes(status)
  return caller.isTrusted || isKnown ? { caller } : { links: [caller] }
}

type Call = Parameters<Parameters<typeof onMeasured<'call'>>[1]>[0]

function addCall(spans: Spans, call: Call): void {
  const { outcome, ms } = call
  const failed = outcome !== 'returned'
  if (call.of === 'script') {
    const attributes = {
      'millrace.outcome': outcome,
      'millrace.solution': call.solutionId,
      'millrace.cpu_ms': call.cpuMs,
    }
    const about = { name: `script ${call.handler}`, kind: spanKinds.internal, attributes }
    spans.add({ ...about, ...below(spans, call.trackingId), ms, failed })
    return
  }
  const attributes = {
    'millrace.outcome': outcome,
    'millrace.module': call.module,
    'millrace.function': call.functionId,
    'millrace.call': call.call,
    ...(call.status !== null && { 'http.response.status_code': call.status }),
  }
  const { parent, ...ids } = callIds(spans, call.call, call.trackingIds)
  const links = call.trackingIds.map((id) => spans.deriveIds(id))
  const about = { name: 'module process', kind: spanKinds.client, attributes }
  spans.add({ ...about, ids, parent, links, ms, failed })
}

/** The parent is the first span of a message; other tracking ids have a trace without one. */
function below(spans: Spans, trackingId: string) {
  const ids = spans.deriveIds(trackingId)
  if (trackingId.startsWith('entry-')) return { parent: ids }
  return { ids: { traceId: ids.traceId } }
}

/** The ids of a call of a module, sent with it; below the first message that is traced. */
function callIds(spans: Spans, call: string, trackingIds: readonly string[]) {
  const own = spans.deriveIds(call)
  const causes = trackingIds.map((id) => spans.deriveIds(id))
  const parent = causes.find((one) => spans.isSent(one.traceId)) ?? causes[0]
  return { parent, traceId: parent?.traceId ?? own.traceId, spanId: own.spanId }
}
