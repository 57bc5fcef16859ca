import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { createLogger, limits } from '../../foundation/kernel/index.ts'
import { upkeepLimits } from './limits.ts'
import { createUpkeep } from './upkeep.ts'

const hour = 3_600_000
const tenYears = 3_650 * 24 * hour
const gap = limits.upkeepGapHoursMax * hour
const settle = limits.upkeepSettleHours * hour

async function upkeepFixture(t: Parameters<typeof testDatabase>[0]) {
  const database = await testDatabase(t)
  let wallMs = Date.UTC(2026, 0, 1)
  let passedMs = 0
  const clock = {
    nowMs: () => wallMs,
    nowUs: () => wallMs * 1_000,
    elapsedMs: () => passedMs,
  }
  const warnings: string[] = []
  const logger = createLogger('silent')
  logger.warn = (_: unknown, text?: string) => void warnings.push(text ?? '')
  const start = () => createUpkeep({ database, clock, logger })
  return {
    start,
    warnings,
    upkeep: start(),
    /** Sets the clock, while no time passes. */
    step(ms: number) {
      wallMs += ms
    },
    advance(ms: number) {
      wallMs += ms
      passedMs += ms
    },
  }
}

test('data are removed in a new database, and again until the gap is too long', async (t) => {
  const { upkeep, start, step, warnings } = await upkeepFixture(t)
  assert.equal(await upkeep.mayRemove(), true)
  step(gap)
  assert.equal(await start().mayRemove(), true, 'measured from the last time')
  step(gap)
  assert.equal(await upkeep.mayRemove(), true)
  assert.deepEqual(warnings, [])
  step(gap + 1)
  assert.equal(await upkeep.mayRemove(), false)
  assert.equal(await upkeep.mayRemove(), false)
  assert.match(warnings.join('\n'), /^the clock is days later .* millrace upkeep confirm$/)
})

test('a clock ten years ahead is believed once it was stable for a day', async (t) => {
  const { upkeep, step, advance, warnings } = await upkeepFixture(t)
  await upkeep.mayRemove()
  step(tenYears)
  assert.equal(await upkeep.mayRemove(), false)
  advance(settle - 1)
  assert.equal(await upkeep.mayRemove(), false)
  advance(1)
  assert.equal(await upkeep.mayRemove(), true)
  advance(hour)
  assert.equal(await upkeep.mayRemove(), true)
  assert.equal(warnings.length, 1)
})

test('a clock that is set again meanwhile has to be stable anew', async (t) => {
  const { upkeep, start, step, advance, warnings } = await upkeepFixture(t)
  await upkeep.mayRemove()
  step(tenYears)
  assert.equal(await upkeep.mayRemove(), false)
  advance(settle - 1)
  step(upkeepLimits.upkeepDriftMsMax + 1)
  assert.equal(await upkeep.mayRemove(), false)
  advance(settle - 1)
  assert.equal(await upkeep.mayRemove(), false)
  assert.equal(await start().mayRemove(), false, 'another process begins by itself')
  assert.equal(warnings.length, 3)
  step(upkeepLimits.upkeepDriftMsMax)
  advance(1)
  assert.equal(await upkeep.mayRemove(), true, 'a clock that drifts is not set')
})

test('a clock that is set back is believed, the next jump is measured from there', async (t) => {
  const { upkeep, step, warnings } = await upkeepFixture(t)
  await upkeep.mayRemove()
  step(-tenYears)
  assert.equal(await upkeep.mayRemove(), true)
  step(gap + 1)
  assert.equal(await upkeep.mayRemove(), false)
  step(-1)
  assert.equal(await upkeep.mayRemove(), true, 'corrected')
  assert.equal(warnings.length, 1)
})

test('an operator confirms the time beside the process that waits', async (t) => {
  const { upkeep, start, step } = await upkeepFixture(t)
  await upkeep.mayRemove()
  step(tenYears)
  assert.equal(await upkeep.mayRemove(), false)
  assert.equal(await start().confirm(), (Date.UTC(2026, 0, 1) + tenYears) * 1_000)
  assert.equal(await upkeep.mayRemove(), true)
})
