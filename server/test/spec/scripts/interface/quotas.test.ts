import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { interfaceLimits } from '../../../../src/scripts/services/interface/index.ts'
import { type InterfaceFixture, interfaceFixture } from '../../../fixtures/interface.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const operations = [{ name: 'ping', script: 'return "pong"' }]

let fixture: InterfaceFixture
let who: Awaited<ReturnType<InterfaceFixture['otherOwner']>>
const withOther = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite)
  who = await fixture.otherOwner()
})
async function expose(id: string, more = {}) {
  await fixture.exposed(id, { operations, whitelist: [who.businessId], ...more })
}
const remove = async (solution: string, id: string, token?: string) =>
  assertStatus(
    await fixture.ask('DELETE', `/solution/${solution}/serviceconfig/${id}`, undefined, token),
    204,
  )
const call = async (solution: string, alias: string) => {
  const answer = await fixture.run(solution, `return {answer = ${alias}.ping()}`)
  const { answer: given } = answer as { answer: string | { status: number } }
  return typeof given === 'string' ? 200 : given.status
}
const outside = async (id: string, query = '') =>
  (await fixture.ask('POST', `/solution/${id}/interface/ping${query}`, {}, who.token)).status
const set = async (exposed: string, caller: string, quota: object) =>
  assertStatus(
    await fixture.ask('PATCH', `/solution/${exposed}/subscribers/${caller}`, { quota }),
    200,
  )
const get = async (exposed: string, caller: string) =>
  (await fixture.ask('GET', `/solution/${exposed}/subscribers/${caller}`)).json

/** A quota is that of a caller at an exposed solution, whatever becomes of its subscription. */
describe('interface: quotas of callers', () => {
  withOther()

  it('who removes the service and adds it again has the same quota, and its use', async () => {
    await expose('again')
    const first = await fixture.subscriber('qb', 'again')
    await set('again', 'qb', { calls_daily: 1 })
    assert.deepEqual([await call('qb', 'again'), await call('qb', 'again')], [200, 429])
    await remove('qb', first)
    await fixture.subscribe('qb', 'again')
    assert.equal(await call('qb', 'again'), 429)
    const { quota, used } = await get('again', 'qb')
    assert.deepEqual([quota, used.calls_daily], [{ calls_daily: 1 }, 1])
    assertStatus(await fixture.ask('DELETE', '/solution/qb?confirm=qb'), 204)
    await fixture.subscriber('qb', 'again')
    assert.equal(await call('qb', 'again'), 429)
  })

  it('a second subscription of a solution shares the quota of the first', async () => {
    await expose('twice')
    await fixture.subscriber('qs', 'twice', { script_key: 'one' })
    const second = await fixture.subscribe('qs', 'twice', { script_key: 'two' })
    await set('twice', second, { calls_daily: 3 })
    const ends = []
    for (const alias of ['one', 'two', 'one', 'two', 'one']) ends.push(await call('qs', alias))
    assert.deepEqual(ends, [200, 200, 200, 429, 429])
    for (const id of ['qs', second]) assert.deepEqual((await get('twice', id)).used.calls_daily, 3)
  })

  it('setSubscriber by the id of a solution reaches each of its subscriptions', async () => {
    await expose('reach', { parameters: [{ name: 'level', type: 'integer' }] })
    await fixture.solution('many')
    const ids = []
    for (const script_key of ['one', 'two']) {
      ids.push(await fixture.subscribe('many', 'reach', { script_key }))
    }
    const change = 'quota={calls_daily=0}, parameters={level=4}'
    const source = `return interface.setSubscriber{subscriber_id="many", ${change}}`
    assert.equal(await fixture.run('reach', source), undefined)
    for (const id of ids) {
      const { quota, parameters } = await get('reach', id)
      assert.deepEqual([quota, parameters], [{ calls_daily: 0 }, { level: 4 }])
    }
    assert.deepEqual([await call('many', 'one'), await call('many', 'two')], [429, 429])
  })

  it('a business that deletes its subscription keeps its quota outside', async () => {
    await expose('left')
    const id = await fixture.subscriber('office', 'left', {}, who)
    await set('left', 'office', { calls_daily: 1 })
    assert.deepEqual([await outside('left'), await outside('left')], [200, 429])
    await remove('office', id, who.token)
    assert.equal(await outside('left'), 429)
    assert.equal(await outside('left', '?subscriber=office'), 404)
  })
})

describe('interface: default quotas of callers', () => {
  withOther()

  it('the default of the exposing solution holds for who has no quota of its own', async () => {
    await expose('preset', { quota: { calls_daily: 2 } })
    assert.deepEqual([await outside('preset'), await outside('preset')], [200, 200])
    assert.equal(await outside('preset'), 429)
    await fixture.subscriber('fresh', 'preset')
    assert.deepEqual((await get('preset', 'fresh')).quota, { calls_daily: 2 })
    const ends = []
    for (let turn = 0; turn < 3; turn += 1) ends.push(await call('fresh', 'preset'))
    assert.deepEqual(ends, [200, 200, 429])
    await set('preset', 'fresh', { calls_daily: 3 })
    assert.deepEqual([await call('fresh', 'preset'), await call('fresh', 'preset')], [200, 429])
    await set('preset', 'fresh', { calls_daily: null })
    assert.equal(await call('fresh', 'preset'), 429)
    await fixture.expose('preset', { operations, whitelist: [who.businessId] })
    assert.equal(await call('fresh', 'preset'), 200)
    assert.equal(await outside('preset'), 200)
  })

  it('solutions of another business share the default, however many it makes', async () => {
    await expose('shared', { quota: { calls_daily: 2 } })
    for (const id of ['branch1', 'branch2', 'branch3']) {
      await fixture.subscriber(id, 'shared', {}, who)
    }
    const as = (id: string) => outside('shared', `?subscriber=${id}`)
    assert.deepEqual(
      [await as('branch1'), await as('branch2'), await as('branch3')],
      [200, 200, 429],
    )
    assert.equal((await get('shared', 'branch3')).used.calls_daily, 2)
    await set('shared', 'branch3', { calls_daily: 1 })
    assert.deepEqual([await as('branch3'), await as('branch3')], [200, 429])
    assert.deepEqual([await as('branch1'), await as('branch2')], [429, 429])
  })

  it('a default that is no quota is refused, naming the field', async () => {
    await fixture.solution('badly')
    for (const [quota, detail] of [
      [3, /^quota must be an object/],
      [{ calls: 1 }, /^quota has no field "calls"/],
      [{ calls_daily: -1 }, /^quota\.calls_daily must be a whole number/],
      [{ calls_daily: 1.5 }, /^quota\.calls_daily must be a whole number/],
      [
        { calls_monthly: interfaceLimits.quotaCallsMax + 1 },
        /^quota\.calls_monthly must be a whole/,
      ],
    ] as const) {
      const { status, json } = await fixture.tryExpose('badly', { quota })
      assert.equal(status, 400)
      assert.match(json.message, detail)
    }
    const quota = { calls_daily: 0, calls_monthly: interfaceLimits.quotaCallsMax }
    assert.deepEqual((await fixture.expose('badly', { quota })).quota, quota)
  })
})

describe('interface: subscribers in the management API', () => {
  withOther()

  it('are listed with their quotas and what is used of them', async () => {
    await expose('listed', { parameters: [{ name: 'level', type: 'integer' }] })
    const id = await fixture.subscriber('alpha', 'listed', { parameters: { level: 1 } })
    const path = '/solution/listed/subscribers'
    const set = { quota: { calls_daily: 5 }, parameters: { level: 2 } }
    assertStatus(await fixture.ask('PATCH', `${path}/alpha`, set), 200)
    assert.equal(await call('alpha', 'listed'), 200)
    const { items, total } = (await fixture.ask('GET', path)).json
    assert.equal(total, 1)
    const { quota, used, parameters, solution_id } = items[0]
    assert.deepEqual([{ quota, parameters }, items[0].id, solution_id], [set, id, 'alpha'])
    assert.deepEqual(used, { calls_daily: 1, calls_monthly: 1 })
    assert.deepEqual((await fixture.ask('GET', `${path}/${id}`)).json, items[0])
    assert.deepEqual((await fixture.ask('GET', `${path}?offset=1&limit=1`)).json.items, [])
    for (const [body, message] of [
      [{ quota: { calls_daily: -1 } }, /^quota\.calls_daily must be a whole number/],
      [{ parameters: { level: 'x' } }, /^parameters\.level must be of type integer/],
    ] as const) {
      assertFault(await fixture.ask('PATCH', `${path}/alpha`, body), 'invalid_argument', message)
    }
    for (const name of ['nobody', 'a%00b', 'a b']) {
      assertFault(await fixture.ask('GET', `${path}/${name}`), 'not_found')
    }
  })
})
