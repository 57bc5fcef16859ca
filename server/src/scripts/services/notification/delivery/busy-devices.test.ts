import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { notificationLimits } from '../limits.ts'
import { BusyDevices } from './busy-devices.ts'

const againUs = notificationLimits.notificationRetryMs * 1_000
const longestUs = notificationLimits.notificationRetryMsMax * 1_000
const nowUs = 1_800_000_000_000_000

describe('a device that takes no more for a while', () => {
  it('waits twice as long each time it is asked again, up to the longest', () => {
    const devices = new BusyDevices()
    assert.equal(devices.waitUntilUs('a', nowUs), undefined)
    assert.deepEqual(devices.markBusy('a', 0, nowUs), { untilUs: nowUs + againUs, turned: true })
    let atUs = nowUs
    for (let waits = 1; waits < 15; waits += 1) {
      const untilUs = devices.waitUntilUs('a', atUs) ?? assert.fail()
      assert.equal(untilUs - atUs, Math.min(longestUs, againUs * 2 ** (waits - 1)))
      assert.equal(devices.waitUntilUs('a', untilUs - 1), untilUs)
      assert.equal(devices.waitUntilUs('a', untilUs), undefined)
      assert.equal(devices.waitUntilUs('b', atUs), undefined)
      atUs = untilUs
      devices.begin('a', atUs)
      assert.equal(devices.markBusy('a', 0, atUs).turned, false)
    }
  })

  it('waits as long as the provider asks for, where that is longer', () => {
    const devices = new BusyDevices()
    const { untilUs } = devices.markBusy('a', notificationLimits.notificationRetryMs + 0.5, nowUs)
    assert.equal(untilUs, nowUs + againUs + 500)
  })

  it('of attempts that were under way together waits once, for the longest of them', () => {
    const devices = new BusyDevices()
    devices.markBusy('a', 5_000, nowUs)
    const shorter = devices.markBusy('a', 0, nowUs + 10)
    assert.deepEqual(shorter, { untilUs: nowUs + 5_000_000, turned: false })
    const longer = devices.markBusy('a', 6_000, nowUs + 10)
    assert.deepEqual(longer, { untilUs: nowUs + 6_000_010, turned: false })
    devices.begin('a', longer.untilUs)
    const second = devices.markBusy('a', 0, longer.untilUs)
    assert.equal(second.untilUs, longer.untilUs + 2 * againUs)
    // An answer that comes when the wait is over was not under way with the others.
    const third = devices.markBusy('a', 0, second.untilUs)
    assert.equal(third.untilUs, second.untilUs + 4 * againUs)
  })

  it('is looked at again soon while an attempt asks it', () => {
    const devices = new BusyDevices()
    devices.begin('a', nowUs)
    assert.equal(devices.waitUntilUs('a', nowUs), undefined, 'it was free')
    devices.markBusy('a', 0, nowUs)
    devices.markBusy('z', 0, nowUs)
    devices.begin('a', nowUs + againUs)
    const endUs = nowUs + againUs + notificationLimits.notificationAttemptMsMax * 1_000
    const atUs = nowUs + againUs
    assert.equal(devices.waitUntilUs('a', atUs), atUs + againUs)
    assert.equal(devices.waitUntilUs('a', endUs - 1), endUs)
    assert.equal(devices.waitUntilUs('a', endUs), undefined)
    devices.markFree('a', atUs)
    assert.equal(devices.waitUntilUs('a', atUs), undefined)
    assert.equal(devices.markBusy('a', 0, atUs).turned, true)
    devices.reset()
    assert.equal(devices.waitUntilUs('a', atUs), undefined)
  })

  it(`is forgotten behind ${notificationLimits.notificationBusyDevicesMax} others`, () => {
    const devices = new BusyDevices()
    for (let at = 0; at < notificationLimits.notificationBusyDevicesMax; at += 1)
      devices.markBusy(`d${at}`, 0, nowUs)
    devices.markBusy('d0', 0, nowUs)
    assert.ok(devices.waitUntilUs('d1', nowUs))
    devices.markBusy('one more', 0, nowUs)
    assert.equal(devices.waitUntilUs('d1', nowUs), undefined)
    assert.ok(devices.waitUntilUs('d0', nowUs))
    assert.ok(devices.waitUntilUs('d2', nowUs))
  })
})

describe('devices are many', () => {
  const min = notificationLimits.notificationBusyDevicesMin
  const windowUs = notificationLimits.notificationBusyWindowMs * 1_000

  function answered(busy: number, free: number): BusyDevices {
    const devices = new BusyDevices()
    for (let at = 0; at < free; at += 1) devices.markFree(`free${at}`, nowUs)
    for (let at = 0; at < busy; at += 1) devices.markBusy(`busy${at}`, 0, nowUs)
    return devices
  }

  it('from the fewest on, and from more than that share of the latest answers on', () => {
    assert.equal(answered(min - 1, 0).areMany(nowUs), false)
    assert.equal(answered(min, 0).areMany(nowUs), true)
    const share = notificationLimits.notificationBusyPercentMax / 100
    const most = Math.round(10 / share) - 10
    assert.equal(answered(10, most).areMany(nowUs), false)
    assert.equal(answered(11, most).areMany(nowUs), true)
  })

  it('within a while, each device once', () => {
    const devices = answered(min, 0)
    assert.equal(devices.areMany(nowUs + windowUs), true)
    assert.equal(devices.areMany(nowUs + windowUs + 1), false)
    devices.markFree('busy0', nowUs)
    assert.equal(devices.areMany(nowUs), false)
    devices.markBusy('busy0', 0, nowUs)
    devices.markBusy('busy0', 0, nowUs)
    assert.equal(devices.areMany(nowUs), true)
    devices.reset()
    assert.equal(devices.areMany(nowUs), false)
  })

  it(`of the latest ${notificationLimits.notificationAnswersMax} answers`, () => {
    const kept = notificationLimits.notificationAnswersMax
    const devices = answered(min, kept - min)
    assert.equal(devices.areMany(nowUs), false)
    for (let at = 0; at < kept; at += 1) devices.markBusy(`late${at}`, 0, nowUs)
    for (let at = 0; at < kept / 2; at += 1) devices.markFree(`again${at}`, nowUs)
    assert.equal(devices.areMany(nowUs), false)
    devices.markBusy('one more', 0, nowUs)
    devices.markBusy('and one more', 0, nowUs)
    assert.equal(devices.areMany(nowUs), false, 'one that leaves was busy too')
  })
})
