import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import {
  overTls,
  type ProvisioningFixture,
  provisioningFixture,
} from '../../../fixtures/provisioning.ts'
import { type Scripted, scripted } from '../../../fixtures/scripted-platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const hourUs = 3_600_000_000
const hourMs = 3_600_000

describe('the event `expired` of a connector', () => {
  const suite = suiteContext()
  let millrace: Scripted<OwnPlatform>
  before(async () => {
    millrace = await scripted(suite, { movesClock: true })
  })

  it('comes to scripts when a window closed, and the log has a line', async () => {
    const { handling, platform, businessId, connector, clock, printed, until } = millrace
    const pump = await handling('pump', 'print(to_json(event))')
    const tags = [{ name: 'site', value: 'north' }]
    const { identities } = platform.provisioning
    await identities.whitelist(businessId, connector.id, 'late', { tags })
    await identities.whitelist(businessId, connector.id, 'any time', { auth: { expire: null } })
    clock.advance(48 * hourMs)
    const [event = ''] = await printed(pump, 1)
    const { timestamp, ...rest } = JSON.parse(event)
    assert.ok(Math.abs(timestamp - clock.nowUs()) < hourUs, 'microseconds')
    assert.deepEqual(rest, {
      type: 'expired',
      identity: 'late',
      ip: '',
      protocol: '',
      connection_id: '',
      tags,
      payload: [],
    })
    const asked = { kinds: ['expire'] } as const
    const { lines } = await platform.activity.connectors.lines(businessId, connector.id, asked)
    assert.deepEqual(
      lines.map(({ identity, message }) => [identity, message]),
      [['late', 'The activation window closed.']],
    )
    assert.equal((await identities.get(businessId, connector.id, 'late')).status, 'expired')
    await until('the ledger adds up', async () => {
      const { faults, stages } = await platform.eventlog.ledger.verify()
      const read = stages.find(({ stage }) => stage === 'scripts')
      return faults.length === 0 && read?.pending === 0
    })
  })
})

describe('the moment at which a window closes', () => {
  const suite = suiteContext()
  let fixture: ProvisioningFixture
  before(async () => {
    fixture = await provisioningFixture(suite, { own: 'publishes the windows that close' })
    const second = fixture.another()
    for (const one of [fixture.provisioning, second]) one.expiry.startPolling()
  })

  async function listExpired(identities: readonly string[]): Promise<string[]> {
    const said = await fixture.entries()
    return said
      .filter(({ kind, identity }) => kind === 'expired' && identities.includes(identity))
      .map(({ identity }) => identity)
      .sort()
  }

  async function soon(identities: readonly string[], expected: readonly string[]): Promise<void> {
    for (let polls = 0; polls < 1_000; polls += 1) {
      if ((await listExpired(identities)).length >= expected.length) break
      await pause(20)
    }
    assert.deepEqual(await listExpired(identities), [...expected].sort())
  }

  it('is published once, however many processes poll, and again for a new window', async () => {
    const { id } = await fixture.connector()
    const { identities, windows } = fixture.provisioning
    const names = Array.from(
      { length: provisioningLimits.windowSweepMax + 20 },
      (_, at) => `many-${at}`,
    )
    for (const name of names) await identities.whitelist(fixture.business, id, name)
    fixture.clock.us += 48 * hourUs
    await soon(names, names)
    await windows.extend(fixture.business, id, { identity: 'many-7', hours: 1 })
    fixture.clock.us += hourUs
    await soon(['many-7'], ['many-7', 'many-7'])
    await soon(names, [...names, 'many-7'])
    assert.deepEqual((await fixture.eventlog.ledger.verify()).faults, [])
  })

  it('is not published if the device activated, was removed, or has a longer window', async () => {
    const connector = await fixture.connector()
    const { identities, windows, activate } = fixture.provisioning
    const names = ['came', 'gone', 'longer', 'late', 'again']
    for (const name of names) await identities.whitelist(fixture.business, connector.id, name)
    for (const name of ['came', 'again']) await activate(connector, name, overTls)
    await identities.remove(fixture.business, connector.id, 'gone')
    await windows.extend(fixture.business, connector.id, { identity: 'longer', hours: 100 })
    fixture.clock.us += hourUs
    await identities.whitelist(fixture.business, connector.id, 'again', { reprovision: true })
    fixture.clock.us += 47 * hourUs - 1
    assert.deepEqual(await listExpired(names), [])
    fixture.clock.us += 1
    await soon(names, ['late'])
    fixture.clock.us += hourUs
    await soon(names, ['late', 'again'])
    assert.equal((await identities.get(fixture.business, connector.id, 'again')).status, 'expired')
  })
})
