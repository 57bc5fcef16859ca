import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import { wholeView } from '../../../../src/groups/index.ts'
import { limits } from '../../../../src/kernel/index.ts'
import {
  type Answer,
  fakeModule,
  insight,
  module,
  pipelinesFixture,
} from '../../../fixtures/pipelines.ts'

const echo: Answer = (response, body) => {
  response.end(JSON.stringify([(body as ProcessRequest).data]))
}

/** Answers the value of the device as another type with each call. */
function changing(): Answer {
  let calls = 0
  return (response, body) => {
    const { data } = body as ProcessRequest
    const values = [data[0]?.value, 'warm', { warm: true }, [1], true]
    const value = values[calls % values.length]
    calls += 1
    response.end(JSON.stringify([data.map((one) => ({ ...one, value }))]))
  }
}

/** Two links of one signal: one of a module as it should be, one of a bad one. */
async function besideBad(t: TestContext) {
  const [good, bad] = [await fakeModule(t), await fakeModule(t)]
  for (const one of [good, bad]) one.answer({ ...module([insight('f')]), 'POST /process': echo })
  const fixture = await pipelinesFixture(t, { callMsMax: 1_000 })
  const { business, pipelines, assets } = fixture
  const view = wholeView(business)
  const [asset, signal] = await fixture.assetWith('d1', ['001'])
  const link = async (url: string, name: string) => {
    const { id: moduleId } = await pipelines.modules.add(business, { url })
    const inlets = [{ signalId: signal?.id ?? '' }]
    const given = { assetId: asset.id, moduleId, functionId: 'f', name, inlets }
    return pipelines.links.create(view, given)
  }
  const links = { good: await link(good.url, 'Good'), bad: await link(bad.url, 'Bad') }
  let ts = 0
  const write = async () => {
    ts += 1
    await fixture.write('d1', { data_in: `{"001":${ts}}` }, ts)
    await pipelines.caughtUp()
  }
  const values = async (of: 'good' | 'bad') => {
    const history = await assets.history(view, links[of].outlets[0] ?? '', { order: 'asc' })
    return history.map(({ value }) => value)
  }
  const reasons = async () => {
    const { calls } = await pipelines.failedCalls.list(view, {})
    return calls.map(({ linkName, error }) => `${linkName}: ${error.reason}`)
  }
  return { ...fixture, asset, bad, write, values, reasons }
}

describe('a bad module beside a good one', () => {
  it('that changes types between calls: what does not fit is a failure', async (t) => {
    const { bad, write, values, lines, asset, stage } = await besideBad(t)
    bad.answer({ 'POST /process': changing() })
    for (let count = 0; count < 6; count += 1) await write()
    assert.deepEqual(await values('good'), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await values('bad'), [1, 1, 6], 'numbers, and true as 1')
    const log = (await lines(asset.id)).join('\n')
    for (const what of [
      '"warm" is not a finite number',
      '{"warm":true} is',
      '[1] is not a number',
    ]) {
      assert.ok(log.includes(`Bad: The answer's outlet 0: ${what}`), log)
    }
    assert.ok(!log.includes('Good:'), log)
    assert.equal((await stage('functions')).failed, 0)
    assert.deepEqual(await stage('functions.calls'), { taken: 12, done: 9, failed: 3 })
  })

  const bodies: readonly [what: string, answer: Answer, reason: RegExp][] = [
    [
      'answers more than 4 MB',
      (response) => {
        const most = limits.moduleAnswerBytesMax
        response.on('error', () => {})
        response.end(`[["${'x'.repeat(most)}"]]`)
      },
      /^Bad: .*larger than 4194304 bytes/,
    ],
    [
      'never ends',
      (response) => {
        const timer = setInterval(() => response.write(' '), 10)
        response.on('close', () => clearInterval(timer))
      },
      /^Bad: .*did not answer in time/,
    ],
  ]
  for (const [what, answer, reason] of bodies) {
    it(`that ${what}: its link alone fails, and says why`, async (t) => {
      const { bad, write, values, reasons, stage } = await besideBad(t)
      bad.answer({ 'POST /process': answer })
      await write()
      assert.deepEqual([await values('good'), await values('bad')], [[1], []])
      const [first, ...more] = await reasons()
      assert.match(first ?? '', reason)
      assert.deepEqual(more, [])
      assert.deepEqual(await stage('functions.calls'), { taken: 2, done: 1, failed: 1 })
    })
  }

  it('that redirects: nobody goes there, and its link alone fails', async (t) => {
    const { bad, write, values, reasons } = await besideBad(t)
    const target = await fakeModule(t, module([insight('f')]))
    bad.answer({
      'POST /process': (response) => {
        response.writeHead(307, { location: `${target.url}/process` }).end()
      },
    })
    await write()
    assert.deepEqual([await values('good'), await values('bad')], [[1], []])
    assert.match((await reasons()).join(), /^Bad: .*answered 307/)
    assert.deepEqual(target.requests, [])
  })

  it('that breaks off: its link alone fails once it has been away for too long', async (t) => {
    const { bad, write, values, reasons, clock } = await besideBad(t)
    bad.answer({
      'POST /process': (response) => {
        clock.advance(limits.moduleOutageMs)
        response.writeHead(200, { 'content-length': '100' }).write('[[')
        response.socket?.destroySoon()
      },
    })
    await write()
    assert.deepEqual([await values('good'), await values('bad')], [[1], []])
    assert.match((await reasons()).join(), /^Bad: .*broke off/)
  })
})
