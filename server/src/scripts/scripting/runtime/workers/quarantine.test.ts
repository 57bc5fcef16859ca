import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scriptingLimits } from '../../limits.ts'
import { Quarantine } from './quarantine.ts'

function open() {
  const clock = { ms: 0 }
  return { clock, apart: new Quarantine(() => clock.ms) }
}

describe('solutions that are kept apart', () => {
  it('are those of which one step held a thread for long', () => {
    const { apart } = open()
    assert.equal(apart.recordCpu('s', scriptingLimits.scriptQuarantineCpuMs - 1), false)
    assert.equal(apart.has('s'), false)
    assert.equal(apart.recordCpu('s', scriptingLimits.scriptQuarantineCpuMs), true)
    assert.equal(apart.has('s'), true)
    assert.equal(apart.has('other'), false)
  })

  it('are those that take much with many short steps', () => {
    const { apart } = open()
    const stepMs = scriptingLimits.scriptQuarantineCpuMs - 10
    let steps = 0
    while (!apart.recordCpu('s', stepMs)) steps += 1
    assert.equal(steps, Math.ceil(scriptingLimits.scriptBurstMs / stepMs) - 1)
  })

  it('are not those that keep to their share of a thread', () => {
    const { clock, apart } = open()
    const stepMs = 20
    for (let steps = 0; steps < 10_000; steps += 1) {
      clock.ms += (stepMs * 100) / scriptingLimits.scriptSharePercent
      assert.equal(apart.recordCpu('s', stepMs), false)
    }
  })

  it('are so for longer each time that they spin again soon', () => {
    const { clock, apart } = open()
    const lengths = []
    for (let times = 0; times < 7; times += 1) {
      apart.extend('s')
      const fromMs = clock.ms
      while (apart.has('s')) clock.ms += scriptingLimits.scriptQuarantineMs / 2
      lengths.push((clock.ms - fromMs) / scriptingLimits.scriptQuarantineMs)
    }
    const most = scriptingLimits.scriptQuarantineMsMax / scriptingLimits.scriptQuarantineMs
    assert.deepEqual(lengths, [1, 2, 4, 8, 16, most, most])
    clock.ms += 2 * scriptingLimits.scriptQuarantineMsMax
    apart.extend('s')
    clock.ms += scriptingLimits.scriptQuarantineMs
    assert.equal(apart.has('s'), false)
  })

  it('stay so while they go on to spin', () => {
    const { clock, apart } = open()
    for (let times = 0; times < 10; times += 1) {
      apart.extend('s')
      clock.ms += scriptingLimits.scriptQuarantineMs - 1
      assert.equal(apart.has('s'), true)
    }
    clock.ms += 1
    assert.equal(apart.has('s'), false)
  })

  it('are thought to take what they took of late', () => {
    const { apart } = open()
    assert.equal(apart.averageCpuMs('s'), 0)
    for (let steps = 0; steps < 100; steps += 1) apart.recordCpu('s', 8)
    assert.ok(Math.abs(apart.averageCpuMs('s') - 8) < 0.01)
  })
})
