import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { marketplaceLimits } from '../../../../src/insight/marketplace/index.ts'
import { pipelineLimits } from '../../../../src/insight/pipelines/index.ts'
import { until } from '../../../fixtures/engine.ts'
import { moduleCallsFixture } from '../../../fixtures/pipelines/module-calls.ts'
import {
  type FakeModule,
  fakeModule,
  insight,
  module,
  pipelinesFixture,
} from '../../../fixtures/pipelines.ts'

const rms = { functions: [insight('rms')] }

test('a module is added by its base, with the paths of the spec', async (t) => {
  const fake = await fakeModule(t, module([insight('rms')]))
  const { pipelines, business, other } = await pipelinesFixture(t)
  const added = await pipelines.modules.add(business, { url: fake.url })
  assert.equal(added.name, 'Fake')
  assert.deepEqual(
    fake.requests.map((one) => one.call),
    // Without a definition behind the base, the address may be that of a definition.
    ['GET /interface', 'GET /', 'GET /info'],
  )
  const listed = await pipelines.modules.list(business)
  assert.deepEqual(
    listed.map((one) => one.id),
    ['builtin', added.id],
  )
  assert.deepEqual(await pipelines.modules.get(business, added.id), added)
  assert.ok(!('endpoints' in added))

  assert.equal((await pipelines.modules.list(other)).length, 1)
  await assert.rejects(pipelines.modules.get(other, added.id), { code: 'not_found' })
  await assert.rejects(pipelines.modules.functions(other, added.id), { code: 'not_found' })
  await assert.rejects(pipelines.modules.remove(other, added.id), { code: 'not_found' })
})

test('group_id is always sent when functions are listed; the list is cached', async (t) => {
  const { fake, pipelines, business, clock, moduleId: id } = await moduleCallsFixture(t, rms)
  const ask = () => pipelines.modules.functions(business, id)
  assert.deepEqual(
    (await ask()).map((one) => one.id),
    ['rms'],
  )
  clock.advance(pipelineLimits.moduleFunctionsCacheMs - 1_000)
  await ask()
  assert.deepEqual(fake.bodies('POST /insights'), [{ group_id: '' }])
  clock.advance(1_001)
  await ask()
  assert.equal(fake.bodies('POST /insights').length, 2)
  await pipelines.modules.functions(business, id, 'g7')
  assert.deepEqual(fake.bodies('POST /insights').at(-1), { group_id: 'g7' })
})

test('pages may overlap or hold nothing of use; the first of two functions is taken', async (t) => {
  const unusable = { name: 'no id' }
  const pages = [
    [insight('scale'), insight('b')],
    [unusable, unusable],
    [insight('scale', { name: 'Other' }), insight('c')],
  ]
  const fake = await fakeModule(t, {
    ...module([]),
    'POST /insights': (response, body) => {
      const { offset = 0 } = body as { offset?: number }
      const insights = pages[offset / 2] ?? []
      response.end(JSON.stringify({ total: 6, count: insights.length, insights }))
    },
  })
  const { pipelines, business } = await pipelinesFixture(t)
  const { id } = await pipelines.modules.add(business, { url: fake.url })
  const { insights, complaints } = await pipelines.modules.functionList(business, id)
  assert.deepEqual(
    insights.map((one) => one.name),
    ['The scale', 'The b', 'The c'],
  )
  assert.ok(complaints.some((one) => /"scale" is listed twice; the first is taken/.test(one)))
})

test('a function without a group is linked as it is, also if lists need a group', async (t) => {
  const { pipelines, business, moduleId, link, findId, send, calls } = await moduleCallsFixture(t, {
    functions: [insight('plain')],
    info: { group_id_required: true },
  })
  assert.equal((await link('plain', [findId('n')])).groupId, '')
  await send({ n: 1 })
  assert.ok(!('group_id' in (calls()[0]?.args ?? assert.fail())))
  await assert.rejects(link('other', [findId('n')]), { code: 'not_found' })
  const list = pipelines.modules.functions(business, moduleId)
  await assert.rejects(list, { code: 'invalid_argument', message: /groupId is missing/ })
})

test('a module that hangs bounds its waiting requests, and leaves others alone', async (t) => {
  const fakes = [await fakeModule(t, module([insight('rms')])), await fakeModule(t, module([]))]
  const { pipelines, business, other } = await pipelinesFixture(t)
  const [slow, quick] = fakes as [FakeModule, FakeModule]
  const [{ id }, next, foreign] = await Promise.all([
    pipelines.modules.add(business, { url: slow.url }),
    pipelines.modules.add(business, { url: quick.url }),
    pipelines.modules.add(other, { url: quick.url }),
  ])
  const held: ServerResponse[] = []
  const empty = JSON.stringify({ total: 0, count: 0, insights: [] })
  slow.answer({ 'POST /insights': (response) => void held.push(response) })
  const count = limits.moduleRequestsOfUrlMax + limits.moduleRequestsWaitingMax
  const asking = Array.from({ length: count + 1 }, (_, at) =>
    pipelines.modules.functions(business, id, `g${at}`),
  )
  await assert.rejects(Promise.race(asking), { code: 'overloaded' })
  assert.deepEqual(await pipelines.modules.functions(business, next.id), [])
  assert.deepEqual(await pipelines.modules.functions(other, foreign.id), [])
  await until(async () => held.length >= limits.moduleRequestsOfUrlMax)
  assert.equal(held.length, limits.moduleRequestsOfUrlMax)
  slow.answer({ 'POST /insights': (response) => void response.end(empty) })
  for (const response of held) response.end(empty)
  const ended = await Promise.allSettled(asking)
  assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, count)
})

test('a URL that is no base is refused', async (t) => {
  const { pipelines, business } = await pipelinesFixture(t)
  const long = `http://x/${'a'.repeat(limits.settingCharsMax)}`
  for (const url of ['', 'x', 'ftp://x/', 'file:///etc', 'http://x/?a=1', 'http://x/#a', long]) {
    await assert.rejects(pipelines.modules.add(business, { url }), { code: 'invalid_argument' })
  }
})

test('a module without valid info is rejected with the reason', async (t) => {
  const fake = await fakeModule(t)
  const { pipelines, business } = await pipelinesFixture(t, { callMsMax: 1_500 })
  const rows: [Parameters<typeof fake.answer>[0][string], RegExp][] = [
    [(response) => void response.writeHead(404).end(), /answered 404/],
    [(response) => void response.writeHead(500).end('{"message":"no db"}'), /500: no db/],
    [(response) => void response.end('<html>hello</html>'), /HTML/],
    [(response) => void response.end(''), /cannot be used/],
    [(response) => void response.socket?.resetAndDestroy(), /No answer: .* broke off/],
    [() => undefined, /did not answer in time/],
  ]
  for (const [answer, reason] of rows) {
    fake.answer({ 'GET /info': answer })
    const adding = pipelines.modules.add(business, { url: fake.url })
    await assert.rejects(adding, { code: 'module_failed', message: reason })
  }
  const requests = fake.requests.filter((one) => one.call === 'GET /info')
  const onKeptConnection = 1
  const tries = rows.length - 1 + onKeptConnection + marketplaceLimits.moduleTriesMax
  assert.equal(requests.length, tries, 'a lost connection is tried again, an answer or time is not')
})

test('sloppy functions are taken, and what is odd is in the report', async (t) => {
  const sloppy = [
    { id: 'a', name: 'A', outlets: { name: 'o', primitive_type: 'NUMERIC' }, secret: 1 },
    {
      id: 'b',
      name: 'B',
      description: '',
      inlets: [{ data_type: 'TEMPERATURE', data_unit: '' }],
      outlets: [],
    },
    { name: 'nothing' },
  ]
  const { pipelines, business, moduleId: id } = await moduleCallsFixture(t, { functions: sloppy })
  const read = await pipelines.modules.functions(business, id)
  assert.deepEqual(
    read.map((one) => [one.id, one.type, one.outlets.length]),
    [
      ['a', 'transform', 1],
      ['b', 'transform', 0],
    ],
  )
  assert.deepEqual(read[1]?.inlets, [{ name: 'inlet 0', data_type: ['TEMPERATURE'] }])
  const { complaints } = await pipelines.modules.report(business, id)
  for (const words of ['outlets is an object', 'data_type is the string', 'taken as any']) {
    assert.ok(complaints.join('\n').includes(words), words)
  }
  assert.match(complaints.join('\n'), /type is missing, taken as transform/)
  assert.match(complaints.join('\n'), /name is missing; "inlet 0" stands for it/)
  assert.match(complaints.join('\n'), /function 2: the function has no id/)
})

test('a module that links use stays; then it goes', async (t) => {
  const { pipelines, business, view, moduleId, link, findId } = await moduleCallsFixture(t, rms)
  const { id } = await link('rms', [findId('n')])
  await assert.rejects(pipelines.modules.remove(business, moduleId), {
    code: 'in_use',
    detail: 'Links use this module: "The rms" of the asset "Pump". Remove them first, or force it.',
  })
  await pipelines.links.remove(view, id)
  await pipelines.modules.remove(business, moduleId)
  await assert.rejects(pipelines.modules.get(business, moduleId), { code: 'not_found' })
})

test('a module is removed by force with its links; their signals stay', async (t) => {
  const fixture = await moduleCallsFixture(t, rms)
  const { assetWith, pipelines, business, view, assets, moduleId: id } = fixture
  const linked: string[] = []
  for (const device of ['d2', 'd3']) {
    const [asset, signal] = await assetWith(device, ['001'])
    linked.push(asset.id)
    for (const _ of [1, 2]) {
      const inlets = [{ signalId: signal?.id ?? '' }]
      const link = { assetId: asset.id, moduleId: id, functionId: 'rms', inlets }
      await pipelines.links.create(view, link)
    }
  }
  await pipelines.modules.remove(business, id, { force: true, by: 'user:ann' })
  await assert.rejects(pipelines.modules.get(business, id), { code: 'not_found' })
  assert.deepEqual(await pipelines.links.ofAssets(view, linked), [])
  const [first = ''] = linked
  assert.equal((await assets.signals.ofAssets(view, [first])).length, 3)
  const [newest] = await pipelines.documents.versions(view, first)
  assert.equal(newest?.savedBy, 'user:ann', 'one version of the pipeline')
  assert.equal(newest?.version, 3)
})
