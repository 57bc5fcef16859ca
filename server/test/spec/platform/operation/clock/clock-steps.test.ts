import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { provisioningLimits } from '../../../../../src/devices/provisioning/index.ts'
import { systemClock } from '../../../../../src/foundation/kernel/index.ts'
import { type OwnPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import { newDevice, send, type TestDevice } from '../../../../fixtures/wire/device.ts'

const second = 1_000
const day = 86_400_000
const steps = [
  ['a second', 2 * second],
  ['a day', day],
  ['ten years', 3_650 * day],
] as const

describe('the clock of an instance', () => {
  it('never gives a microsecond twice, and leads the wall clock by a second at most', () => {
    let wallMs = 1_700_000_000_000
    const clock = systemClock(() => wallMs)
    const first = clock.nowUs()
    assert.equal(clock.nowUs(), first + 1)
    wallMs -= 999
    assert.equal(clock.nowUs(), first + 2, 'less than a second back: it goes on')
    wallMs -= 1
    assert.equal(clock.nowUs(), wallMs * 1_000, 'a second back: it follows')
    wallMs += 10 * day
    assert.equal(clock.nowUs(), wallMs * 1_000)
    wallMs -= 20 * day
    assert.equal(clock.nowUs(), wallMs * 1_000)
    assert.equal(clock.nowMs(), wallMs)
  })

  it('stamps a millisecond that comes again otherwise than before', (t) => {
    let wallMs = 1_700_000_000_000
    t.mock.method(Date, 'now', () => wallMs)
    const clock = systemClock()
    const stamps = () => {
      const from = wallMs
      const all = Array.from({ length: 50 }, () => {
        wallMs += 20
        return clock.nowUs()
      })
      wallMs = from
      return all
    }
    const before = new Set(stamps())
    const again = stamps().filter((stamp) => before.has(stamp))
    assert.ok(again.length < 50, `${again.length} of 50 stamps came again`)
  })
})

let millrace: OwnPlatform

let count = 0

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { own: 'moves the clock' })
})

function newOne(): Promise<TestDevice> {
  count += 1
  return newDevice(millrace.httpUrl, millrace.connector.id, `stepped-${count}`)
}

function readState({ identity }: TestDevice) {
  const { businessId, connector, platform } = millrace
  return platform.provisioning.state(businessId, connector.id, identity)
}

function set({ identity }: TestDevice, a: string) {
  const { businessId, connector, platform } = millrace
  return platform.provisioning.setState(businessId, connector.id, identity, { a })
}

async function readRecord({ identity }: TestDevice) {
  const { businessId, connector, platform } = millrace
  await platform.provisioning.flush()
  return platform.provisioning.identities.get(businessId, connector.id, identity)
}

/** Runs a part with the clock moved, and moves it back. */
async function during<T>(ms: number, act: () => Promise<T>): Promise<T> {
  millrace.clock.step(ms)
  try {
    return await act()
  } finally {
    millrace.clock.step(-ms)
  }
}

async function timestamp(): Promise<number> {
  const { body } = await send(millrace.httpUrl, 'GET', '/timestamp', {})
  return Number(body)
}

function poll(device: TestDevice, since: string | undefined, waitMs = 15_000) {
  const header = since === undefined ? {} : { 'If-Modified-Since': since }
  return device.read('a', { 'Request-Timeout': `${waitMs}`, ...header })
}

/** Returns the time that a client sends with its next poll: a second after the `Last-Modified`. */
function nextSince(answer: { readonly headers: readonly string[] }): string {
  const name = 'Last-Modified: '
  const line = answer.headers.find((header) => header.startsWith(name)) ?? ''
  return new Date(Date.parse(line.slice(name.length)) + second).toUTCString()
}

/** Sets values until the poll has its answer: it may not have begun with the first one. */
async function setUntil(polled: Promise<{ readonly body: string }>, device: TestDevice) {
  const over = polled.then(() => true)
  for (let tries = 0; tries < 200; tries += 1) {
    await set(device, `new${tries}`)
    if (await Promise.race([over, pause(10, false)])) break
  }
  return (await polled).body
}

describe('a clock that is set while an instance runs: each step', () => {
  shareInstance()

  for (const [name, ms] of steps) {
    for (const [way, step] of [
      ['forward', ms],
      ['back', -ms],
    ] as const) {
      it(`${name} ${way} and the other way again: what is written last is current`, async () => {
        const device = await newOne()
        await device.write('a=before')
        await during(step, async () => {
          await device.write('a=meanwhile')
          assert.equal((await device.read('a')).body, 'a=meanwhile')
        })
        await device.write('a=after')
        assert.equal((await device.read('a')).body, 'a=after')
        const { reported, set: wanted, timestamp } = (await readState(device)).a ?? {}
        assert.deepEqual([reported, wanted], ['after', 'after'])
        assert.ok(Math.abs((timestamp ?? 0) / 1_000 - millrace.clock.nowMs()) < day / 2)
      })

      it(`${name} ${way}: a device with stamps of its own comes back to now, too`, async () => {
        const device = await newOne()
        await during(step, async () => {
          await device.write('a=meanwhile')
        })
        // A value that was written a moment ago is not in the future: its stamp has to be passed.
        millrace.clock.advance(4 * second)
        const nowS = Math.floor(millrace.clock.nowMs() / second)
        await device.record(`alias=a&${nowS}=recorded`)
        assert.equal((await device.read('a')).body, 'a=recorded')
      })

      it(`${name} ${way}: a poll goes on from the Last-Modified of then`, async () => {
        const device = await newOne()
        const then = await during(step, async () => {
          await set(device, 'meanwhile')
          return poll(device, '0')
        })
        assert.equal(then.body, 'a=meanwhile')
        const since = nextSince(then)
        await set(device, 'between two polls')
        const now = await poll(device, step > 0 ? since : '0')
        assert.equal(now.body, 'a=between two polls'.replaceAll(' ', '%20'))
        assert.ok(Math.abs(Date.parse(nextSince(now)) - millrace.clock.nowMs()) < day / 2)
        assert.equal((await poll(device, nextSince(now), 20)).status, 304, 'once')
        const waiting = poll(device, nextSince(now))
        assert.match(await setUntil(waiting, device), /^a=new/)
      })

      it(`${name} ${way}: last seen and online are of now`, async () => {
        const device = await newOne()
        await during(step, async () => {
          await device.write('a=meanwhile')
          assert.equal((await readRecord(device)).online, true)
        })
        if (ms > provisioningLimits.deviceOnlineMs)
          assert.equal((await readRecord(device)).online, false)
        await device.write('a=after')
        const { online, lastseen } = await readRecord(device)
        assert.equal(online, true)
        assert.ok(Math.abs((lastseen ?? 0) / 1_000 - millrace.clock.nowMs()) < day / 2)
      })

      it(`${name} ${way}: /timestamp is the wall clock at any time`, async () => {
        const isNow = async () => {
          const wallS = millrace.clock.nowMs() / second
          assert.ok(Math.abs((await timestamp()) - wallS) < day / second / 2)
        }
        await during(step, isNow)
        await isNow()
      })
    }
  }
})

describe('a clock that is set while an instance runs: polls, the log and live views', () => {
  shareInstance()

  it('a poll that waits while the clock is set back has what is set then', async () => {
    const device = await newOne()
    await device.write('a=before')
    millrace.clock.step(day)
    const waiting = poll(device, undefined)
    await during(-day, async () => {
      assert.match(await setUntil(waiting, device), /^a=new/)
    })
    millrace.clock.step(-day)
  })

  it('a poll of a value with a stamp of the future brings it once', async () => {
    const device = await newOne()
    const before = await poll(device, undefined, 1)
    assert.equal(before.status, 304)
    await during(day, () => set(device, 'meanwhile'))
    const since = new Date(millrace.clock.nowMs() - 10 * second).toUTCString()
    const first = await poll(device, since)
    assert.equal(first.body, 'a=meanwhile')
    assert.equal((await poll(device, nextSince(first), 20)).status, 304)
  })

  it('a poll of a device whose own clock runs ahead waits, and has what is set then', async () => {
    const device = await newOne()
    await set(device, 'there')
    const ahead = new Date(millrace.clock.nowMs() + day).toUTCString()
    assert.equal((await poll(device, ahead, 20)).status, 304)
    assert.match(await setUntil(poll(device, ahead), device), /^a=new/)
  })

  it('the log shows what happens now first, and what a wrong clock stamped after all', async () => {
    const device = await newOne()
    const { businessId, connector, platform } = millrace
    const { identity } = device
    await during(3_650 * day, () => device.write('a=of-the-future'))
    await device.write('a=of-now')
    const log = platform.activity.connectors
    const lines = (before?: Parameters<typeof log.lines>[2]) =>
      log.lines(businessId, connector.id, { identity, kinds: ['write'], ...before })
    const first = await lines()
    assert.match(first.lines[0]?.message ?? '', /of-now/)
    assert.ok(first.before !== undefined)
    const last = await lines({ before: first.before })
    assert.deepEqual(
      last.lines.map(({ message }) => message),
      ['Wrote a=of-the-future.'],
    )
    assert.equal(last.before, undefined)
  })

  it('a live view goes on when the clock is set back', async (t) => {
    const device = await newOne()
    const { businessId, connector, platform } = millrace
    const shown: string[] = []
    const { promise: seen, resolve } = Promise.withResolvers<void>()
    await during(day, async () => {
      const stop = platform.activity.connectors.follow(businessId, connector.id, (lines) => {
        shown.push(...lines.map(({ message }) => message))
        if (shown.some((message) => message.includes('of-now'))) resolve()
      })
      t.after(stop)
      await device.write('a=meanwhile')
    })
    await device.write('a=of-now')
    await seen
  })
})

describe('a clock that is set while an instance runs: restarts and the ledger', () => {
  shareInstance()

  it('over a restart with the right clock: the next write of each kind is current', async () => {
    const devices = [await newOne(), await newOne(), await newOne()] as const
    const [plain, recorded, commanded] = devices
    millrace.clock.step(4_000 * day)
    for (const device of devices) await device.write('a=77')
    const after = await millrace.another()
    millrace.clock.step(-4_000 * day)
    const here = (device: TestDevice, body: string, call: 'alias' | 'record') =>
      send(
        after.httpUrl,
        'POST',
        `/vendor:v1/stack/${call}`,
        { 'X-vendor-CIK': device.token },
        body,
      )
    assert.equal((await here(plain, 'a=88', 'alias')).status, 204)
    const stampS = Math.floor(Date.now() / second)
    assert.equal((await here(recorded, `alias=a&${stampS}=88`, 'record')).status, 204)
    const { businessId, connector } = millrace
    const { setState } = after.platform.provisioning
    await setState(businessId, connector.id, commanded.identity, { a: '88' })
    for (const device of devices) assert.equal((await device.read('a')).body, 'a=88')
  })

  it('the ledger adds up after all of it', async () => {
    assert.deepEqual((await millrace.platform.eventlog.ledger.verify()).faults, [])
  })
})
