import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { wholeView } from '../../../src/groups/index.ts'
import { fakeModule, insight, module, pipelinesFixture } from '../../fixtures/pipelines.ts'

const ts = 1_767_225_600_000_000

/** A device's value that is doubled by a module, judged by a rule on which an action hangs. */
async function tracedFixture(t: TestContext) {
  const act = insight('act', { type: 'action', inlets: [{ name: 's' }], outlets: [] })
  const fake = await fakeModule(t, module([insight('double'), act]))
  const fixture = await pipelinesFixture(t, { allow: [fake.host] })
  const { business, pipelines } = fixture
  const { id: moduleId } = await pipelines.modules.add(business, { url: fake.url })
  const [asset, signal] = await fixture.assetWith('d1', ['001'])
  assert.ok(signal)
  const link = async (name: string, more: object, signalId = '') =>
    pipelines.links.create(wholeView(business), {
      assetId: asset.id,
      moduleId,
      name,
      inlets: [{ signalId }],
      ...more,
    })
  const double = await link('Double', { functionId: 'double' }, signal.id)
  const threshold = { moduleId: 'builtin', functionId: 'threshold', constants: { warning: 60 } }
  const rule = await link('Too hot', threshold, double.outlets[0])
  const action = await link('Tell', { functionId: 'act' }, rule.outlets[0])
  const answer = (factor: number) => {
    fake.answer({
      'POST /process': (response, body) => {
        const { data } = body as { data: { value: number }[] }
        response.end(JSON.stringify([data.map((one) => ({ ...one, value: one.value * factor }))]))
      },
    })
  }
  const write = async (value: number, at = ts) => {
    await fixture.write('d1', { data_in: JSON.stringify({ '001': value }) }, at)
    await pipelines.caughtUp()
  }
  const trace = (signalId = signal.id, at = ts) =>
    pipelines.traces.of(wholeView(business), signalId, at)
  return { ...fixture, fake, signal, double, rule, action, answer, write, trace }
}

describe('the trace of a value', () => {
  it('leads from the write through each function to statuses and actions', async (t) => {
    const { write, answer, trace, signal, double, rule, action } = await tracedFixture(t)
    answer(2)
    await write(40)
    await write(1, ts + 1)
    const { value, steps, notes } = await trace()
    assert.deepEqual([value.signalId, value.value, notes], [signal.id, 40, []])
    const [first, second, third] = steps
    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['write', 'function', 'function', 'function', 'status'],
    )
    assert.ok(first?.kind === 'write' && first.identity === 'd1' && first.signalId === signal.id)
    assert.ok(second?.kind === 'function' && third?.kind === 'function')
    assert.deepEqual(
      [second.linkId, second.inputs[0]?.value, second.outputs[0]?.value],
      [double.id, 40, 80],
    )
    assert.deepEqual([third.linkId, third.inputs[0]?.value], [rule.id, 80])
    const change = steps.at(-1)
    assert.ok(change?.kind === 'status')
    assert.deepEqual([change.linkId, change.previous, change.level], [rule.id, 0, 2])
    assert.deepEqual(change.actions, [{ linkId: action.id, name: 'Tell' }])
  })

  it('of a value in the middle has what it came from, too', async (t) => {
    const { write, answer, trace, double, rule } = await tracedFixture(t)
    answer(2)
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
  })

  it('is of one business, and of a value that there is', async (t) => {
    const { write, trace, signal, pipelines, other } = await tracedFixture(t)
    await write(40)
    await assert.rejects(trace(signal.id, ts + 1), { code: 'not_found' })
    await assert.rejects(pipelines.traces.of(wholeView(other), signal.id, ts), {
      code: 'not_found',
    })
  })
})
