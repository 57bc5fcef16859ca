import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import {
  addresses,
  type NotificationFixture,
  notificationFixture,
} from '../../../fixtures/notification.ts'
import { type FakeApns, fakeApns } from '../../../fixtures/peers/push-apns.ts'
import { type FakeFcm, fakeFcm } from '../../../fixtures/peers/push-fcm.ts'
import { type FakeMessenger, fakeMessenger } from '../../../fixtures/peers/push-messenger.ts'
import { type FakeTwilio, fakeTwilio } from '../../../fixtures/peers/push-sms.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

type Args = Record<string, ScriptValue>
type Channel = 'apn' | 'fcm' | 'gcm' | 'sms' | 'vendor-messenger'
/**
 * The bytes that a provider must have got: the body, to the byte; for apn also the headers that it
 * has.
 */
type Expected = string | { readonly headers: Record<string, string>; readonly body: string }

const from = '+15550009999'
const [fcmToken, gcmToken] = ['fcm-registration-token:1', 'gcm-registration-token:1']
const android = '"android":{"priority":"HIGH","ttl":"2419200s"}'
const messengerHead = '{"messaging_type":"UPDATE","recipient":{"id":"1234567890"},'

const fcm = (rest: string, token = fcmToken) => `{"message":{"token":"${token}",${rest}}}`
const gcm = (rest: string) => fcm(rest, gcmToken)
const sms = (rest: string) => `To=%2B15551230001&${rest}`
const messenger = (text: string) => `${messengerHead}"message":{"text":"${text}"}}`

const everything = {
  Body: 'b',
  Title: 't',
  Sound: 's',
  Action: 'a',
  Data: { n: 1, o: { p: true } },
  Sms: { from },
} as const

const data = '"n":"1","o":"{\\"p\\":true}"'

/** Each sentence of the spec's rules of send has a row. */
const rows: [string, Args, Partial<Record<Channel, Expected>>][] = [
  [
    'rule 2: Apn, Fcm, Gcm and Sms add attributes to the generic payload',
    {
      Body: 'b',
      Apn: { aps: { badge: 1 } },
      Fcm: { collapse_key: 'k' },
      Gcm: { collapse_key: 'g' },
      Sms: { from, max_price: '0.05' },
    },
    {
      apn: '{"aps":{"alert":{"body":"b"},"badge":1}}',
      fcm: fcm(`"data":{"vnd_body":"b"},${android.slice(0, -1)},"collapse_key":"k"}`),
      gcm: gcm(`"data":{"vnd_body":"b"},${android.slice(0, -1)},"collapse_key":"g"}`),
      sms: sms('Body=b&From=%2B15550009999&MaxPrice=0.05'),
    },
  ],
  [
    'rule 2: they override attributes of it',
    {
      Body: 'b',
      Apn: { aps: { alert: { body: 'x' } } },
      Fcm: { priority: 'normal' },
      Gcm: { time_to_live: 5 },
      Sms: { from, body: 'x' },
    },
    {
      apn: '{"aps":{"alert":{"body":"x"}}}',
      fcm: fcm(`"data":{"vnd_body":"b"},${android.replace('HIGH', 'NORMAL')}`),
      gcm: gcm(`"data":{"vnd_body":"b"},${android.replace('2419200s', '5s')}`),
      sms: sms('Body=x&From=%2B15550009999'),
    },
  ],
  [
    'rule 2: they never delete any',
    {
      Body: 'b',
      Title: 't',
      Apn: { aps: { alert: { body: null } } },
      Fcm: { data: null },
      Gcm: { data: { vnd: '1' } },
      Sms: { from, body: null },
    },
    {
      apn: '{"aps":{"alert":{"title":"t","body":"b"}}}',
      fcm: fcm(`"data":{"vnd_body":"b","vnd_title":"t"},${android}`),
      gcm: gcm(`"data":{"vnd_body":"b","vnd_title":"t","vnd":"1"},${android}`),
      sms: sms('Body=b&From=%2B15550009999'),
    },
  ],
  [
    'rule 3: Body is data.vnd_body, aps.alert.body, Body',
    { Body: 'Zu heiß & naß', Sms: { from } },
    {
      apn: '{"aps":{"alert":{"body":"Zu heiß & naß"}}}',
      fcm: fcm(`"data":{"vnd_body":"Zu heiß & naß"},${android}`),
      gcm: gcm(`"data":{"vnd_body":"Zu heiß & naß"},${android}`),
      sms: sms('Body=Zu+hei%C3%9F+%26+na%C3%9F&From=%2B15550009999'),
      'vendor-messenger': messenger('Zu heiß & naß'),
    },
  ],
  [
    'rule 3: for sms media_url does in place of Body',
    { Sms: { from, media_url: ['https://a.test/1', 'https://a.test/2'] } },
    {
      sms: sms(
        'From=%2B15550009999&MediaUrl=https%3A%2F%2Fa.test%2F1&MediaUrl=https%3A%2F%2Fa.test%2F2',
      ),
    },
  ],
  [
    'rule 4: Title, Sound, Action and Data; they are omitted for sms and messenger',
    everything,
    {
      apn:
        '{"n":1,"o":{"p":true},"aps":{"alert":{"title":"t","body":"b"},"sound":"s",' +
        '"category":"a"}}',
      fcm: fcm(`"data":{${data},"vnd_body":"b","vnd_title":"t","vnd_sound":"s"},${android}`),
      gcm: gcm(
        `"data":{${data},"vnd_body":"b","vnd_title":"t","vnd_sound":"s",` +
          `"vnd_action":"a"},${android}`,
      ),
      sms: sms('Body=b&From=%2B15550009999'),
      'vendor-messenger': messenger('b'),
    },
  ],
  [
    'rule 5: the keys of Sms, in snake case',
    {
      Sms: {
        from,
        body: 'b',
        media_url: 'https://a.test/1',
        status_callback: 'https://a.test/s',
        max_price: 0.5,
      },
    },
    {
      sms: (() => {
        const urls = ['https%3A%2F%2Fa.test%2F1', 'https%3A%2F%2Fa.test%2Fs'] as const
        const said = `Body=b&MediaUrl=${urls[0]}&StatusCallback=${urls[1]}&MaxPrice=0.5`
        return sms(`From=%2B15550009999&${said}`)
      })(),
    },
  ],
  [
    'rule 6: Ttl in seconds; 0 is one immediate attempt; ignored for sms and messenger',
    { Body: 'b', Ttl: 0, Sms: { from } },
    {
      apn: { headers: { 'apns-expiration': '0' }, body: '{"aps":{"alert":{"body":"b"}}}' },
      fcm: fcm(`"data":{"vnd_body":"b"},${android.replace('2419200s', '0s')}`),
      gcm: gcm(`"data":{"vnd_body":"b"},${android.replace('2419200s', '0s')}`),
      sms: sms('Body=b&From=%2B15550009999'),
      'vendor-messenger': messenger('b'),
    },
  ],
  [
    'rule 7: Priority low is normal for fcm and gcm, 5 for apn; ignored for sms and messenger',
    { Body: 'b', Priority: 'low', Sms: { from } },
    {
      apn: { headers: { 'apns-priority': '5' }, body: '{"aps":{"alert":{"body":"b"}}}' },
      fcm: fcm(`"data":{"vnd_body":"b"},${android.replace('HIGH', 'NORMAL')}`),
      gcm: gcm(`"data":{"vnd_body":"b"},${android.replace('HIGH', 'NORMAL')}`),
      sms: sms('Body=b&From=%2B15550009999'),
      'vendor-messenger': messenger('b'),
    },
  ],
  [
    'rule 7: Priority high, which is the default, is 10 for apn',
    { Body: 'b' },
    { apn: { headers: { 'apns-priority': '10' }, body: '{"aps":{"alert":{"body":"b"}}}' } },
  ],
]

/** The parameters of CreateMessage in Twilio's OpenAPI description that concern a text. */
const twilioParameters = new Set([
  ...['To', 'From', 'MessagingServiceSid', 'Body', 'MediaUrl', 'StatusCallback', 'MaxPrice'],
])

/** Payloads and Data as the spec has them: texts, which keep the order of their names. */
function asTexts(args: Args): Args {
  const pairs = Object.entries(args).map(([name, value]) => {
    return [name, typeof value === 'object' ? JSON.stringify(value) : value] as const
  })
  return Object.fromEntries(pairs)
}

describe('notification: what each provider gets, to the byte', () => {
  const suite = suiteContext()
  let fixture: NotificationFixture
  let fakes: { apns: FakeApns; fcm: FakeFcm; twilio: FakeTwilio; messenger: FakeMessenger }
  before(async () => {
    fixture = await notificationFixture(suite)
    const [apns, fcm] = [await fakeApns(suite), await fakeFcm(suite)]
    const [twilio, messenger] = [await fakeTwilio(suite), await fakeMessenger(suite)]
    fakes = { apns, fcm, twilio, messenger }
    const { keyId: KeyId, teamId: TeamId, topic: Topic, key: Key, url: BaseUrl } = apns
    const google = { provider: 'fcm', ServiceAccount: fcm.account, BaseUrl: fcm.url }
    const { token: PageAccessToken, url } = messenger
    const { sid: AccountSid, authToken: AuthToken } = twilio.account
    const Providers = {
      apn: { provider: 'apns', KeyId, TeamId, Topic, Key, BaseUrl },
      fcm: google,
      gcm: google,
      sms: { provider: 'twilio', BaseUrl: twilio.url },
      'vendor-messenger': { provider: 'messenger', PageAccessToken, BaseUrl: url },
    }
    await fixture.subscribe('pump', 'notification', { AccountSid, AuthToken, Providers })
    await fixture.bind('apn')
    await fixture.bind('fcm', { Address: fcmToken })
    await fixture.bind('gcm', { Address: gcmToken })
    await fixture.bind('sms')
    await fixture.bind('vendor-messenger')
  })

  /** Returns the last message to the provider of a channel, in words that name it. */
  function last(channel: Channel) {
    if (channel === 'apn') {
      const { headers, text } = fakes.apns.accepted.at(-1) ?? assert.fail('nothing came')
      assert.equal(headers[':path'], `/3/device/${addresses.apn}`)
      return { headers, body: text }
    }
    const at = { fcm: fakes.fcm, gcm: fakes.fcm, sms: fakes.twilio }
    const web = channel === 'vendor-messenger' ? fakes.messenger : at[channel]
    const { headers, body } = web.requests.at(-1) ?? assert.fail('nothing came')
    return { headers, body: body.toString() }
  }

  for (const [sentence, args, expected] of rows) {
    test(sentence, async () => {
      for (const [channel, wanted] of Object.entries(expected)) {
        const sent = await fixture.call('send', { ...asTexts(args), Tag: channel })
        assert.ok(sent.sid, JSON.stringify(sent))
        const { states, deliveries } = await fixture.settled(sent.sid)
        assert.equal(states.sent, 1, JSON.stringify(deliveries))
        const { headers, body } = last(channel as Channel)
        const { headers: some = {}, body: text } =
          typeof wanted === 'string' ? { body: wanted } : wanted
        assert.equal(body, text, channel)
        for (const [name, value] of Object.entries(some)) assert.equal(headers[name], value, name)
      }
    })
  }

  test('what goes to Twilio is in its published description', async () => {
    const messages = fakes.twilio.requests
    assert.ok(messages.length > 0)
    const { sid, authToken } = fakes.twilio.account
    for (const { method, url, headers, body } of messages) {
      assert.deepEqual([method, url], ['POST', `/2010-04-01/Accounts/${sid}/Messages.json`])
      assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
      const basic = Buffer.from(`${sid}:${authToken}`).toString('base64')
      assert.equal(headers.authorization, `Basic ${basic}`)
      const form = new URLSearchParams(body.toString())
      assert.deepEqual(
        [...form.keys()].filter((name) => !twilioParameters.has(name)),
        [],
      )
      const once = [...form.keys()].filter((name) => name !== 'MediaUrl')
      assert.equal(new Set(once).size, once.length)
      assert.ok(!Number.isNaN(Number(form.get('MaxPrice') ?? 0)))
    }
    for (const { sid: message } of fakes.twilio.accepted) {
      assert.match(message, /^(SM|MM)[0-9a-fA-F]{32}$/)
    }
  })
})
