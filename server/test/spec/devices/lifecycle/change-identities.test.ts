import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { untilOneWaits } from '../../../fixtures/peers/stall.ts'
import {
  exampleConnector,
  type TestPlatform,
  testPlatform,
  unique,
} from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'
import { activate, newDevice } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'

let millrace: TestPlatform

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
})

type Input = Partial<typeof exampleConnector> & { readonly business?: string }

/** A connector of its own, with identities that are whitelisted. */
async function open(names: readonly string[], { business, ...settings }: Input = {}) {
  const id = unique('many')
  const businessId = business ?? millrace.businessId
  const { connectors, identities } = millrace.platform.provisioning
  await connectors.create(businessId, Object.assign({}, exampleConnector, settings, { id }))
  for (const name of names) await identities.whitelist(businessId, id, name)
  return {
    id,
    change: (body: unknown, token?: string) => post(id, body, token),
    device: (identity: string) => newDevice(millrace.httpUrl, id, identity),
    put: (identity: string, part: object) => identities.whitelist(businessId, id, identity, part),
    async statuses(): Promise<Record<string, string>> {
      const { devices } = await identities.list(businessId, id, { limit: 1_000 })
      const pairs = devices.map(({ identity, status }) => [identity, status] as const)
      return Object.fromEntries(pairs.sort(([one], [other]) => (one < other ? -1 : 1)))
    },
  }
}

async function post(connector: string, body: unknown, token = millrace.token) {
  const path = `/api:1/service/${connector}/device2/identities/change`
  const asked = { method: 'POST', as: `Automation ${token}`, body }
  const { status, json } = await askJson(`${millrace.httpUrl}${path}`, asked)
  return { status, body: json }
}

async function makeToken(wanted: { role: string; groups?: string[] }): Promise<string> {
  const named = Object.assign({ name: 'many' }, wanted)
  return (await millrace.platform.accounts.createToken(millrace.businessId, named)).token
}

const done = (changed: number, skipped = 0, next?: string) => {
  const counts = { changed, skipped, failed: [] }
  return { status: 200, body: next === undefined ? counts : Object.assign(counts, { next }) }
}

const [lock, unlock, reprovision, remove] = (
  ['lock', 'unlock', 'reprovision', 'delete'] as const
).map((change) => ({ change, filter: {} }))

describe('changeIdentities: those that a filter selects', () => {
  shareInstance()

  it('are changed in the order of their names, a call after the other', async () => {
    const { change, statuses } = await open(['p-1', 'p-2', 'p-3', 'p-4', 'v-1'])
    const first = { change: 'lock', filter: { identity: '^p-' }, limit: 3 }
    assert.deepEqual(await change(first), done(3, 0, 'p-3'))
    const second = Object.assign({ after: 'p-3' }, first)
    assert.deepEqual(await change(second), done(1))
    assert.deepEqual(await change(second), done(0, 1))
    const [p, v] = ['locked', 'whitelisted']
    assert.deepEqual(await statuses(), { 'p-1': p, 'p-2': p, 'p-3': p, 'p-4': p, 'v-1': v })
  })

  it('have no next page if as many match as a call looks at', async () => {
    const { change } = await open(['a', 'b'])
    assert.deepEqual(await change(Object.assign({ limit: 2 }, lock)), done(2))
  })

  it('are missed by no call if a device writes between two', async () => {
    const { change, device, statuses } = await open(['c'])
    const [b, a] = [await device('b'), await device('a')]
    await b.write('a=1')
    await a.write('a=1')
    await millrace.platform.provisioning.flush()
    assert.deepEqual(await change(Object.assign({ limit: 1 }, lock)), done(1, 0, 'a'))
    assert.equal((await b.write('a=2')).status, 204)
    await millrace.platform.provisioning.flush()
    assert.deepEqual(await change(Object.assign({ limit: 1, after: 'a' }, lock)), done(1, 0, 'b'))
    assert.deepEqual(await change(Object.assign({ limit: 1, after: 'b' }, lock)), done(1))
    assert.deepEqual(await statuses(), { a: 'locked', b: 'locked', c: 'locked' })
  })

  it('are all changed though the change ends their match', async () => {
    const { change, statuses } = await open(['a', 'b', 'c'])
    const filter = { status: 'whitelisted' }
    assert.deepEqual(await change({ change: 'lock', filter, limit: 2 }), done(2, 0, 'b'))
    assert.deepEqual(await change({ change: 'lock', filter, limit: 2, after: 'b' }), done(1))
    assert.deepEqual(await statuses(), { a: 'locked', b: 'locked', c: 'locked' })
  })

  it('are those that the list shows', async () => {
    const { change, device, put } = await open(['never', 'tagged'])
    await put('tagged', { tags: [{ name: 'site', value: 'north' }] })
    await (await device('seen')).write('a=1')
    await millrace.platform.provisioning.flush()
    const matching = async (filter: object) =>
      (await change({ change: 'delete', filter, dry_run: true })).body.changed
    assert.equal(await matching({ tag: 'site' }), 1)
    assert.equal(await matching({ tag: 'site', tag_value: 'south' }), 0)
    assert.equal(await matching({ online: true }), 1)
    assert.equal(await matching({ online: false }), 2)
    assert.equal(await matching({ ipaddress: '127.0.0.0/8' }), 1)
    assert.equal(await matching({ status: 'provisioned' }), 0)
    assert.equal(await matching({ status: 'devmode', online: true }), 1)
  })
})

describe('changeIdentities: those that are named', () => {
  shareInstance()

  it('are changed in one call, and those that are not there fail', async () => {
    const { change, statuses } = await open(['a', 'b', 'c'])
    const answer = await change({ change: 'lock', identities: ['c', 'a', 'nobody', 'a'] })
    const code = 'unknown_identity'
    const message = 'the connector has no such identity'
    const failed = [{ identity: 'nobody', code, message }]
    assert.deepEqual(answer.body, { changed: 2, skipped: 0, failed })
    assert.deepEqual(await statuses(), { a: 'locked', b: 'whitelisted', c: 'locked' })
  })

  it('are not made anew if they are deleted meanwhile', async () => {
    const { id, change, statuses } = await open(['gone', 'here'])
    const { database } = millrace.platform
    const waiting = await database.transaction(async (transaction) => {
      await transaction.run(
        `delete from provisioning_identity where connector_id = $1 and identity = 'gone'`,
        [id],
      )
      const answer = change({ change: 'unlock', identities: ['gone', 'here'] })
      await untilOneWaits(database)
      return { answer }
    })
    const { body } = await waiting.answer
    assert.deepEqual([body.changed, body.skipped], [0, 1])
    assert.deepEqual(await statuses(), { here: 'whitelisted' })
  })
})

describe('changeIdentities: lock and unlock', () => {
  shareInstance()

  it('ends the connections of a locked device, and refuses it until it is unlocked', async (t) => {
    const { change, device } = await open([])
    const [one, other] = [await device('one'), await device('other')]
    const { closed } = await mqttDevice(t, millrace.mqttUrl, { password: one.token })
    assert.deepEqual(await change({ change: 'lock', filter: { identity: '^one$' } }), done(1))
    await closed
    assert.equal((await one.write('a=1')).status, 403)
    assert.equal((await other.write('a=1')).status, 204)
    assert.deepEqual(await change(unlock), done(1, 1))
    assert.equal((await one.write('a=1')).status, 204)
  })

  it('skips those whose status does not allow the change', async () => {
    const { change, put } = await open(['a', 'b'])
    await put('a', { locked: true })
    assert.deepEqual(await change(lock), done(1, 1))
    assert.deepEqual(await change(lock), done(0, 2))
    await put('b', { locked: false })
    assert.deepEqual(await change(unlock), done(1, 1))
  })

  it('a dry run changes nothing and answers what would be', async () => {
    const { change, put, device } = await open(['a', 'b', 'c'])
    const { write } = await device('d')
    await put('b', { locked: true })
    const dry = { dry_run: true, limit: 2 }
    assert.deepEqual(await change(Object.assign({}, lock, dry)), done(1, 1, 'b'))
    assert.deepEqual(await change(Object.assign({ after: 'b' }, remove, dry)), done(2))
    assert.deepEqual(await change(Object.assign({ after: 'b' }, reprovision, dry)), done(1, 1))
    assert.equal((await write('a=1')).status, 204)
    assert.deepEqual(await change(unlock), done(1, 3))
  })
})

describe('changeIdentities: orders to provision again', () => {
  shareInstance()

  it('ends the credentials of provisioned devices, which may activate again', async () => {
    const { id, change, device, put, statuses } = await open(['new'])
    const one = await device('one')
    const shut = await device('shut')
    await put('shut', { locked: true })
    assert.deepEqual(await change(reprovision), done(1, 2))
    assert.deepEqual(await statuses(), { new: 'whitelisted', one: 'reprovision', shut: 'locked' })
    assert.equal((await one.write('a=1')).status, 401)
    assert.equal((await shut.write('a=1')).status, 403)
    const again = await activate(millrace.httpUrl, `${id}.localhost`, 'one')
    assert.equal(again.status, 200)
    assert.deepEqual(await change(reprovision), done(1, 2))
  })

  it('is refused as a whole if the connector allows none', async () => {
    const settings = { reprovision: { policy: 'never' } } as const
    const { change, device } = await open([], settings)
    const one = await device('one')
    const { status, body } = await change(reprovision)
    assert.deepEqual([status, body.code], [409, 'reprovision_refused'])
    assert.equal((await one.write('a=1')).status, 204)
    assert.deepEqual(await change(lock), done(1))
  })
})

describe('changeIdentities: devices that are deleted', () => {
  shareInstance()

  it('ends devices with their credentials and values, each with a line', async () => {
    const { id, change, device, statuses } = await open(['new', 'stays'])
    const one = await device('one')
    await one.write('a=1')
    assert.deepEqual(await change({ change: 'delete', identities: ['new', 'one'] }), done(2))
    assert.deepEqual(await statuses(), { stays: 'whitelisted' })
    assert.equal((await one.write('a=1')).status, 401)
    const { businessId, platform } = millrace
    const { activity, database, provisioning } = platform
    await activity.flush()
    const asked = { kinds: ['delete'] } as const
    const { lines } = await activity.connectors.lines(businessId, id, asked)
    assert.deepEqual(lines.map(({ identity }) => identity).sort(), ['new', 'one'])
    assert.equal((await provisioning.identities.list(businessId, id)).total, 1)
    const text = 'select alias from provisioning_value where connector_id = $1'
    assert.deepEqual(await database.rows(text, [id]), [])
  })

  it('takes more than one transaction deletes', async () => {
    const names = Array.from(
      { length: provisioningLimits.deviceDeletionBatchMax + 5 },
      (_, n) => `d-${n + 100}`,
    )
    const { change, statuses } = await open(names)
    const limit = provisioningLimits.deviceDeletionBatchMax + 2
    const last = `d-${100 + limit - 1}`
    assert.deepEqual(await change(Object.assign({ limit }, remove)), done(limit, 0, last))
    assert.deepEqual(Object.keys(await statuses()), names.slice(limit))
    assert.deepEqual(await change(Object.assign({ after: last }, remove)), done(3))
  })
})

describe('changeIdentities: who may', () => {
  shareInstance()

  it('one who sees some groups changes the devices in these alone', async () => {
    const { id, change, statuses } = await open(['mine', 'root', 'theirs'])
    const { platform, businessId } = millrace
    const all = wholeView(businessId)
    for (const name of ['mine', 'theirs']) {
      const group = await platform.groups.create(all, { name: `${name} of ${id}` })
      const device = { connectorId: id, identity: name }
      await platform.provisioning.devices.update(all, device, { groupId: group.id })
    }
    const [group] = await platform.groups.list(all, { text: `mine of ${id}` })
    const token = await makeToken({ role: 'Administrator', groups: [group?.id ?? ''] })
    assert.deepEqual(await change(lock, token), done(1))
    const named = await change({ change: 'delete', identities: ['root', 'theirs'] }, token)
    const failed = named.body.failed as { identity: string; code: string }[]
    assert.deepEqual(
      failed.map(({ identity, code }) => `${identity} ${code}`),
      ['root unknown_identity', 'theirs unknown_identity'],
    )
    const rest = { root: 'whitelisted', theirs: 'whitelisted' }
    assert.deepEqual(await statuses(), Object.assign({ mine: 'locked' }, rest))
    assert.deepEqual(await change(remove, token), done(1))
    assert.deepEqual(await statuses(), rest)
  })
})

const tooMany = Array.from({ length: provisioningLimits.deviceChangesMax + 1 }, (_, n) => `d-${n}`)

const wrong: readonly [unknown, RegExp][] = [
  [{}, /^change /],
  [{ change: 'lock' }, /^filter or identities must be given/],
  [{ filter: {} }, /^change /],
  [{ change: 'freeze', filter: {} }, /^change must be one of/],
  [{ change: 'lock', filter: {}, identities: ['a'] }, /^filter and identities contradict/],
  [{ change: 'lock', identities: [] }, /^identities must/],
  [{ change: 'lock', identities: tooMany }, /^identities must have at most 500/],
  [{ change: 'lock', identities: ['a\0'] }, /^identities\[0\] must not hold control/],
  [{ change: 'lock', identities: ['a'], after: 'a' }, /^after belongs to filter/],
  [{ change: 'lock', identities: ['a'], limit: 1 }, /^limit belongs to filter/],
  [{ change: 'lock', filter: {}, limit: 0 }, /^limit must/],
  [{ change: 'lock', filter: {}, limit: provisioningLimits.deviceChangesMax + 1 }, /^limit must/],
  [{ change: 'lock', filter: {}, after: 'a\0' }, /^after must not hold control/],
  [{ change: 'lock', filter: { identity: 'a|b' } }, /^identity knows only/],
  [{ change: 'lock', filter: { identity: '' } }, /^filter\.identity must not be empty/],
  [{ change: 'lock', filter: { ipaddress: 'nonsense' } }, /ipaddress/],
  [{ change: 'lock', filter: { status: 'lost' } }, /^filter\.status must be one of/],
  [{ change: 'lock', filter: { tag_value: 'x' } }, /^tag_value needs/],
  [{ change: 'lock', filter: { limit: 1 } }, /is not a field/],
  [{ change: 'lock', filter: {}, dry_run: 'yes' }, /^dry_run must/],
]

describe('changeIdentities: what is wrong', () => {
  shareInstance()

  for (const [input, message] of wrong) {
    it(`changes nothing: ${JSON.stringify(input).slice(0, 70)}`, async () => {
      const { change, statuses } = await open(['a'])
      const { status, body } = await change(input)
      assert.deepEqual([status, body.code], [400, 'invalid_argument'])
      assert.match(String(body.message), message)
      assert.deepEqual(await statuses(), { a: 'whitelisted' })
    })
  }
})
