import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Json } from '../../../../../src/foundation/kernel/index.ts'
import { answering, moduleCallsFixture } from '../../../../fixtures/pipelines/module-calls.ts'
import { insight } from '../../../../fixtures/pipelines.ts'

// The value of a rule is a status {level, type?, value?}.

/** A rule that answers the JSON value that it gets. */
async function ruled(t: TestContext) {
  const fixture = await moduleCallsFixture(t, {
    functions: [insight('f', { type: 'rule', inlets: [{ name: 'in' }], outlets: [] })],
    answers: { 'POST /process': answering((one) => one) },
  })
  const { assets, view, asset, link, findId, send } = fixture
  await link('f', [findId('j')])
  return {
    ...fixture,
    judge: (status: Json, ts: number) => send({ j: status }, ts),
    status: async () => (await assets.statuses(view, [asset.id])).get(asset.id),
    events: async () => (await assets.events(view, asset.id)).reverse(),
  }
}

test('level: 0 normal, 1 info, 2 warning, 3 critical, 4 error', async (t) => {
  const { judge, status, events } = await ruled(t)
  const names = ['normal', 'info', 'warning', 'critical', 'error']
  for (const [level, name] of names.entries()) {
    await judge({ level }, level + 1)
    const now = await status()
    assert.deepEqual([now?.level, now?.name], [level, name])
  }
  const changes = (await events()).map(({ previous, level }) => [previous, level])
  assert.deepEqual(changes, [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
  ])
})

for (const level of [-1, 5, 1.5, '2', null] as const) {
  test(`level ${JSON.stringify(level)} is none: the call failed`, async (t) => {
    const { judge, status, events, stage, lines, asset } = await ruled(t)
    await judge({ level: 2 }, 1)
    await judge({ level }, 2)
    assert.equal((await status())?.level, 2)
    assert.equal((await events()).length, 1)
    assert.equal((await stage('functions.calls')).failed, 1)
    assert.match((await lines(asset.id)).join(), /level is /)
  })
}

test('type and value are kept with the status; both may be left out', async (t) => {
  const { judge, status } = await ruled(t)
  await judge({ level: 1, type: 'drift', value: { by: 2.5 } }, 1)
  const first = await status()
  assert.deepEqual([first?.type, first?.value], ['drift', { by: 2.5 }])
  await judge({ level: 3 }, 2)
  const second = await status()
  assert.deepEqual([second?.level, second?.type ?? null, second?.value ?? null], [3, null, null])
})
