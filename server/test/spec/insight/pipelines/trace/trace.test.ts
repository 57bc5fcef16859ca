import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { TraceStep } from '../../../../../src/insight/pipelines/index.ts'
import { pipelineLimits } from '../../../../../src/insight/pipelines/index.ts'
import { until } from '../../../../fixtures/engine.ts'
import { moduleCallsFixture, double as twice } from '../../../../fixtures/pipelines/module-calls.ts'
import { insight, pipelinesFixture } from '../../../../fixtures/pipelines.ts'

const ts = 1_767_225_600_000_000

/** A device's value that is doubled by a module, judged by a rule on which an action hangs. */
async function tracedFixture(t: TestContext) {
  const act = insight('act', { type: 'action', inlets: [{ name: 's' }], outlets: [] })
  const functions = [insight('double'), act]
  const fixture = await moduleCallsFixture(t, { functions, channels: ['001'] })
  const { fake, pipelines, send, view } = fixture
  const [signal = assert.fail()] = fixture.signals
  const link = (name: string, more: { functionId: string }, signalId = '') =>
    fixture.link(more.functionId, [signalId], { name, ...more })
  const double = await link('Double', { functionId: 'double' }, signal.id)
  const threshold = { moduleId: 'builtin', functionId: 'threshold', constants: { warning: 60 } }
  const rule = await link('Too hot', threshold, double.outlets[0])
  const action = await link('Tell', { functionId: 'act' }, rule.outlets[0])
  const answer = () => fake.answer({ 'POST /process': twice })
  const write = (value: number, at = ts) => send({ '001': value }, at)
  const trace = (signalId = signal.id, at = ts) => pipelines.traces.of(view, signalId, at)
  return { ...fixture, signal, double, rule, action, answer, write, trace }
}

const isCall = (step: TraceStep) => step.kind === 'call'

describe('the trace of a value', () => {
  it('leads from the write through each function to statuses and actions', async (t) => {
    const { write, answer, trace, signal, double, rule, action } = await tracedFixture(t)
    answer()
    await write(40)
    await write(1, ts + 1)
    const { value, steps, notes } = await trace()
    assert.deepEqual([value.signalId, value.value, notes], [signal.id, 40, []])
    const [first, second, called, third] = steps
    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['write', 'function', 'call', 'function', 'function', 'status', 'call'],
    )
    assert.ok(first?.kind === 'write' && first.identity === 'd1' && first.signalId === signal.id)
    assert.ok(second?.kind === 'function' && third?.kind === 'function')
    assert.deepEqual(
      [second.linkId, second.inputs[0]?.value, second.outputs[0]?.value],
      [double.id, 40, 80],
    )
    assert.deepEqual([third.linkId, third.inputs[0]?.value], [rule.id, 80])
    const [change, acted] = steps.slice(-2)
    assert.ok(change?.kind === 'status')
    assert.deepEqual([change.linkId, change.previous, change.level], [rule.id, 0, 2])
    assert.deepEqual(change.actions, [{ linkId: action.id, name: 'Tell' }])
    assert.ok(called?.kind === 'call' && acted?.kind === 'call')
    assert.deepEqual([called.linkId, acted.linkId], [double.id, action.id])
  })

  it('of a value in the middle has what it came from, too', async (t) => {
    const { write, answer, trace, double, rule } = await tracedFixture(t)
    answer()
    await write(10)
    const { steps } = await trace(double.outlets[0])
    const functions = steps.flatMap((step) => (step.kind === 'function' ? [step.linkId] : []))
    assert.equal(steps[0]?.kind, 'write')
    assert.deepEqual(functions.slice(0, 2), [double.id, rule.id])
  })

  it('has the calls that failed', async (t) => {
    const { write, fake, trace, double } = await tracedFixture(t)
    fake.answer({ 'POST /process': (response) => void response.writeHead(500).end('{}') })
    await write(40)
    const { steps } = await trace()
    const failure = steps.find(({ kind }) => kind === 'failed_call')
    assert.ok(failure?.kind === 'failed_call')
    assert.equal(failure.linkId, double.id)
    assert.match(failure.reason, /500/)
    const call = steps.find(isCall)
    assert.deepEqual([call?.linkId, call?.status], [double.id, 500])
    assert.equal(call?.reason, failure.reason)
  })

  it('is of a value that there is', async (t) => {
    const { write, trace, signal } = await tracedFixture(t)
    await write(40)
    await assert.rejects(trace(signal.id, ts + 1), { code: 'not_found' })
  })
})

describe('the durations and calls of a trace', () => {
  it('has the calls that were answered, each as its module received it', async (t) => {
    const { write, answer, trace, fake, moduleId, double, action } = await tracedFixture(t)
    answer()
    await write(40)
    const { steps } = await trace()
    const sent = fake.requests.filter(({ call }) => call === 'POST /process')
    const calls = steps.filter((step) => step.kind === 'call')
    assert.deepEqual(
      calls.map(({ us: _us, at: _at, ...call }) => call),
      [double, action].map(({ id: linkId, name }, at) => {
        const trackingId = sent[at]?.headers['x-request-id']
        const answered = { status: 200, reason: null, tries: 1, requests: 1 }
        return Object.assign({ kind: 'call', linkId, name, moduleId, trackingId }, answered)
      }),
    )
  })

  it('has how long each function took, built-in or of a module', async (t) => {
    const { write, fake, trace, double, rule } = await tracedFixture(t)
    const msOfCall = 30
    fake.answer({
      'POST /process': async (response, body) => {
        await pause(msOfCall)
        const { data } = body as { data: object[] }
        response.end(JSON.stringify([data]))
      },
    })
    await write(40)
    const { steps } = await trace()
    const took = new Map(
      steps.flatMap((step) => (step.kind === 'function' ? [[step.linkId, step.us]] : [])),
    )
    // A timer may end a millisecond before its time.
    assert.ok(Number(took.get(double.id)) >= (msOfCall - 1) * 1_000)
    assert.ok(Number.isInteger(took.get(rule.id)))
  })

  it('has how long functions took that ran with their batch, of each entry', async (t) => {
    const { assetWith, view, pipelines, write } = await pipelinesFixture(t)
    const [asset, signal] = await assetWith('d1', ['001'])
    const inlets = [{ signalId: signal?.id ?? '' }]
    const base = { assetId: asset.id, moduleId: 'builtin', inlets }
    await pipelines.links.create(view, { ...base, functionId: 'delta' })
    const constants = { warning: 60 }
    await pipelines.links.create(view, { ...base, functionId: 'threshold', constants })
    for (const at of [0, 1, 2]) await write('d1', { data_in: `{"001":${at}}` }, ts + at)
    await pipelines.caughtUp()
    for (const at of [0, 1, 2]) {
      const { steps } = await pipelines.traces.of(view, signal?.id ?? '', ts + at)
      const took = steps.flatMap((step) => (step.kind === 'function' ? [step.us] : []))
      assert.equal(took.length, 2)
      assert.ok(took.every(Number.isInteger), String(took))
    }
  })

  it('has each time that a call was made, until it was answered', async (t) => {
    const { write, fake, answer, trace, double } = await tracedFixture(t)
    fake.answer({ 'POST /process': (response) => void response.writeHead(503).end() })
    const written = write(40)
    await until(async () => (await trace().catch(() => undefined))?.steps.some(isCall) ?? false)
    answer()
    await written
    const { steps } = await trace()
    const calls = steps.filter(isCall).filter(({ linkId }) => linkId === double.id)
    assert.ok(calls.length > 1)
    assert.deepEqual(
      calls.map(({ tries }) => tries),
      calls.map((_, at) => at + 1),
    )
    assert.deepEqual([...new Set(calls.map(({ trackingId }) => trackingId))].length, 1)
    const [first, last] = [calls[0], calls.at(-1)]
    assert.deepEqual([first?.status, last?.status, last?.reason], [503, 200, null])
    assert.match(first?.reason ?? '', /503/)
  })

  it('is without durations and calls once these are older than they are kept', async (t) => {
    const { write, answer, trace, pipelines, clock } = await tracedFixture(t)
    answer()
    await write(40)
    const known = async () => {
      await pipelines.removeOld()
      const { steps } = await trace()
      return steps.some((step) => step.kind === 'call' || (step.kind === 'function' && step.us))
    }
    clock.advance(pipelineLimits.traceHours * 3_600_000 - 60_000)
    assert.equal(await known(), true)
    clock.advance(120_000)
    assert.equal(await known(), false)
  })
})
