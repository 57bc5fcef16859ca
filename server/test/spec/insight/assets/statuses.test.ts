import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { Level, NewStatus } from '../../../../src/insight/assets/index.ts'
import { assetLimits } from '../../../../src/insight/assets/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import {
  type AssetsFixture,
  assetsFixture,
  noon,
  numeric,
  setStatus,
} from '../../../fixtures/assets.ts'

const minuteUs = 60 * 1_000_000

async function assetFixture(
  t: Parameters<typeof assetsFixture>[0],
  timeoutMs: number | null = null,
) {
  const fixture = await assetsFixture(t)
  const { assets, database, business, view } = fixture
  const signals = [numeric('x', { timeoutMs }), numeric('y', { timeoutMs })]
  const asset = await assets.create(view, { name: 'A', signals })
  const set = (rule: string, status: NewStatus) =>
    database.transaction((held) => setStatus(assets, held, business, asset.id, rule, status))
  const status = async () => (await assets.statuses(view, [asset.id])).get(asset.id)
  return { ...fixture, asset, set, status }
}

test('an asset without rules is normal; ids that the business has not are missing', async (t) => {
  const { assets, view, asset } = await assetFixture(t)
  const statuses = await assets.statuses(view, [asset.id, 'nobody'])
  const normal = { level: 0, name: 'normal', since: null, timeout: false }
  assert.deepEqual([...statuses], [[asset.id, normal]])
  assert.deepEqual(await assets.events(view, asset.id), [])
})

/** Levels in their order, and whether each changes the level. */
const steps: [Level, boolean][] = [
  [0, false],
  [2, true],
  [2, false],
  [3, true],
  [0, true],
  [0, false],
  [1, true],
  [4, true],
]

test('an event is recorded only when the level of a rule changes', async (t) => {
  const { assets, view, asset, set, status } = await assetFixture(t)
  for (const [at, [level, changed]] of steps.entries()) {
    const ts = noon + at
    const value = { ts, level, type: `t${at}`, value: { at } }
    assert.deepEqual(await set('rule', value), { changed }, `step ${at}`)
  }
  const events = await assets.events(view, asset.id)
  assert.deepEqual(
    events.map((event) => [event.ts - noon, event.previous, event.level, event.name]),
    [
      [7, 1, 4, 'error'],
      [6, 0, 1, 'info'],
      [4, 3, 0, 'normal'],
      [3, 2, 3, 'critical'],
      [1, 0, 2, 'warning'],
    ],
  )
  const [newest] = events
  assert.deepEqual(
    [newest?.assetId, newest?.ruleId, newest?.type, newest?.value],
    [asset.id, 'rule', 't7', { at: 7 }],
  )
  const older = await assets.events(view, asset.id, { limit: 2, offset: 3 })
  assert.deepEqual(older, events.slice(3))
  assert.deepEqual(await status(), {
    level: 4,
    name: 'error',
    since: noon + 7,
    type: 't7',
    value: { at: 7 },
    timeout: false,
    ruleId: 'rule',
    category: 'default',
  })
})

test('results of several rules are stored together, of each rule in order', async (t) => {
  const { assets, database, business, view, asset, set } = await assetFixture(t)
  await set('old', { ts: noon + 10, level: 1 })
  const of = (ruleId: string, ts: number, level: Level, assetId = asset.id) => {
    return { businessId: business, assetId, ruleId, ts: noon + ts, level }
  }
  const first = [of('b', 1, 2), of('a', 1, 0), of('old', 9, 3), of('b', 2, 4)]
  const given = [...first, of('gone', 1, 4, 'nobody'), of('a', 2, 3), of('b', 3, 0)]
  const changed = await database.transaction((held) => assets.setStatuses(held, given))
  assert.deepEqual(
    changed.map((one) => one.changed),
    [true, false, false, true, false, true, true],
  )
  const events = await assets.events(view, asset.id)
  const listLevels = (rule: string) =>
    events
      .filter(({ ruleId }) => ruleId === rule)
      .map(({ previous, level }) => `${previous}${level}`)
  assert.deepEqual(['a', 'b', 'old'].map(listLevels), [['03'], ['40', '24', '02'], ['01']])
  const all = (await assets.allStatuses(view, [asset.id])).get(asset.id) ?? []
  assert.deepEqual(
    all.map(({ ruleId, level, ts }) => `${ruleId} ${level} ${ts - noon}`),
    ['a 3 2', 'old 1 10', 'b 0 3'],
  )
})

test('since is when the level was reached, type and value are the newest', async (t) => {
  const { set, status } = await assetFixture(t)
  await set('rule', { ts: noon, level: 2, value: 1 })
  await set('rule', { ts: noon + 5, level: 2, value: null })
  const place = { ruleId: 'rule', category: 'default' }
  const warning = { level: 2, name: 'warning', since: noon, timeout: false, ...place }
  assert.deepEqual(await status(), { ...warning, value: null })
  await set('rule', { ts: noon + 5, level: 2 })
  assert.deepEqual(await status(), warning)
})

test('a status older than the one known is not taken, one of the same time is', async (t) => {
  const { set, status } = await assetFixture(t)
  await set('rule', { ts: noon, level: 2 })
  assert.deepEqual(await set('rule', { ts: noon - 1, level: 4 }), { changed: false })
  assert.equal((await status())?.level, 2)
  assert.deepEqual(await set('rule', { ts: noon, level: 1 }), { changed: true })
  assert.equal((await status())?.level, 1)
})

test("an asset's status is the worst of its rules", async (t) => {
  const { assets, database, business, view, asset, set, status } = await assetFixture(t)
  await set('a', { ts: noon, level: 1 })
  await set('b', { ts: noon + 1, level: 3 })
  await set('c', { ts: noon + 2, level: 3 })
  await set('d', { ts: noon + 3, level: 0 })
  const worst = async () => [(await status())?.level, ((await status())?.since ?? 0) - noon]
  assert.deepEqual(await worst(), [3, 1])
  await set('b', { ts: noon + 4, level: 0 })
  assert.deepEqual(await worst(), [3, 2])
  await assets.clearStatus(database, business, 'c')
  assert.deepEqual(await worst(), [1, 0])
  await set('a', { ts: noon + 9, level: 0 })
  assert.deepEqual(await worst(), [0, 9])
  assert.equal((await assets.events(view, asset.id)).length, 5)
})

test('a status has its rule, the signal that is judged, and a category', async (t) => {
  const fixture = await assetFixture(t, 60_000)
  const { assets, business, view, other, asset, clock, set, status } = fixture
  const [x, y] = await assets.signals.ofAssets(view, [asset.id])
  assert(x && y)
  await set('a', { ts: noon, level: 1, signalId: x.id, category: 'heat', type: 'warm' })
  await set('b', { ts: noon + 1, level: 3, signalId: y.id, value: 7 })
  const { ruleId, signalId, category } = (await status()) ?? assert.fail()
  assert.deepEqual([ruleId, signalId, category], ['b', y.id, 'default'])
  const events = await assets.events(view, asset.id)
  const [critical, info] = events.map((one) => [one.ruleId, one.signalId, one.category, one.name])
  assert.deepEqual(info, ['a', x.id, 'heat', 'info'])
  assert.deepEqual(critical, ['b', y.id, 'default', 'critical'])

  await write(fixture, x.key, noon)
  clock.set(noon + minuteUs + 1)
  const all = async (of: string) =>
    (await assets.allStatuses(wholeView(of), [asset.id])).get(asset.id)
  const silence = { ts: noon, since: noon + minuteUs }
  assert.deepEqual(await all(business), [
    { ...at('b', y.id, 'default', 3, 'critical'), ts: noon + 1, since: noon + 1, value: 7 },
    { ...at(null, x.id, 'timeout', 2, 'warning'), ...silence },
    { ...at('a', x.id, 'heat', 1, 'info'), ts: noon, since: noon, type: 'warm' },
  ])
  assert.equal(await all(other), undefined)
})

function at(ruleId: string | null, signalId: string, category: string, level: Level, name: string) {
  return { ruleId, signalId, category, level, name }
}

test('of many writers that set one level, one sees the change', async (t) => {
  const { assets, view, asset, set } = await assetFixture(t)
  for (const [level, ts] of [
    [3, noon],
    [0, noon + 1],
  ] as const) {
    const said = await Promise.all(Array.from({ length: 8 }, () => set('rule', { ts, level })))
    assert.equal(said.filter((one) => one.changed).length, 1)
  }
  assert.equal((await assets.events(view, asset.id)).length, 2)
})

test('what is not a level or a time is refused', async (t) => {
  const { set } = await assetFixture(t)
  for (const status of [
    { ts: noon, level: 5 },
    { ts: noon, level: -1 },
    { ts: noon, level: 1.5 },
    { ts: noon + 0.5, level: 1 },
  ]) {
    await assert.rejects(set('rule', status as NewStatus), { code: 'invalid_argument' })
  }
})

test('statuses of a deleted asset are not stored', async (t) => {
  const { assets, view, asset, set, status } = await assetFixture(t)
  await set('rule', { ts: noon, level: 4 })
  await assets.remove(view, asset.id)
  assert.deepEqual(await set('rule', { ts: noon + 1, level: 1 }), { changed: false })
  assert.equal(await status(), undefined)
  await assert.rejects(assets.events(view, asset.id), { code: 'not_found' })
})

test('timeout: at the end of the time not yet, but a microsecond later', async (t) => {
  const fixture = await assetFixture(t, 60_000)
  const { assets, view, asset, clock, set, status } = fixture
  const [x, y] = await assets.signals.ofAssets(view, [asset.id])
  assert(x && y)
  const timeout = async () => (await status())?.timeout
  clock.set(noon + 9 * minuteUs)
  assert.equal(await timeout(), false, 'a signal that never spoke has not fallen silent')
  await write(fixture, x.key, noon)
  await write(fixture, y.key, noon + minuteUs)
  await set('rule', { ts: noon, level: 2 })
  clock.set(noon + minuteUs)
  assert.equal(await timeout(), false)
  clock.set(noon + minuteUs + 1)
  assert.equal(await timeout(), true)
  assert.equal((await status())?.level, 2)
  await write(fixture, x.key, noon + minuteUs)
  assert.equal(await timeout(), false)
  clock.set(noon + 9 * minuteUs)
  assert.equal(await timeout(), true)
  assert.equal((await assets.events(view, asset.id)).length, 1)
})

test('a signal without a timeout may be silent for ever', async (t) => {
  const fixture = await assetFixture(t, null)
  const [x] = await fixture.assets.signals.ofAssets(fixture.view, [fixture.asset.id])
  assert(x)
  await write(fixture, x.key, noon)
  fixture.clock.set(noon + 1e6 * minuteUs)
  assert.equal((await fixture.status())?.timeout, false)
})

function write({ database, assets }: AssetsFixture, key: number, ts: number): Promise<void> {
  return database.transaction((held) => assets.writeValues(held, [{ key, ts, value: 1 }]))
}

test("an asset's log keeps the newest lines, each cut to the limit", async (t) => {
  const { assets, database, business, view, asset, clock } = await assetFixture(t)
  const line = (text: string, at?: number) =>
    assets.log(database, business, asset.id, { severity: 'info', text, at })
  for (let at = 0; at < assetLimits.assetLinesMax + 3; at += 1) await line(`line ${at}`)
  const lines = await assets.logLines(view, asset.id, { limit: limits.pageMax })
  assert.equal(lines.length, assetLimits.assetLinesMax)
  assert.equal(lines[0]?.text, `line ${assetLimits.assetLinesMax + 2}`)
  assert.equal(lines.at(-1)?.text, 'line 3')
  await line(`<html>\0${'x'.repeat(limits.lineCharsMax)}`, noon - 5)
  const [newest] = await assets.logLines(view, asset.id, { limit: 1 })
  assert.equal(newest?.text.length, limits.lineCharsMax)
  assert.deepEqual([newest?.at, newest?.severity], [noon - 5, 'info'])
  assert.equal(lines[0]?.at, clock.nowUs())
  await assets.log(database, business, 'nobody', { severity: 'error', text: 'x' })
})
