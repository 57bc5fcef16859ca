import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int8Array } from '../../../../src/foundation/database/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { Value } from '../../../../src/insight/assets/index.ts'
import { assetLimits } from '../../../../src/insight/assets/index.ts'
import {
  type AssetsFixture,
  assetsFixture,
  noon,
  numeric,
  setStatus,
} from '../../../fixtures/assets.ts'

const hourUs = 3_600 * 1_000_000
const weekUs = 7 * 24 * hourUs
const weekStart = Math.floor(noon / weekUs) * weekUs

async function retentionFixture(...of: Parameters<typeof assetsFixture>) {
  const fixture = await assetsFixture(...of)
  const { assets, database, view } = fixture
  const asset = await assets.create(view, { name: 'A', signals: [numeric('x')] })
  const [signal] = await assets.signals.ofAssets(view, [asset.id])
  assert(signal)
  const write = (...times: number[]) =>
    database.transaction((held) =>
      assets.writeValues(
        held,
        times.map((ts) => ({ key: signal.key, ts, value: ts })),
      ),
    )
  const times = async () => {
    const values = await assets.history(view, signal.id, {
      order: 'asc',
      limit: 1_000,
    })
    return values.map((value: Value) => value.ts)
  }
  return { ...fixture, asset, signal, write, times }
}

/** Rows of history by the place where they lie; `default` for the one of every other time. */
async function places({ database }: AssetsFixture): Promise<Record<string, number>> {
  const rows = await database.rows<{ place: string; count: number }>(
    `select replace(tableoid::regclass::text, 'assets_value_', '') as place, count(*) as count
     from assets_value group by tableoid order by 1`,
  )
  return Object.fromEntries(rows.map((row) => [row.place, row.count]))
}

async function partitions({ database }: AssetsFixture): Promise<number> {
  const row = await database.one<{ count: number }>(
    `select count(*) as count from pg_inherits
     where inhparent = 'assets_value'::regclass`,
  )
  return row?.count ?? 0
}

const week = (ahead: number) => `w${weekStart / weekUs + ahead}`

test('every time can be stored; weeks made later take what was stored before', async (t) => {
  const fixture = await retentionFixture(t, { own: 'has the weeks of the whole table' })
  const { assets, write, times } = fixture
  const odd = [-5, 0, 1, weekStart - 1, weekStart, noon, weekStart + 20 * weekUs, 8e15]
  await write(...odd)
  assert.deepEqual(await places(fixture), { default: odd.length })
  await assets.ensurePartitions(noon)
  assert.equal(await partitions(fixture), 1 + 1 + assetLimits.valueWeeksAhead)
  assert.deepEqual(await places(fixture), { default: 6, [week(0)]: 2 })
  assert.deepEqual(await times(), odd)
  await write(weekStart + weekUs - 1, weekStart + weekUs, noon)
  assert.deepEqual(await places(fixture), { default: 6, [week(0)]: 3, [week(1)]: 1 })

  await assets.ensurePartitions(noon)
  assert.equal(await partitions(fixture), 2 + assetLimits.valueWeeksAhead)
  await assets.ensurePartitions(noon + weekUs)
  assert.equal(await partitions(fixture), 3 + assetLimits.valueWeeksAhead)
})

test('processes that start together, and writers under way, make each week once', async (t) => {
  const fixture = await retentionFixture(t, { own: 'has the weeks of the whole table' })
  const { assets, write, times } = fixture
  const writing = Array.from({ length: 20 }, (_, at) => write(noon + at))
  const making = Array.from({ length: 3 }, () => assets.ensurePartitions(noon))
  await Promise.all([...writing, ...making])
  assert.equal(await partitions(fixture), 2 + assetLimits.valueWeeksAhead)
  assert.deepEqual(await places(fixture), { [week(0)]: 20 })
  assert.equal((await times()).length, 20)
})

test('weeks that ended are dropped; the week under way stays, and the latest value', async (t) => {
  const fixture = await retentionFixture(t, { own: 'has the weeks of the whole table' })
  const { assets, view, signal, write, times } = fixture
  await assets.ensurePartitions(noon)
  const [old, first, last] = [weekStart - 1, weekStart, weekStart + weekUs - 1]
  await write(old, first, last)
  assert.deepEqual(await assets.dropValuesBefore(last), { weeks: 0, rows: 1 })
  assert.deepEqual(await times(), [first, last])
  assert.deepEqual(await assets.dropValuesBefore(last + 1), { weeks: 1, rows: 0 })
  assert.deepEqual(await times(), [])
  const latest = await assets.lastValues(view, [signal.id])
  assert.deepEqual(latest.get(signal.id), { ts: last, value: last })
  await write(first)
  assert.deepEqual(await times(), [first])
})

test('values of removed signals are swept, after a while, and nobody else loses any', async (t) => {
  const { assets, database, view, clock, signal, write, times } = await retentionFixture(t)
  const other = await assets.create(view, {
    name: 'B',
    signals: [numeric('y'), numeric('z')],
  })
  const [y, z] = await assets.signals.ofAssets(view, [other.id])
  assert(y && z)
  const values = [y, z].flatMap(({ key }) => [noon, -7, noon + weekUs].map((ts) => ({ key, ts })))
  await database.transaction((held) =>
    assets.writeValues(
      held,
      values.map((value) => ({ ...value, value: 1 })),
    ),
  )
  await write(noon, -7)
  const keys = int8Array([signal, y, z].map(({ key }) => key))
  const rows = async (table: string) => {
    const text = `select count(*) as count from ${table} where signal_key = any($1::bigint[])`
    return (await database.one<{ count: number }>(text, [keys]))?.count
  }
  await assets.signals.remove(view, y.id)
  await assets.remove(view, other.id)
  const pauseUs = limits.retentionEveryMs * 1_000
  clock.set(noon + pauseUs)
  await assets.removeOld()
  assert.equal(await rows('assets_value'), 8, 'a batch under way may still write')
  clock.set(noon + pauseUs + 1)
  await assets.removeOld()
  assert.equal(await rows('assets_value'), 2)
  assert.equal(await rows('assets_latest'), 1)
  assert.equal(await rows('assets_removed'), 0)
  assert.deepEqual(await times(), [-7, noon])
  assert.deepEqual((await assets.signals.get(view, signal.id)).key, signal.key)
})

test('old events and old lines are removed, those at the boundary stay', async (t) => {
  const { assets, activity, database, business, view, clock, asset } = await retentionFixture(t)
  const said = async (level: 1 | 2, ts: number) => {
    clock.set(ts)
    await database.transaction((held) =>
      setStatus(assets, held, business, asset.id, 'rule', { ts, level }),
    )
    await assets.log(database, business, asset.id, { severity: 'info', text: `${level}` })
  }
  await said(1, noon)
  await said(2, noon + 1)
  clock.set(noon + 1 + limits.assetLineHours * hourUs)
  await Promise.all([assets.removeOld(), activity.removeOld()])
  const lines = await assets.logLines(view, asset.id)
  assert.deepEqual(
    lines.map((line) => line.text),
    ['2'],
  )
  assert.equal((await assets.events(view, asset.id)).length, 2)
  clock.set(noon + 1 + limits.statusEventHours * hourUs)
  await assets.removeOld()
  const events = await assets.events(view, asset.id)
  assert.deepEqual(
    events.map((event) => event.level),
    [2],
  )
})

test('cleared conditions are removed when they are old, others stay', async (t) => {
  const { assets, database, business, view, clock, asset } = await retentionFixture(t)
  for (const rule of ['a', 'b', 'c']) {
    await database.transaction((held) =>
      setStatus(assets, held, business, asset.id, rule, { ts: noon, level: 2 }),
    )
  }
  const { conditions } = assets
  const rules = async () => (await conditions.query(view, {})).results.map(({ ruleId }) => ruleId)
  const [newest, older] = (await conditions.query(view, {})).results
  for (const [condition, at] of [
    [older, noon],
    [newest, noon + 1],
  ] as const) {
    clock.set(at)
    await conditions.comment(view, condition?.id ?? '', 'done', 'user:1')
    await conditions.clear(view, condition?.id ?? '', 'user:1')
  }
  clock.set(noon + 1 + limits.conditionHours * hourUs)
  await assets.removeOld()
  assert.deepEqual(await rules(), ['c', 'a'])
})
