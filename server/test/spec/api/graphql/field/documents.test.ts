import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { buildSchema, parse, validate } from 'graphql'
import { readSchema } from '../../../../../src/api/graphql/index.ts'
import { until } from '../../../../fixtures/interface.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'
import { getData } from '../../../../fixtures/wire/graphql.ts'
import { expectedAssets } from './expected-assets.ts'
import { expectedJudgement } from './expected-judgement.ts'
import { expectedPlaces } from './expected-places.ts'
import { openPlant, type Plant } from './plant.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const documents = read('assets.graphql') + read('roots.graphql')

describe('the documents of the field', () => {
  const context = suiteContext()
  let plant: Plant
  before(async () => {
    plant = await openPlant(context)
  })

  /** The answer of one document, without what differs from run to run. */
  async function run(operation: string, variables: object = {}, by?: string) {
    const data = getData<Record<string, unknown>>(
      await plant.ask(documents, variables, operation, by),
    )
    return JSON.parse(JSON.stringify(data[operation], unstamped)) as unknown
  }

  /** Entries of the log, without their ids and the times at which they were written. */
  async function logs(variables: object) {
    const found = (await run('logs', variables)) as Record<'id' | 'timestamp', string>[]
    return found.map(({ id, timestamp, ...entry }) => {
      assert.match(id, /^(?:status|audit)-\d+$/)
      assert.match(timestamp, iso)
      return entry
    })
  }

  it('are valid, with every field that they name', () => {
    const errors = validate(buildSchema(readSchema()), parse(documents))
    assert.deepEqual(
      errors.map(({ message }) => message),
      [],
    )
  })

  it('get assets of every form with all that belongs to them', async () => {
    const nothing = { filters: {}, ids: null, pagination: null, includeTemplates: true }
    assert.deepEqual(await run('assets', nothing), expectedAssets(plant))
  })

  it('get the user, the groups as a tree, products and devices', async () => {
    const expected = expectedPlaces(plant)
    assert.deepEqual(await run('currentUser', {}, plant.basic), expected.owner)
    assert.deepEqual(await run('currentUser', {}, plant.people.asVera), expected.vera)
    assert.deepEqual(await run('currentUser'), null, 'a token is no user')
    assert.deepEqual(await run('groups', { filters: {}, pagination: null }), expected.groups)
    const groupsBy = (filters: object) => run('groups', { filters })
    assert.deepEqual(await groupsBy({ text: 'root' }), expected.groups.slice(0, 2))
    assert.deepEqual(await groupsBy({ group_type_id: 'site' }), expected.groups.slice(1, 2))
    const below = { group_id: plant.groups.hall, recurse: true }
    assert.deepEqual(await groupsBy(below), expected.groups.slice(1))
    assert.deepEqual(await run('products'), expected.products)
    assert.deepEqual(await run('devices', { filters: {}, ids: null }), expected.devices)
    assert.deepEqual(await run('devices', { ids: ['spare'] }), expected.devices.slice(1))
    const unused = { product: plant.product, filters: { only_unused: true, status: 'locked' } }
    assert.deepEqual(await run('devices', unused), expected.devices.slice(1))
  })

  it('get statuses by the order of the ids, conditions, comments, policies, logs', async () => {
    const { assets, judged } = plant
    const expected = expectedJudgement(plant)
    const ids = [assets.truck, 'unknown', assets.pump]
    assert.deepEqual(await run('assetStatuses', { ids }), expected.statuses)
    // Which of the two is stored first depends on the machine.
    const all = { query: [], order: [{ by: 'ts' }], pagination: null }
    assert.deepEqual(await run('conditionQuery', all), expected.conditions)
    const of = { condition_id: judged.condition }
    assert.deepEqual(await run('conditionComments', of), expected.comments)
    assert.deepEqual(await run('policies'), expected.policies)
    assert.deepEqual(await run('workInstructions', { filters: {} }), expected.instructions)
    const logged = { filters: { asset_id: assets.pump, category: 'default' } }
    assert.deepEqual(await logs(logged), expected.events)
    const changes = await logs({ filters: { category: 'audit' } })
    assert.deepEqual(changes[0], expected.change)
  })

  it('get the functions of the platform', async () => {
    const modules = (await run('internalInsightModules')) as Record<'id' | 'name', string>[]
    assert.deepEqual(
      modules.map(({ id, name }) => [id, name]),
      ['calculate', 'statistics', 'changes', 'logic', 'rules', 'actions'].map((id) => {
        return [id, id.slice(0, 1).toUpperCase() + id.slice(1)]
      }),
    )
    const first = { id: 'logic', pagination: { limit: 1 } }
    assert.deepEqual(await run('internalInsightModule', first), {
      id: 'logic',
      name: 'Logic',
      description: logicFunctions.join(', '),
      translations: [],
      functions: [notFunction],
    })
  })

  it('make a report, see it completed and get a URL of its content', async () => {
    const { info } = plant.judged
    const id = (await run('createReport', { report_info: info })) as string
    const find = () => run('reportStatus', { job_id: id }) as Promise<{ readonly state: string }>
    const status = await until(find, ({ state }) => state !== 'waiting')
    const day = new Date(info.start_timestamp * 1_000).toISOString().slice(0, 10)
    assert.deepEqual(status, {
      query: info,
      state: 'completed',
      format: 'csv',
      job_id: id,
      length: 107,
      filename: `Pump_${day}_${day}.csv`,
      content_id: id,
    })
    const url = (await run('report', { job_id: id, expires_in: 600 })) as string
    const response = await fetch(`${plant.httpUrl}${new URL(url).pathname}`)
    const [, ...rows] = (await response.text()).split('\r\n')
    const clock = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(11, 19)
    const at = info.start_timestamp + 3_600
    assert.deepEqual(rows, [
      `${clock(at)},Pump,Heat,DEG_CELSIUS,41.5`,
      `${clock(at + 1)},Pump,Heat,DEG_CELSIUS,71`,
      '',
    ])
  })
})

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const logicFunctions = [
  'Not',
  ...['And', 'Or', 'Exclusive or'].flatMap((name) => {
    return [2, 3, 4, 5].map((count) => `${name} of ${count} signals`)
  }),
]

const port = { name: 'a', description: null, tag: null, units: [], types: [] }

const notFunction = {
  id: 'not',
  name: 'Not',
  description: 'True if the value is false, and false if it is true.',
  type: 'transform',
  dsl: null,
  action: null,
  inlets: [{ ...port, primitive: 'BOOLEAN' }],
  outlets: [{ ...port, name: 'result', primitive: 'BOOLEAN' }],
}

const ownTime = ['createdAt', 'updatedAt', 'start_time', 'update_time', 'lastHeard']
/** Fields with tests of their own. */
const others = ['protocol', 'receivedTime']

/** Leaves out what differs from run to run, once it is seen to be there. */
function unstamped(this: unknown, key: string, value: unknown): unknown {
  if (ownTime.includes(key) && value !== null) {
    assert.match(String(value), iso, key)
    return undefined
  }
  return others.includes(key) ? undefined : value
}
