import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../../test/fixtures/engine.ts'
import { metricLimits } from './limits.ts'
import { type EndedSpan, spanKinds } from './otlp.ts'
import { SpanQueue } from './span-queue.ts'

const { traceSendMs, traceSpansMax } = metricLimits
after(() => Object.assign(metricLimits, { traceSendMs, traceSpansMax }))

const span = (name: string): EndedSpan => ({
  name,
  kind: spanKinds.server,
  traceId: '0'.repeat(31).concat('1'),
  spanId: '0'.repeat(15).concat('2'),
  parentSpanId: undefined,
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_001,
  attributes: { text: 'a', whole: 2, part: 0.5, yes: true, none: null },
  links: [],
  failed: false,
})

/** A queue whose collector answers with these statuses, then with 200, and what it got. */
function queueTo(...statuses: (number | Error)[]) {
  const bodies: string[] = []
  const warnings: object[] = []
  const queue = new SpanQueue({
    source: { version: '1.0.0', attributes: { 'service.name': 'pumps' } },
    post: async (body) => {
      bodies.push(body)
      const status = statuses.shift() ?? 200
      if (status instanceof Error) throw status
      return status
    },
    logger: { warn: (details: object) => void warnings.push(details) },
  })
  const names = () =>
    bodies.map((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.map(readName))
  return { queue, bodies, names, warnings }
}

const readName = ({ name }: { readonly name: string }) => name

test('spans are sent as the JSON of OTLP', async () => {
  const { queue, bodies } = queueTo()
  queue.add(span('a'))
  await queue.close()
  const [{ resource, scopeSpans }] = JSON.parse(bodies[0] ?? '').resourceSpans
  assert.deepEqual(resource.attributes, [{ key: 'service.name', value: { stringValue: 'pumps' } }])
  assert.deepEqual(scopeSpans[0].scope, { name: 'millrace', version: '1.0.0' })
  const [{ traceId, kind, ...sent }] = scopeSpans[0].spans
  assert.deepEqual([traceId, kind, sent.parentSpanId], [`${'0'.repeat(31)}1`, 2, undefined])
  assert.equal(sent.startTimeUnixNano, '1700000000000250000')
  assert.equal(sent.endTimeUnixNano, '1700000000001000000')
  assert.deepEqual(sent.attributes, [
    { key: 'text', value: { stringValue: 'a' } },
    { key: 'whole', value: { intValue: 2 } },
    { key: 'part', value: { doubleValue: 0.5 } },
    { key: 'yes', value: { boolValue: true } },
  ])
})

test('a span has at most 128 links, the last ones', async () => {
  const { queue, bodies } = queueTo()
  const links = Array.from({ length: 130 }, (_, at) => ({ traceId: 'x', spanId: `${at}` }))
  queue.add({ ...span('a'), links })
  await queue.close()
  const [sent] = JSON.parse(bodies[0] ?? '').resourceSpans[0].scopeSpans[0].spans
  assert.deepEqual([sent.links.length, sent.links[0].spanId], [128, '2'])
  assert.equal(sent.droppedLinksCount, 2)
})

test('spans that the collector cannot take now are sent again, in the next request', async () => {
  Object.assign(metricLimits, { traceSendMs: 10 })
  const { queue, names, warnings } = queueTo(503, new Error('refused'))
  queue.add(span('a'))
  await until(async () => names().length === 3)
  assert.deepEqual(names(), [['a'], ['a'], ['a']])
  assert.equal(warnings.length, 2)
  queue.add(span('b'))
  await until(async () => names().length === 4)
  assert.deepEqual(names()[3], ['b'])
})

test('spans that the collector has refused are dropped, with a warning', async () => {
  const { queue, names, warnings } = queueTo(400)
  queue.add(span('a'))
  await queue.close()
  assert.deepEqual([names(), warnings], [[['a']], [{ status: 400 }]])
})

test('a full request goes out at once, and more spans than may wait are dropped', async () => {
  Object.assign(metricLimits, { traceSendMs: 60_000, traceSpansMax: 600 })
  const { queue, names } = queueTo()
  for (let at = 0; at < 700; at += 1) queue.add(span(`${at}`))
  await until(async () => names().length === 2)
  assert.deepEqual(
    names().map((batch) => [batch.length, batch[0]]),
    [
      [512, '0'],
      [88, '512'],
    ],
  )
  await queue.close()
  assert.equal(names().length, 2)
})

test('the end sends what waits once, also where no collector answers', async () => {
  const { queue, names } = queueTo(new Error('refused'))
  queue.add(span('a'))
  await queue.close()
  assert.deepEqual(names(), [['a']])
})
