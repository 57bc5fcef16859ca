import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import { marketplaceLimits } from '../../../../../src/insight/marketplace/index.ts'
import { pipelineLimits } from '../../../../../src/insight/pipelines/index.ts'
import { until } from '../../../../fixtures/engine.ts'
import { quickModule, withLimits } from '../../../../fixtures/pipelines/inline-calls.ts'
import { double } from '../../../../fixtures/pipelines/module-calls.ts'

/** A module that answers all but calls with 2, which it keeps until `answer` is called. */
async function holding(t: TestContext) {
  const fixture = await quickModule(t, { devices: ['d', 'e'] })
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  const held: typeof double = async (response, body) => {
    const { data } = body as ProcessRequest
    if (data.some(({ value }) => value === 2)) await promise
    await double(response, body)
  }
  await fixture.warmUp()
  fixture.fake.answer({ 'POST /process': held })
  return { ...fixture, answer }
}

describe('calls without an answer in time', () => {
  withLimits({
    moduleInlineMsMax: 1_000,
    moduleInlineRestMs: 60_000,
    moduleInlineRestMsMax: 60_000,
  })

  test('a call without an answer goes on as a job, and is not made twice', async (t) => {
    const { write, pipelines, readValues, sent, answer, stage } = await holding(t)
    await pipelines.stop()
    await write(2)
    await write(3, 'e')
    pipelines.start()
    // Another asset, perhaps of the same batch, does not wait for the answer.
    await until(async () => (await readValues('e')).length === 2)
    await write(4)
    await until(async () => (await stage('functions')).done === 5)
    assert.deepEqual(await readValues('d'), [2])
    answer()
    await pipelines.caughtUp()
    assert.deepEqual(await readValues('d'), [2, 4, 8])
    const ofIt = sent().filter(({ values }) => values.includes(2))
    assert.equal(ofIt.length, 1)
    const { taken, done, failed } = await stage('functions.calls')
    assert.deepEqual([taken, failed], [done, 0])
    assert.deepEqual(await stage('functions.runs'), { taken: 7, done: 7, failed: 0 })
  })

  test('no batch waits for a function that was late', async (t) => {
    const { write, pipelines, readValues, answer, stopJobs, stage, sent } = await holding(t)
    await write(2)
    await until(async () => (await stage('functions')).done === 3)
    answer()
    await until(async () => (await readValues('d')).length === 2)
    await stopJobs()
    const before = sent().length
    await write(3, 'e')
    await until(async () => (await stage('functions')).done === 4)
    assert.equal(sent().length, before, 'its next call is one of a job')
    await pipelines.stop()
  })

  test('no batch waits for a function whose answers are slow', async (t) => {
    const { write, pipelines, clock, fake, stopJobs, stage, sent } = await quickModule(t)
    fake.answer({
      'POST /process': (response, body) => {
        clock.advance(pipelineLimits.moduleInlineMsMax * 2)
        return double(response, body)
      },
    })
    await write(1)
    await pipelines.caughtUp()
    await stopJobs()
    await write(2)
    await until(async () => (await stage('functions')).done === 2)
    assert.equal(sent().length, 1)
  })

  test('no batch waits twice for a function that hangs, slow as its answers were', async (t) => {
    const fixture = await quickModule(t, { devices: ['d', 'e'] })
    const { write, pipelines, clock, fake, stopJobs, stage, sent } = fixture
    fake.answer({
      'POST /process': (response, body) => {
        clock.advance(pipelineLimits.moduleInlineMsMax / 2)
        return double(response, body)
      },
    })
    await write(1)
    await pipelines.caughtUp()
    await stopJobs()
    const { promise: ended, resolve: answer } = Promise.withResolvers<void>()
    fake.answer({ 'POST /process': (response, body) => ended.then(() => double(response, body)) })
    for (const [done, device] of [
      [2, 'd'],
      [3, 'e'],
    ] as const) {
      await write(2, device)
      await until(async () => (await stage('functions')).done === done)
    }
    assert.equal(sent().length, 2, 'the second call is one of a job')
    answer()
    await pipelines.stop()
  })

  test('a call that its module does not answer fails as that of a job', async (t) => {
    const { write, warmUp, pipelines, fake, view, stage, sent } = await quickModule(t)
    await warmUp()
    fake.answer({ 'POST /process': (response) => void response.destroy() })
    await write(2)
    await until(async () => sent().length > marketplaceLimits.moduleTriesMax)
    fake.answer({ 'POST /process': double })
    await pipelines.caughtUp()
    assert.deepEqual((await pipelines.failedCalls.list(view, {})).calls, [])
    const [, ...tries] = sent()
    assert.equal(new Set(tries.map(({ trackingId }) => trackingId)).size, 1)
    const { taken, done } = await stage('functions.calls')
    assert.equal(taken, done)
  })
})
