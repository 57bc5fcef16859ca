import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import {
  addresses,
  bindEverything,
  sender as from,
  type NotificationFixture,
  notificationFixture,
  type SendArgs,
  sendCalls,
  weeks4,
} from '../../../fixtures/notification.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let fixture: NotificationFixture

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await notificationFixture(suite)
  await bindEverything(fixture)
})

const { send, notifications, given, message } = sendCalls(() => fixture)

describe('keys of send that start with vnd_ are reserved', () => {
  shareInstance()

  const rows: [string, SendArgs][] = [
    ['Data', { Data: { vnd_body: 'x' } }],
    ['Data', { Data: '{"vnd_other":1}' }],
    ['Fcm', { Fcm: { data: { vnd_x: '1' } } }],
    ['Gcm', { Gcm: { data: { vnd_x: '1' } } }],
    ['Apn', { Apn: { vnd_x: 1 } }],
    ['Apn', { Apn: { own: { vnd_x: 1 } } }],
    ['Apn', { Apn: { aps: { alert: { body: 'b', vnd_x: 1 } } } }],
    ['Data', { Data: { list: [1, { vnd_x: 1 }] } }],
    ['Fcm', { Fcm: { android: { data: { vnd_body: 'evil' } } } }],
    ['Fcm', { Fcm: { webpush: { data: { vnd_body: 'evil' } } } }],
    ['Fcm', { Fcm: { apns: { payload: { vnd_body: 'evil' } } } }],
    ['Gcm', { Gcm: { android: { data: { vnd_body: 'evil' } } } }],
  ]
  for (const [field, args] of rows) {
    test(`${JSON.stringify(args)}: 400, and no delivery is attempted`, async () => {
      const before = await notifications()
      fixture.refused(
        await send({ Body: 'b', Sms: { from }, ...args }),
        400,
        new RegExp(`^${field} holds vnd_\\w+: keys that start with vnd_ are reserved$`),
      )
      assert.deepEqual(await notifications(), before)
    })
  }
  test('a key that only holds vnd_ is not', async () => {
    const { data } = await message('fcm', { Data: { my_vnd_x: '1' } })
    assert.deepEqual(data, { my_vnd_x: '1' })
  })
})

describe('rule 5 of send: the Sms payload', () => {
  shareInstance()

  test('its keys are in snake case, and no others', async () => {
    for (const [Sms, error] of [
      [{ from, Body: 'b' }, /^Sms: there is no attribute Body/],
      [{ from, body: 3 }, /^Sms: body must be a string/],
      [{ from, body: 'b', media_url: Array(11).fill('x') }, /^Sms: media_url must be a string/],
    ] as const) {
      fixture.refused(await fixture.call('send', { Tag: 'sms', Sms: Sms as SendArgs }), 400, error)
    }
  })
  test('from is set there, or a messaging service is configured', async () => {
    const none = await fixture.call('send', { Tag: 'sms', Body: 'b' })
    fixture.refused(none, 400, /^from is missing in Sms, and the service has no messaging service/)
    const MessagingServiceSid = `MG${'0'.repeat(32)}`
    const id = await fixture.subscribe('pump', 'notification', { MessagingServiceSid })
    assert.deepEqual((await given('sms', { Body: 'b' })).body, {
      To: addresses.sms,
      MessagingServiceSid,
      Body: 'b',
    })
    assert.deepEqual((await given('sms', { Body: 'b', Sms: { from } })).body, {
      To: addresses.sms,
      From: from,
      Body: 'b',
    })
    assert.equal((await fixture.pump('DELETE', `/serviceconfig/${id}`)).status, 204)
  })
})

describe('rule 6 of send: Ttl', () => {
  shareInstance()

  const rows: [ScriptValue, number][] = [
    [undefined, weeks4],
    [weeks4, weeks4],
    ['60', 60],
    [0, 0],
  ]
  for (const [Ttl, seconds] of rows) {
    test(`${Ttl ?? 'left out'}: ${seconds} seconds`, async () => {
      const args = { Body: 'b', ...(Ttl === undefined ? {} : { Ttl }) }
      const { headers, accepted } = await given('apn', args)
      const expiration = seconds === 0 ? 0 : accepted + seconds
      assert.equal(headers['apns-expiration'], String(expiration))
      assert.equal((await message('fcm', args)).android.ttl, `${seconds}s`)
      assert.equal((await message('gcm', args)).android.ttl, `${seconds}s`)
    })
  }
  for (const Ttl of [weeks4 + 1, -1, '1.5', 'soon', 0.5]) {
    test(`${Ttl} is refused`, async () => {
      fixture.refused(await send({ Body: 'b', Ttl }), 400, /^Ttl must be a whole number from 0 to/)
    })
  }
})

describe('rule 7 of send: Priority', () => {
  shareInstance()

  test('anything else is refused', async () => {
    for (const Priority of ['urgent', 10]) {
      fixture.refused(await send({ Body: 'b', Priority }), 400, /^Priority must be low or high/)
    }
  })
  test('a silent one for apn goes at 5: Apple takes no other', async () => {
    const { headers, body } = await given('apn', { Apn: { aps: { 'content-available': 1 } } })
    assert.deepEqual(body, { aps: { 'content-available': 1 } })
    assert.deepEqual([headers['apns-priority'], headers['apns-push-type']], ['5', 'background'])
  })
})
