import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { maintain } from '../../../../src/platform/composition/maintenance.ts'
import { until } from '../../../fixtures/engine.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

const hour = 3_600_000
const usPerMs = 1_000
const tenYears = 3_650 * 24 * hour

/** An instance with something that goes with time in each of several modules. */
async function filled(t: Parameters<typeof testPlatform>[0]) {
  const millrace = await testPlatform(t, { own: 'moves the clock' })
  const { platform, businessId, connector, httpUrl } = millrace
  const { activity, assets, database, pipelines, scripting } = platform
  const device = await newDevice(httpUrl, connector.id, 'd')
  await device.write('a=1')
  const call = { service: '', handler: '', trackingId: '' }
  const line = { kind: 'log', level: 'info', text: 'text' } as const
  activity.solutions.write({ businessId, solutionId: 'pump', ...call, ...line })
  await activity.flush()
  await Promise.all([pipelines.caughtUp(), scripting.caughtUp()])
  const asset = await assets.create(wholeView(businessId), { name: 'A' })
  await assets.log(database, businessId, asset.id, { severity: 'info', text: 'kept' })
  const count = async (rows: string) =>
    (await database.one<{ count: number }>(`select count(*) as count from ${rows}`))?.count ?? 0
  const lines = ['connector', 'solution', 'asset'].map(
    (owner) => `activity_line where owner = '${owner}' and`,
  )
  // A device may go offline, which is noted, as the clock is moved: that line is young.
  const until = millrace.clock.nowUs() + hour * usPerMs
  const counts = () =>
    Promise.all(['eventlog_entry where', ...lines].map((rows) => count(`${rows} at < ${until}`)))
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
  // A line that was noted at the right time may be stored only now: the next round removes it.
  await until(async () => {
    await maintain(platform, { log: true })
    return (await counts()).every((rows) => rows === 0)
  })
})

test('what is old is removed while the clock goes on as it should', async (t) => {
  const { platform, clock, counts } = await filled(t)
  const stepHours = limits.upkeepGapHoursMax - 1
  const left = async () => {
    for (let passed = 0; passed <= limits.logRetentionHours; passed += stepHours) {
      clock.advance(stepHours * hour)
      await maintain(platform, { log: true })
    }
    return (await counts()).slice(0, 2).join()
  }
  // Rows that were noted while the time passed are removed in the second round.
  assert.ok((await left()) === '0,0' || (await left()) === '0,0')
})
