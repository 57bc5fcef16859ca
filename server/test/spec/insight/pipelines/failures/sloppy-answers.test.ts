import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import { type Json, limits } from '../../../../../src/foundation/kernel/index.ts'
import { marketplaceLimits } from '../../../../../src/insight/marketplace/index.ts'
import { pipelineLimits } from '../../../../../src/insight/pipelines/index.ts'
import { until } from '../../../../fixtures/engine.ts'
import { echo, moduleCallsFixture } from '../../../../fixtures/pipelines/module-calls.ts'
import { type Answer, insight } from '../../../../fixtures/pipelines.ts'

async function linked(t: TestContext, fn: Json = insight('f'), ...others: Json[]) {
  const functions = [fn, ...others]
  const fixture = await moduleCallsFixture(t, { functions, channels: ['001'], callMsMax: 1_000 })
  const { business, moduleId, pipelines, send } = fixture
  const link = await fixture.link('f', [fixture.findId('001')])
  let ts = 0
  const write = async () => {
    ts += 1
    await send({ '001': ts }, ts)
  }
  /** A write of which the call is made again until the module has been away for too long. */
  const writeInOutage = async () => {
    ts += 1
    await fixture.write('d1', { data_in: `{"001":${ts}}` }, ts)
    await until(async () => (await pipelines.modules.report(business, moduleId)).failuresInRow > 0)
    fixture.clock.advance(pipelineLimits.moduleOutageMs)
    await pipelines.caughtUp()
  }
  const values = async () => (await fixture.history(link.outlets[0])).map(([, value]) => value)
  return { ...fixture, link, write, writeInOutage, values }
}

let lastTs = 0
/** Each at a time of its own, so that none replaces another. */
const datum = (value: Json, more: object = {}) => ({
  ts: ++lastTs,
  value,
  origin: 'o',
  generated: 'g',
  ...more,
})

/** The answer of a module, the values that come of it, and the line in the asset's log. */
const survived: readonly [what: string, answer: Answer, values: Json[], line: RegExp | null][] = [
  ['nothing to say', [[]], [], null],
  ['an empty list', [], [], null],
  ['extra fields', [[datum(1, { colour: 'red' })]], [1], /fields that the protocol does not know/],
  ['value: null', [[datum(null)]], [], /value is null, taken as no output/],
  ['more outlets than declared', [[datum(2)], [datum(3)]], [2], /2 outlets answered, 1 declared/],
  ['a number as a text', [[datum('7')]], [7], null],
  ['no origin', [[{ ts: 1_000, value: 1 }]], [1], /origin is missing/],
  ['no body', (response) => void response.writeHead(204).end(), [], /the answer is empty/],
]

test('sloppy answers are survived', async (t) => {
  const { fake, write, values, lines, asset, stage } = await linked(t)
  for (const [at, [what, answer, expected, line]] of survived.entries()) {
    await t.test(what, async () => {
      const [valuesBefore, linesBefore] = [await values(), await lines(asset.id)]
      fake.answer({ 'POST /process': answer })
      await write()
      assert.deepEqual((await values()).slice(valuesBefore.length), expected)
      assert.deepEqual(await stage('functions'), { taken: at + 1, done: at + 1, failed: 0 })
      const log = (await lines(asset.id)).slice(linesBefore.length).join('\n')
      if (line === null) assert.equal(log, '')
      else assert.match(log, line)
    })
  }
})

/** Answers of which a part is lost, what is used of them, and the line. */
const partly: readonly [what: string, answer: Answer, values: Json[], line: RegExp][] = [
  ['a text for a number', [[datum('warm')]], [], /outlet 0: "warm" is not a finite number\.$/],
  ['no time', [[{ value: 1, origin: 'o', generated: 'g' }]], [], /outlet 0: ts is missing\.$/],
  ['a time in words', [[datum(1, { ts: 'x' })]], [], /outlet 0: ts is "x", no time\.$/],
  ['no array', [datum(1)], [], /outlet 0 is an object, not an array\.$/],
  ['one of three', [[datum('a'), datum(4), datum('b')]], [4], /"a" is not .*; and 1 more of its/],
]

test('a value that cannot be used is a failure with its input, and the rest is used', async (t) => {
  const { fake, write, values, stage, pipelines, view, link } = await linked(t)
  for (const [at, [what, answer, expected, line]] of partly.entries()) {
    await t.test(what, async () => {
      const before = await values()
      fake.answer({ 'POST /process': answer })
      await write()
      assert.deepEqual((await values()).slice(before.length), expected)
      const counts = { taken: at + 1, done: 0, failed: at + 1 }
      assert.deepEqual(await stage('functions.calls'), counts)
      const [failed] = (await pipelines.failedCalls.list(view, {})).calls
      assert.match(failed?.error.reason ?? '', line)
      assert.deepEqual(
        [failed?.linkId, failed?.request],
        [link.id, fake.bodies('POST /process')[at]],
      )
    })
  }
  fake.answer({ 'POST /process': echo })
  assert.equal(await pipelines.failedCalls.retryAll(view), partly.length)
  await pipelines.caughtUp()
  assert.deepEqual((await pipelines.failedCalls.list(view, {})).calls, [])
  assert.deepEqual((await values()).slice(0, partly.length), [1, 2, 3, 4, 5])
})

const failing: readonly [what: string, answer: Answer, line: RegExp][] = [
  ['200 with {}', {}, /an object, not an array of arrays/],
  ['200 with HTML', (response) => void response.end('<h1>hi</h1>'), /HTML/],
  ['200 with a message', { message: 'no' }, /it says "no"/],
  ['a reset connection', (response) => void response.socket?.resetAndDestroy(), /broke off/],
  ['a time-out', () => undefined, /did not answer in time/],
  ['half an answer', half, /broke off/],
  ['an answer that never ends', endless, /did not answer in time/],
  ['too many values', tooMany, /more than 10000 values/],
  ['an answer of more than 4 MB', large, /larger than 4194304 bytes/],
  ['a redirect', (r) => void r.writeHead(302, { location: '/x' }).end(), /answered 302/],
  [
    'an error response',
    (r) => void r.writeHead(422).end('{"message":"too hot","status":422,"name":"Bad"}'),
    /The module answered 422: Bad: too hot/,
  ],
  [
    'a page of an error',
    (r) => void r.writeHead(500).end(`{"message":"${'x'.repeat(9_000)}"}`),
    /answered 500: x{300}$/,
  ],
]

function half(response: Parameters<Extract<Answer, (...args: never[]) => unknown>>[0]) {
  response.writeHead(200, { 'content-length': '100' }).write('[[')
  response.socket?.destroySoon()
}

function large(response: Parameters<Extract<Answer, (...args: never[]) => unknown>>[0]) {
  response.writeHead(200, { 'content-length': String(limits.moduleAnswerBytesMax + 1) }).write('[[')
}

function endless(response: Parameters<Extract<Answer, (...args: never[]) => unknown>>[0]) {
  response.writeHead(200).write('[[')
  const timer = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(timer))
}

function tooMany(response: Parameters<Extract<Answer, (...args: never[]) => unknown>>[0]) {
  const values = Array.from({ length: pipelineLimits.moduleAnswerValuesMax + 1 }, () => 0)
  response.end(JSON.stringify([values]))
}

test('what cannot be used is logged and counted, and the next entry goes on', async (t) => {
  const { fake, write, writeInOutage, values, lines, asset, stage, clock } = await linked(t)
  for (const [at, [what, answer, line]] of failing.entries()) {
    await t.test(what, async () => {
      const before = await lines(asset.id)
      // The line is written even if one of before was the same.
      clock.advance(pipelineLimits.moduleNoteRepeatMs)
      fake.answer({ 'POST /process': answer })
      const isAway = line.source === 'broke off'
      await (isAway ? writeInOutage() : write())
      assert.equal((await stage('functions.calls')).failed, at + 1)
      assert.equal((await stage('functions.runs')).failed, at + 1)
      const log = (await lines(asset.id)).slice(before.length)
      assert.equal(log.length, isAway ? 2 : 1, log.join('\n'))
      if (isAway) assert.match(log[0] ?? '', /^warning The f: .* It is called again\.$/)
      assert.match(log.at(-1) ?? '', line)
      assert.match(log.at(-1) ?? '', /^error The f: /)
      fake.answer({ 'POST /process': [[datum(at, { ts: 2_000 + at })]] })
      await write()
      assert.equal((await values()).at(-1), at)
      assert.equal((await stage('values')).failed, 0)
    })
  }
})

test('a connection that is lost is tried again; a time-out is not', async (t) => {
  const { fake, write, values } = await linked(t)
  let tried = 0
  fake.answer({
    'POST /process': (response) => {
      tried += 1
      if (tried < marketplaceLimits.moduleTriesMax) response.socket?.resetAndDestroy()
      else response.end(JSON.stringify([[datum(9)]]))
    },
  })
  await write()
  assert.equal(tried, marketplaceLimits.moduleTriesMax)
  assert.deepEqual(await values(), [9])
  tried = 0
  fake.answer({
    'POST /process': () => {
      tried += 1
    },
  })
  await write()
  assert.equal(tried, 1)
})

test('a module that fails in a row is paused, then called again', async (t) => {
  const { fake, write, writeInOutage, values, pipelines, ...more } = await linked(t)
  const { business, moduleId, clock, lines, asset } = more
  fake.answer({ 'POST /process': (response) => void response.writeHead(503).end('busy') })
  const calls = () => fake.bodies('POST /process').length
  await writeInOutage()
  while (calls() < pipelineLimits.moduleFailuresInRowMax) await write()
  assert.equal(calls(), pipelineLimits.moduleFailuresInRowMax)
  const report = await pipelines.modules.report(business, moduleId)
  assert.equal(report.failuresInRow, pipelineLimits.moduleFailuresInRowMax)
  assert.match(report.lastFailure ?? '', /answered 503/)
  assert.ok((report.restsUntil ?? 0) > clock.nowUs())

  fake.answer({ 'POST /process': [[datum(1)]] })
  await write()
  assert.equal(calls(), pipelineLimits.moduleFailuresInRowMax, 'it rests')
  assert.match((await lines(asset.id)).at(-1) ?? '', /The module "Fake" rests after 5 failures/)
  clock.advance(pipelineLimits.modulePauseMs)
  await write()
  assert.deepEqual(await values(), [1])
  const after = await pipelines.modules.report(business, moduleId)
  assert.deepEqual([after.failuresInRow, after.restsUntil], [0, null])
})

test('error responses and unusable answers do not pause a module', async (t) => {
  const { fake, write, pipelines, business, moduleId } = await linked(t)
  fake.answer({ 'POST /process': (r) => void r.writeHead(400).end('{"message":"no"}') })
  for (let at = 0; at <= pipelineLimits.moduleFailuresInRowMax; at += 1) await write()
  fake.answer({ 'POST /process': {} })
  for (let at = 0; at <= pipelineLimits.moduleFailuresInRowMax; at += 1) await write()
  assert.equal(fake.bodies('POST /process').length, 2 * (pipelineLimits.moduleFailuresInRowMax + 1))
  assert.equal((await pipelines.modules.report(business, moduleId)).restsUntil, null)
})

test('an error stops its own branch only', async (t) => {
  const { fake, write, values, pipelines, view, moduleId, asset, assets } = await linked(t)
  const [signal] = await assets.signals.ofAssets(view, [asset.id])
  const make = (signalId: string, name: string) =>
    pipelines.links.create(view, {
      assetId: asset.id,
      moduleId,
      functionId: 'f',
      name,
      inlets: [{ signalId }],
    })
  const bad = await make(signal?.id ?? '', 'bad')
  const below = await make(bad.outlets[0] ?? '', 'below')
  const called: string[] = []
  fake.answer({
    'POST /process': (response, body) => {
      const { id, data } = body as ProcessRequest
      called.push(id)
      if (id === bad.id) response.writeHead(400).end('{"message":"no"}')
      else response.end(JSON.stringify([data]))
    },
  })
  await write()
  assert.deepEqual(await values(), [1])
  assert.ok(!called.includes(below.id))
  assert.equal(called.length, 2)
})

test("an action's answer is ignored, whatever it is; only an error is logged", async (t) => {
  const rule = insight('f', { type: 'rule', outlets: [{ name: 's' }] })
  const status = { name: 's', data_type: 'STATUS' }
  const action = insight('g', { type: 'action', inlets: [status], outlets: {} })
  const { fake, link, write, lines, asset, stage, ...fixture } = await linked(t, rule, action)
  const { pipelines, view, moduleId } = fixture
  const inlets = link.outlets.map((signalId) => ({ signalId }))
  const where = { assetId: asset.id, moduleId, functionId: 'g' }
  await pipelines.links.create(view, { ...where, inlets })
  let level = 0
  const actsWith = (act: Exclude<Answer, Json>) => {
    const answer: Answer = (response, body) => {
      const { args, data } = body as ProcessRequest
      if (args.function_id === 'g') return act(response, body)
      level = level === 0 ? 2 : 0
      response.end(JSON.stringify([[{ ...data[0], value: { level } }]]))
    }
    fake.answer({ 'POST /process': answer })
  }
  for (const text of ['{}', '"<html>"', JSON.stringify([[datum(1)]]), 'null', 'sent!']) {
    actsWith((response) => void response.end(text))
    await write()
  }
  assert.deepEqual(await lines(asset.id), [])
  actsWith((response) => void response.writeHead(500).end('{"message":"no paper"}'))
  await write()
  assert.deepEqual(await stage('functions.calls'), { taken: 12, done: 11, failed: 1 })
  assert.deepEqual(await lines(asset.id), ['error The g: The module answered 500: no paper'])
})

test('a rule that answers no status is logged and counted', async (t) => {
  const rule = insight('f', { type: 'rule', outlets: [{ name: 's' }] })
  const { fake, write, lines, asset, stage, assets, view } = await linked(t, rule)
  for (const value of [{ level: 7 }, 'bad', { colour: 'red' }]) {
    fake.answer({ 'POST /process': [[datum(value)]] })
    await write()
  }
  assert.deepEqual(await stage('functions.calls'), { taken: 3, done: 0, failed: 3 })
  assert.match((await lines(asset.id)).join('\n'), /level is 7, not one of 0 to 4/)
  fake.answer({ 'POST /process': [[{ ...datum({ level: 1 }), ts: 'x' }]] })
  await write()
  assert.equal((await stage('functions.calls')).failed, 4)
  fake.answer({ 'POST /process': [[datum(2)]] })
  await write()
  const status = (await assets.statuses(view, [asset.id])).get(asset.id)
  assert.equal(status?.level, 2)
  assert.match((await lines(asset.id)).at(-1) ?? '', /a bare number, taken as level/)
})

test('a module whose address is no longer allowed is logged as such', async (t) => {
  const { fake, database, pipelines, business, write, lines, asset } = await linked(t)
  const moved = fake.url.replace('127.0.0.1', '127.0.0.2')
  const text = 'update marketplace_listing set base = replace(base, $1, $2)'
  await database.run(text, [fake.url, moved])
  await write()
  assert.deepEqual(fake.bodies('POST /process'), [])
  assert.match((await lines(asset.id)).at(-1) ?? '', /does not allow calls to 127\.0\.0\.2/)
  assert.equal((await pipelines.modules.list(business)).length, 2)
})
