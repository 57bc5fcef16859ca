import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalData } from '@millrace/insight-sdk/protocol'
import type { Json } from '../../../../../src/foundation/kernel/index.ts'
import { pipelineLimits } from '../../../../../src/insight/pipelines/index.ts'
import {
  answering,
  type Channel,
  moduleCallsFixture,
} from '../../../../fixtures/pipelines/module-calls.ts'
import { type Answer, insight } from '../../../../fixtures/pipelines.ts'

// The rows of SignalData, as the platform sends it and as it takes it.

const open = insight('f', { inlets: [{ name: 'in' }], outlets: [{ name: 'out' }] })

const values: readonly (readonly [kind: string, channel: Channel, value: Json])[] = [
  ['string', 's', 'warm & wet'],
  ['number', 'n', -0.5],
  ['object', 'j', { a: { b: [1, 'x', null] } }],
  ['boolean, as the field has it', 'b', false],
]
for (const [kind, channel, value] of values) {
  test(`SignalData.value: ${kind} is sent and taken`, async (t) => {
    const { link, send, calls, findId, history, lines, asset } = await moduleCallsFixture(t, {
      functions: [open],
      answers: { 'POST /process': answering((one) => one) },
    })
    const { outlets } = await link('f', [findId(channel)])
    await send({ [channel]: value }, 1_000)
    assert.deepEqual(
      calls().map(({ data }) => data.map((one) => one.value)),
      [[value]],
    )
    assert.deepEqual(await history(outlets[0]), [[1_000, value]])
    assert.deepEqual(await lines(asset.id), [])
  })
}

test('a copy keeps ts, origin and tags; generated is what made it', async (t) => {
  const { link, send, calls, findId, connectorId, clock } = await moduleCallsFixture(t, {
    functions: [open],
    answers: {
      'POST /process': answering((one, { id }) => {
        return { ...one, generated: id, tags: { ...one.tags, batch: 'b7' } }
      }),
    },
  })
  const before = clock.nowUs()
  const first = await link('f', [findId('n')])
  const second = await link('f', first.outlets)
  await send({ n: 4 }, 1_000)
  const [sent, passed] = calls().map(({ data }) => data[0]) as [SignalData, SignalData]
  const origin = `${connectorId}.d1.data_in.n`
  assert.deepEqual([sent.origin, sent.generated], [origin, origin])
  assert.deepEqual([passed.ts, passed.origin, passed.generated], [1_000, origin, first.id])
  assert.equal(passed.tags?.batch, 'b7')
  assert.equal(sent.tags?.batch, undefined)
  assert.equal(calls()[1]?.id, second.id)
  for (const { ts, gts = 0, ttl } of [sent, passed]) {
    assert.ok(Number.isSafeInteger(ts) && Number.isSafeInteger(ttl))
    assert.ok(gts >= before && gts <= clock.nowUs(), 'microseconds')
  }
})

test('ttl that a module raises, or leaves out, counts down all the same', async (t) => {
  for (const ttl of [1_000_000, undefined]) {
    const { link, send, calls, findId } = await moduleCallsFixture(t, {
      functions: [open],
      answers: { 'POST /process': answering((one) => ({ ...one, ttl })) },
    })
    const first = await link('f', [findId('n')])
    await link('f', first.outlets)
    await send({ n: 4 })
    assert.deepEqual(
      calls().map(({ data }) => data[0]?.ttl),
      [pipelineLimits.pipelineStepsMax, pipelineLimits.pipelineStepsMax - 1],
    )
  }
})

test('each tag that is sent has at least one character', async (t) => {
  const inlets = [{ name: '', tag: '', primitive_type: 'NUMERIC' }]
  const { link, send, calls, findId } = await moduleCallsFixture(t, {
    functions: [insight('f', { inlets })],
  })
  await link('f', [findId('n')])
  await send({ n: 1 })
  const { tags = {}, origin, generated } = calls()[0]?.data[0] ?? ({} as SignalData)
  assert.equal(tags.inlet, '0')
  assert.ok([...Object.values(tags), origin, generated].every((text) => text.length >= 1))
})

const nowUs = 1_795_866_413_000_000

/** A field of an answer that breaks its row, what is in the log, and whether its value is taken. */
const broken: readonly (readonly [what: string, more: object, line: RegExp, taken: boolean])[] = [
  ['ts with a fraction', { ts: nowUs + 0.5 }, /ts is 1795866413000000\.5, taken as/, true],
  ['ts that is no number', { ts: 'now' }, /ts is missing|ts is .*now/, false],
  ['origin of no character', { origin: '' }, /origin is missing/, true],
  ['generated of no character', { generated: '' }, /generated is missing/, true],
  ['gts with a fraction', { gts: 1.5 }, /gts is 1\.5/, true],
  ['a tag of no character', { tags: { a: '' } }, /tags that are no string of at least one/, true],
  ['tags that are no object', { tags: ['a'] }, /tags is an array/, true],
  ['ttl that is no integer', { ttl: 'far' }, /ttl is/, true],
  ['seconds', { ts: nowUs / 1_000_000 }, /0: ts must be in microseconds .* in seconds/, false],
  ['milliseconds', { ts: nowUs / 1_000 }, /0: ts must be in microseconds .* milliseconds/, false],
  ['the time 0', { ts: 0 }, /outlet 0: ts must not be 0/, false],
  ['a time before 0', { ts: -nowUs }, /outlet 0: ts must be in microseconds/, false],
  ['a time far ahead', { ts: 2 ** 53 - 1 }, /outlet 0: ts must lie within the years/, false],
]
for (const [what, more, line, taken] of broken) {
  test(`SignalData that is answered with ${what} is reported, the rest is taken`, async (t) => {
    const datum = { value: 1, origin: 'o', generated: 'g' }
    const answer = [
      { ts: nowUs, ...datum, ...more },
      { ...datum, ts: nowUs + 9 },
    ] as Json[]
    const { link, send, findId, history, lines, asset, stage } = await moduleCallsFixture(t, {
      functions: [open],
      answers: { 'POST /process': [answer] },
    })
    const { outlets } = await link('f', [findId('n')])
    await send({ n: 1 }, nowUs)
    assert.match((await lines(asset.id)).join('\n'), line)
    const times = (await history(outlets[0])).map(([ts]) => ts)
    assert.deepEqual(times, taken ? [nowUs, nowUs + 9] : [nowUs + 9])
    assert.equal((await stage('functions.calls')).failed, taken ? 0 : 1)
  })
}

test('non-fatal problems are values of a separate outlet, and stop nothing', async (t) => {
  const outlets = [{ name: 'out' }, { name: 'problems', primitive_type: 'STRING' }]
  const problem: Answer = (response, body) => {
    const [one] = (body as { data: SignalData[] }).data
    response.end(JSON.stringify([[], [{ ...one, value: 'sensor is dirty' }]]))
  }
  const { link, send, findId, history, stage, lines, asset } = await moduleCallsFixture(t, {
    functions: [insight('f', { outlets })],
    answers: { 'POST /process': problem },
  })
  const made = await link('f', [findId('n')])
  await send({ n: 1 }, 9)
  assert.deepEqual(await history(made.outlets[0]), [])
  assert.deepEqual(await history(made.outlets[1]), [[9, 'sensor is dirty']])
  assert.equal((await stage('functions.calls')).failed, 0)
  assert.deepEqual(await lines(asset.id), [])
})
