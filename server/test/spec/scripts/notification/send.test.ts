import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../../../fixtures/interface.ts'
import {
  addresses,
  apnToken,
  bindEverything,
  channels,
  sender as from,
  type NotificationFixture,
  notificationFixture,
  type SendArgs,
  sendCalls,
  serviceSid,
  weeks4,
} from '../../../fixtures/notification.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let fixture: NotificationFixture

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await notificationFixture(suite)
  await bindEverything(fixture)
})

const { send, notifications, given, message } = sendCalls(() => fixture)

const android = { priority: 'HIGH', ttl: `${weeks4}s` }

describe('notification: the answer of send, and the rules of its payload', () => {
  shareInstance()

  test('send answers a notification with every field of the table', async () => {
    const args = {
      Apn: '{"aps":{"badge":1}}',
      Fcm: { collapse_key: 'k' },
      Gcm: '{"priority":"normal"}',
      Sms: { from },
      Ttl: '60',
      Body: 'Too hot',
      Data: '{"level":3}',
      Sound: 'bell',
      Title: 'Pump',
      Action: 'OPEN',
      Identity: 'ann',
      Priority: 'low',
    }
    const { sid, account_sid, date_created, ...rest } = await send(args)
    assert.match(sid, /^NT[0-9a-f]{32}$/)
    assert.match(account_sid, /^[0-9a-zA-Z]{34}$/)
    assert.match(date_created, /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/)
    assert.deepEqual(rest, {
      apn: '{"aps":{"badge":1}}',
      fcm: '{"collapse_key":"k"}',
      gcm: '{"priority":"normal"}',
      sms: `{"from":"${from}"}`,
      vendor_messenger: '',
      ttl: '60',
      body: 'Too hot',
      data: '{"level":3}',
      tags: 'everything',
      sound: 'bell',
      title: 'Pump',
      action: 'OPEN',
      priority: 'low',
      identities: 'ann',
      service_sid: serviceSid,
    })
  })

  test('a payload past its limit is refused, and nothing is sent', async () => {
    const before = await notifications()
    const shell = JSON.stringify({ aps: { alert: { body: '' } } }).length
    const fits = await fixture.call('send', { Tag: 'apn', Body: 'x'.repeat(4_096 - shell) })
    assert.match(fits.sid, /^NT/)
    const over = await fixture.call('send', { Tag: 'apn', Body: 'x'.repeat(4_097 - shell) })
    fixture.refused(over, 413, /^The payload for apn has 4097 bytes; 4096 are allowed\.$/)
    assert.equal((await notifications()).length, before.length + 1)
  })

  test('an unknown argument is ignored, and the log of the solution names it', async () => {
    const { sid } = await fixture.call('send', { Tag: 'apn', Body: 'b', Bogus: 'x' })
    assert.match(sid, /^NT/)
    const found = async () => (await fixture.pump('GET', '/logs?text=Bogus')).json.lines
    const [line] = await until(found, (lines) => lines.length > 0)
    assert.equal(line.text, 'notification.send has no argument Bogus: it is passed over')
  })

  test('a channel that nobody of the audience has sets no rules', async () => {
    const { body } = await given('apn', { Title: 'no body, and an sms binding elsewhere' })
    assert.deepEqual(Object.keys(body.aps.alert), ['title'])
    assert.equal(apnToken, addresses.apn)
  })
})

describe('rule 1 of send: targets', () => {
  shareInstance()

  test('Tag and Identity each allow at most 20 items', async () => {
    const items = (many: number) => Array.from({ length: many }, (_, at) => `i${at}`).join(',')
    for (const field of ['Tag', 'Identity']) {
      const taken = await fixture.call('send', { [field]: items(20), Body: 'x' })
      assert.match(taken.sid, /^NT/)
      const refused = await fixture.call('send', { [field]: items(21), Body: 'x' })
      fixture.refused(refused, 400, new RegExp(`^${field} has at most 20 items`))
    }
  })
  test('one of the two is given: all names everybody', async () => {
    fixture.refused(await fixture.call('send', { Body: 'x' }), 400, /^Identity or Tag is missing/)
    const { sid } = await fixture.call('send', { Tag: 'all', Body: 'x', Sms: { from } })
    const arrived = await fixture.arrived(sid)
    assert.deepEqual(
      arrived.map((one) => one.channel),
      channels,
    )
  })
  test('larger multicast uses tags; both together narrow it down', async () => {
    await fixture.bind('apn', { Identity: 'zoe', Tag: 'narrow', Address: 'cd'.repeat(32) })
    await fixture.bind('apn', { Identity: 'ann', Tag: 'narrow', Address: 'ef'.repeat(32) })
    const reach = async (args: SendArgs) => {
      const { sid } = await fixture.call('send', { Body: 'x', ...args })
      return (await fixture.arrived(sid)).map(({ address }) => address.slice(0, 2))
    }
    assert.deepEqual(await reach({ Tag: 'narrow' }), ['cd', 'ef'])
    assert.deepEqual(await reach({ Tag: 'narrow', Identity: 'zoe' }), ['cd'])
    assert.deepEqual(await reach({ Identity: 'zoe,nobody' }), ['cd'])
    assert.deepEqual(await reach({ Identity: 'nobody' }), [])
    const { bindings } = await fixture.call('listBinding', { Tag: 'narrow' })
    for (const { sid } of bindings) await fixture.call('deleteBinding', { BindingSid: sid })
  })
})

describe('rule 2 of send: channel payloads', () => {
  shareInstance()

  test('Apn adds and overrides, and never deletes', async () => {
    const Apn = { aps: { badge: 2, alert: { title: 'Other', body: null } }, extra: [1] }
    const { body } = await given('apn', { Body: 'b', Title: 't', Data: { level: 3 }, Apn })
    assert.deepEqual(body, {
      aps: { alert: { title: 'Other', body: 'b' }, badge: 2 },
      level: 3,
      extra: [1],
    })
  })
  test('an alert that is a text overrides the body, and leaves the title', async () => {
    const { body } = await given('apn', { Title: 't', Body: 'b', Apn: { aps: { alert: 'c' } } })
    assert.deepEqual(body, { aps: { alert: { title: 't', body: 'c' } } })
  })
  for (const channel of ['fcm', 'gcm'] as const) {
    const field = channel === 'fcm' ? 'Fcm' : 'Gcm'
    test(`${field} adds and overrides, and never deletes`, async () => {
      const payload = {
        collapse_key: 'k',
        priority: 'normal',
        time_to_live: 9,
        data: { level: '4' },
        notification: { title: 'T', body: 'B', icon: 'i', android_channel_id: 'alarm' },
        content_available: true,
        restricted_package_name: 'com.example',
      }
      const Data = { level: 3, kind: 'x' }
      assert.deepEqual(await message(channel, { Body: 'b', Data, [field]: payload }), {
        data: { level: '4', kind: 'x', vnd_body: 'b' },
        notification: { title: 'T', body: 'B' },
        android: {
          priority: 'NORMAL',
          ttl: '9s',
          collapse_key: 'k',
          restricted_package_name: 'com.example',
          notification: { icon: 'i', channel_id: 'alarm' },
        },
        apns: { payload: { aps: { 'content-available': 1 } } },
      })
    })
    test(`${field}: names of HTTP v1 pass as they are`, async () => {
      const webpush = { headers: { TTL: '1' } }
      const payload = { webpush, android: { direct_boot_ok: true } }
      assert.deepEqual(await message(channel, { Body: 'b', [field]: payload }), {
        data: { vnd_body: 'b' },
        android: { ...android, direct_boot_ok: true },
        webpush,
      })
    })
    const targets = ['to', 'registration_ids', 'notification_key', 'token', 'topic']
    for (const target of channel === 'fcm' ? [...targets, 'condition'] : targets) {
      test(`${field} must not carry the target ${target}`, async () => {
        const before = await notifications()
        const answer = await send({ Body: 'b', [field]: { [target]: 'x' } })
        fixture.refused(answer, 400, new RegExp(`^${field} may not hold the target.* ${target}$`))
        assert.deepEqual(await notifications(), before)
      })
    }
    test(`${field}: what the provider does not support is rejected`, async () => {
      const answer = await fixture.call('send', { Tag: channel, [field]: { colour: 1 } })
      fixture.refused(answer, 400, new RegExp(`^${field}: there is no attribute colour`))
    })
  }
  test('a payload may be a table or the text of one; anything else is refused', async () => {
    const { body } = await given('apn', { Body: 'b', Apn: '{"a":1}' })
    assert.deepEqual(body, { aps: { alert: { body: 'b' } }, a: 1 })
    for (const bad of ['{"a":', '[1]', '3', 7, [1]]) {
      fixture.refused(await send({ Body: 'b', Apn: bad }), 400, /^Apn must be a JSON object/)
    }
  })
})

describe('rule 3 of send: Body', () => {
  shareInstance()

  test('for sms one of Body, body or media_url in Sms is required', async () => {
    const missing = await fixture.call('send', { Tag: 'sms', Title: 't', Sms: { from } })
    fixture.refused(missing, 400, /^Body, or body or media_url in Sms, is missing/)
    const media_url = 'https://example.com/a.png'
    const { body } = await given('sms', { Sms: { from, media_url } })
    assert.deepEqual(body, { To: addresses.sms, From: from, MediaUrl: media_url })
    const own = await given('sms', { Sms: { from, body: 'own' } })
    assert.deepEqual(own.body, { To: addresses.sms, From: from, Body: 'own' })
  })
  test('for messenger Body is required; its own payload is not available yet', async () => {
    const missing = await fixture.call('send', { Tag: 'vendor-messenger', Title: 't' })
    fixture.refused(missing, 400, /^Body is missing, and vendor-messenger/)
    const own = await send({ VendorMessenger: { body: 'x' } })
    fixture.refused(own, 400, /^VendorMessenger is not available yet$/)
  })
})

describe('rule 4 of send: Title, Sound, Action, Data', () => {
  shareInstance()

  const all = { Title: 't', Sound: 's', Action: 'a', Body: 'b', Data: { n: 1, o: { p: true } } }
  test('apn: aps.alert.title, aps.sound, aps.category; Data stands outside aps', async () => {
    assert.deepEqual((await given('apn', all)).body, {
      aps: { alert: { title: 't', body: 'b' }, sound: 's', category: 'a' },
      n: 1,
      o: { p: true },
    })
    const inside = await send({ Body: 'b', Data: { aps: {} }, Sms: { from } })
    fixture.refused(inside, 400, /^Data may not hold aps/)
  })
})
