import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  createFcm,
  fcmVerdicts,
} from '../../../../src/scripts/services/notification/providers/index.ts'
import { fakeFcm, googleError } from '../../../fixtures/peers/push-fcm.ts'
import {
  handClock,
  outboundClients,
  pushJob,
  verdictsHold,
} from '../../../fixtures/peers/push-job.ts'

const minuteMs = 60_000
const address = 'f'.repeat(40)

async function fixture(t: TestContext, name: 'fcm' | 'gcm' = 'fcm') {
  const fake = await fakeFcm(t)
  const clock = handClock()
  fake.nowS = () => clock.ms / 1_000
  const channel = createFcm(name, { ...outboundClients(t), clock })
  const given = { ServiceAccount: JSON.stringify(fake.account), BaseUrl: fake.url }
  const settings = channel.configure(given, undefined)
  const send = (over: Partial<Parameters<typeof pushJob>[2]> = {}) =>
    channel.deliver(pushJob(channel, settings, { address, ...over }))
  return { fake, clock, channel, given, settings, send }
}

test('a message goes to the project of the account, and its name is stored', async (t) => {
  const { fake, send } = await fixture(t)
  const providerId = 'projects/example-valves/messages/1'
  assert.deepEqual(await send(), { kind: 'accepted', answer: 'FCM 200', providerId })
  assert.deepEqual(fake.accepted[0], {
    token: address,
    data: { vnd_body: 'Valve 7 is shut.', vnd_title: 'Alarm' },
    android: { priority: 'HIGH', ttl: '60s' },
  })
})

test('bindings of the ended service gcm are reached by fcm', async (t) => {
  const { fake, send } = await fixture(t, 'gcm')
  assert.equal((await send()).kind, 'accepted')
  assert.equal(fake.accepted[0]?.token, address)
})

test('one access token serves all, and is asked for anew before its end', async (t) => {
  const { fake, clock, send } = await fixture(t)
  fake.latencyMs = 20
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => send()))
  assert.ok(outcomes.every(({ kind }) => kind === 'accepted'))
  assert.equal(fake.given.length, 1)
  clock.ms += 54 * minuteMs
  await send()
  assert.equal(fake.given.length, 1)
  clock.ms += minuteMs
  await send()
  assert.equal(fake.given.length, 2)
})

test('an access token that was taken back is replaced at once, and once', async (t) => {
  const { fake, send } = await fixture(t)
  await send()
  fake.takeBack()
  assert.equal((await send()).kind, 'accepted')
  assert.equal(fake.given.length, 2)
  const not = googleError(401, 'UNAUTHENTICATED')
  fake.failures.push(not, not)
  assert.deepEqual(await send(), { kind: 'retry', reason: 'FCM 401 UNAUTHENTICATED' })
  assert.equal(fake.failures.length, 0)
})

test('a CredentialSid that is not configured is refused, and nothing is asked', async (t) => {
  const { fake, send } = await fixture(t)
  const reason = 'FCM: the CredentialSid is not configured'
  assert.deepEqual(await send({ credentialSid: `CR${'1'.repeat(32)}` }), {
    kind: 'refused',
    reason,
  })
  assert.equal(fake.requests.length, 0)
})

test('a missing key of the project for APNs or web push costs no access token', async (t) => {
  const { fake, send } = await fixture(t)
  await send()
  const missing = googleError(401, 'UNAUTHENTICATED', 'THIRD_PARTY_AUTH_ERROR')
  fake.failures.push(missing, missing)
  const refused = { kind: 'refused', reason: 'FCM 401 THIRD_PARTY_AUTH_ERROR', misconfigured: true }
  assert.deepEqual(await send(), refused)
  assert.equal(fake.failures.length, 1, 'it is not asked twice')
  fake.failures.length = 0
  assert.equal((await send()).kind, 'accepted')
  assert.equal(fake.given.length, 1)
})

test('a token that is none, or is gone, prunes, and a wrong message does not', async (t) => {
  const { fake, send } = await fixture(t)
  fake.gone.add(address)
  assert.deepEqual(await send(), { kind: 'invalid_address', reason: 'FCM 404 UNREGISTERED' })
  const none = await send({ address: 'no token' })
  const said = 'FCM 400 INVALID_REGISTRATION'
  assert.deepEqual(none, { kind: 'invalid_address', reason: said, suspect: true })
  const payload = { headers: {}, body: { message: { token: address, colour: 'red' } } }
  assert.deepEqual(await send({ payload }), { kind: 'refused', reason: 'FCM 400 INVALID_ARGUMENT' })
})

test('a quota that is used up is waited for as long as the provider requests', async (t) => {
  const { fake, send } = await fixture(t)
  const busy = googleError(429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED')
  fake.failures.push({ ...busy, headers: { 'retry-after': '60' } })
  const reason = 'FCM 429 QUOTA_EXCEEDED'
  assert.deepEqual(await send(), { kind: 'retry', reason, afterMs: minuteMs, busy: true })
})

test('the token endpoint may refuse, or be busy', async (t) => {
  const { fake, clock, send } = await fixture(t)
  fake.tokenFailures.push({ status: 503, headers: { 'retry-after': '3' } })
  const busy = { kind: 'retry', reason: "FCM's token endpoint 503", afterMs: 3_000, slow: true }
  assert.deepEqual(await send(), busy)
  const now = clock.ms
  fake.nowS = () => now / 1_000
  clock.ms += 120 * minuteMs
  const reason = "FCM's token endpoint 400 invalid_grant"
  assert.deepEqual(await send(), { kind: 'refused', reason, misconfigured: true })
})

test('each code of the documented table has its documented outcome', async (t) => {
  const { fake, send } = await fixture(t)
  const codes = await verdictsHold('FCM', async ({ status, code }) => {
    const failure =
      code === 'INVALID_REGISTRATION'
        ? googleError(status, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.token')
        : googleError(status, code, code)
    fake.failures.push(failure, failure)
    const outcome = await send()
    fake.failures.length = 0
    return outcome
  })
  assert.deepEqual(codes, Object.keys(fcmVerdicts).sort())
})

test('settings hold a service account, and never show it', async (t) => {
  const { fake, channel, given, settings } = await fixture(t)
  assert.deepEqual(settings.shown, { BaseUrl: fake.url })
  const asObject = channel.configure({ ...given, ServiceAccount: fake.account }, undefined)
  assert.deepEqual(asObject, settings)
  assert.deepEqual(channel.configure({ BaseUrl: fake.url }, settings), settings)
  const without = (name: string) => ({ ...fake.account, [name]: 'none of it' })
  for (const name of ['project_id', 'client_email', 'private_key', 'token_uri']) {
    const wrong = { ...given, ServiceAccount: without(name) }
    assert.throws(
      () => channel.configure(wrong, undefined),
      (error: Error) => {
        assert.equal((error as { code?: string }).code, 'invalid_argument')
        assert.ok(error.message.includes(name), name)
        assert.ok(!error.message.includes('PRIVATE'))
        return true
      },
    )
  }
})
