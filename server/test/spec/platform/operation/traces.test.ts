import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../../../src/platform/config/index.ts'
import { metricLimits } from '../../../../src/platform/metrics/index.ts'
import { until } from '../../../fixtures/engine.ts'
import { type Observed, observed } from '../../../fixtures/operation/observed-instance.ts'
import { openWeb, type Web } from '../../../fixtures/peers/web.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

type Value = { readonly stringValue?: string; readonly intValue?: number }
type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code?: number }
}

/** The spans that a collector has received. */
function collected(collector: () => Web) {
  const bodies = () => collector().requests.map(({ body }) => JSON.parse(body.toString()))
  const received = (): Span[] =>
    bodies().flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap((one: { scopeSpans: { spans: Span[] }[] }) =>
        one.scopeSpans.flatMap((scope) => scope.spans),
      ),
    )
  return { bodies, received }
}

describe('traces of OpenTelemetry', () => {
  const suite = suiteContext()
  let collector: Web
  let fixture: Observed
  let spans: Span[]
  let root: Span
  before(async () => {
    Object.assign(metricLimits, { traceSendMs: 10 })
    collector = await openWeb(suite, () => ({ status: 200, body: '{}' }))
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=s%20ecret',
      OTEL_SERVICE_NAME: 'pumps',
    }
    fixture = await observed(suite, {
      own: 'sends traces',
      config: { traces: readConfig(environment, '/').traces },
      script: 'error("no")',
    })
    assert.equal((await fixture.device.write('temperature=25')).status, 204)
    await fixture.settle()
    const query = encodeURIComponent('{ __typename }')
    const { httpUrl, basic } = fixture.millrace
    const headers = { Authorization: basic }
    await (await fetch(`${httpUrl}/api/graphql?query=${query}`, { headers })).arrayBuffer()
    const names = ['device write', 'append', 'module process', 'notify sink']
    names.push('graphql query __typename', 'script handle_device2_event')
    await until(async () => {
      spans = received()
      return names.every((name) => spans.some((span) => span.name === name))
    })
    root = only('device write')
  })
  const { bodies, received } = collected(() => collector)
  const all = (name: string) => spans.filter((span) => span.name === name)
  const only = (name: string) => all(name)[0] ?? assert.fail(name)
  const valueOfKey = ({ attributes }: Span, key: string) => {
    const { stringValue, intValue } = attributes.find((one) => one.key === key)?.value ?? {}
    return stringValue ?? Number(intValue)
  }

  it('are sent to the collector with its headers and the name of the service', () => {
    const [request] = collector.requests
    assert.deepEqual([request?.method, request?.url], ['POST', '/v1/traces'])
    assert.equal(request?.headers['x-key'], 's ecret')
    assert.match(JSON.stringify(bodies()[0]?.resourceSpans[0].resource), /"pumps"/)
  })

  it('have the stages of a message below its write', () => {
    assert.equal(root.parentSpanId ?? '', '')
    assert.match(String(valueOfKey(root, 'millrace.tracking_id')), /^entry-\d+-\d+$/)
    assert.equal(valueOfKey(root, 'millrace.device'), 'measured')
    for (const name of ['append', 'module process', 'script handle_device2_event', 'notify sink']) {
      const span = all(name).find(({ traceId }) => traceId === root.traceId) ?? assert.fail(name)
      assert.equal(span.parentSpanId, root.spanId, name)
      assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano))
    }
  })

  it('have a span for each batch of a consumer, with a link to its messages', () => {
    for (const consumer of ['values', 'functions']) {
      const batches = all(`consume ${consumer}`)
      const links = batches.flatMap((span) => span.links ?? [])
      assert.ok(
        links.some(({ spanId }) => spanId === root.spanId),
        consumer,
      )
    }
  })

  it('show which stage failed', () => {
    assert.equal(only('script handle_device2_event').status?.code, 2)
    assert.notEqual(only('module process').status?.code, 2)
  })

  it('go on in the module', () => {
    const [request] = fixture.module.requests.filter(({ call }) => call === 'POST /process')
    const { traceId, spanId } = only('module process')
    assert.equal(request?.headers.traceparent, `00-${traceId}-${spanId}-01`)
  })

  it('name calls of the management API and operations of GraphQL', () => {
    assert.equal(valueOfKey(only('graphql query __typename'), 'http.response.status_code'), 200)
    const [call] = spans.filter(({ name }) => name.startsWith('management '))
    assert.match(call?.name ?? '', /^management [a-z][A-Za-z]+$/)
    assert.match(String(call && valueOfKey(call, 'millrace.request_id')), /^[a-z0-9]{10,}$/)
  })

  it('hold no value that a device wrote', () => {
    assert.equal(JSON.stringify(spans).includes('"25"'), false)
  })
})

const spanId = 'ab'.repeat(8)
const query = encodeURIComponent('{ __typename }')
let traces = 0

/** An instance whose spans go to a collector, and what it has got. */
function traced(environment: Record<string, string>) {
  const suite = suiteContext()
  let collector: Web
  let fixture: Observed
  const { traceSendMs } = metricLimits
  after(() => Object.assign(metricLimits, { traceSendMs }))
  before(async () => {
    Object.assign(metricLimits, { traceSendMs: 10 })
    collector = await openWeb(suite, () => ({ status: 200, body: '{}' }))
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment }
    const config = readConfig(settings, '/')
    fixture = await observed(suite, {
      own: 'sends traces',
      config: { traces: config.traces, proxies: config.proxies },
    })
  })
  const { bodies, received: spans } = collected(() => collector)
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

const belongsTo = (traceId: string) => (span: Span) => span.traceId === traceId
const isLinkedTo = (traceId: string) => (span: Span) =>
  (span.links ?? []).some((link) => link.traceId === traceId && link.spanId === spanId)

describe('the span of a caller', () => {
  const { ask, spans, find, fixture } = traced({})

  it('is the parent of ours, if the caller is signed in', async () => {
    const traceId = await ask('01')
    await find(belongsTo(traceId))
    const [span] = spans().filter(belongsTo(traceId))
    assert.deepEqual([span?.name, span?.parentSpanId], ['graphql query __typename', spanId])
  })

  it('decides whether ours is sent', async () => {
    const left = await ask('00')
    const last = await ask('01')
    await find(belongsTo(last))
    assert.equal(spans().some(belongsTo(left)), false)
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
    await find(belongsTo(last))
    const own = spans().filter(({ name }) => name.startsWith('graphql '))
    assert.equal(own.filter(({ traceId }) => traceId === trace).length, 0)
    assert.ok(own.filter(({ parentSpanId = '' }) => parentSpanId === '').length >= 7)
    const later = await ask('', {}, `01-${trace}-${spanId}-01-more`)
    assert.ok(later)
    await find(belongsTo(trace))
  })

  it('is linked only, if a device names it or nobody is signed in', async () => {
    const anonymous = await ask('01', { Authorization: 'Basic eDp5' })
    await find(isLinkedTo(anonymous))
    assert.equal(spans().some(belongsTo(anonymous)), false)
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
    assert.equal(spans().some(belongsTo(traceId)), false)
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
    await find(belongsTo(anonymous))
    const resource = JSON.stringify(bodies()[0]?.resourceSpans[0].resource)
    assert.match(resource, /"deployment.environment".*"a test"/)
    assert.match(resource, /"wells"/)
    assert.ok(spans().every(belongsTo(anonymous)))
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
    await find(belongsTo(known))
    assert.ok(spans().every(belongsTo(known)))
  })
})

describe('settings of traces', () => {
  const traces = (environment: Record<string, string>) => readConfig(environment, '/').traces
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }

  it('are off without an endpoint, and with the exporter none', () => {
    assert.equal(traces({}), undefined)
    assert.equal(traces({ ...to, OTEL_TRACES_EXPORTER: 'none' }), undefined)
    const { url, ratio, serviceName } = traces(to) ?? {}
    assert.deepEqual([url, ratio, serviceName], ['http://127.0.0.1:4318/v1/traces', 1, 'millrace'])
    const whole = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://a.example/x' }
    assert.equal(traces({ ...to, ...whole })?.url, 'https://a.example/x')
  })

  it('choose the part of messages', () => {
    const part = (sampler: string, arg = '') =>
      traces({ ...to, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: arg })?.ratio
    assert.deepEqual(
      [part('always_off'), part('traceidratio', '0.25'), part('parentbased_traceidratio', '0.5')],
      [0, 0.25, 0.5],
    )
  })

  it('are refused by their names, and without a secret', () => {
    const wrong = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector',
      OTEL_TRACES_SAMPLER: 'some',
      OTEL_TRACES_EXPORTER: 'zipkin',
    }
    for (const [name, text] of Object.entries(wrong)) {
      assert.throws(() => traces({ ...to, [name]: text }), new RegExp(name))
    }
    const headers = { ...to, OTEL_EXPORTER_OTLP_HEADERS: 'hush' }
    assert.throws(() => traces(headers), /^Error: OTEL_EXPORTER_OTLP_HEADERS (?!.*hush)/)
  })
})
