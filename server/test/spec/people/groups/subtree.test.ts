import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetsFixture, noon, numeric, setStatus } from '../../../fixtures/assets.ts'

/** Two halls, each with an asset that has a signal, a value, a status, a condition and a line. */
async function halls(t: Parameters<typeof assetsFixture>[0]) {
  const fixture = await assetsFixture(t)
  const { assets, groups, database, business, view: all } = fixture
  const hall = async (name: string) => {
    const group = await groups.create(all, { name })
    const below = await groups.create(all, { name: `${name} cell`, parentId: group.id })
    const signals = [numeric('level', { source: { alias: 'data_in', channel: '1' } })]
    const asset = await assets.create(all, { name, groupId: below.id, signals })
    const [signal] = await assets.signals.ofAssets(all, [asset.id])
    assert(signal)
    await database.transaction(async (held) => {
      await assets.writeValues(held, [{ key: signal.key, ts: noon, value: 1 }])
      const status = { ts: noon, level: 3 as const }
      await setStatus(assets, held, business, asset.id, `rule of ${name}`, status)
      await assets.log(held, business, asset.id, { severity: 'info', text: name })
    })
    const { results } = await assets.conditions.query(all, { filters: [{ assetId: asset.id }] })
    const condition = results[0]
    assert(condition)
    return { group, asset, signal, condition }
  }
  const [mine, theirs] = [await hall('mine'), await hall('theirs')]
  return { ...fixture, all, mine, theirs, view: { businessId: business, groups: [mine.group.id] } }
}

test('lists, counts and what hangs on assets stop at the groups of the view', async (t) => {
  const { assets, view, mine, theirs } = await halls(t)
  const ids = [mine.asset.id, theirs.asset.id]
  const signalIds = [mine.signal.id, theirs.signal.id]
  assert.deepEqual(await assets.list(view), [mine.asset])
  assert.equal(await assets.count(view), 1)
  assert.deepEqual(await assets.some(view, ids), [mine.asset])
  assert.deepEqual(await assets.signals.some(view, signalIds), [mine.signal])
  assert.deepEqual(await assets.signals.ofAssets(view, ids), [mine.signal])
  assert.equal((await assets.signals.withLatest({ view, permissions: new Set() }, ids)).length, 1)
  assert.deepEqual([...(await assets.lastValues(view, signalIds)).keys()], [mine.signal.id])
  assert.deepEqual([...(await assets.statuses(view, ids)).keys()], [mine.asset.id])
  assert.deepEqual([...(await assets.allStatuses(view, ids)).keys()], [mine.asset.id])
  const conditions = await assets.conditions.query(view, {})
  assert.deepEqual(conditions, { total: 1, results: [mine.condition] })
})

test('the own part can be changed', async (t) => {
  const { assets, view, mine } = await halls(t)
  const made = await assets.create(view, { name: 'new' })
  assert.equal(made.groupId, mine.group.id, 'without a group: in the one that is seen')
  await assets.conditions.acknowledge(view, mine.condition.id, 'user:a')
  await assets.signals.remove(view, mine.signal.id)
  await assets.remove(view, mine.asset.id)
  assert.deepEqual(await assets.list(view), [made])
})
