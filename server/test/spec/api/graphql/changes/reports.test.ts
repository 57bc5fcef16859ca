import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { limits, zoneMinutes } from '../../../../../src/foundation/kernel/index.ts'
import { testClock } from '../../../../fixtures/platform.ts'
import {
  ask,
  askOne,
  codes,
  type GraphqlFixture,
  type GraphqlFixtureOptions,
  graphqlFixture,
} from '../../../../fixtures/wire/graphql.ts'

const create = 'mutation($info: CreateReport!) { createReport(report_info: $info) }'
const status = `query($id: ID!) { reportStatus(job_id: $id) {
  job_id state reason format length rows filename content_id query } }`
const url = 'query($id: ID!, $for: Int) { report(job_id: $id, expires_in: $for) }'
const startS = 1_767_225_600
const usPerSecond = 1_000_000

type Status = Readonly<Record<'state' | 'reason' | 'format' | 'filename', string>> & {
  readonly length: number
  readonly rows: number
  readonly content_id: string | null
}

/** A tank with a level, a name and values of four days. */
async function tankFixture(t: TestContext, options?: GraphqlFixtureOptions) {
  const fixture = await graphqlFixture(t, options)
  const { assets, clock, database, view: all } = fixture
  const tank = await assets.create(all, {
    name: 'Tank',
    signals: [
      { name: 'level', primitiveType: 'NUMERIC', dataUnit: 'PERCENT' },
      { name: 'note', primitiveType: 'STRING' },
    ],
  })
  const [level, note] = await assets.signals.ofAssets(all, [tank.id])
  assert.ok(level && note)
  await assets.ensurePartitions(clock.nowUs())
  const values = [0, 1, 2, 3].flatMap((day) => {
    const ts = (startS + day * 86_400) * usPerSecond
    return [
      { key: level.key, ts, value: day + 0.5 },
      { key: note.key, ts, value: day === 2 ? '=1+1, "two"' : `day ${day}` },
    ]
  })
  await database.transaction((held) => assets.writeValues(held, values))
  return { ...fixture, all, tank, level, note }
}

/** Asks for a report and waits for its end. */
async function makeReport(fixture: GraphqlFixture, info: object, who = fixture.viewer) {
  const id = await askOne<string>(fixture, who, create, { info })
  for (;;) {
    const found = await askOne<Status>(fixture, who, status, { id })
    if (found.state !== 'waiting') return { id, ...found }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const period = { start_timestamp: startS, end_timestamp: startS + 3 * 86_400, assetNames: ['Tank'] }

test('a report has all values of its signals in the period, oldest first, as CSV', async (t) => {
  const fixture = await tankFixture(t)
  const { level, note, viewer, reports, all } = fixture
  const signals = [
    { id: level.id, name: 'Level' },
    { id: note.id, name: 'Note' },
  ]
  const timezone = { format: '%d.%m.%Y %H:%M %z', offset: 2 }
  const made = await makeReport(fixture, { ...period, signals, timezone })
  const { state, reason, format, rows, filename, content_id: contentId } = made
  assert.deepEqual([state, reason, format, rows], ['completed', null, 'csv', 6])
  assert.deepEqual([filename, contentId], ['Tank_2026-01-01_2026-01-04.csv', made.id])
  const link = await askOne<string>(fixture, viewer, url, { id: made.id, for: 600 })
  assert.match(link, /^https:\/\/millrace\.test\/api:1\/report-content\/[\w-]+$/)
  const { data, type } = await reports.open(link.split('/').at(-1) ?? '')
  assert.equal(type, 'text/csv; charset=utf-8')
  assert.equal(data.length, made.length)
  assert.equal(
    data.toString(),
    [
      'timestamp,asset,signal,unit,value',
      '01.01.2026 02:00 +0200,Tank,Level,PERCENT,0.5',
      '02.01.2026 02:00 +0200,Tank,Level,PERCENT,1.5',
      '03.01.2026 02:00 +0200,Tank,Level,PERCENT,2.5',
      '01.01.2026 02:00 +0200,Tank,Note,,day 0',
      '02.01.2026 02:00 +0200,Tank,Note,,day 1',
      '03.01.2026 02:00 +0200,Tank,Note,,"\'=1+1, ""two"""',
      '',
    ].join('\r\n'),
  )
  const [listed] = await reports.list(all, 'nobody')
  assert.equal(listed?.id, made.id, 'who sees the business sees all reports')
})

test('a report is JSON or a sheet when it is asked for', async (t) => {
  const fixture = await tankFixture(t)
  const { level, reports, all } = fixture
  const signals = [{ id: level.id, name: 'Level' }]
  const json = await makeReport(fixture, { ...period, signals, format: 'json' })
  const { data } = await reports.content(all, 'x', json.id)
  assert.deepEqual(JSON.parse(data.toString())[0], {
    timestamp: '2026-01-01T00:00:00.000000Z',
    asset: 'Tank',
    signal: 'Level',
    unit: 'PERCENT',
    value: 0.5,
  })
  const sheet = await makeReport(fixture, { ...period, signals, format: 'xlsx' })
  const { data: zip, type, filename } = await reports.content(all, 'x', sheet.id)
  assert.equal(zip.subarray(0, 2).toString(), 'PK')
  assert.match(type, /spreadsheetml/)
  assert.match(filename, /\.xlsx$/)
  assert.deepEqual([json.rows, sheet.rows], [3, 3])
})

test('times are written in a time zone, also of half an hour and with summer time', async (t) => {
  const fixture = await tankFixture(t)
  const signals = [{ id: fixture.level.id, name: 'Level' }]
  const firstTime = async (timezone: object) => {
    const made = await makeReport(fixture, { ...period, signals, timezone, format: 'json' })
    const { data } = await fixture.reports.content(fixture.all, 'x', made.id)
    return JSON.parse(data.toString())[0].timestamp
  }
  const format = '%H:%M %z'
  assert.equal(await firstTime({ timeZone: 'Asia/Kolkata', format }), '05:30 +0530')
  assert.equal(await firstTime({ timeZone: '-03:30' }), '2025-12-31T20:30:00.000000-03:30')
  assert.equal(await firstTime({ timeZone: 'Etc/UTC' }), '2026-01-01T00:00:00.000000Z')
  const minutesAt = zoneMinutes('Europe/Berlin')
  const summerMs = Date.UTC(2026, 2, 29, 1)
  assert.deepEqual([minutesAt(summerMs - 1), minutesAt(summerMs)], [60, 120])
})

test('a report has one value for each interval where that is asked of a signal', async (t) => {
  const fixture = await tankFixture(t)
  const { level, note, assets, database, reports, all } = fixture
  const halfDayUs = 43_200 * usPerSecond
  const more = [0, 1].map((day) => {
    const ts = (startS + day * 86_400) * usPerSecond + halfDayUs
    return { key: level.key, ts, value: day + 2.5 }
  })
  await database.transaction((held) => assets.writeValues(held, more))
  const signals = [
    { id: level.id, name: 'Average', every: '1d' },
    { id: level.id, name: 'Most', every: '1d', aggregate: 'max' },
    { id: level.id, name: 'Times', every: '1w', aggregate: 'count' },
    { id: note.id, name: 'Last', every: '4w', aggregate: 'last' },
  ]
  const timezone = { format: '%d.%m.' }
  const made = await makeReport(fixture, { ...period, signals, timezone })
  const { data } = await reports.content(all, 'x', made.id)
  assert.deepEqual(data.toString().trimEnd().split('\r\n').slice(1), [
    ...['01.01.,Tank,Average,PERCENT,1.5', '02.01.,Tank,Average,PERCENT,2.5'],
    '03.01.,Tank,Average,PERCENT,2.5',
    ...[
      '01.01.,Tank,Most,PERCENT,2.5',
      '02.01.,Tank,Most,PERCENT,3.5',
      '03.01.,Tank,Most,PERCENT,2.5',
    ],
    '29.12.,Tank,Times,,5',
    `22.12.,Tank,Last,,"'=1+1, ""two"""`,
  ])
  for (const format of ['json', 'xlsx']) {
    const other = await makeReport(fixture, { ...period, signals, timezone, format })
    assert.deepEqual([other.state, other.rows], ['completed', made.rows], format)
  }
})

test('a report of intervals goes on behind a full page without a value twice', async (t) => {
  const fixture = await tankFixture(t)
  const { level, assets, database, reports, all } = fixture
  const count = limits.historyValuesMax + 2
  const values = Array.from({ length: 2 * count }, (_, at) => {
    return { key: level.key, ts: (startS + 3_600 + at * 30) * usPerSecond, value: at % 2 }
  })
  for (let from = 0; from < values.length; from += 10_000) {
    const part = values.slice(from, from + 10_000)
    await assets.ensurePartitions(part.at(-1)?.ts ?? 0)
    await database.transaction((held) => assets.writeValues(held, part))
  }
  const signals = [{ id: level.id, name: 'l', every: '1m', aggregate: 'count' }]
  const start = startS + 3_600
  const info = { ...period, start_timestamp: start, end_timestamp: start + count * 60, signals }
  const made = await makeReport(fixture, { ...info, format: 'json' })
  const { data } = await reports.content(all, 'x', made.id)
  const rows = JSON.parse(data.toString()) as { readonly timestamp: string; value: number }[]
  assert.equal(rows.length, count)
  assert.equal(new Set(rows.map(({ timestamp }) => timestamp)).size, count)
})

test('a report is of its maker, and of those who see the whole business', async (t) => {
  const fixture = await tankFixture(t)
  const { level, groups, all, otherToken, viewer, assets } = fixture
  const site = await groups.create(all, { name: 'Site' })
  const own = await assets.create(all, {
    name: 'Own',
    groupId: site.id,
    signals: [{ name: 'level', primitiveType: 'NUMERIC' }],
  })
  const [seen] = await assets.signals.ofAssets(all, [own.id])
  const partial = await fixture.makeToken('Operator', [site.id])
  const info = { ...period, signals: [{ id: level.id, name: 'x' }] }
  assert.deepEqual(codes(await ask(fixture, partial, create, { info })), ['not_found'])
  const theirs = await makeReport(fixture, info)
  assert.equal(await askOne(fixture, partial, status, { id: theirs.id }), null)
  assert.deepEqual(codes(await ask(fixture, partial, url, { id: theirs.id })), ['not_found'])
  assert.equal(await askOne(fixture, otherToken, status, { id: theirs.id }), null)
  const mine = await makeReport(
    fixture,
    { ...period, signals: [{ id: seen?.id, name: 'x' }] },
    partial,
  )
  assert.equal(mine.state, 'completed')
  const list = '{ reports { job_id } }'
  assert.deepEqual(await askOne(fixture, partial, list), [{ job_id: mine.id }])
  assert.equal((await askOne<object[]>(fixture, viewer, list)).length, 2)
  const remove = `mutation { deleteReport(job_id: "${mine.id}") { state } }`
  assert.deepEqual(codes(await ask(fixture, otherToken, remove)), ['not_found'])
  assert.deepEqual(await askOne(fixture, partial, remove), { state: 'completed' })
})

test('what cannot be a report is refused by name', async (t) => {
  const { as, level, note, viewer } = await tankFixture(t)
  const signals = [{ id: level.id, name: 'Level' }]
  const wrong: object[] = [
    { ...period, signals, end_timestamp: startS },
    { ...period, signals, start_timestamp: -1 },
    { ...period, signals: [] },
    { ...period, signals: Array.from({ length: 101 }, () => signals[0]) },
    { ...period, signals, timezone: { offset: 15 } },
    { ...period, signals, timezone: { timeZone: 'Asia/Nowhere' } },
    { ...period, signals, timezone: { timeZone: 'UTC', offset: 1 } },
    { ...period, signals, assetNames: ['x'.repeat(201)] },
    { ...period, signals: [{ id: level.id, name: 'x', every: '0d' }] },
    { ...period, signals: [{ id: level.id, name: 'x', aggregate: 'max' }] },
    { ...period, signals: [{ id: level.id, name: 'x', unit: 'KELVIN' }] },
    { ...period, signals: [{ id: note.id, name: 'x', every: '1d', aggregate: 'sum' }] },
  ]
  for (const info of wrong) {
    const answer = await as(viewer, create, { info })
    assert.deepEqual(codes(answer), ['invalid_argument'], JSON.stringify(answer))
  }
  const strange = { ...period, signals: [{ id: 'nobody', name: 'x' }] }
  assert.deepEqual(codes(await as(viewer, create, { info: strange })), ['not_found'])
})

test('a URL ends after its seconds, and a report after its time', async (t) => {
  const clock = testClock()
  const fixture = await tankFixture(t, { own: 'moves the clock', clock })
  const { level, viewer, reports, all } = fixture
  const made = await makeReport(fixture, { ...period, signals: [{ id: level.id, name: 'x' }] })
  const link = await askOne<string>(fixture, viewer, url, { id: made.id, for: 60 })
  const token = link.split('/').at(-1) ?? ''
  clock.advance(58_000)
  assert.equal((await reports.open(token)).data.length, made.length)
  clock.advance(3_000)
  await assert.rejects(reports.open(token), { code: 'forbidden' })
  await assert.rejects(reports.open(`${token}x`), { code: 'not_found' })
  const tooLong = { id: made.id, for: 604_801 }
  assert.deepEqual(codes(await ask(fixture, viewer, url, tooLong)), ['invalid_argument'])
  clock.advance(168 * 3_600_000)
  assert.equal((await reports.get(all, 'x', made.id)).state, 'expired')
  await assert.rejects(reports.content(all, 'x', made.id), { code: 'not_found' })
  clock.advance(168 * 3_600_000)
  await reports.sweep()
  await assert.rejects(reports.get(all, 'x', made.id), { code: 'not_found' })
})
