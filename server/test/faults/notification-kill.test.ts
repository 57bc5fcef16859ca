import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '../../src/foundation/kernel/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { numbersAfter } from '../fixtures/bounds.ts'
import { testEngine } from '../fixtures/database.ts'
import { fakeApns } from '../fixtures/peers/push-apns.ts'
import { fakeFcm } from '../fixtures/peers/push-fcm.ts'
import { fakeTwilio, webhookReceiver } from '../fixtures/peers/push-sms.ts'
import { startInstance } from '../fixtures/processes/instance-process.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'

/**
 * A notification to bindings of four providers, kill -9 while it is sent, a restart, again; then
 * each binding must have been reached, and who offers an id must have known every second one by it.
 * More kills: `node server/test/faults/notification-kill.test.ts 10`.
 */
const [kills = 1] = numbersAfter('notification-kill.test.ts')
const bindings = 200
const pollMs = 10
const pollsMax = 12_000
const ServiceSid = 'IS00000000000000000000000000000001'

it(`reaches ${bindings} bindings of each provider in spite of kills: ${kills}`, async (t) => {
  const { settings: own, open } = await killableInstance(t)
  const settings = { ...own, MILLRACE_OUTBOUND_ALLOW: '127.0.0.1:*' }
  const fixture = await providers(t)
  const businessId = await prepare(open, fixture)
  for (let kill = 1; kill <= kills; kill += 1) {
    const instance = await startInstance(settings)
    const enough = (4 * bindings * kill) / (kills + 2)
    await until(() => fixture.counts().reduce((sum, one) => sum + one.reached, 0) >= enough)
    await instance.kill()
  }
  const instance = await startInstance(settings)
  await until(() => fixture.counts().every(({ reached }) => reached === bindings))
  assert.equal(await instance.stop(), 0)
  for (const { name, reached, answered, addressed } of fixture.counts()) {
    assert.equal(reached, bindings, name)
    assert.ok(answered - reached <= kills * limits.notificationUnsettledMax, name)
    const again = answered - reached
    t.diagnostic(`${name} on ${testEngine}: ${again} again, ${addressed - reached} of them seen`)
    if (name === 'apns' || name === 'webhook') assert.equal(addressed, bindings, name)
  }
  await allCounted(await open(), businessId)
})

type Counted = {
  readonly name: string
  /** Addresses that received at least one request. */
  readonly reached: number
  /** The number of notifications that a provider accepted. */
  readonly answered: number
  /** The number that people saw. */
  readonly addressed: number
}

async function providers(t: TestContext) {
  const [apns, fcm, twilio, hook] = [
    await fakeApns(t),
    await fakeFcm(t),
    await fakeTwilio(t),
    await webhookReceiver(t),
  ]
  for (const fake of [apns, fcm, twilio]) fake.latencyMs = 20
  const counted = (name: string, whom: readonly string[], seen: readonly string[]): Counted => {
    const addressed = new Set(seen).size
    return { name, reached: new Set(whom).size, answered: whom.length, addressed }
  }
  return {
    apns,
    fcm,
    twilio,
    hook,
    counts(): Counted[] {
      const devices = apns.accepted.map(({ device }) => device)
      const shown = apns.accepted.map(({ device, headers }) => {
        return `${device} ${headers['apns-collapse-id']} ${headers['apns-id']}`
      })
      const tokens = fcm.accepted.map(({ token }) => token)
      const numbers = twilio.accepted.map(({ form }) => form.get('To') ?? '')
      const hooked = hook.accepted.map(({ body }) => String(body.To))
      return [
        counted('apns', devices, shown),
        { ...counted('fcm', tokens, tokens), addressed: tokens.length },
        { ...counted('twilio', numbers, numbers), addressed: numbers.length },
        // The receiver takes an id once.
        { ...counted('webhook', hooked, hooked), addressed: hooked.length },
      ]
    },
  }
}

const binder = `
  for at = 1, event.count do
    local address = event.channel == "apn" and string.format("%064x", at)
      or event.channel == "fcm" and string.format("registration-token-%08d", at)
      or string.format("+1555%07d", at)
    local made = Notification.createBinding{ServiceSid = event.service, Address = address,
      Endpoint = event.channel .. at, Identity = "ann", BindingType = event.channel}
    if made.error then error(made.error) end
  end`

const sender = `
  local sent = Notification.send{ServiceSid = event.service, Tag = "all", Body = "It is hot",
    Sms = {from = "+15005550006"}}
  if sent.error then error(sent.error) end`

/** Notifications wait in the database: nothing of this process delivers them. */
async function prepare(
  open: () => Promise<Platform>,
  { apns, fcm, twilio, hook }: Awaited<ReturnType<typeof providers>>,
): Promise<string> {
  const platform = await open()
  const { accounts, scripting } = platform
  const { id: businessId } = await accounts.createBusiness({ name: 'Killed' })
  const { keyId: KeyId, teamId: TeamId, topic: Topic, key: Key, url: BaseUrl } = apns
  const { sid: AccountSid, authToken: AuthToken } = twilio.account
  const one = {
    AccountSid,
    AuthToken,
    Providers: {
      apn: { provider: 'apns', KeyId, TeamId, Topic, Key, BaseUrl },
      fcm: { provider: 'fcm', ServiceAccount: JSON.stringify(fcm.account), BaseUrl: fcm.url },
      sms: { provider: 'twilio', BaseUrl: twilio.url },
    },
  }
  const other = { Providers: { sms: { provider: 'webhook', Url: hook.url, Secret: hook.secret } } }
  const solutions = { one: [one, ['apn', 'fcm', 'sms']], other: [other, ['sms']] } as const
  for (const [id, [body, channels]] of Object.entries(solutions)) {
    await scripting.solutions.create(businessId, { id, name: id })
    const wanted = { service: 'notification', alias: undefined, body }
    await scripting.configurations.add(businessId, id, wanted)
    const run = async (event: string, source: string, argument: object) => {
      const key = { kind: 'handler', name: `test_${event}` } as const
      await scripting.scripts.put(businessId, id, key, source)
      const call = { businessId, solutionId: id, service: 'test', event }
      const ended = await scripting.api.run({ ...call, argument: { ...argument } })
      assert.equal(ended.kind, 'returned', JSON.stringify(ended))
    }
    for (const channel of channels) {
      await run('bind', binder, { channel, count: bindings, service: ServiceSid })
    }
    await run('send', sender, { service: ServiceSid })
  }
  await platform.close()
  return businessId
}

async function until(isSo: () => boolean): Promise<void> {
  for (let polls = 0; polls < pollsMax; polls += 1) {
    if (isSo()) return
    await pause(pollMs)
  }
  throw new Error('notifications are still waiting')
}

/** Nothing waits, nothing failed, and the ledger adds up. */
async function allCounted(platform: Platform, businessId: string): Promise<void> {
  try {
    for (const id of ['one', 'other']) {
      const { notifications } = await platform.notifications.list({ businessId, solutionId: id })
      const expected = id === 'one' ? 3 * bindings : bindings
      const states = { queued: 0, sending: 0, sent: expected, failed: 0, pruned: 0 }
      assert.deepEqual(
        notifications.map((one) => one.states),
        [states],
      )
    }
    const { faults } = await platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
  } finally {
    await platform.close()
  }
}
