import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import {
  type Answer,
  type NotificationFixture,
  notificationFixture,
} from '../../../fixtures/notification.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

type Args = Record<string, ScriptValue>
const from = '+15550009999'
const channels = ['apn', 'fcm', 'gcm', 'sms', 'vendor-messenger'] as const

describe('notification: what send refuses, and what it takes', () => {
  const suite = suiteContext()
  let fixture: NotificationFixture
  before(async () => {
    fixture = await notificationFixture(suite)
    for (const channel of channels) await fixture.bind(channel, { Tag: 'everything' })
  })
  const send = (args: Args) => fixture.call('send', { Tag: 'everything', ...args })
  const count = async () =>
    (await fixture.pump('GET', '/notifications?limit=100')).json.notifications
  /** Returns the message that the provider of a channel would have been given. */
  async function given(Tag: string, args: Args): Promise<Answer> {
    const sent = await fixture.call('send', { Tag, ...args })
    assert.ok(sent.sid, JSON.stringify(sent))
    const [{ body }] = await fixture.arrived(sent.sid)
    return body
  }

  test('a payload that is nested too deep is refused', async () => {
    const Data = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`
    fixture.refused(
      await send({ Body: 'b', Sms: { from }, Data }),
      400,
      /^Data (is deeper|must be a JSON object)/,
    )
  })

  describe('keys that Firebase reserves', () => {
    const keys = ['from', 'message_type', 'google.x', 'google_sent', 'gcm.x', 'gcm']
    const places: ((data: Args) => Args)[] = [
      (Data) => ({ Data }),
      (data) => ({ Fcm: { data } }),
      (data) => ({ Fcm: { android: { data } } }),
      (data) => ({ Fcm: { webpush: { data } } }),
      (data) => ({ Gcm: { data } }),
    ]
    for (const [at, place] of places.entries()) {
      const key = keys[at % keys.length] ?? ''
      test(`${JSON.stringify(place({ [key]: 'y' }))}: 400, nothing is stored`, async () => {
        const before = await count()
        for (const one of keys) {
          const args = { Body: 'b', Sms: { from }, ...place({ [one]: 'y' }) }
          fixture.refused(await send(args), 400, /^[FG]cm: data may not hold .*: Firebase reserves/)
        }
        assert.deepEqual(await count(), before)
      })
    }
    test('are no matter to others, nor are keys that only hold them', async () => {
      const body = await given('apn', { Data: { from: 'y' } })
      assert.deepEqual(body, { aps: {}, from: 'y' })
      const { data } = (await given('fcm', { Data: { from_: '1', my_google: '2' } })).message
      assert.deepEqual(data, { from_: '1', my_google: '2' })
    })
  })

  describe('a notification without content', () => {
    const rows: [string, Args][] = [
      ['apn', {}],
      ['apn', { Action: 'open' }],
      ['apn', { Apn: { aps: { alert: '' } } }],
      ['apn', { Apn: { aps: { alert: { title: '' }, 'thread-id': 'x' } } }],
      ['fcm', {}],
      ['fcm', { Action: 'open' }],
      ['fcm', { Fcm: { collapse_key: 'x', android: { priority: 'HIGH' } } }],
      ['gcm', { Ttl: 5 }],
      ['sms', { Sms: { from }, Title: 't' }],
      ['vendor-messenger', { Title: 't' }],
    ]
    for (const [Tag, args] of rows) {
      test(`${Tag} ${JSON.stringify(args)}: 400, nothing is stored`, async () => {
        const before = await count()
        const why = /nothing to send: .* is missing$|^Body.* missing, and /
        fixture.refused(await fixture.call('send', { Tag, ...args }), 400, why)
        assert.deepEqual(await count(), before)
      })
    }
    const enough: [string, Args][] = [
      ['apn', { Sound: 'bell' }],
      ['apn', { Apn: { aps: { badge: 0 } } }],
      ['apn', { Apn: { aps: { 'content-available': 1 } } }],
      ['apn', { Apn: { aps: { alert: { 'loc-key': 'HOT' } } } }],
      ['fcm', { Data: { n: 1 } }],
      ['fcm', { Fcm: { notification: { title: 't' } } }],
      ['fcm', { Fcm: { content_available: true } }],
      ['gcm', { Action: 'open' }],
    ]
    for (const [Tag, args] of enough) {
      test(`${Tag} ${JSON.stringify(args)} is enough`, () => given(Tag, args))
    }
  })

  test('a number as a text is taken as its digits', async () => {
    const { bindings } = await fixture.call('listBinding', { Tag: 'apn' })
    await fixture.bind('apn', { Identity: 7, Endpoint: 7.5, Tag: 2 })
    const sent = await fixture.call('send', { Identity: 7, Tag: [2, 'apn'], Body: 21.5, Title: 9 })
    const [{ body }] = await fixture.arrived(sent.sid)
    assert.deepEqual(body, { aps: { alert: { title: '9', body: '21.5' } } })
    const found = await fixture.call('listBinding', { Identity: [7] })
    const texts = found.bindings.map((one: Answer) => [one.identity, one.endpoint, one.tags])
    assert.deepEqual(texts, [['7', '7.5', '2']])
    await fixture.call('deleteBinding', { BindingSid: found.bindings[0].sid })
    assert.deepEqual((await fixture.call('listBinding', { Tag: 'apn' })).bindings, bindings)
    fixture.refused(await send({ Body: true }), 400, /^Body must be a string/)
  })
})
