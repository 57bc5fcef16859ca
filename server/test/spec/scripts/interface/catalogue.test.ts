import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { runsCommands } from '../../../fixtures/commands/command-line.ts'
import { type InterfaceFixture, interfaceFixture, type Owner } from '../../../fixtures/interface.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const weather = {
  default_script_key: 'Weather',
  name: 'Weather of places',
  description: 'Forecasts for 100% of Norway',
  contact: { name: 'Ann', email: 'ann@example.com' },
  tags: ['weather', 'Nordic'],
  parameters: [{ name: 'api_key', description: 'yours' }],
  operations: [{ name: 'report', script: 'return 1', description: 'a report' }],
  events: [{ name: 'storm', default_script: 'log.warn(event.city)' }],
}

let fixture: InterfaceFixture
let guest: Owner
let outsider: Owner

const listed = async (query = '', token?: string) => {
  const answer = await fixture.ask('GET', `/services${query}`, undefined, token)
  assertStatus(answer, 200)
  return answer.json
}
const listIds = async (query?: string, token?: string): Promise<string[]> =>
  (await listed(query, token)).items.map((one: { solution_id: string }) => one.solution_id)

describe('services that a business may use', () => {
  const suite = suiteContext()
  before(async () => {
    fixture = await interfaceFixture(suite)
    guest = await fixture.otherOwner()
    outsider = await fixture.otherOwner()
    const whitelist = [guest.businessId]
    await fixture.exposed('wexp', { ...weather, whitelist })
    await fixture.exposed('private1', { name: 'Pumps_of us', tags: ['pumps'] })
    await fixture.exposed('gexp', { name: 'Of the guest' }, guest)
    await fixture.solution('plain')
  })

  it('are its own and those whose whitelist names it', async () => {
    assert.deepEqual(await listIds(), ['wexp', 'private1'])
    assert.deepEqual(await listIds('', guest.token), ['wexp', 'gexp'])
    assert.deepEqual(await listed('', outsider.token), { items: [], total: 0 })
  })

  it('show name, description, tags, contact, parameters, and no script', async () => {
    const { items, total } = await listed('?text=weather', guest.token)
    const { default_script_key, name, description, contact, tags } = weather
    const parameters = [{ name: 'api_key', type: 'string' }]
    const shown = { default_script_key, name, description, contact, tags, parameters }
    assert.deepEqual([items, total], [[{ solution_id: 'wexp', own: false, ...shown }], 1])
  })

  it('are found by each text that people see, and by a tag', async () => {
    const rows: readonly (readonly [query: string, ids: string[]])[] = [
      ['?text=WEXP', ['wexp']],
      ['?text=weath', ['wexp']],
      ['?text=of', ['wexp', 'private1']],
      ['?text=100%25 of', ['wexp']],
      ['?text=%25', ['wexp']],
      ['?text=pumps_of', ['private1']],
      ['?text=pumps of', []],
      ['?text=nordic', ['wexp']],
      ['?text=storm', []],
      ['?tag=Nordic', ['wexp']],
      ['?tag=Nord', []],
      ['?limit=1', ['wexp']],
      ['?limit=1&offset=1', ['private1']],
    ]
    for (const [query, ids] of rows) assert.deepEqual(await listIds(query), ids, query)
    assert.equal((await listed('?limit=1&offset=1')).total, 2)
    const long = await fixture.ask('GET', `/services?text=${'x'.repeat(900)}`)
    assertFault(long, 'invalid_argument')
  })

  it('have a definition for whom they are shown, by id and script key', async () => {
    for (const solution of ['wexp', 'Weather']) {
      const own = await fixture.ask('GET', `/solution/${solution}/definition`)
      assert.deepEqual(own.json.whitelist, [guest.businessId])
      assert.equal(own.json.operations[0].script, 'return 1')
      const path = `/solution/${solution}/definition`
      const { json } = await fixture.ask('GET', path, undefined, guest.token)
      const [{ script: _, ...operation }] = own.json.operations
      assert.deepEqual(json, { ...own.json, whitelist: [], operations: [operation] })
      for (const suffix of ['', '/client?language=lua']) {
        const refused = await fixture.ask('GET', path + suffix, undefined, outsider.token)
        assertFault(refused, 'not_found')
      }
    }
  })

  it('are listed by the command line', async () => {
    const millrace = runsCommands({ ...fixture.millrace, token: guest.token })
    const { stdout, stderr } = await millrace('interface', 'list', '--text', 'norway')
    assert.equal(stdout, 'wexp  Weather  Weather of places  weather, Nordic  api_key\n')
    assert.equal(stderr, '1 of 1\n')
    const shown = await millrace('interface', 'show', '--solution', 'Weather')
    assert.equal(JSON.parse(shown.stdout).name, 'Weather of places')
  })
})
