import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Json } from '../../../../src/foundation/kernel/index.ts'
import { pipelineLimits } from '../../../../src/insight/pipelines/index.ts'
import { until } from '../../../fixtures/engine.ts'
import { moduleCallsFixture } from '../../../fixtures/pipelines/module-calls.ts'
import { insight, module, type PipelinesFixtureOptions } from '../../../fixtures/pipelines.ts'

const scale = (more: Readonly<Record<string, Json>> = {}) =>
  insight('scale', { constants: [{ name: 'factor', type: 'number', default: 2 }], ...more })

/** A module with one function that is linked to a signal. */
async function linkedFixture(t: TestContext, options?: PipelinesFixtureOptions) {
  const fixture = await moduleCallsFixture(t, { functions: [scale()], ...options })
  const { business, view, pipelines, clock, fake, moduleId } = fixture
  const link = await fixture.link('scale', [fixture.findId('n')])
  /** The module lists other functions, and is asked for them. */
  const lists = async (...functions: Json[]) => {
    fake.answer(module(functions))
    clock.advance(pipelineLimits.moduleFunctionsCacheMs + 1)
    await pipelines.modules.functions(business, moduleId)
    return pipelines.links.get(view, link.id)
  }
  return { ...fixture, link, lists }
}

describe('functions are read dynamically', () => {
  it('a module that is down leaves the functions that it listed, with their age', async (t) => {
    const { fake, pipelines, business, moduleId, clock, theirs } = await linkedFixture(t)
    const { modules } = pipelines
    const before = await modules.functionList(business, moduleId)
    assert.equal(before.failure, null)
    await fake.stop()
    clock.advance(pipelineLimits.moduleFunctionsCacheMs + 1)
    for (const one of [modules, theirs.modules]) {
      const list = await one.functionList(business, moduleId)
      assert.deepEqual([list.insights, list.readAt], [before.insights, before.readAt])
      assert.match(list.failure ?? '', /connection|ECONNREFUSED/)
    }
    await assert.rejects(modules.functionList(business, moduleId, 'never listed'), {
      code: 'module_failed',
    })
  })

  it('a module may require a group, and say so later', async (t) => {
    const { fake, pipelines, business, moduleId, clock } = await linkedFixture(t)
    fake.answer(module([scale()], { group_id_required: true }))
    clock.advance(pipelineLimits.moduleFunctionsCacheMs + 1)
    await pipelines.modules.functions(business, moduleId)
    await assert.rejects(pipelines.modules.functions(business, moduleId), {
      code: 'invalid_argument',
      message: /groupId is missing/,
    })
    const [found] = await pipelines.modules.functions(business, moduleId, 'g1')
    assert.equal(found?.id, 'scale')
  })

  it('GET /insight/{function_id} describes one, where the module has it', async (t) => {
    const { fake, pipelines, business, moduleId } = await linkedFixture(t)
    const one = () => pipelines.modules.function(business, moduleId, 'scale')
    fake.answer({ 'GET /insight/scale': scale({ name: 'Alone' }) })
    assert.equal((await one()).name, 'Alone')
    await assert.rejects(pipelines.modules.function(business, moduleId, '../x'), {
      code: 'not_found',
    })
    assert.ok(fake.requests.some(({ call }) => call === 'GET /insight/..%2Fx'))
  })
})

describe('a changed description is compared with each link', () => {
  it('a link that still fits is renewed', async (t) => {
    const { lists, link } = await linkedFixture(t)
    const constants = [
      { name: 'factor', type: 'number', default: 3, minimum: 0 },
      { name: 'offset', type: 'number', default: 1 },
    ]
    const renewed = await lists(scale({ name: 'Scale and offset', constants }))
    assert.deepEqual(renewed.outdated, [])
    assert.equal(renewed.insight.name, 'Scale and offset')
    assert.deepEqual(renewed.constants, { factor: 2, offset: 1 })
    assert.deepEqual([renewed.id, renewed.name], [link.id, link.name])
  })

  const misfits: readonly (readonly [Readonly<Record<string, Json>>, RegExp])[] = [
    [{ type: 'rule' }, /type is rule now.*Outlet 0 is JSON now/],
    [{ inlets: [{ name: 'a' }, { name: 'b' }] }, /2 inlets now, not 1/],
    [{ inlets: [{ name: 'a', primitive_type: 'STRING' }] }, /is NUMERIC, not STRING/],
    [{ outlets: [] }, /0 outlets now, not 1/],
    [{ outlets: [{ primitive_type: 'STRING' }] }, /Outlet 0 is STRING now; "The scale out" is NUM/],
    [{ constants: [] }, /no constant "factor"/],
    [{ constants: [{ name: 'factor', type: 'number', minimum: 3 }] }, /"factor" is at least 3/],
  ]
  it('a link that does not fit is outdated, says what differs, and keeps running', async (t) => {
    const { lists, link, fake, send } = await linkedFixture(t)
    for (const [change, words] of misfits) {
      const outdated = await lists(scale(change))
      assert.match(outdated.outdated.join(' '), words)
      assert.deepEqual(outdated.insight, link.insight)
    }
    const gone = await lists(insight('other'))
    assert.deepEqual(gone.outdated, ['The module does not list the function any more.'])
    await send({ n: 5 })
    assert.equal(fake.bodies('POST /process').length, 1)
    assert.deepEqual((await lists(scale())).outdated, [], 'it fits again')
  })

  it('is found although nobody looks, once', async (t) => {
    const { fake, pipelines, view, link, clock } = await linkedFixture(t, {
      own: 'lets the time pass after which all modules are read again',
      allow: ['127.0.0.1:*'],
    })
    fake.answer(module([insight('other')]))
    clock.advance(pipelineLimits.moduleRefreshMs + 1)
    const asked = fake.bodies('POST /insights').length
    await pipelines.stop()
    pipelines.start()
    const outdated = async () => (await pipelines.links.get(view, link.id)).outdated
    await until(async () => (await outdated()).length > 0)
    await pipelines.stop()
    pipelines.start()
    await pipelines.caughtUp()
    assert.equal(fake.bodies('POST /insights').length, asked + 1)
  })
})
