import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import apn from '@parse/node-apn'
import {
  apnsVerdicts,
  createApns,
} from '../../../../src/scripts/services/notification/providers/index.ts'
import { fakeApns } from '../../../fixtures/peers/push-apns.ts'
import {
  handClock,
  outboundClients,
  pushJob,
  verdictsHold,
} from '../../../fixtures/peers/push-job.ts'
import { serverOptions } from '../../../fixtures/peers/tls-server.ts'
import { openOpenssl, rsaKeyFiles } from '../../../fixtures/wire/openssl.ts'

const minuteMs = 60_000
const device = 'a'.repeat(64)

async function fixture(t: TestContext) {
  const fake = await fakeApns(t)
  const clock = handClock()
  fake.nowS = () => clock.ms / 1_000
  const channel = createApns({ ...outboundClients(t), clock })
  const { keyId: KeyId, teamId: TeamId, topic: Topic, key: Key, url: BaseUrl } = fake
  const given = { KeyId, TeamId, Topic, Key, BaseUrl }
  const settings = channel.configure(given, undefined)
  const send = (over: Partial<Parameters<typeof pushJob>[2]> = {}) =>
    channel.deliver(pushJob(channel, settings, { address: device, ...over }))
  return { fake, clock, channel, given, settings, send }
}

test('an independent client agrees with the fake of the provider', async (t) => {
  const { options, ca } = await serverOptions(await openOpenssl(t))
  const fake = await fakeApns(t, options)
  const { key, keyId, teamId, topic } = fake
  const provider = new apn.Provider({
    token: { key, keyId, teamId },
    address: '127.0.0.1',
    port: fake.port,
    ca: [ca.pem],
    production: false,
  } as apn.ProviderOptions)
  t.after(() => provider.shutdown())
  const gone = 'b'.repeat(64)
  fake.gone.set(gone, 1_700_000_000_000)
  const note = new apn.Notification({ alert: { title: 'Alarm', body: 'Shut.' }, topic })
  const { sent } = await provider.send(note, device)
  assert.deepEqual(
    sent.map((one) => one.device),
    [device],
  )
  const { failed } = await provider.send(note, [gone, 'abcd'])
  assert.deepEqual(
    failed.map(({ status, response }) => [Number(status), response?.reason]),
    [
      [410, 'Unregistered'],
      [400, 'BadDeviceToken'],
    ],
  )
  assert.deepEqual(fake.accepted[0]?.body, { aps: { alert: { title: 'Alarm', body: 'Shut.' } } })
})

test('a notification carries topic, type, expiration, priority, id and body', async (t) => {
  const { fake, send } = await fixture(t)
  const id = '11111111-2222-4333-8444-555555555555'
  const outcome = await send({ id })
  assert.deepEqual(outcome, { kind: 'accepted', answer: 'APNs 200', providerId: id })
  const [{ headers, body, device: to } = assert.fail('nothing came')] = fake.accepted
  assert.equal(to, device)
  assert.equal(headers['apns-topic'], fake.topic)
  assert.equal(headers['apns-push-type'], 'alert')
  assert.equal(headers['apns-priority'], '10')
  assert.match(String(headers['apns-expiration']), /^\d{10}$/)
  assert.deepEqual([headers['apns-id'], headers['apns-collapse-id']], [id, id])
  assert.deepEqual(body, { aps: { alert: { title: 'Alarm', body: 'Valve 7 is shut.' } } })
})

test('many notifications go at once over one connection with one token', async (t) => {
  const { fake, send } = await fixture(t)
  fake.latencyMs = 20
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => send()))
  assert.ok(outcomes.every(({ kind }) => kind === 'accepted'))
  assert.deepEqual([fake.connections, fake.tokens.length], [1, 1])
  assert.ok(fake.streamsMost > 100, `${fake.streamsMost} streams at once`)
})

test('the token is made again before an hour is over, and not sooner than need be', async (t) => {
  const { fake, clock, send } = await fixture(t)
  const start = clock.ms
  for (const minutes of [0, 49, 50, 99, 101]) {
    clock.ms = start + minutes * minuteMs
    assert.equal((await send()).kind, 'accepted', `after ${minutes} minutes`)
  }
  assert.equal(fake.tokens.length, 3)
})

test('a token that the provider finds old is replaced, unless it is too young', async (t) => {
  const { fake, clock, send } = await fixture(t)
  await send()
  const old = { status: 403, reason: 'ExpiredProviderToken' }
  clock.ms += 19 * minuteMs
  fake.failures.push(old)
  assert.deepEqual(await send(), { kind: 'retry', reason: 'APNs 403 ExpiredProviderToken' })
  assert.equal(fake.tokens.length, 1)
  clock.ms += minuteMs
  fake.failures.push(old)
  assert.equal((await send()).kind, 'accepted')
  assert.equal(fake.tokens.length, 2)
})

test('an unregistered device is reported with the time since when it is gone', async (t) => {
  const { fake, send } = await fixture(t)
  fake.gone.set(device, 1_700_000_000_000)
  const reason = 'APNs 410 Unregistered'
  assert.deepEqual(await send(), { kind: 'invalid_address', reason, sinceMs: 1_700_000_000_000 })
  const bad = await send({ address: 'no/device?' })
  const reasonOfBad = 'APNs 400 BadDeviceToken'
  assert.deepEqual(bad, { kind: 'invalid_address', reason: reasonOfBad, suspect: true })
})

test('a provider that is busy is retried at the time it gave, and not much later', async (t) => {
  const { fake, clock, send } = await fixture(t)
  const busy = (status: number, reason: string, after?: string) => ({
    status,
    reason,
    headers: after === undefined ? {} : { 'retry-after': after },
  })
  const inAMinute = new Date(Math.ceil(clock.ms / 1_000) * 1_000 + minuteMs)
  clock.ms = inAMinute.getTime() - minuteMs
  fake.failures.push(
    busy(429, 'TooManyRequests', '7'),
    busy(503, 'ServiceUnavailable', inAMinute.toUTCString()),
    busy(503, 'Shutdown', '999999'),
    busy(429, 'TooManyProviderTokenUpdates'),
    busy(500, 'InternalServerError'),
  )
  const waits = [7_000, minuteMs, 60 * minuteMs, 20 * minuteMs, undefined]
  for (const afterMs of waits) {
    const outcome = await send()
    assert.equal(outcome.kind, 'retry')
    assert.equal(outcome.kind === 'retry' ? outcome.afterMs : undefined, afterMs)
  }
})

test('a provider that goes away, breaks off or is silent loses no notification', async (t) => {
  const { fake, send } = await fixture(t)
  await send()
  fake.goAway()
  assert.equal((await send()).kind, 'accepted')
  assert.equal(fake.connections, 2)
  fake.failures.push('hang')
  const signal = AbortSignal.timeout(100)
  await assert.rejects(send({ signal }))
  assert.equal((await send()).kind, 'accepted')
  assert.equal(fake.connections, 3)
})

test('each reason of the documented table has its documented outcome', async (t) => {
  const { fake, send } = await fixture(t)
  const codes = await verdictsHold('APNs', ({ status, code }) => {
    fake.failures.push({ status, reason: code })
    return send()
  })
  assert.deepEqual(codes, Object.keys(apnsVerdicts).sort())
  fake.failures.push({ status: 400, reason: 'SomethingNew' }, { status: 502 })
  assert.deepEqual(await send(), { kind: 'refused', reason: 'APNs 400 SomethingNew' })
  assert.deepEqual(await send(), { kind: 'retry', reason: 'APNs 502' })
})

test('settings are checked, and a key that is left out stays', async (t) => {
  const { channel, given, settings } = await fixture(t)
  assert.deepEqual(Object.keys(settings.secret), ['Key'])
  assert.ok(!JSON.stringify(settings.shown).includes('PRIVATE'))
  const { Key: _key, ...rest } = given
  assert.deepEqual(channel.configure(rest, settings), settings)
  const rsa = await readFile(rsaKeyFiles[0] ?? '', 'utf8')
  const wrong = [
    { ...given, KeyId: 'short' },
    { ...given, Topic: 'two words' },
    { ...given, Key: 'not a key' },
    { ...given, Key: rsa },
    { ...given, BaseUrl: 'ftp://push.test' },
    { ...given, BaseUrl: 'https://user:word@push.test' },
    { ...given, Colour: 'red' },
    rest,
  ]
  for (const one of wrong) {
    assert.throws(
      () => channel.configure(one, undefined),
      (error: Error) => {
        assert.equal((error as { code?: string }).code, 'invalid_argument')
        assert.ok(!error.message.includes('PRIVATE'))
        return true
      },
    )
  }
})

test('a secret is kept for the URL alone for which it was given', async (t) => {
  const { channel, given } = await fixture(t)
  const sid = `CR${'2'.repeat(32)}`
  const listed = { ...given, Credentials: { [sid]: given } }
  const before = channel.configure(listed, undefined)
  const { Key: _key, ...open } = given
  const kept = channel.configure({ ...open, Credentials: { [sid]: open } }, before)
  assert.deepEqual(kept.secret, before.secret)
  const elsewhere = { ...open, BaseUrl: 'https://other.example' }
  const missing = /Key must be a text/
  assert.throws(() => channel.configure(elsewhere, before), missing)
  const one = { ...given, Credentials: { [sid]: elsewhere } }
  assert.throws(() => channel.configure(one, before), missing)
  const { BaseUrl: _base, ...usual } = open
  assert.throws(() => channel.configure(usual, before), missing)
})

test('a binding with a credential of its own is reached with that, or refused', async (t) => {
  const { fake, channel, given, send } = await fixture(t)
  const sid = `CR${'2'.repeat(32)}`
  const { BaseUrl: _base, ...other } = given
  const more = { ...other, BaseUrl: given.BaseUrl, Topic: fake.topic }
  const both = channel.configure(
    { ...given, Topic: 'com.example.other', Credentials: { [sid]: more } },
    undefined,
  )
  assert.deepEqual(await send({ settings: both }), {
    kind: 'refused',
    reason: 'APNs 400 TopicDisallowed',
    misconfigured: true,
  })
  assert.equal((await send({ settings: both, credentialSid: sid })).kind, 'accepted')
  const unknown = `CR${'3'.repeat(32)}`
  const outcome = await send({ settings: both, credentialSid: unknown })
  assert.equal(outcome.kind, 'refused')
  assert.ok(!JSON.stringify(both.shown).includes('PRIVATE'))
})
