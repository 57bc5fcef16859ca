import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type InterfaceFixture, interfaceFixture } from '../../fixtures/interface.ts'
import { assertFault, assertStatus } from '../../fixtures/solutions.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('interface: subscribers in the management API', () => {
  const suite = suiteContext()
  let fixture: InterfaceFixture
  let id = ''
  before(async () => {
    fixture = await interfaceFixture(suite)
    const operations = [{ name: 'ping', script: 'return "pong"' }]
    const parameters = [{ name: 'level', type: 'integer' }]
    await fixture.expose('pump', { default_script_key: 'Pump', operations, parameters })
    await fixture.solution('alpha')
    id = await fixture.subscribe('alpha', 'pump', { parameters: { level: 1 } })
  })

  it('lists them with their quotas and what is used of them', async () => {
    const set = { quota: { calls_daily: 5 }, parameters: { level: 2 } }
    const changed = await fixture.pump('PATCH', '/subscribers/alpha', set)
    assertStatus(changed, 200)
    assert.equal(await fixture.run('alpha', 'return Pump.ping{}'), 'pong')
    const { items, total } = (await fixture.pump('GET', '/subscribers')).json
    assert.equal(total, 1)
    const { quota, used, parameters, solution_id } = items[0]
    assert.deepEqual(
      { quota, used, parameters, solution_id, id: items[0].id },
      {
        quota: { calls_daily: 5 },
        used: { calls_daily: 1, calls_monthly: 1 },
        parameters: { level: 2 },
        solution_id: 'alpha',
        id,
      },
    )
    assert.deepEqual((await fixture.pump('GET', `/subscribers/${id}`)).json, items[0])
    assert.deepEqual((await fixture.pump('GET', '/subscribers?offset=1&limit=1')).json.items, [])
  })

  it('a quota that is set here holds for the next call', async () => {
    const quota = { calls_daily: 1, calls_monthly: null }
    assertStatus(await fixture.pump('PATCH', `/subscribers/${id}`, { quota }), 200)
    const answer = (await fixture.run('alpha', 'return Pump.ping{}')) as { status: number }
    assert.equal(answer.status, 429)
    const none = { quota: { calls_daily: null } }
    assert.deepEqual((await fixture.pump('PATCH', '/subscribers/alpha', none)).json.quota, {})
    assert.equal(await fixture.run('alpha', 'return Pump.ping{}'), 'pong')
  })

  it('refuses by name', async () => {
    const path = '/subscribers/alpha'
    const rows: [object, RegExp][] = [
      [{ quota: { calls_daily: -1 } }, /^quota\.calls_daily must be a whole number/],
      [{ quota: 3 }, /^quota must be an object$/],
      [{ parameters: { level: 'x' } }, /^parameters\.level must be of type integer/],
    ]
    for (const [body, message] of rows) {
      assertFault(await fixture.pump('PATCH', path, body), 'invalid_argument', message)
    }
    for (const name of ['nobody', 'a%00b', 'a b']) {
      assertFault(await fixture.pump('GET', `/subscribers/${name}`), 'not_found')
    }
  })
})
