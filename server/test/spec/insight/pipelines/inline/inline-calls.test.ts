import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pipelineLimits } from '../../../../../src/insight/pipelines/index.ts'
import { allQuick, quickModule, withLimits } from '../../../../fixtures/pipelines/inline-calls.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

// A single run is the event of the link, which the module receives.

describe('calls of modules in the batch of their entry', () => {
  withLimits(allQuick)

  test('a quick function is called in the batch of the entry, without a job', async (t) => {
    const { write, warmUp, stopJobs, pipelines, readValues, stage } = await quickModule(t)
    await warmUp()
    await stopJobs()
    await write(2)
    await write(3)
    await pipelines.caughtUp()
    assert.deepEqual(await readValues(), [2, 4, 6])
    assert.deepEqual(await stage('functions.runs'), { taken: 4, done: 4, failed: 0 })
    const { done, failed } = await stage('functions.calls')
    assert.ok(done >= 2 && failed === 0)
  })

  test('entries of a batch go to the function in one call', async (t) => {
    const { write, warmUp, stopJobs, pipelines, readValues, sent, stage } = await quickModule(t)
    await warmUp()
    await stopJobs()
    await pipelines.stop()
    for (const value of [2, 3, 4]) await write(value)
    pipelines.start()
    await pipelines.caughtUp()
    assert.deepEqual(
      sent().map(({ values }) => values),
      [[1], [2, 3, 4]],
    )
    assert.deepEqual(await readValues(), [2, 4, 6, 8])
    assert.deepEqual(await stage('functions.calls'), { taken: 2, done: 2, failed: 0 })
    assert.deepEqual(await stage('functions.runs'), { taken: 5, done: 5, failed: 0 })
  })

  test('a function with several inlets gets each entry of a batch by itself', async (t) => {
    const inlets = ['x', 'y'].map((tag) => ({ name: tag, tag, primitive_type: 'NUMERIC' }))
    const { write, warmUp, pipelines, sent } = await quickModule(t, {
      channels: ['001', '002'],
      inlets,
    })
    await warmUp()
    await pipelines.stop()
    for (const value of [2, 3, 4]) await write(value)
    pipelines.start()
    await pipelines.caughtUp()
    assert.deepEqual(
      sent().map(({ values }) => values),
      upTo(4).map((value) => [value, value]),
    )
  })

  test('what it feeds runs in the batch, and a level changes with an event', async (t) => {
    const fixture = await quickModule(t)
    const { write, warmUp, stopJobs, pipelines, assets, view, link, linkFor, stage } = fixture
    const { outlets, id } = linkFor()
    const [asset] = await assets.list(view, { limit: 1 })
    assert.ok(asset && id)
    const threshold = { moduleId: 'builtin', functionId: 'threshold', constants: { warning: 5 } }
    const rule = await link(asset.id, outlets, threshold)
    await warmUp()
    await stopJobs()
    await write(9)
    await pipelines.caughtUp()
    const levels = await assets.statuses(view, [asset.id])
    assert.equal(levels.get(asset.id)?.level, 2)
    const events = await assets.events(view, asset.id, { limit: 10 })
    assert.deepEqual(
      events.map(({ ruleId, ts, level }) => [ruleId, ts, level]),
      [[rule.id, 9, 2]],
    )
    assert.equal((await stage('functions')).failed, 0)
  })
})

describe('what else calls in the batch of their entry do', () => {
  withLimits(allQuick)

  test('functions that keep a state go on from a job to a batch', async (t) => {
    const { write, warmUp, pipelines, assets, view, link, linkFor, readHistory } =
      await quickModule(t)
    const [asset] = await assets.list(view, { limit: 1 })
    const of = { moduleId: 'builtin', functionId: 'delta' }
    const delta = await link(asset?.id ?? '', linkFor().outlets, of)
    await warmUp()
    for (const value of [4, 9]) {
      await write(value)
      await pipelines.caughtUp()
    }
    await pipelines.stop()
    for (const value of [10, 12]) await write(value)
    pipelines.start()
    await pipelines.caughtUp()
    assert.deepEqual(await readHistory(delta.outlets[0]), [6, 10, 2, 4])
  })

  test('a trace has such a call with its time, as that of a job', async (t) => {
    const { write, warmUp, stopJobs, pipelines, view, linkFor, sent } = await quickModule(t)
    await warmUp()
    await stopJobs()
    await write(2)
    await pipelines.caughtUp()
    const { id, outlets } = linkFor()
    for (const [at, ts] of [1, 2].entries()) {
      const { steps } = await pipelines.traces.of(view, outlets[0] ?? '', ts)
      const [call] = steps.filter(({ kind }) => kind === 'call')
      assert.ok(call?.kind === 'call')
      assert.ok(call.us > 0)
      assert.deepEqual(
        [call.linkId, call.trackingId, call.tries, call.requests, call.status, call.reason],
        [id, sent()[at]?.trackingId, 1, 1, 200, null],
      )
    }
  })

  test('what is not stored is called again with the same tracking id', async (t) => {
    const { write, warmUp, stopJobs, pipelines, database, readValues, sent } = await quickModule(t)
    await warmUp()
    await stopJobs()
    await database.run(`
    create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'the disk is full'; end $$`)
    await database.run(
      'create trigger refusing before insert on pipelines_run execute function refuse()',
    )
    await write(2)
    while (sent().length < 3) await new Promise(setImmediate)
    await database.run('drop function refuse cascade')
    await pipelines.caughtUp()
    const [, ...again] = sent()
    assert.equal(new Set(again.map(({ trackingId }) => trackingId)).size, 1)
    assert.deepEqual(new Set(again.flatMap(({ values }) => values)), new Set([2]))
    assert.deepEqual(await readValues(), [2, 4])
  })

  test('with no time for it each call is one of a job', async (t) => {
    const { moduleInlineMsMax } = pipelineLimits
    Object.assign(pipelineLimits, { moduleInlineMsMax: 0 })
    t.after(() => Object.assign(pipelineLimits, { moduleInlineMsMax }))
    const { write, warmUp, stopJobs, allRead, sent } = await quickModule(t)
    await warmUp()
    await stopJobs()
    await write(2)
    await allRead(2)
    assert.equal(sent().length, 1)
  })
})
