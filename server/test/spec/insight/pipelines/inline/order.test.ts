import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import { until } from '../../../../fixtures/engine.ts'
import { allQuick, quickModule, withLimits } from '../../../../fixtures/pipelines/inline-calls.ts'
import { double } from '../../../../fixtures/pipelines/module-calls.ts'

describe('the order of calls in a batch and by jobs', () => {
  withLimits(allQuick)

  test('an entry does not overtake a job of its asset', async (t) => {
    const fixture = await quickModule(t, { devices: ['d', 'e'] })
    const { write, warmUp, stopJobs, pipelines, fake, readValues, sent, view, allRead } = fixture
    await warmUp()
    fake.answer({
      'POST /process': (response) => void response.writeHead(500).end('{"message":"not today"}'),
    })
    await write(2)
    await pipelines.caughtUp()
    fake.answer({ 'POST /process': double })
    const [failed] = (await pipelines.failedCalls.list(view, {})).calls
    assert.ok(failed)
    await stopJobs()
    await pipelines.failedCalls.retry(view, failed.id)
    await write(3)
    await write(4, 'e')
    await allRead(5)
    await until(async () => (await readValues('e')).length === 2)
    const values = sent().flatMap((one) => one.values)
    assert.ok(!values.includes(3), 'the entry waits behind the call that is made again')
    assert.deepEqual(await readValues('d'), [2])
  })

  test('entries behind a call that is made again wait for it', async (t) => {
    const { write, warmUp, pipelines, fake, readValues, sent, stage } = await quickModule(t)
    await warmUp()
    let away = true
    fake.answer({
      'POST /process': (response, body) => {
        const { data } = body as ProcessRequest
        if (away && data.some(({ value }) => value === 2)) {
          away = false
          response.writeHead(503).end()
        } else return double(response, body)
      },
    })
    await pipelines.stop()
    for (const value of [2, 3]) await write(value)
    pipelines.start()
    await until(async () => !away)
    await write(4)
    await pipelines.caughtUp()
    const [, first, second] = sent()
    assert.deepEqual([first?.trackingId, first?.body], [second?.trackingId, second?.body])
    assert.deepEqual(await readValues(), [2, 4, 6, 8])
    const { taken, done, failed } = await stage('functions.calls')
    assert.deepEqual([taken, failed], [done, 0])
  })

  test('a call that fails is the same failed call as that of a job', async (t) => {
    const { write, warmUp, stopJobs, pipelines, fake, sent, view, stage, lines, assets } =
      await quickModule(t)
    await warmUp()
    await stopJobs()
    fake.answer({
      'POST /process': (response) => void response.writeHead(400).end('{"message":"not today"}'),
    })
    await write(2)
    await pipelines.caughtUp()
    const { calls } = await pipelines.failedCalls.list(view, {})
    const [, failed] = sent()
    assert.deepEqual(
      calls.map(({ request, trackingId, error, tries }) => [
        request,
        trackingId,
        error.code,
        tries,
      ]),
      [[failed?.body, failed?.trackingId, 'module_failed', 1]],
    )
    assert.deepEqual(await stage('functions.calls'), { taken: 2, done: 1, failed: 1 })
    assert.deepEqual(await stage('functions.runs'), { taken: 4, done: 3, failed: 1 })
    const [asset] = await assets.list(view, { limit: 1 })
    assert.match((await lines(asset?.id ?? '')).join('\n'), /error .*not today/)
  })
})
