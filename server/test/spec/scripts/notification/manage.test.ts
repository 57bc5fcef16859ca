import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Answer,
  type NotificationFixture,
  notificationFixture,
} from '../../../fixtures/notification.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const from = '+15550009999'

/** Returns the delivery to the binding of ann in a dry run. */
const toApn = (sid: string) => ({
  binding_sid: sid,
  identity: 'ann',
  endpoint: 'ann-1',
  channel: 'apn',
  address: 'ab'.repeat(32),
  provider: 'sink',
  unit: 'bytes',
  size: 38,
  max: 4_096,
  headers: { 'apns-expiration': '0', 'apns-priority': '10', 'apns-push-type': 'alert' },
  body: { aps: { alert: { body: 'It is hot' } } },
  fits: true,
})

/** And to that of bob. */
const toSms = (sid: string) => ({
  binding_sid: sid,
  identity: 'bob',
  endpoint: 'bob-1',
  channel: 'sms',
  address: '+15551230001',
  provider: 'sink',
  unit: 'characters',
  size: 9,
  max: 1_600,
  encoding: 'GSM-7',
  segments: 1,
  headers: {},
  body: { To: '+15551230001', From: from, Body: 'It is hot' },
  fits: true,
})

let fixture: NotificationFixture

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await notificationFixture(suite)
  await fixture.bind('apn', { Endpoint: 'ann-1', Tag: 'night' })
  await fixture.bind('sms', { Endpoint: 'bob-1', Identity: 'bob', Tag: 'night' })
})

const dryRun = (args: Record<string, Answer>) =>
  fixture.call('send', { Tag: 'night', dryRun: true, ...args })

const list = async () => (await fixture.pump('GET', '/notifications')).json.notifications

describe('notification: the configuration of the service', () => {
  shareInstance()

  const AccountSid = `AC${'1'.repeat(32)}`
  test('AccountSid is 34 letters and digits or empty, AuthToken a password', async () => {
    const id = await fixture.subscribe('pump', 'notification', {
      AccountSid,
      AuthToken: 's3cr3t',
    })
    const { json } = await fixture.pump('GET', `/serviceconfig/${id}`)
    assert.deepEqual(json.parameters, {
      AccountSid,
      AuthTokenSet: true,
      MessagingServiceSid: '',
      ServiceSid: '',
      Providers: {},
    })
    assert.doesNotMatch(JSON.stringify(json), /s3cr3t/)
    assert.equal((await fixture.bind('apn', { Endpoint: 'x' })).account_sid, AccountSid)
    const change = (body: object) => fixture.pump('PUT', `/serviceconfig/${id}`, body)
    assertStatus(await change({ AccountSid: '' }), 200)
    const kept = (await fixture.pump('GET', `/serviceconfig/${id}`)).json.parameters
    assert.deepEqual([kept.AccountSid, kept.AuthTokenSet], ['', true])
    const refused: [object, RegExp][] = [
      [{ AccountSid: 'a'.repeat(33) }, /^AccountSid must be 34 letters and digits, or empty/],
      [{ AccountSid: '-'.repeat(34) }, /^AccountSid must be/],
      [{ AccountSid: 5 }, /^AccountSid must be/],
      [{ AuthToken: 5 }, /^AuthToken must be a string/],
      [{ MessagingServiceSid: 'MG1' }, /^MessagingServiceSid must be/],
      [{ Providers: { pigeon: {} } }, /^Providers\.pigeon is none of apn, fcm/],
      [{ Providers: { sms: { provider: 'pigeon' } } }, /^Providers\.sms must be an object with/],
      [{ Colour: 'red' }, /has no setting "Colour"/],
    ]
    for (const [body, message] of refused) {
      assertFault(await change(body), 'invalid_argument', message)
    }
    const second = await fixture.trySubscribe('pump', 'twilionotify')
    assertFault(second, 'already_exists', /already, under the name notification/)
    assertStatus(await fixture.pump('DELETE', `/serviceconfig/${id}`), 204)
  })

  test('it may stand under the other name, and holds for both', async () => {
    const id = await fixture.subscribe('pump', 'twilionotify', { AccountSid })
    assert.equal((await fixture.bind('apn', { Endpoint: 'x' })).account_sid, AccountSid)
    assertStatus(await fixture.pump('DELETE', `/serviceconfig/${id}`), 204)
    const own = (await fixture.bind('apn', { Endpoint: 'x' })).account_sid
    assert.match(own, /^AC[0-9a-f]{32}$/)
  })
})

describe('notification: a dry run of send', () => {
  shareInstance()

  test('lists who would get what, with payloads and sizes, and sends nothing', async () => {
    const before = await list()
    const answer = await dryRun({ Body: 'It is hot', Sms: { from }, Ttl: 0 })
    const bound = (await fixture.call('listBinding', { Tag: 'night' })).bindings
    assert.deepEqual(answer, {
      dry_run: true,
      total: 2,
      channels: { apn: 1, sms: 1 },
      deliveries: [toApn(bound[0].sid), toSms(bound[1].sid)],
    })
    assert.deepEqual(await list(), before)
  })

  test('returns what would be rejected, and what does not fit', async () => {
    const { deliveries } = await dryRun({ Body: 'x'.repeat(5_000) })
    assert.deepEqual([deliveries[0].fits, deliveries[0].size > 4_096], [false, true])
    assert.match(deliveries[1].refused, /^from is missing in Sms/)
    fixture.refused(await dryRun({ Ttl: -1 }), 400, /^Ttl must be/)
  })

  test('counts the letters of an SMS, and the segments that they take', async () => {
    const { deliveries } = await dryRun({ Body: '€'.repeat(81), Sms: { from } })
    const { encoding, size, segments } = deliveries[1]
    assert.deepEqual([encoding, size, segments], ['GSM-7', 81, 2])
  })
})

describe('notification: what was sent, in the management API', () => {
  shareInstance()

  test('has the notifications, their timelines and the sink, page by page', async () => {
    const first = await fixture.call('send', { Tag: 'night', Body: 'one', Sms: { from } })
    const second = await fixture.call('send', { Identity: 'ann', Title: 'T', Body: 'two' })
    await fixture.settled(first.sid)
    const shown = await fixture.settled(second.sid)
    const { accepted_at, deliveries, cursor, ...rest } = shown
    assert.equal(typeof accepted_at, 'number')
    assert.equal(cursor, undefined)
    assert.deepEqual(rest, {
      sid: second.sid,
      service_sid: second.service_sid,
      title: 'T',
      body: 'two',
      tags: [],
      identities: ['ann'],
      expanded: true,
      states: { queued: 0, sending: 0, sent: 2, failed: 0, pruned: 0 },
    })
    assert.deepEqual(
      deliveries[0].timeline.map(({ event }: Answer) => event),
      ['queued', 'sent', 'answer'],
    )
    const page = (await fixture.pump('GET', '/notifications?limit=1')).json
    assert.equal(page.notifications[0].sid, second.sid)
    const next = await fixture.pump('GET', `/notifications?limit=1&cursor=${page.cursor}`)
    assert.equal(next.json.notifications[0].sid, first.sid)
    const sink = (await fixture.pump('GET', '/notifications/sink?limit=2')).json
    assert.deepEqual(
      sink.arrived.map(({ notification_sid }: Answer) => notification_sid),
      [second.sid, second.sid],
    )
    const more = await fixture.pump('GET', `/notifications/sink?limit=1&cursor=${sink.cursor}`)
    assert.equal(more.json.arrived[0].notification_sid, first.sid)
    const some = (await fixture.pump('GET', `/notifications/${first.sid}?limit=1`)).json
    const path = `/notifications/${first.sid}?limit=1&cursor=${some.cursor}`
    assert.equal((await fixture.pump('GET', path)).json.deliveries[0].channel, 'sms')
  })

  test('refuses what is not there, and a cursor that is none', async () => {
    const none = `/notifications/NT${'0'.repeat(32)}`
    assertFault(await fixture.pump('GET', none), 'not_found')
    assertFault(await fixture.pump('GET', '/notifications/x'), 'not_found')
    for (const path of ['', '/sink']) {
      const asked = await fixture.pump('GET', `/notifications${path}?cursor=x`)
      assertFault(asked, 'invalid_argument', /^cursor must be/)
    }
  })

  test('what was sent is counted in the ledger', async () => {
    const { sid } = await fixture.call('send', { Tag: 'all', Body: 'b', Sms: { from } })
    await fixture.settled(sid)
    const { faults, stages } = await fixture.millrace.platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
    const stage = stages.find((one) => one.stage === 'notifications')
    assert.ok(stage !== undefined && stage.done >= 3 && stage.taken === stage.done)
  })
})
