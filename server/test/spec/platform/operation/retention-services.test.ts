import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { applyLimits, limits } from '../../../../src/foundation/kernel/index.ts'
import { maintain } from '../../../../src/platform/composition/maintenance.ts'
import { type NotificationFixture, notificationFixture } from '../../../fixtures/notification.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const hourMs = 3_600_000

describe('how long notifications and contents of solutions are kept', () => {
  const suite = suiteContext()
  let fixture: NotificationFixture<OwnPlatform>
  before(async () => {
    // A clock that leaps by a month is not trusted, and nothing is removed.
    const { notificationHours } = limits
    suite.after(() => applyLimits({ notificationHours }))
    fixture = await notificationFixture(suite, { own: 'stops the clock' })
    // Behind the start, which refuses a period below the time that a notification may wait.
    applyLimits({ notificationHours: 4 })
    fixture.millrace.clock.stand()
    await fixture.bind('apn')
  })

  type Periods = Record<string, number | null>
  const setInstancePeriods = (periods: Periods) => setPeriods(periods, '/instance')
  const setPeriods = async (periods: Periods, of?: string) => {
    const { httpUrl, operator, businessId } = fixture.millrace
    const path = `${of ?? `/businesses/${businessId}`}/retention`
    const headers = { authorization: operator, 'content-type': 'application/json' }
    const body = JSON.stringify(periods)
    const response = await fetch(`${httpUrl}/api:1${path}`, { method: 'PATCH', headers, body })
    assert.equal(response.status, 200, await response.text())
  }
  const advance = async (ms: number) => {
    fixture.millrace.clock.advance(ms)
    await maintain(fixture.millrace.platform, { log: true })
  }
  const notify = async (): Promise<string> => {
    const { sid } = await fixture.call('send', { Identity: 'ann', Body: 'Too hot' })
    await fixture.settled(sid)
    return sid
  }
  const readStatus = async (sid: string) =>
    (await fixture.pump('GET', `/notifications/${sid}`)).status
  const upload = (id: string) =>
    fixture.run('pump', `return Content.upload{id = "${id}", content = "x"}.size`)
  const contents = () =>
    fixture.run(
      'pump',
      `local ids = {}
       for _, one in ipairs(Content.list{}) do ids[#ids + 1] = one.id end
       return table.concat(ids, " ")`,
    )

  it('notifications go when the period of the business is over, and no sooner', async () => {
    await setPeriods({ notifications: 5 })
    const sid = await notify()
    await advance(5 * hourMs - 1_000)
    assert.equal(await readStatus(sid), 200)
    await advance(2_000)
    assert.equal(await readStatus(sid), 404)
  })

  it('without a period of the business that of the instance counts, then the limit', async () => {
    await setPeriods({ notifications: null })
    await setInstancePeriods({ notifications: 3 })
    const sid = await notify()
    await advance(3 * hourMs - 1_000)
    assert.equal(await readStatus(sid), 200)
    await advance(2_000)
    assert.equal(await readStatus(sid), 404)
    await setInstancePeriods({ notifications: null })
    const kept = await notify()
    await advance(limits.notificationHours * hourMs - 1_000)
    assert.equal(await readStatus(kept), 200)
    await advance(2_000)
    assert.equal(await readStatus(kept), 404)
  })

  it('one that was sent later is kept for longer', async () => {
    await setPeriods({ notifications: 1 })
    const sid = await notify()
    await advance(hourMs - 1_000)
    const late = await notify()
    await advance(2_000)
    assert.deepEqual([await readStatus(sid), await readStatus(late)], [404, 200])
  })

  it('contents go by the time at which they were last written', async () => {
    await setPeriods({ contents: 2 })
    for (const id of ['old', 'again']) assert.equal(await upload(id), 1)
    await advance(hourMs)
    await upload('again')
    await advance(hourMs - 1_000)
    assert.equal(await contents(), 'again old')
    await advance(2_000)
    assert.equal(await contents(), 'again')
    await advance(hourMs)
    assert.equal(await contents(), '')
  })

  it('contents are kept for ever where no period is set', async () => {
    await setPeriods({ contents: null })
    await upload('kept')
    await advance(20 * hourMs)
    assert.equal(await contents(), 'kept')
    await setInstancePeriods({ contents: 10 })
    await advance(0)
    assert.equal(await contents(), '')
  })
})
