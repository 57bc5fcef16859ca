import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../src/kernel/index.ts'
import { maintain } from '../../../src/main.ts'
import { testPlatform } from '../../fixtures/platform.ts'
import { newDevice } from '../../fixtures/wire/device.ts'

const hour = 3_600_000
const tenYears = 3_650 * 24 * hour

/** An instance with something that goes with time in each of several modules. */
async function filled(t: Parameters<typeof testPlatform>[0]) {
  const millrace = await testPlatform(t)
  const { platform, businessId, connector, httpUrl } = millrace
  const { assets, database, eventlog, pipelines, scripting } = platform
  const device = await newDevice(httpUrl, connector.id, 'd')
  await device.write('a=1')
  await eventlog.flushNotes()
  await Promise.all([pipelines.caughtUp(), scripting.caughtUp()])
  await database.run(
    `insert into scripting_line (business_id, solution_id, at, kind, level, text, service, handler,
       tracking_id)
     select $1, 'pump', $2, 'log', 'info', 'text', '', '', ''`,
    [businessId, platform.clock.nowUs()],
  )
  const asset = await assets.create(businessId, { name: 'A' })
  await assets.log(database, businessId, asset.id, { severity: 'info', text: 'kept' })
  const count = async (table: string) =>
    (await database.one<{ count: number }>(`select count(*) as count from ${table}`))?.count ?? 0
  const tables = ['eventlog_entry', 'eventlog_line', 'assets_line', 'scripting_line']
  const counts = () => Promise.all(tables.map(count))
  return { ...millrace, counts }
}

test('a clock ten years ahead removes nothing until an operator confirms it', async (t) => {
  const { platform, clock, counts, another } = await filled(t)
  const before = await counts()
  assert.ok(
    before.every((rows) => rows > 0),
    `${before}`,
  )
  /** Something may be noted meanwhile. */
  const assertKept = async (when: string) => {
    const now = await counts()
    const isKept = now.every((rows, at) => rows >= (before[at] ?? 0))
    assert.ok(isKept, `${when}: ${now}`)
  }
  clock.step(tenYears)
  await maintain(platform, { log: true })
  await assertKept('while it runs')
  await another({ aheadMs: tenYears })
  await assertKept('at a start')
  clock.step(-tenYears)
  await maintain(platform, { log: true })
  await assertKept('with the right time again')
  clock.step(tenYears)
  await platform.upkeep.confirm()
  await maintain(platform, { log: true })
  assert.deepEqual(await counts(), [0, 0, 0, 0])
})

test('what is old is removed while the clock goes on as it should', async (t) => {
  const { platform, clock, counts } = await filled(t)
  const stepHours = limits.upkeepGapHoursMax - 1
  for (let passed = 0; passed <= limits.logRetentionHours; passed += stepHours) {
    clock.advance(stepHours * hour)
    await maintain(platform, { log: true })
  }
  assert.deepEqual((await counts()).slice(0, 2), [0, 0])
})
