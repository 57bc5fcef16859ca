import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Connector } from '../../../../src/devices/provisioning/index.ts'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { textArray } from '../../../../src/foundation/database/index.ts'
import { Fault } from '../../../../src/foundation/kernel/index.ts'
import { stallLog, untilOneWaits } from '../../../fixtures/peers/stall.ts'
import { connectorFixture, overTls } from '../../../fixtures/provisioning.ts'
import { openCa } from '../../../fixtures/wire/ca.ts'
import { openOpenssl } from '../../../fixtures/wire/openssl.ts'

const hourUs = 3_600_000_000

/** `ok`, or the code of the refusal; anything else that was thrown in its own words. */
async function outcomes(activations: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(activations)
  return settled.map((one) => {
    if (one.status === 'fulfilled') return 'ok'
    return one.reason instanceof Fault ? one.reason.code : String(one.reason)
  })
}

/** A certificate of anybody's. */
async function someCertificate(t: TestContext): Promise<string> {
  const openssl = await openOpenssl(t)
  const { csr } = await openssl.request({ subject: '/CN=certified' })
  return (await openCa(openssl)).sign(csr)
}

/** Identities of each state, and a connector whose devices register themselves. */
async function identitiesOfEachState(t: TestContext) {
  const fixture = await connectorFixture(t)
  const given = { auth: { type: 'certificate', key: await someCertificate(t) } }
  await fixture.whitelist('expired')
  fixture.clock.us += 49 * hourUs
  await fixture.whitelist('locked', { locked: true })
  await fixture.whitelist('before')
  await fixture.activate('before')
  await fixture.whitelist('certified', given)
  await fixture.whitelist('again')
  await fixture.activate('again')
  await fixture.whitelist('again', { reprovision: true })
  await fixture.whitelist('good')
  await fixture.whitelist('good too')
  const registering = await fixture.make({
    name: 'Line 2',
    selfRegistration: true,
    identityFormat: { prefix: 'r-' },
  })
  await fixture.whitelist('r-locked', { locked: true }, registering)
  return { ...fixture, registering }
}

/** Activates all of them in one transaction: the log holds up the first, and the others wait. */
async function activateTogether(
  { database, whitelist, activate }: Awaited<ReturnType<typeof connectorFixture>>,
  cases: readonly (readonly [identity: string, outcome: string, at?: Connector])[],
): Promise<void> {
  await whitelist('alone')
  const stall = await stallLog(database)
  const first = activate('alone')
  await stall.waitedFor()
  const others = cases.map(([identity, , at]) => activate(identity, overTls, at))
  await stall.release()
  const expected = cases.map(([, outcome]) => outcome)
  assert.deepEqual(await outcomes([first, ...others]), ['ok', ...expected])
}

describe('activations that arrive together are answered each for itself', () => {
  it('are each answered for itself, the good and the bad', async (t) => {
    const { registering, ...fixture } = await identitiesOfEachState(t)
    await activateTogether(fixture, [
      ['unknown', 'unknown_identity'],
      ['good', 'ok'],
      ['expired', 'window_closed'],
      ['locked', 'locked'],
      ['before', 'already_activated'],
      ['certified', 'wrong_method'],
      ['r-new', 'ok', registering],
      ['again', 'ok'],
      ['good too', 'ok'],
      ['good', 'already_activated'],
      ['unknown', 'invalid_argument', registering],
      ['r-locked', 'locked', registering],
      ['r-new', 'already_activated', registering],
    ])
    assert.equal((await fixture.get('good')).status, 'provisioned')
    assert.equal((await fixture.get('again')).status, 'provisioned')
    assert.equal((await fixture.get('r-new', registering)).status, 'provisioned')
    assert.equal((await fixture.get('certified')).status, 'whitelisted')
    const said = (await fixture.entries()).map(({ identity }) => identity)
    const once = ['alone', 'before', 'good', 'good too', 'r-new']
    assert.deepEqual(said.sort(), ['again', 'again', ...once])
    assert.deepEqual((await fixture.eventlog.ledger.verify()).faults, [])
  })

  it('are committed together, those of devices that register themselves as well', async (t) => {
    const { registering, database, ...fixture } = await identitiesOfEachState(t)
    await activateTogether({ database, ...fixture }, [
      ['unknown', 'unknown_identity'],
      ['good', 'ok'],
      ['r-new', 'ok', registering],
      ['r-new', 'already_activated', registering],
    ])
    const transactions = await database.rows(
      `select distinct xmin::text from provisioning_identity
       where identity in ('good', 'r-new') and connector_id = any($1::text[])`,
      [textArray([fixture.connector.id, registering.id])],
    )
    assert.equal(transactions.length, 1)
  })

  it('start each with the initial values of their connector, unless they have some', async (t) => {
    const { business, provisioning, ...fixture } = await connectorFixture(t)
    const settings = {
      selfRegistration: true,
      resources: {
        mode: { format: 'string', settable: true, initial: 'auto' },
        limit: { format: 'number' },
      },
    }
    const starting = await fixture.make({ name: 'Line 2', ...settings })
    await fixture.whitelist('d-0', {}, starting)
    await provisioning.setState(business, starting.id, 'd-0', { mode: 'manual' })
    await fixture.whitelist('plain')
    const names = Array.from({ length: 20 }, (_, at) => `d-${at}`)
    const made = [
      ...names.map((name) => fixture.activate(name, overTls, starting)),
      fixture.activate('plain'),
    ]
    assert.deepEqual(new Set(await outcomes(made)), new Set(['ok']))
    for (const name of names) {
      const { state } = await fixture.get(name, starting)
      assert.deepEqual(Object.keys(state), ['mode'])
      assert.equal(state.mode?.set, name === 'd-0' ? 'manual' : 'auto')
    }
    assert.deepEqual((await fixture.get('plain')).state, {})
    const sets = (await fixture.entries()).filter(({ kind }) => kind === 'set')
    assert.equal(sets.length, names.length)
  })
})

describe('activations that arrive together: faults and bounds', () => {
  it('do not suffer from one that the database refuses', async (t) => {
    const { database, activate, get, ...fixture } = await connectorFixture(t)
    const names = Array.from({ length: 30 }, (_, at) => `d-${at}`)
    for (const name of names) await fixture.whitelist(name)
    await database.run(
      `create function refuse() returns trigger language plpgsql as
       $$ begin raise exception 'refused here'; end $$`,
    )
    await database.run(
      `create trigger refuse before update on provisioning_identity for each row
       when (new.identity in ('d-7', 'd-23')) execute function refuse()`,
    )
    const results = await outcomes(names.map((name) => activate(name)))
    const bad = [7, 23]
    for (const [at, result] of results.entries()) {
      if (bad.includes(at)) assert.match(result, /refused here/)
      else assert.equal(result, 'ok')
    }
    assert.equal((await get('d-7')).status, 'whitelisted')
    assert.equal((await fixture.entries()).length, names.length - bad.length)
    await database.run('drop function refuse cascade')
    assert.deepEqual(await outcomes([activate('d-7'), activate('d-23')]), ['ok', 'ok'])
  })

  it('do not bring back an identity that is being removed', async (t) => {
    const { database, connector, whitelist, activate, entries } = await connectorFixture(t)
    await whitelist('gone')
    let activating: Promise<string[]> | undefined
    await database.transaction(async (transaction) => {
      await transaction.run('delete from provisioning_identity where identity = $1', ['gone'])
      activating = outcomes([activate('gone')])
      await untilOneWaits(database)
    })
    assert.deepEqual(await activating, ['unknown_identity'])
    const text = 'select identity from provisioning_identity where connector_id = $1'
    assert.deepEqual(await database.rows(text, [connector.id]), [])
    assert.deepEqual(await entries(), [])
  })

  it('wait in a line that has an end', async (t) => {
    const { activate } = await connectorFixture(t)
    const room = provisioningLimits.activationsWaitingMax
    // A further one finds room if the first batch has begun.
    const tries = Array.from({ length: room + 3 }, (_, at) => activate(`d-${at}`))
    const results = await outcomes(tries)
    assert.deepEqual(new Set(results.slice(0, room)), new Set(['unknown_identity']))
    assert.deepEqual(results.slice(room + 1), ['overloaded', 'overloaded'])
  })
})
