import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import twilio from 'twilio'
import {
  addresses,
  type NotificationFixture,
  notificationFixture,
  serviceSid,
} from '../../../fixtures/notification.ts'
import { account, makeClient } from '../../../fixtures/peers/notify-rest.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const bindings = `/v1/Services/${serviceSid}/Bindings`

let fixture: NotificationFixture

let client: ReturnType<typeof makeClient>

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await notificationFixture(suite)
  const body = { AccountSid: account.sid, AuthToken: account.token }
  await fixture.subscribe('pump', 'notification', body)
  client = makeClient(fixture)
})

async function sendToDee() {
  await client.bindings.create({ identity: 'dee', bindingType: 'apn', address: addresses.apn })
  await client.bindings.create({ identity: 'dee', bindingType: 'sms', address: addresses.sms })
  return client.notifications.create({
    identity: ['dee'],
    body: 'It is hot',
    title: 'Pump 7',
    sound: 'bell',
    ttl: 60,
    action: 'open',
    priority: 'low',
    data: { pump: 7 },
    apn: { aps: { badge: 1 } },
    sms: { from: '+15550009999', media_urls: ['https://example.com/p.png'] },
  })
}

describe('notification: bindings by the public twilio package, with another base URL', () => {
  shareInstance()

  test('a binding is made, fetched, and removed', async () => {
    const made = await client.bindings.create({
      identity: 'ann',
      bindingType: 'apn',
      address: addresses.apn,
      tag: ['night'],
      endpoint: 'ann-phone',
    })
    const { sid, url, dateCreated, dateUpdated, ...rest } = made.toJSON()
    assert.match(sid, /^BS[0-9a-f]{32}$/)
    assert.ok(dateCreated instanceof Date && Math.abs(Date.now() - +dateCreated) < 600_000)
    assert.deepEqual(dateUpdated, dateCreated)
    assert.equal(url, `${fixture.millrace.httpUrl}${bindings}/${sid}`)
    assert.deepEqual(rest, {
      accountSid: account.sid,
      serviceSid,
      credentialSid: null,
      identity: 'ann',
      notificationProtocolVersion: '3',
      endpoint: 'ann-phone',
      bindingType: 'apn',
      address: addresses.apn,
      tags: ['night'],
      links: {
        user: [fixture.millrace.httpUrl, 'v1', 'Services', serviceSid, 'Users', 'ann'].join('/'),
      },
    })
    const fetched = await client.bindings(sid).fetch()
    assert.deepEqual(fetched.toJSON(), made.toJSON())
    const seen = await fixture.call('getBinding', { BindingSid: sid })
    assert.deepEqual([seen.identity, seen.tags], ['ann', 'night'])
    assert.equal(await client.bindings(sid).remove(), true)
    await assert.rejects(client.bindings(sid).fetch(), { status: 404, code: 20404 })
    await assert.rejects(client.bindings(sid).remove(), { status: 404, code: 20404 })
  })

  test('lists go through all pages, filtered by identities, tags and days', async () => {
    const size = 5
    for (let n = 0; n < size; n += 1) {
      await client.bindings.create({
        identity: n < 3 ? 'bob' : 'cid',
        bindingType: 'sms',
        address: `+1555200000${n}`,
        tag: n === 0 ? ['first', 'list'] : ['list'],
      })
    }
    const numbers = (found: readonly { address: string }[]) =>
      found.map(({ address }) => Number(address.at(-1)))
    const list = client.bindings.list.bind(client.bindings)
    assert.deepEqual(numbers(await list({ tag: ['list'], pageSize: 2 })), [0, 1, 2, 3, 4])
    assert.deepEqual(numbers(await list({ tag: ['list'], pageSize: 2, limit: 3 })), [0, 1, 2])
    assert.deepEqual(numbers(await list({ tag: ['list', 'first'] })), [0])
    assert.deepEqual(numbers(await list({ tag: ['sms', 'list'], identity: ['bob'] })), [0, 1, 2])
    assert.deepEqual(numbers(await list({ identity: ['bob', 'cid'] })), [0, 1, 2, 3, 4])
    const day = 24 * 3_600_000
    const today = new Date(fixture.millrace.clock.nowMs())
    const past = new Date(+today - day)
    const days = { startDate: past, endDate: today }
    assert.equal((await list({ tag: ['list'], ...days })).length, size)
    assert.equal((await list({ tag: ['list'], startDate: new Date(+today + day) })).length, 0)
    assert.equal((await list({ tag: ['list'], endDate: past })).length, 0)
  })

  test('pages lead on and back, also while bindings go', async () => {
    const first = await client.bindings.page({ tag: ['list'], pageSize: 2 })
    assert.equal(first.previousPageUrl, undefined)
    const second = (await first.nextPage()) ?? assert.fail()
    const last = (await second.nextPage()) ?? assert.fail()
    assert.deepEqual(
      [first, second, last].map(({ instances }) => instances.length),
      [2, 2, 1],
    )
    assert.equal(last.nextPage(), undefined)
    const back = (await last.previousPage()) ?? assert.fail()
    assert.deepEqual(
      back.instances.map(({ sid }) => sid),
      second.instances.map(({ sid }) => sid),
    )
    await client.bindings(first.instances[0]?.sid ?? '').remove()
    const again = (await first.nextPage()) ?? assert.fail()
    assert.deepEqual(
      again.instances.map(({ sid }) => sid),
      second.instances.map(({ sid }) => sid),
    )
  })
})

describe('notification: sending by the public twilio package, with another base URL', () => {
  shareInstance()

  test('a notification is sent to an audience, and returned with every field', async () => {
    const { sid, dateCreated, ...rest } = (await sendToDee()).toJSON()
    assert.match(sid, /^NT[0-9a-f]{32}$/)
    assert.ok(dateCreated instanceof Date)
    assert.deepEqual(rest, {
      accountSid: account.sid,
      serviceSid,
      identities: ['dee'],
      tags: [],
      segments: [],
      priority: 'low',
      ttl: 60,
      title: 'Pump 7',
      body: 'It is hot',
      sound: 'bell',
      action: 'open',
      data: { pump: 7 },
      apn: { aps: { badge: 1 } },
      gcm: null,
      fcm: null,
      sms: { media_url: ['https://example.com/p.png'], from: '+15550009999' },
      facebookMessenger: null,
      alexa: null,
    })
  })

  test('a notification has payloads of the channels of its audience', async () => {
    const { sid } = await sendToDee()
    const arrived = await fixture.arrived(sid)
    assert.deepEqual(
      arrived.map(({ channel }) => channel),
      ['apn', 'sms'],
    )
    assert.equal(arrived[0].body.aps.badge, 1)
    assert.deepEqual(arrived[1].body.MediaUrl, ['https://example.com/p.png'])
  })

  test('a notification goes to addresses that have no binding, each once', async () => {
    const to = (address: string) => JSON.stringify({ binding_type: 'sms', address })
    const one = to('+15553330001')
    const { sid } = await client.notifications.create({
      toBinding: [one, to('+15553330002'), one],
      body: 'b',
      sms: { from: '+15550009999' },
    })
    const { states } = await fixture.settled(sid)
    assert.equal(states.sent, 2)
    const arrived = await fixture.arrived(sid)
    assert.deepEqual(
      arrived.map(({ address }) => address),
      ['+15553330001', '+15553330002'],
    )
    const { faults } = await fixture.millrace.platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
  })

  test('a client of its own that puts another origin into each URL works too', async () => {
    const httpClient = new twilio.RequestClient()
    const request = httpClient.request.bind(httpClient)
    httpClient.request = (options) => {
      const { pathname, search } = new URL(options.uri)
      return request({ ...options, uri: `${fixture.millrace.httpUrl}${pathname}${search}` })
    }
    const own = twilio(account.sid, account.token, { httpClient }).notify.v1.services(serviceSid)
    const listed = await own.bindings.list({ tag: ['list'], pageSize: 1 })
    assert.equal(listed.length, 4)
  })

  test('a wrong token is an error of the package', async () => {
    const wrong = makeClient(fixture, { sid: account.sid, token: 'wrong' })
    const error = { status: 401, code: 20003, message: 'Authenticate' }
    await assert.rejects(wrong.bindings.list(), error)
  })
})
