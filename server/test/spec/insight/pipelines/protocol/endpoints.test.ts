import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { LifecycleEvent } from '@millrace/insight-sdk/protocol'
import { pipelineLimits } from '../../../../../src/insight/pipelines/index.ts'
import { moduleCallsFixture } from '../../../../fixtures/pipelines/module-calls.ts'
import {
  type Answer,
  fakeModule,
  insight,
  module,
  pipelinesFixture,
} from '../../../../fixtures/pipelines.ts'

// The calls of the platform to a module, and how it takes the answers of the endpoints.

const functions = [insight('f', { constants: [{ name: 'k', type: 'number', default: 2 }] })]
const wanting = { wants_lifecycle_events: true }

test('every call asks for JSON, and what has a body is JSON; GET has none', async (t) => {
  const lifecycle = { 'POST /lifecycle': {} }
  const { fake, moduleId, ...fixture } = await moduleCallsFixture(t, {
    functions,
    info: wanting,
    answers: { ...lifecycle, 'GET /insight/f': functions[0] ?? {} },
  })
  const { pipelines, business, link, send, findId } = fixture
  await pipelines.modules.function(business, moduleId, 'f')
  await link('f', [findId('n')])
  await send({ n: 1 })
  const calls = [
    'GET /interface',
    'GET /info',
    'POST /insights',
    'GET /insight/f',
    'POST /lifecycle',
    'POST /process',
  ]
  const called = new Set(fake.requests.map(({ call }) => call))
  for (const call of calls) assert.ok(called.has(call), call)
  for (const { call, body, headers } of fake.requests) {
    assert.equal(headers.accept, 'application/json', call)
    assert.equal(headers['content-type'], 'application/json', call)
    assert.equal(body === undefined, call.startsWith('GET '), call)
  }
})

test('transport: a module is reached by https only; http is for loopback alone', async (t) => {
  const { pipelines, business, moduleId, fake } = await moduleCallsFixture(t, { functions })
  const url = 'http://insight.example.com'
  const refusal = { code: 'invalid_argument', message: /loopback only/ }
  await assert.rejects(pipelines.modules.add(business, { url }), refusal)
  await assert.rejects(pipelines.modules.move(business, moduleId, { url }), refusal)
  assert.equal((await pipelines.modules.get(business, moduleId)).url, `${fake.url}/`)
})

test('the actual path of the process endpoint can be anything', async (t) => {
  const paths = {
    '/info': { get: { operationId: 'info' } },
    '/insights': { post: { operationId: 'insights' } },
    '/{solution_id}/anything/at-all': { post: { operationId: 'process' } },
    '/process': { post: { operationId: 'somethingElse' } },
  }
  const { fake, business, link, send, findId, history, ...fixture } = await moduleCallsFixture(t, {
    functions,
    answers: {
      'GET /interface': { swagger: '2.0', paths },
      'GET /info': { group_id_required: false },
    },
  })
  const { name } = await fixture.pipelines.modules.get(business, fixture.moduleId)
  assert.equal(name, fake.host, 'a module without a name goes by its host')
  const call = `POST /${business}/anything/at-all`
  fake.answer({ [call]: [[{ ts: 7, value: 14, origin: 'o', generated: 'g' }]] })
  const { outlets } = await link('f', [findId('n')])
  await send({ n: 7 }, 7)
  assert.equal(fake.bodies(call).length, 1)
  assert.deepEqual(fake.bodies('POST /process'), [])
  assert.deepEqual(await history(outlets[0]), [[7, 14]])
})

test('insight/{id} and lifecycle may be missing: they are not called', async (t) => {
  const operations = ['info', 'insights', 'process']
  const paths = Object.fromEntries(
    operations.map((operationId) => {
      const method = operationId === 'info' ? 'get' : 'post'
      return [`/${operationId}`, { [method]: { operationId } }]
    }),
  )
  const { fake, moduleId, pipelines, business, view, ...fixture } = await moduleCallsFixture(t, {
    functions,
    info: wanting,
    answers: { 'GET /interface': { swagger: '2.0', paths } },
  })
  assert.equal((await pipelines.modules.function(business, moduleId, 'f')).name, 'The f')
  const link = await fixture.link('f', [fixture.findId('n')])
  await fixture.send({ n: 1 })
  await pipelines.links.remove(view, link.id)
  await pipelines.caughtUp()
  assert.equal(fixture.calls().length, 1)
  const called = fake.requests.map(({ call }) => call)
  assert.ok(!called.some((call) => /lifecycle|insight\//.test(call)), called.join())
  assert.deepEqual(await fixture.lines(fixture.asset.id), [])
})

const withCode =
  (code: number, text: string): Answer =>
  (response) =>
    void response.writeHead(code).end(text)

/** Answers to `POST /lifecycle`. */
const ignored: readonly (readonly [what: string, answer: Answer])[] = [
  ['200 with HTML', withCode(200, '<p>thanks</p>')],
  ['204', withCode(204, '')],
  ['an ErrorResponse', withCode(400, '{"message":"no","status":400,"name":"Bad"}')],
  ['404', withCode(404, '')],
  ['500 with a page', withCode(500, '<h1>oops</h1>')],
]
for (const [what, answer] of ignored) {
  test(`any response of POST /lifecycle is ignored: ${what}`, async (t) => {
    const { pipelines, view, asset, fake, ...fixture } = await moduleCallsFixture(t, {
      functions,
      info: wanting,
      answers: { 'POST /lifecycle': answer },
    })
    const link = await fixture.link('f', [fixture.findId('n')])
    await fixture.send({ n: 1 })
    await pipelines.links.remove(view, link.id)
    await pipelines.caughtUp()
    const events = fake.bodies('POST /lifecycle') as LifecycleEvent[]
    assert.deepEqual(
      events.map(({ event }) => event),
      ['create', 'delete'],
      'each is sent once',
    )
    assert.equal(fixture.calls().length, 1)
    assert.deepEqual(await fixture.lines(asset.id), [])
  })
}

test('the id and args of a lifecycle event are those of the later process calls', async (t) => {
  const { fake, link, send, calls, findId } = await moduleCallsFixture(t, {
    functions,
    info: wanting,
    answers: { 'POST /lifecycle': {} },
  })
  await link('f', [findId('n')], { groupId: 'g', constants: { k: 5 } })
  await link('f', [findId('m')], { groupId: '' })
  await send({ n: 1, m: 2 })
  const events = fake.bodies('POST /lifecycle') as LifecycleEvent[]
  const sorted = (list: readonly { readonly id: string; readonly args: object }[]) =>
    list.map(({ id, args }) => ({ id, args })).sort((a, b) => a.id.localeCompare(b.id))
  assert.equal(events.length, 2)
  assert.deepEqual(sorted(events), sorted(calls()))
  const args = calls().map(({ args: { name: _, insight_id: id, type: kind, ...rest } }) => {
    assert.deepEqual([typeof id, kind], ['string', 'transform'])
    return rest
  })
  const expected = [
    { function_id: 'f', group_id: 'g', constants: { k: 5 } },
    { function_id: 'f', constants: { k: 2 } },
  ]
  assert.deepEqual(new Set(args), new Set(expected), 'an empty group_id is never sent')
})

test('lifecycle is called only if wants_lifecycle_events is true', async (t) => {
  const { fake, link, findId, pipelines } = await moduleCallsFixture(t, {
    functions,
    info: { wants_lifecycle_events: false },
    answers: { 'POST /lifecycle': {} },
  })
  await link('f', [findId('n')])
  await pipelines.caughtUp()
  assert.deepEqual(fake.bodies('POST /lifecycle'), [])
})

const page = (ids: readonly string[], total: number) => {
  return { total, count: ids.length, insights: ids.map((id) => insight(id)) }
}

/** A module that lists functions in pages of two. */
async function paged(t: TestContext, total: number) {
  const ids = ['a', 'b', 'c', 'd']
  const fake = await fakeModule(t, {
    ...module([]),
    'POST /insights': (response, body) => {
      const { offset = 0 } = body as { offset?: number }
      response.end(JSON.stringify(page(ids.slice(offset, offset + 2), total)))
    },
  })
  const { pipelines, business } = await pipelinesFixture(t)
  const { id } = await pipelines.modules.add(business, { url: fake.url })
  const found = (await pipelines.modules.functions(business, id, 'g')).map((one) => one.id)
  return { found, asked: fake.bodies('POST /insights') }
}

test('offset is the number of functions that came before; group_id is in each page', async (t) => {
  const { found, asked } = await paged(t, 4)
  assert.deepEqual(found, ['a', 'b', 'c', 'd'])
  assert.deepEqual(asked, [{ group_id: 'g' }, { group_id: 'g', offset: 2 }])
})

test('total is how many functions there are, unless a page is empty', async (t) => {
  for (const [total, functions, pages] of [
    [2, ['a', 'b'], 1],
    [9, ['a', 'b', 'c', 'd'], 3],
  ] as const) {
    const { found, asked } = await paged(t, total)
    assert.deepEqual([found, asked.length], [functions, pages], `${total} functions`)
  }
})

/** An answer to a list of functions, and the reason that is shown. */
const lists: readonly (readonly [what: string, answer: Answer, reason: RegExp])[] = [
  ['200 with {}', {}, /insights is missing/],
  ['200 with HTML', withCode(200, '<p>hello</p>'), /HTML/],
  ['a reset connection', (response) => void response.socket?.resetAndDestroy(), /broke off/],
  ['a time-out', () => undefined, /did not answer in time/],
  ['an ErrorResponse', withCode(403, '{"message":"no","status":403,"name":"Key"}'), /403: Key: no/],
  ['more than it may', page(['x'], 1), /more than \d+ functions/],
]
for (const [what, given, reason] of lists) {
  test(`POST /insights that answers with ${what} is a failure with its reason`, async (t) => {
    const fake = await fakeModule(t, module(functions))
    const isSlow = what === 'a time-out'
    const { pipelines, business, clock } = await pipelinesFixture(t, {
      callMsMax: isSlow ? 2_000 : undefined,
    })
    const { id } = await pipelines.modules.add(business, { url: fake.url })
    const ids = Array.from({ length: pipelineLimits.moduleFunctionsMax + 1 }, (_, at) => `f${at}`)
    const answer = what === 'more than it may' ? page(ids, ids.length) : given
    fake.answer({ 'POST /insights': answer })
    const asked = pipelines.modules.functions(business, id)
    await assert.rejects(asked, { code: 'module_failed', message: reason })
    fake.answer(module(functions))
    assert.equal((await pipelines.modules.functions(business, id)).length, 1)
    clock.advance(pipelineLimits.moduleFunctionsCacheMs + 1)
    fake.answer({ 'POST /insights': answer })
    const list = await pipelines.modules.functionList(business, id)
    assert.equal(list.insights.length, 1, 'those of before stay')
    assert.match(list.failure ?? '', reason)
  })
}

const one: readonly (readonly [what: string, answer: Answer, reason: RegExp])[] = [
  ['an ErrorResponse', withCode(500, '{"message":"no db","status":500,"name":"Db"}'), /Db: no db/],
  ['200 with {}', {}, /the function has no id/],
  ['200 with HTML', withCode(200, '<p>hello</p>'), /HTML/],
]
for (const [what, answer, reason] of one) {
  test(`GET /insight/{function_id} that answers with ${what} is a failure`, async (t) => {
    const { pipelines, business, moduleId } = await moduleCallsFixture(t, {
      functions,
      answers: { 'GET /insight/f': answer },
    })
    const asked = pipelines.modules.function(business, moduleId, 'f')
    await assert.rejects(asked, { code: 'module_failed', message: reason })
  })
}
