import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../../src/config.ts'
import { applyLimits } from '../../../src/kernel/index.ts'
import { until } from '../../fixtures/engine.ts'
import { type Observed, observed } from '../../fixtures/operation/observed.ts'
import { openWeb, type Web } from '../../fixtures/peers/web.ts'
import { suiteContext } from '../../fixtures/suite.ts'

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

/** The specifiers of packages that were resolved in this process. */
const loaded = new Set<string>()
const hooks = registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/')) loaded.add(specifier)
    return next(specifier, context)
  },
})
after(() => hooks.deregister())

describe('traces of OpenTelemetry', () => {
  const suite = suiteContext()
  let collector: Web
  let fixture: Observed
  let spans: Span[]
  let root: Span
  before(async () => {
    const plain = await observed(suite, { own: 'must load nothing that sends traces' })
    await plain.device.write('temperature=1')
    await plain.settle()
    assert.deepEqual([...loaded], [], 'no package is loaded where nobody asks for traces')
    applyLimits({ traceSendMs: 10 })
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
  const bodies = () => collector.requests.map(({ body }) => JSON.parse(body.toString()))
  const received = (): Span[] =>
    bodies().flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap((one: { scopeSpans: { spans: Span[] }[] }) =>
        one.scopeSpans.flatMap((scope) => scope.spans),
      ),
    )
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

  it('load packages only for those who ask', () => {
    assert.ok(loaded.has('@opentelemetry/sdk-trace'))
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
