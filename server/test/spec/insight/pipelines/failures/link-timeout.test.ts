import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import { limits } from '../../../../../src/foundation/kernel/index.ts'
import { marketplaceLimits } from '../../../../../src/insight/marketplace/index.ts'
import { pipelineLimits } from '../../../../../src/insight/pipelines/index.ts'
import { setLimits } from '../../../../fixtures/bounds.ts'
import { moduleCallsFixture } from '../../../../fixtures/pipelines/module-calls.ts'
import { type Answer, insight } from '../../../../fixtures/pipelines.ts'

/** Never answers `slow`, and echoes the values of other functions. */
const answer: Answer = (response, body) => {
  const { args, data } = body as ProcessRequest
  if (args.function_id !== 'slow') response.end(JSON.stringify([data]))
}

async function twoLinks(t: TestContext) {
  const functions = [insight('slow'), insight('quick')]
  const answers = { 'POST /process': answer }
  const fixture = await moduleCallsFixture(t, { functions, answers, channels: ['001', '002'] })
  const { history, findId, link, pipelines, view } = fixture
  const slow = await link('slow', [findId('001')], { timeoutMs: 100 })
  const quick = await link('quick', [findId('002')])
  const failed = async () => (await pipelines.failedCalls.list(view, {})).calls
  const values = async () => (await history(quick.outlets[0])).map(([, value]) => value)
  return { ...fixture, slow, quick, failed, values }
}

describe('the time-out of a link', () => {
  it('ends its calls, and is shown with what failed', async (t) => {
    const { failed, pipelines, slow, view, send } = await twoLinks(t)
    assert.equal((await pipelines.links.get(view, slow.id)).timeoutMs, 100)
    await send({ '001': 1 })
    const [call = assert.fail()] = await failed()
    assert.equal(call.linkId, slow.id)
    assert.equal(call.error.code, 'module_failed')
    assert.match(call.error.reason, /100 ms/)
  })

  it('leaves the other links of its module running, however often it is over', async (t) => {
    const { failed, moduleId, business, pipelines, values, send } = await twoLinks(t)
    const often = pipelineLimits.moduleFailuresInRowMax + 2
    for (let at = 1; at <= often; at += 1) {
      await send({ '001': at }, at)
    }
    assert.equal((await failed()).length, often)
    await send({ '002': 7 }, often + 1)
    assert.deepEqual(await values(), [7])
    const report = await pipelines.modules.report(business, moduleId)
    assert.equal(report.restsUntil, null)
  })

  it('is what the instance lets calls take where none is given, or no longer is', async (t) => {
    const { failed, pipelines, slow, view, send } = await twoLinks(t)
    setLimits(t, { moduleCallMsMax: 200 })
    setLimits(t, { moduleConnectMsMax: 150 }, marketplaceLimits)
    const changed = await pipelines.links.update(view, slow.id, { timeoutMs: null })
    assert.equal(changed.timeoutMs, null)
    await send({ '001': 1 })
    assert.match((await failed())[0]?.error.reason ?? '', /200 ms/)
  })

  it('stays when the link is changed otherwise, and is part of its version', async (t) => {
    const { asset, pipelines, slow, view } = await twoLinks(t)
    await pipelines.links.update(view, slow.id, { name: 'Slow' })
    const { document, version } = await pipelines.documents.get(view, asset.id)
    assert.deepEqual(
      document.links.map(({ timeoutMs }) => timeoutMs),
      [100, null],
    )
    await pipelines.links.update(view, slow.id, { timeoutMs: 5_000 })
    const [newest] = await pipelines.documents.versions(view, asset.id, { limit: 1, offset: 0 })
    assert.deepEqual(newest?.difference?.changed, [{ id: slow.id, fields: ['timeoutMs'] }])
    await pipelines.documents.restore(view, asset.id, { version }, 'user:x')
    assert.equal((await pipelines.links.get(view, slow.id)).timeoutMs, 100)
  })

  it('is refused beyond the limits, and for a built-in function', async (t) => {
    const { pipelines, slow, view, asset, quick } = await twoLinks(t)
    for (const timeoutMs of [0, 99, 100.5, -1, limits.moduleCallMsMax + 1, 2 ** 31]) {
      await assert.rejects(pipelines.links.update(view, slow.id, { timeoutMs }), {
        code: 'invalid_argument',
        message: /A call may take 100 to 10000 milliseconds/,
      })
    }
    const builtin = {
      assetId: asset.id,
      moduleId: 'builtin',
      functionId: 'threshold',
      constants: { warning: 5 },
      inlets: [{ signalId: quick.outlets[0] ?? '' }],
      timeoutMs: 500,
    }
    await assert.rejects(pipelines.links.create(view, builtin), {
      message: /A built-in function is not called/,
    })
  })
})
