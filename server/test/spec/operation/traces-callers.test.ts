import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../../src/config.ts'
import { applyLimits, limits } from '../../../src/kernel/index.ts'
import { until } from '../../fixtures/engine.ts'
import { type Observed, observed } from '../../fixtures/operation/observed.ts'
import { openWeb, type Web } from '../../fixtures/peers/web.ts'
import { suiteContext } from '../../fixtures/suite.ts'

type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
}

const spanId = 'ab'.repeat(8)
const query = encodeURIComponent('{ __typename }')
let traces = 0

/** An instance whose spans go to a collector, and what it has got. */
function traced(environment: Record<string, string>) {
  const suite = suiteContext()
  let collector: Web
  let fixture: Observed
  const { traceSendMs } = limits
  after(() => applyLimits({ traceSendMs }))
  before(async () => {
    applyLimits({ traceSendMs: 10 })
    collector = await openWeb(suite, () => ({ status: 200, body: '{}' }))
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment }
    const config = readConfig(settings, '/')
    fixture = await observed(suite, {
      own: 'sends traces',
      config: { traces: config.traces, proxies: config.proxies },
    })
  })
  const bodies = () => collector.requests.map(({ body }) => JSON.parse(body.toString()))
  const spans = (): Span[] =>
    bodies().flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap((one: { scopeSpans: { spans: Span[] }[] }) =>
        one.scopeSpans.flatMap((scope) => scope.spans),
      ),
    )
  const find = (isIt: (span: Span) => boolean) => until(async () => spans().some(isIt))
  /** Asks GraphQL within a span of a new trace, and returns the trace's id. */
  const ask = async (flags: string, more: Record<string, string> = {}, form?: string) => {
    traces += 1
    // The lowest ids are those that a sampler by ratio always takes.
    const traceId = traces.toString(16).padStart(32, '0')
    const traceparent = form ?? `00-${traceId}-${spanId}-${flags}`
    const { httpUrl, basic } = fixture.millrace
    const headers = { Authorization: basic, traceparent, ...more }
    const response = await fetch(`${httpUrl}/api/graphql?query=${query}`, { headers })
    await response.arrayBuffer()
    return traceId
  }
  return { ask, spans, find, bodies, fixture: () => fixture }
}

const isOf = (traceId: string) => (span: Span) => span.traceId === traceId
const isLinkedTo = (traceId: string) => (span: Span) =>
  (span.links ?? []).some((link) => link.traceId === traceId && link.spanId === spanId)

describe('the span of a caller', () => {
  const { ask, spans, find, fixture } = traced({})

  it('is the parent of ours, if the caller is signed in', async () => {
    const traceId = await ask('01')
    await find(isOf(traceId))
    const [span] = spans().filter(isOf(traceId))
    assert.deepEqual([span?.name, span?.parentSpanId], ['graphql query __typename', spanId])
  })

  it('decides whether ours is sent', async () => {
    const left = await ask('00')
    const last = await ask('01')
    await find(isOf(last))
    assert.equal(spans().some(isOf(left)), false)
  })

  it('is ignored if it is malformed', async () => {
    const trace = 'cd'.repeat(16)
    for (const wrong of [
      `00-${trace}-${spanId}-01-more`,
      `ff-${trace}-${spanId}-01`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${trace}-${'0'.repeat(16)}-01`,
      `00-${trace.toUpperCase()}-${spanId}-01`,
      `00-${trace}-${spanId}`,
      'x'.repeat(5_000),
    ]) {
      await ask('', {}, wrong)
    }
    const last = await ask('01')
    await find(isOf(last))
    const own = spans().filter(({ name }) => name.startsWith('graphql '))
    assert.equal(own.filter(({ traceId }) => traceId === trace).length, 0)
    assert.ok(own.filter(({ parentSpanId = '' }) => parentSpanId === '').length >= 7)
    const later = await ask('', {}, `01-${trace}-${spanId}-01-more`)
    assert.ok(later)
    await find(isOf(trace))
  })

  it('is linked only, if a device names it or nobody is signed in', async () => {
    const anonymous = await ask('01', { Authorization: 'Basic eDp5' })
    await find(isLinkedTo(anonymous))
    assert.equal(spans().some(isOf(anonymous)), false)
    const traceId = 'ef'.repeat(16)
    const { connector, httpUrl } = fixture().millrace
    const sent = await fetch(`${httpUrl}/vendor:v1/stack/alias`, {
      method: 'POST',
      headers: {
        'X-vendor-CIK': fixture().device.token,
        'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
        Host: `${connector.id}.localhost`,
        traceparent: `00-${traceId}-${spanId}-00`,
      },
      body: 'temperature=3',
    })
    assert.equal(sent.status, 204)
    await find(isLinkedTo(traceId))
    const [write] = spans().filter(isLinkedTo(traceId))
    assert.deepEqual([write?.name, write?.parentSpanId ?? ''], ['device write', ''])
    assert.equal(spans().some(isOf(traceId)), false)
  })
})

describe('sampling against a caller', () => {
  const environment = {
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=a%20test,service.name=wells',
    MILLRACE_TRUSTED_PROXIES: '127.0.0.1',
  }
  const { ask, spans, find, bodies } = traced(environment)

  it('a trusted proxy has a trace sent that would not be, and attributes say of whom', async () => {
    const anonymous = await ask('01', { Authorization: 'Basic eDp5' })
    await find(isOf(anonymous))
    const resource = JSON.stringify(bodies()[0]?.resourceSpans[0].resource)
    assert.match(resource, /"deployment.environment".*"a test"/)
    assert.match(resource, /"wells"/)
    assert.ok(spans().every(isOf(anonymous)))
  })
})

describe('a device and sampling', () => {
  const { ask, spans, find, fixture } = traced({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })

  it('cannot have a trace sent', async () => {
    const { httpUrl } = fixture().millrace
    const anonymous = await ask('01', { Authorization: 'Basic eDp5' })
    const sent = await fetch(`${httpUrl}/vendor:v1/stack/alias`, {
      method: 'POST',
      headers: {
        'X-vendor-CIK': fixture().device.token,
        'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
        traceparent: `00-${anonymous}-${spanId}-01`,
      },
      body: 'temperature=3',
    })
    assert.equal(sent.status, 204)
    const known = await ask('01')
    await find(isOf(known))
    assert.ok(spans().every(isOf(known)))
  })
})
