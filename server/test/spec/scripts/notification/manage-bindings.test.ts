import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Answer,
  addresses,
  apnToken,
  type NotificationFixture,
  notificationFixture,
  sender,
  serviceSid,
} from '../../../fixtures/notification.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let fixture: NotificationFixture

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await notificationFixture(suite)
})

const list = async (query = '') => {
  const answer = await fixture.pump('GET', `/notifications/bindings${query}`)
  assertStatus(answer, 200)
  return answer.json
}
const endpoints = ({ bindings }: Answer) => bindings.map((one: Answer) => one.endpoint)
const find = async (endpoint: string) =>
  (await list()).bindings.find((one: Answer) => one.endpoint === endpoint)

describe('notification: the bindings of a solution, for its operator', () => {
  shareInstance()

  test('are listed newest first, of all services, page by page and filtered', async () => {
    const { sid } = await fixture.bind('apn', { Endpoint: 'list-1', Tag: 'night' })
    await fixture.bind('sms', { Endpoint: 'list-2', Identity: 'bob' })
    const other = { Endpoint: 'list-3', ServiceSid: `IS${'7'.repeat(32)}`, Tag: ['night', 'x'] }
    await fixture.bind('fcm', other)
    const all = await list()
    assert.deepEqual(endpoints(all), ['list-3', 'list-2', 'list-1'])
    assert.equal(all.total, 3)
    const { created_at, updated_at, ...last } = all.bindings[2]
    assert.deepEqual(last, {
      sid,
      service_sid: serviceSid,
      identity: 'ann',
      channel: 'apn',
      address: apnToken,
      endpoint: 'list-1',
      tags: ['night'],
      credential_sid: null,
      sent_at: null,
    })
    assert.ok(created_at > 0 && created_at === updated_at)
    const page = await list('?limit=2')
    assert.deepEqual(endpoints(await list(`?limit=2&cursor=${page.cursor}`)), ['list-1'])
    assert.deepEqual(endpoints(await list('?identity=ann')), ['list-3', 'list-1'])
    assert.deepEqual(endpoints(await list('?channel=sms')), ['list-2'])
    assert.deepEqual(endpoints(await list('?tag=x&identity=ann&channel=fcm')), ['list-3'])
    assert.deepEqual(endpoints(await list('?identity=an')), [])
  })

  test('have the time of the last send, until the address is another', async () => {
    await fixture.bind('sms', { Endpoint: 'used', Identity: 'eve' })
    const { sid } = await fixture.call('send', {
      Identity: 'eve',
      Body: 'It is hot.',
      Sms: { from: sender },
    })
    const { deliveries } = await fixture.settled(sid)
    const { at } = deliveries[0].timeline.find(({ event }: Answer) => event === 'sent')
    const used = await find('used')
    assert.ok(used.sent_at >= at && used.sent_at - at < 60_000_000, `${used.sent_at} ${at}`)
    await fixture.bind('sms', { Endpoint: 'used', Identity: 'eve' })
    assert.equal((await find('used')).sent_at, used.sent_at)
    await fixture.bind('sms', { Endpoint: 'used', Identity: 'eve', Address: '+15551239999' })
    assert.equal((await find('used')).sent_at, null)
  })

  test('are deleted once, and scripts have them no longer', async () => {
    const { sid } = await fixture.bind('sms', { Endpoint: 'gone' })
    const { total } = await list()
    const path = `/notifications/bindings/${sid}`
    assertStatus(await fixture.pump('DELETE', path), 204)
    assert.equal((await list()).total, total - 1)
    fixture.refused(await fixture.call('getBinding', { BindingSid: sid }), 404, /no binding/)
    assertFault(await fixture.pump('DELETE', path), 'not_found')
    assertFault(await fixture.pump('DELETE', '/notifications/bindings/x'), 'not_found')
  })

  test('are not found by wrong questions', async () => {
    const wrong = (query: string) => fixture.pump('GET', `/notifications/bindings?${query}`)
    assertFault(await wrong('channel=pigeon'), 'invalid_argument', /must be one of apn, fcm/)
    assertFault(await wrong('identity=%00'), 'invalid_argument', /^identity must be/)
  })
})

describe('notification: a preview of a message', () => {
  shareInstance()

  const ask = (message: object) => fixture.pump('POST', '/notifications/preview', message)
  const preview = async (message: object) => {
    const answer = await ask(message)
    assertStatus(answer, 200)
    const all = answer.json.channels as Answer[]
    return Object.fromEntries(all.map((one) => [one.channel, one]))
  }
  const hot = { Title: 'Pump 7', Body: 'It is hot.', Sound: 'bell', Data: { pump: 7 } }

  test('has what each device shows, and what its provider would get', async () => {
    const shown = await preview({ ...hot, Sms: { from: sender } })
    assert.deepEqual(Object.keys(shown), Object.keys(addresses))
    const texts = { title: 'Pump 7', body: 'It is hot.', sound: 'bell' }
    assert.deepEqual(shown.apn.shown, { by: 'device', ...texts, data: { pump: 7 } })
    assert.deepEqual(shown.apn.body.aps.alert, { title: 'Pump 7', body: 'It is hot.' })
    assert.deepEqual([shown.apn.fits, shown.apn.max, shown.apn.provider], [true, 4_096, 'sink'])
    const { by, title, body, data } = shown.fcm.shown
    assert.deepEqual([by, title, body], ['application', 'Pump 7', 'It is hot.'])
    assert.deepEqual([data.pump, data.vnd_title], ['7', 'Pump 7'])
    const text = { by: 'device', title: null, body: 'It is hot.', sound: null, data: {} }
    assert.deepEqual(shown.sms.shown, text)
    assert.deepEqual([shown.sms.encoding, shown.sms.segments], ['GSM-7', 1])
    assert.deepEqual(shown['vendor-messenger'].shown, text)
  })

  test('has what differs in a channel', async () => {
    const Fcm = { notification: { title: 'Hot', body: 'Look' } }
    const shown = await preview({ ...hot, Fcm, Apn: { aps: { alert: 'Only this' } } })
    assert.deepEqual([shown.fcm.shown.by, shown.fcm.shown.title], ['device', 'Hot'])
    assert.equal(shown.apn.shown.body, 'Only this')
    const silent = await preview({ Apn: { aps: { 'content-available': 1 } } })
    assert.deepEqual(silent.apn.shown, {
      by: 'application',
      title: null,
      body: null,
      sound: null,
      data: {},
    })
  })

  test('says what a channel would refuse or what does not fit, and sends nothing', async () => {
    const before = (await fixture.pump('GET', '/notifications')).json
    const shown = await preview({ Body: 'x'.repeat(5_000) })
    assert.match(shown.sms.refused, /^from is missing in Sms/)
    assert.deepEqual([shown.apn.fits, shown.apn.size > 4_096], [false, true])
    assert.match((await preview({ Title: 'T' }))['vendor-messenger'].refused, /^Body is missing/)
    assertFault(await ask({ Data: { vnd_x: 1 } }), 'invalid_argument', /^Data holds vnd_x/)
    assertFault(await ask({ Body: 5 }), 'invalid_argument', /^Body must be/)
    assertFault(await ask({ Body: 'b', Colour: 'red' }), 'invalid_argument', /Colour/)
    assertFault(await ask({ Body: 'b', Ttl: -1 }), 'invalid_argument', /^Ttl must be/)
    assert.deepEqual((await fixture.pump('GET', '/notifications')).json, before)
  })
})
