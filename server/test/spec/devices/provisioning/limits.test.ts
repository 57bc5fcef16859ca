import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Connector } from '../../../../src/devices/provisioning/index.ts'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { Fault, limits } from '../../../../src/foundation/kernel/index.ts'
import { exampleConnector, type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import {
  overTls,
  type ProvisioningFixture,
  provisioningFixture,
  refuses,
} from '../../../fixtures/provisioning.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { makeFile } from '../../../fixtures/wire/csv.ts'
import { activate } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'

const minuteUs = 60_000_000
const names = (count: number, prefix = 'd') =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at}`)

async function open(fixture: ProvisioningFixture, input = {}) {
  const connector = await fixture.connector({ selfRegistration: true, ...input })
  const { business } = fixture
  const { identities, connectors } = fixture.provisioning
  return {
    ...fixture,
    connector,
    whitelist: (identity: string, part = {}) =>
      identities.whitelist(business, connector.id, identity, part),
    remove: (identity: string) => identities.remove(business, connector.id, identity),
    patch: (part: object) => connectors.patch(business, connector.id, part),
    activate: (identity: string, ip = overTls.ip, by = fixture.provisioning) =>
      by.activate(connector, identity, { ...overTls, ip }),
    async count() {
      const row = await fixture.database.one<{ count: number }>(
        'select count(*) as count from provisioning_identity where connector_id = $1',
        [connector.id],
      )
      return row?.count
    },
    async importCsv(rows: readonly string[], dryRun = false) {
      const file = makeFile(['ID', ...rows, ''].join('\n'))
      const csv = await identities.importCsv(business, connector.id, file, { dryRun })
      return { text: (await Array.fromAsync(csv.answer())).join(''), ...csv.counts() }
    },
  }
}

/** Counts the ends of tries: `ok`, or the code of the refusal. */
async function tally(tries: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const one of await Promise.allSettled(tries)) {
    const failed = one.status === 'rejected' && one.reason
    const end = failed instanceof Fault ? failed.code : failed ? String(failed) : 'ok'
    counts[end] = (counts[end] ?? 0) + 1
  }
  return counts
}

describe('the identities that a connector may have', () => {
  const suite = suiteContext()
  let fixture: ProvisioningFixture
  before(async () => {
    fixture = await provisioningFixture(suite)
  })

  it('of fifty unregistered devices at once exactly as many as fit are activated', async () => {
    const { activate, count, eventlog, another } = await open(fixture, { identitiesMax: 20 })
    const second = another()
    const tries = names(50).map((name, at) =>
      activate(name, overTls.ip, at % 2 ? second : undefined),
    )
    assert.deepEqual(await tally(tries), { ok: 20, connector_full: 30 })
    assert.equal(await count(), 20)
    await refuses('connector_full', () => activate('late'), 'has 20 identities')
    assert.deepEqual((await eventlog.ledger.verify()).faults, [])
  })

  it('counts what is whitelisted, registered and removed; who is in stays in', async () => {
    const { activate, whitelist, remove, count } = await open(fixture, { identitiesMax: 3 })
    await whitelist('a')
    await whitelist('a', { locked: true })
    await activate('b')
    await refuses('already_activated', () => activate('b'))
    await whitelist('c')
    await refuses('connector_full', () => whitelist('d'), 'has 3 identities')
    await refuses('connector_full', () => activate('d'))
    await whitelist('a', { locked: false })
    await activate('a')
    await activate('c')
    await remove('b')
    await activate('d')
    await refuses('connector_full', () => activate('b'))
    assert.equal(await count(), 3)
  })

  it('of fifty who whitelist at once exactly as many succeed', async () => {
    const { whitelist, count } = await open(fixture, { identitiesMax: 7 })
    const tries = names(50).map((name) => whitelist(name))
    assert.deepEqual(await tally(tries), { ok: 7, connector_full: 43 })
    assert.equal(await count(), 7)
  })

  it('a CSV file fills what is left, in its order; each row past it has an error', async () => {
    const { whitelist, importCsv, count } = await open(fixture, { identitiesMax: 5 })
    await whitelist('known')
    const rows = ['a', 'b', 'known', 'c', 'd', 'e', 'f']
    for (const dryRun of [true, false]) {
      const answer = await importCsv(rows, dryRun)
      assert.equal(answer.added, 4)
      assert.equal(answer.failed, 2)
      assert.match(answer.text, /^e,failed,connector_full,.*has 5 identities/m)
      assert.match(answer.text, /^d,added,/m)
    }
    assert.equal(await count(), 5)
  })

  it('together, by every way in, are never more', async () => {
    const { activate, whitelist, importCsv, count } = await open(fixture, { identitiesMax: 25 })
    const [, , csv] = await Promise.all([
      tally(names(20, 'r').map((name) => activate(name))),
      tally(names(20, 'w').map((name) => whitelist(name))),
      importCsv(names(20, 'c')),
    ])
    assert.equal(csv.added + csv.failed, 20)
    assert.equal(await count(), 25)
  })

  it('a setting that is raised lets more in, one that is lowered sends nobody away', async () => {
    const { activate, patch, connector } = await open(fixture, { identitiesMax: 1 })
    assert.equal((await fixture.connector()).identitiesMax, limits.connectorIdentities)
    const { token } = await activate('a')
    await refuses('connector_full', () => activate('b'))
    await patch({ identitiesMax: 3 })
    await activate('b')
    await patch({ identitiesMax: 1 })
    await refuses('connector_full', () => activate('c'))
    assert.equal(connector.identitiesMax, 1)
    assert.equal(token.length, limits.tokenChars)
    const most = limits.connectorIdentitiesMax
    await patch({ identitiesMax: most })
    for (const wrong of [0, -1, 1.5, most + 1, '9', null]) {
      await refuses('invalid_argument', () => patch({ identitiesMax: wrong }), 'identitiesMax')
    }
  })
})

describe('self-registrations from one address', () => {
  const suite = suiteContext()
  let fixture: ProvisioningFixture
  before(async () => {
    fixture = await provisioningFixture(suite)
  })

  it('of fifty at once exactly as many come in as the minute allows', async () => {
    const { activate, clock } = await open(fixture, { registrationsPerMinute: 20 })
    const tries = names(50).map((name) => activate(name))
    assert.deepEqual(await tally(tries), { ok: 20, too_many_requests: 30 })
    const refused = await activate('x').catch((error: unknown) => error)
    assert(refused instanceof Fault)
    assert.equal(refused.retryAfterS, 60)
    assert.match(refused.detail, /20 self-registrations a minute from 10\.0\.0\.7/)
    await activate('from elsewhere', '10.0.0.8')
    clock.us += minuteUs - 1
    await refuses('too_many_requests', () => activate('y'))
    clock.us += 1
    await activate('y')
  })

  it('who was let in, or is in, is not counted', async () => {
    const { activate, whitelist } = await open(fixture, { registrationsPerMinute: 1 })
    for (const name of names(5)) await whitelist(name)
    for (const name of names(5)) await activate(name)
    for (const name of names(5)) await refuses('already_activated', () => activate(name))
    await activate('unknown')
    await refuses('too_many_requests', () => activate('another'))
    await whitelist('another')
    await activate('another')
  })

  it('an IPv6 network of 64 bits is one address, and so is IPv4 in either spelling', async () => {
    const { activate } = await open(fixture, { registrationsPerMinute: 1 })
    const pairs = [
      ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2'],
      ['2001:db8:0:2::1', '2001:0DB8::2:0:0:0:9'],
      ['fe80::1%eth0', 'fe80::2%eth1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['192.0.2.2', '::ffff:c000:202'],
    ]
    for (const [at, [first = '', second = '']] of pairs.entries()) {
      await activate(`first-${at}`, first)
      await refuses('too_many_requests', () => activate(`second-${at}`, second))
    }
  })

  it('is not spent by who is refused for another reason, nor by a password', async () => {
    const format = { identityFormat: { prefix: 'm-' } }
    const input = { ...format, authType: 'password', registrationsPerMinute: 1 }
    const { connector, provisioning } = await open(fixture, input)
    const act = (identity: string) =>
      provisioning.activate(connector, identity, overTls, { password: 'twenty bytes at least' })
    await refuses('invalid_argument', () => act('x-1'))
    await act('m-1')
    await refuses('too_many_requests', () => act('m-2'))
  })

  it('is a setting of the connector, within its bounds', async () => {
    const { patch, connector } = await open(fixture)
    assert.equal(connector.registrationsPerMinute, limits.registrationsPerMinute)
    const most = provisioningLimits.registrationsPerMinuteMax
    assert.equal((await patch({ registrationsPerMinute: most })).registrationsPerMinute, most)
    for (const wrong of [0, 0.5, most + 1, 'many', null]) {
      const act = () => patch({ registrationsPerMinute: wrong })
      await refuses('invalid_argument', act, 'registrationsPerMinute')
    }
  })
})

describe('the answer to an unregistered device if the connector takes no more', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  let connector: Connector
  before(async () => {
    millrace = await testPlatform(suite)
    connector = await make({ registrationsPerMinute: 2 })
  })

  const make = (part: object) =>
    millrace.platform.provisioning.connectors.create(millrace.businessId, {
      ...exampleConnector,
      ...part,
    })
  const hostName = ({ id }: Connector) => `${id}.localhost`

  it('over HTTP 429 with Retry-After and one line of the log; 507 where it is full', async () => {
    for (const name of names(2)) {
      assert.equal((await activate(millrace.httpUrl, hostName(connector), name)).status, 200)
    }
    const refused = await activate(millrace.httpUrl, hostName(connector), 'much')
    assert.equal(refused.status, 429)
    assert.equal(refused.body, 'too_many_requests')
    assert.match(refused.headers.join('\n'), /^Retry-After: ([1-9]|[1-5]\d|60)$/m)
    for (const name of names(20, 'more')) {
      await activate(millrace.httpUrl, hostName(connector), name)
    }
    const { activity } = millrace.platform
    await activity.flush()
    const asked = { kinds: ['refusal'] as const }
    const { lines } = await activity.connectors.lines(millrace.businessId, connector.id, asked)
    const [line, ...others] = lines
    assert.equal(line?.code, 'too_many_requests')
    assert.match(line.message, /^The connector takes 2 self-registrations a minute from /)
    assert.deepEqual(others, [], 'however many identities one address makes up')
    const full = await make({ identitiesMax: 1 })
    await activate(millrace.httpUrl, hostName(full), 'only')
    const late = await activate(millrace.httpUrl, hostName(full), 'late')
    assert.deepEqual([late.status, late.body], [507, 'connector_full'])
  })

  it('over MQTT the connection ends, and the log has a sentence', async (t) => {
    const mine = await make({ registrationsPerMinute: 1 })
    const first = await mqttDevice(t, millrace.mqttUrl, { username: mine.id })
    await first.write('$provision/m-1', '')
    await assert.rejects(first.write('$provision/m-2', ''))
    const { activity } = millrace.platform
    await activity.flush()
    const asked = { identity: 'm-2', kinds: ['refusal'] as const }
    const [noted] = (await activity.connectors.lines(millrace.businessId, mine.id, asked)).lines
    assert.equal(noted?.code, 'too_many_requests')
    assert.match(noted?.message ?? '', /1 self-registration a minute/)
  })
})
