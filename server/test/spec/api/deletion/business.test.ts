import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { deletionLimits } from '../../../../src/api/deletion/index.ts'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { until } from '../../../fixtures/wire/mqtt-fleet.ts'
import { type DeletionWorld, openDeletionWorld, silentDevices } from './world.ts'

type Shown = { readonly kind: string; readonly count: number; readonly names: readonly string[] }

describe('the deletion of a business', () => {
  const context = suiteContext()
  let world: DeletionWorld

  before(async () => {
    world = await openDeletionWorld(context)
  })

  const ask: DeletionWorld['ask'] = (...call) => world.ask(...call)
  const progress = async () => (await ask('GET', world.path('/deletion'))).json

  it('names first what goes with it, by kinds with their number and names', async () => {
    const { status, json } = await ask('GET', world.path('/dependants'))
    assert.equal(status, 200)
    assert.deepEqual([json.id, json.name], [world.gone.businessId, 'Gone & Co'])
    const listed = (json.dependants as Shown[]).map(({ kind, count, names }) => {
      return [kind, { count, names: names.toSorted() }]
    })
    const { policies, dashboards, ...found } = Object.fromEntries(listed)
    assert.deepEqual([policies.count, dashboards.count], [1, 1])
    assert.deepEqual(found, {
      users: { count: 2, names: ['admin@gone1.example', 'gone1@example.com'] },
      api_tokens: { count: 2, names: ['SECRET-OF-THEIRS', 'operations'] },
      groups: { count: 1, names: ['Group of gone1'] },
      connectors: { count: 1, names: ['gone1'] },
      devices: { count: silentDevices + 2, names: [] },
      solutions: { count: 1, names: ['gone1s'] },
      assets: { count: 2, names: ['SECRET-OF-THEIRS', 'd1'] },
      work_instructions: { count: 1, names: ['SECRET-OF-THEIRS'] },
    })
  })

  it('is refused unless its name confirms it', async () => {
    const { device, path } = world
    const refused = await ask('DELETE', path())
    assert.deepEqual([refused.status, refused.json.code], [409, 'in_use'])
    assert.match(refused.json.message, /2 users.*1 connectors \(gone1\).*Gone & Co/)
    assert.equal((await ask('DELETE', path('?confirm=Neighbour'))).status, 400)
    assert.equal((await ask('DELETE', '/businesses/nobody?confirm=nobody')).status, 404)
    assert.equal((await ask('GET', path('/deletion'))).status, 404)
    assert.equal((await device.write('a=2')).status, 204)
  })

  it('ends devices, tokens, sessions and scripts at once, in every process', async () => {
    const { gone, second, session, device, path } = world
    assert.ok(Object.keys(await world.rowsWith(gone.businessId)).length > 20)
    const given = encodeURIComponent('Gone & Co')
    const { status, json } = await ask('DELETE', path(`?confirm=${given}`))
    const begun = Date.now()
    assert.deepEqual([status, json.id, json.requested_by], [202, gone.businessId, 'operator'])
    const as = `Automation ${gone.token}`
    await until(async () => (await ask('GET', '/whoami', as, second.httpUrl)).status === 401)
    assert.equal((await ask('GET', '/whoami', as)).status, 401)
    await session.closed
    await until(async () => (await device.read('a')).status === 401)
    const ms = Date.now() - begun
    const { credentialCacheMs } = provisioningLimits
    assert.ok(ms < credentialCacheMs / 2, `not when a cache forgets it: after ${ms} ms`)
    assert.equal((await device.write('a=3')).status, 401)
    const { accounts, scripting, provisioning } = second.platform
    await assert.rejects(accounts.basic('admin@gone1.example', 'a long phrase of words'))
    assert.deepEqual(await scripting.solutions.list(gone.businessId), [])
    assert.deepEqual(await provisioning.connectors.list(gone.businessId), [])
    const { businesses } = (await ask('GET', '/businesses')).json
    assert.equal(businesses.length, 2)
    assert.equal((await ask('DELETE', path(`?confirm=${given}`))).status, 404, 'again')
  })

  it('holds up no device of others while its devices are removed', async () => {
    const { gone, theirDevice } = world
    const times: number[] = []
    while ((await world.devicesLeft(gone.connectorId)) > 0) {
      const began = performance.now()
      assert.equal((await theirDevice.write(`a=${times.length}`)).status, 204)
      times.push(performance.now() - began)
    }
    assert.ok(times.length > 5, `${times.length} writes meanwhile`)
    const [slowest, wholeMs] = [Math.max(...times), times.reduce((sum, ms) => sum + ms, 0)]
    assert.ok(slowest < wholeMs / 2, `one of ${times.length} took ${slowest} of ${wholeMs} ms`)
    await world.instance.platform.scripting.caughtUp()
  })

  it('leaves no row of it in any table, and those of its neighbour as they were', async () => {
    const { instance, second, gone, neighbour } = world
    const { activity_line: _lines, ...untouched } = await world.rowsWith(neighbour.businessId)
    await until(async () => (await progress()).step === 'settling')
    for (const { platform } of [instance, second]) await platform.activity.flush()
    await until(async () => {
      for (const { clock, platform } of [instance, second]) {
        clock.advance(deletionLimits.businessRemovalSettleMs / 4)
        // Counts of repeated lines are due, and the timer that writes them has the real time.
        await platform.activity.flush()
      }
      return (await progress()).step === 'done'
    })
    const { removed, requested_at: from, finished_at: to } = await progress()
    assert.ok(removed > 20 && to > from, JSON.stringify([removed, from, to]))
    assert.deepEqual(await world.rowsWith(gone.businessId), {})
    // Processes read it for a while.
    instance.clock.advance(provisioningLimits.revocationKeptMs)
    await instance.platform.provisioning.revocations.sweep()
    // A label that clients still call is not given away.
    assert.deepEqual(Object.keys(await world.rowsWith('gone1')), ['hosts_label'])
    const after = await world.rowsWith(neighbour.businessId)
    for (const [table, rows] of Object.entries(untouched)) {
      assert.ok(JSON.stringify(after[table]) === JSON.stringify(rows), table)
    }
    assert.equal((await world.theirDevice.write('a=4')).status, 204)
  })

  it('leaves the ledger right, and the operator a note of who did it', async () => {
    const { platform } = world.instance
    await platform.scripting.caughtUp()
    assert.deepEqual((await platform.eventlog.ledger.verify()).faults, [])
    const text = `select subject, target, outcome from accounts_audit
      where business_id = '' and action = 'deleteBusiness' and outcome = 'done'`
    const done = { subject: 'operator', target: 'Gone & Co', outcome: 'done' }
    assert.deepEqual(await platform.database.rows(text), [done])
  })
})
