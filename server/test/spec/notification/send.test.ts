import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ScriptValue } from '../../../src/scripting/index.ts'
import {
  type Answer,
  addresses,
  apnToken,
  type NotificationFixture,
  notificationFixture,
  serviceSid,
} from '../../fixtures/notification.ts'
import { suiteContext } from '../../fixtures/suite.ts'

type Args = Record<string, ScriptValue>
const weeks4 = 4 * 7 * 24 * 3_600
const from = '+15550009999'
const channels = ['apn', 'fcm', 'gcm', 'sms', 'vendor-messenger'] as const

describe('notification: the rules of send', () => {
  const suite = suiteContext()
  let fixture: NotificationFixture
  before(async () => {
    fixture = await notificationFixture(suite)
    for (const channel of channels) await fixture.bind(channel, { Tag: 'everything' })
  })
  const send = (args: Args) => fixture.call('send', { Tag: 'everything', ...args })
  const count = async () =>
    (await fixture.pump('GET', '/notifications?limit=100')).json.notifications

  /** What a provider would have been given, exactly. */
  async function given(channel: string, args: Args): Promise<Answer> {
    const sent = await fixture.call('send', { Tag: channel, ...args })
    assert.ok(sent.sid, JSON.stringify(sent))
    const arrived = await fixture.arrived(sent.sid)
    assert.equal(arrived.length, 1, JSON.stringify(await fixture.settled(sent.sid)))
    const [{ headers, body }] = arrived
    return { headers, body, accepted: Date.parse(sent.date_created) / 1_000 }
  }
  const message = async (channel: 'fcm' | 'gcm', args: Args) => {
    const { body, headers } = await given(channel, args)
    assert.deepEqual(headers, {})
    const { token, ...rest } = body.message
    assert.equal(token, addresses[channel])
    return rest
  }
  const android = { priority: 'HIGH', ttl: `${weeks4}s` }

  test('send answers a notification with every field of the table', async () => {
    const args = {
      ...{ Apn: '{"aps":{"badge":1}}', Fcm: { collapse_key: 'k' }, Gcm: '{"priority":"normal"}' },
      ...{ Sms: { from }, Ttl: '60', Body: 'Too hot', Data: '{"level":3}', Sound: 'bell' },
      ...{ Title: 'Pump', Action: 'OPEN', Identity: 'ann', Priority: 'low' },
    }
    const { sid, account_sid, date_created, ...rest } = await send(args)
    assert.match(sid, /^NT[0-9a-f]{32}$/)
    assert.match(account_sid, /^[0-9a-zA-Z]{34}$/)
    assert.match(date_created, /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/)
    assert.deepEqual(rest, {
      ...{ apn: '{"aps":{"badge":1}}', fcm: '{"collapse_key":"k"}', gcm: '{"priority":"normal"}' },
      ...{ sms: `{"from":"${from}"}`, vendor_messenger: '', ttl: '60', body: 'Too hot' },
      ...{ data: '{"level":3}', tags: 'everything', sound: 'bell', title: 'Pump' },
      ...{ action: 'OPEN', priority: 'low', identities: 'ann', service_sid: serviceSid },
    })
  })

  describe('rule 1 of send: targets', () => {
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
      const reach = async (args: Args) => {
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
    test('Apn adds and overrides, and never deletes', async () => {
      const Apn = { aps: { badge: 2, alert: { title: 'Other', body: null } }, extra: [1] }
      const { body } = await given('apn', { Body: 'b', Title: 't', Data: { level: 3 }, Apn })
      assert.deepEqual(body, {
        aps: { alert: { title: 'Other', body: 'b' }, badge: 2 },
        ...{ level: 3, extra: [1] },
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
          ...{ collapse_key: 'k', priority: 'normal', time_to_live: 9, data: { level: '4' } },
          notification: { title: 'T', body: 'B', icon: 'i', android_channel_id: 'alarm' },
          ...{ content_available: true, restricted_package_name: 'com.example' },
        }
        const Data = { level: 3, kind: 'x' }
        assert.deepEqual(await message(channel, { Body: 'b', Data, [field]: payload }), {
          data: { level: '4', kind: 'x', vnd_body: 'b' },
          notification: { title: 'T', body: 'B' },
          android: {
            ...{ priority: 'NORMAL', ttl: '9s', collapse_key: 'k' },
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
          const before = await count()
          const answer = await send({ Body: 'b', [field]: { [target]: 'x' } })
          fixture.refused(answer, 400, new RegExp(`^${field} may not hold the target.* ${target}$`))
          assert.deepEqual(await count(), before)
        })
      }
      test(`${field}: what the provider does not support is rejected`, async () => {
        const answer = await fixture.call('send', { Tag: channel, [field]: { colour: 1 } })
        fixture.refused(answer, 400, new RegExp(`^${field}: there is no attribute colour`))
      })
    }
    test('Sms overrides Body', async () => {
      const { body } = await given('sms', { Body: 'long', Sms: { from, body: 'short' } })
      assert.deepEqual(body, { To: addresses.sms, From: from, Body: 'short' })
    })
    test('a payload may be a table or the text of one; anything else is refused', async () => {
      const { body } = await given('apn', { Body: 'b', Apn: '{"a":1}' })
      assert.deepEqual(body, { aps: { alert: { body: 'b' } }, a: 1 })
      for (const bad of ['{"a":', '[1]', '3', 7, [1]]) {
        fixture.refused(await send({ Body: 'b', Apn: bad }), 400, /^Apn must be a JSON object/)
      }
    })
  })

  describe('rule 3 of send: Body', () => {
    test('is data.vnd_body for fcm and gcm', async () => {
      for (const channel of ['fcm', 'gcm'] as const) {
        assert.deepEqual(await message(channel, { Body: 'hi' }), {
          data: { vnd_body: 'hi' },
          android,
        })
      }
    })
    test('is aps.alert.body for apn', async () => {
      assert.deepEqual((await given('apn', { Body: 'hi' })).body, {
        aps: { alert: { body: 'hi' } },
      })
    })
    test('is Body for sms and messenger', async () => {
      assert.deepEqual((await given('sms', { Body: 'hi', Sms: { from } })).body, {
        ...{ To: addresses.sms, From: from, Body: 'hi' },
      })
      assert.deepEqual((await given('vendor-messenger', { Body: 'hi' })).body, {
        messaging_type: 'UPDATE',
        recipient: { id: addresses['vendor-messenger'] },
        message: { text: 'hi' },
      })
    })
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
    const all = { Title: 't', Sound: 's', Action: 'a', Body: 'b', Data: { n: 1, o: { p: true } } }
    test('fcm: data.vnd_title and data.vnd_sound; Data is the data dictionary', async () => {
      assert.deepEqual(await message('fcm', all), {
        data: { n: '1', o: '{"p":true}', vnd_body: 'b', vnd_title: 't', vnd_sound: 's' },
        android,
      })
    })
    test('gcm: the same, and data.vnd_action', async () => {
      const texts = { vnd_body: 'b', vnd_title: 't', vnd_sound: 's', vnd_action: 'a' }
      assert.deepEqual(await message('gcm', all), {
        data: { n: '1', o: '{"p":true}', ...texts },
        android,
      })
    })
    test('apn: aps.alert.title, aps.sound, aps.category; Data stands outside aps', async () => {
      assert.deepEqual((await given('apn', all)).body, {
        aps: { alert: { title: 't', body: 'b' }, sound: 's', category: 'a' },
        ...{ n: 1, o: { p: true } },
      })
      const inside = await send({ Body: 'b', Data: { aps: {} }, Sms: { from } })
      fixture.refused(inside, 400, /^Data may not hold aps/)
    })
    test('they are omitted for sms and messenger', async () => {
      const { body: sms } = await given('sms', { ...all, Sms: { from } })
      assert.deepEqual(sms, { To: addresses.sms, From: from, Body: 'b' })
      const { body } = await given('vendor-messenger', all)
      assert.deepEqual(body.message, { text: 'b' })
    })
  })

  describe('keys that start with vnd_ are reserved', () => {
    const rows: [string, Args][] = [
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
        const before = await count()
        fixture.refused(
          await send({ Body: 'b', Sms: { from }, ...args }),
          400,
          new RegExp(`^${field} holds vnd_\\w+: keys that start with vnd_ are reserved$`),
        )
        assert.deepEqual(await count(), before)
      })
    }
    test('a key that only holds vnd_ is not', async () => {
      const { data } = await message('fcm', { Data: { my_vnd_x: '1' } })
      assert.deepEqual(data, { my_vnd_x: '1' })
    })
  })

  describe('rule 5 of send: the Sms payload', () => {
    test('its keys, in snake case', async () => {
      const Sms = {
        ...{ from, body: 'b', media_url: ['https://a.example/1', 'https://a.example/2'] },
        ...{ status_callback: 'https://a.example/status', max_price: 0.5 },
      }
      assert.deepEqual((await given('sms', { Sms })).body, {
        ...{ To: addresses.sms, From: from, Body: 'b', MediaUrl: Sms.media_url },
        ...{ StatusCallback: 'https://a.example/status', MaxPrice: '0.5' },
      })
      for (const [Sms, error] of [
        [{ from, Body: 'b' }, /^Sms: there is no attribute Body/],
        [{ from, body: 3 }, /^Sms: body must be a string/],
        [{ from, body: 'b', media_url: Array(11).fill('x') }, /^Sms: media_url must be a string/],
      ] as const) {
        fixture.refused(await fixture.call('send', { Tag: 'sms', Sms: Sms as Args }), 400, error)
      }
    })
    test('from is set there, or a messaging service is configured', async () => {
      const none = await fixture.call('send', { Tag: 'sms', Body: 'b' })
      fixture.refused(
        none,
        400,
        /^from is missing in Sms, and the service has no messaging service/,
      )
      const MessagingServiceSid = `MG${'0'.repeat(32)}`
      const id = await fixture.subscribe('pump', 'notification', { MessagingServiceSid })
      assert.deepEqual((await given('sms', { Body: 'b' })).body, {
        ...{ To: addresses.sms, MessagingServiceSid, Body: 'b' },
      })
      assert.deepEqual((await given('sms', { Body: 'b', Sms: { from } })).body, {
        ...{ To: addresses.sms, From: from, Body: 'b' },
      })
      assert.equal((await fixture.pump('DELETE', `/serviceconfig/${id}`)).status, 204)
    })
  })

  describe('rule 6 of send: Ttl', () => {
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
        fixture.refused(
          await send({ Body: 'b', Ttl }),
          400,
          /^Ttl must be a whole number from 0 to/,
        )
      })
    }
    test('it is ignored for sms and messenger', async () => {
      const plain = await given('sms', { Body: 'b', Sms: { from } })
      const timed = await given('sms', { Body: 'b', Sms: { from }, Ttl: 0 })
      assert.deepEqual([timed.headers, timed.body], [plain.headers, plain.body])
      const { body } = await given('vendor-messenger', { Body: 'b', Ttl: 0 })
      assert.deepEqual(body, (await given('vendor-messenger', { Body: 'b' })).body)
    })
  })

  describe('rule 7 of send: Priority', () => {
    for (const [Priority, apn, fcm] of [
      ['high', '10', 'HIGH'],
      ['low', '5', 'NORMAL'],
      ['', '10', 'HIGH'],
    ] as const) {
      test(`${Priority || 'left out'}: ${apn} for apn, ${fcm} for fcm and gcm`, async () => {
        const args = { Body: 'b', Priority }
        const { headers } = await given('apn', args)
        assert.deepEqual([headers['apns-priority'], headers['apns-push-type']], [apn, 'alert'])
        assert.equal((await message('fcm', args)).android.priority, fcm)
        assert.equal((await message('gcm', args)).android.priority, fcm)
      })
    }
    test('anything else is refused', async () => {
      for (const Priority of ['urgent', 10]) {
        fixture.refused(await send({ Body: 'b', Priority }), 400, /^Priority must be low or high/)
      }
    })
    test('it is ignored for sms and messenger', async () => {
      const low = await given('sms', { Body: 'b', Sms: { from }, Priority: 'low' })
      assert.deepEqual(low.body, { To: addresses.sms, From: from, Body: 'b' })
      assert.deepEqual(low.headers, {})
    })
    test('a silent one for apn goes at 5: Apple takes no other', async () => {
      const { headers, body } = await given('apn', { Apn: { aps: { 'content-available': 1 } } })
      assert.deepEqual(body, { aps: { 'content-available': 1 } })
      assert.deepEqual([headers['apns-priority'], headers['apns-push-type']], ['5', 'background'])
    })
  })

  test('a payload past its limit is refused, and nothing is sent', async () => {
    const before = await count()
    const shell = JSON.stringify({ aps: { alert: { body: '' } } }).length
    const fits = await fixture.call('send', { Tag: 'apn', Body: 'x'.repeat(4_096 - shell) })
    assert.match(fits.sid, /^NT/)
    const over = await fixture.call('send', { Tag: 'apn', Body: 'x'.repeat(4_097 - shell) })
    fixture.refused(over, 413, /^The payload for apn has 4097 bytes; 4096 are allowed\.$/)
    assert.equal((await count()).length, before.length + 1)
  })

  test('a channel that nobody of the audience has sets no rules', async () => {
    const { body } = await given('apn', { Title: 'no body, and an sms binding elsewhere' })
    assert.deepEqual(Object.keys(body.aps.alert), ['title'])
    assert.equal(apnToken, addresses.apn)
  })
})
