import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { interfaceLimits } from '../../../../src/scripts/services/interface/index.ts'
import { type InterfaceFixture, interfaceFixture } from '../../../fixtures/interface.ts'
import { type Answered, assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const text = { type: 'string' }
const definition = (changes: Readonly<Record<string, unknown>> = {}) => ({
  default_script_key: 'Pump',
  operations: [
    {
      name: 'level',
      script: 'return {level = 1}',
      parameters: { type: 'object', properties: { device: text } },
      response: { type: 'object', required: ['level'], properties: { level: { type: 'number' } } },
    },
  ],
  events: [{ name: 'alarm', parameters: { type: 'object', required: ['level'] } }],
  parameters: [{ name: 'site', type: 'string' }],
  ...changes,
})

/** A change of each part, and whom of its subscribers it hits. */
const breaking = [
  ['an operation that is gone', { operations: [] }, /operation level: is gone \(handles, sets\)/],
  ['an event that is gone: those who handle it', { events: [] }, /alarm: is gone \(handles\)/],
  ['another mode', { mode: 'sync' }, /mode: was not set, is sync \(handles, sets\)/],
  [
    'a parameter of another type: those who have set it',
    { parameters: [{ name: 'site', type: 'integer' }] },
    /parameter site: site: type was "string", is "integer" \(sets\)/,
  ],
] as const

let fixture: InterfaceFixture
const onSubscribers = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite)
  await fixture.expose('pump', definition())
  await fixture.subscriber('handles', 'pump')
  await fixture.put('handles', 'Pump_alarm', 'return 1')
  await fixture.subscriber('sets', 'pump', { parameters: { site: 'north' } })
})

/** Changes the configuration of the service, as it is, with a query. */
async function put(body: unknown, query = '', method = 'PUT'): Promise<Answered> {
  return fixture.pump(method, `/serviceconfig/${await configurationId()}${query}`, body)
}
async function configurationId(): Promise<string> {
  const { json } = await fixture.pump('GET', '/serviceconfig')
  return json.items.find(({ service }: { service: string }) => service === 'interface').id
}
const live = async () =>
  (await fixture.pump('GET', `/serviceconfig/${await configurationId()}`)).json.parameters
const push = (files: object[], query = '') => fixture.pump('POST', `/push${query}`, { files })
const makeFile = (body: object) => ({
  path: 'services/interface.json',
  text: JSON.stringify(body),
})

const check = (body: unknown, solution = 'pump', token?: string) =>
  fixture.ask('POST', `/solution/${solution}/definition/check`, body, token)

async function readChanges(body: unknown): Promise<Readonly<Record<string, unknown>>[]> {
  const answer = await check(body)
  assertStatus(answer, 200)
  return answer.json.changes
}

describe('a definition that breaks what subscribers rely on', () => {
  onSubscribers()

  for (const [title, changes, message] of breaking) {
    it(`${title}: 409, naming what and whom; nothing has changed`, async () => {
      const was = await live()
      const after = definition(changes)
      for (const method of ['PUT', 'PATCH']) {
        assertFault(await put(after, '', method), 'breaking_change', message)
      }
      assertFault(await put(after, '?allow_breaking=false'), 'breaking_change', message)
      assertFault(await push([makeFile(after)]), 'breaking_change', message)
      assert.deepEqual(await live(), was)
    })
  }

  it('what adds to a definition needs no flag', async () => {
    const more = definition({
      operations: [...definition().operations, { name: 'reset', script: 'return nil' }],
      events: [...definition().events, { name: 'storm' }],
      whitelist: ['somebody'],
    })
    assertStatus(await put(more), 200)
    assertStatus(await push([makeFile(more)]), 200)
    assertStatus(await put(definition(), '?allow_breaking=true'), 200)
  })

  it('with the flag it is published: serviceconfig, and push', async () => {
    assertStatus(await put(definition({ operations: [] }), '?allow_breaking=true'), 200)
    assert.deepEqual((await live()).operations, [])
    assertStatus(await put(definition()), 200)
    const quiet = [makeFile(definition({ events: [] }))]
    assertStatus(await push(quiet, '?allow_breaking=true'), 200)
    assert.deepEqual((await live()).events, [])
    assertStatus(await put(definition()), 200)
    assertFault(await push(quiet, '?allow_breaking=yes'), 'invalid_argument', /allow_breaking/)
    assertFault(await put(definition(), '?colour=1'), 'invalid_argument', /colour/)
  })

  it('a push that is wrong as well reports that first', async () => {
    const broken = { path: 'timer_tick.lua', text: 'if' }
    assertFault(
      await push([makeFile(definition({ events: [] })), broken]),
      'script_refused',
      /tick/,
    )
  })
})

describe('the check of a definition, and its report', () => {
  onSubscribers()

  it('reports each of them, and changes nothing', async () => {
    const was = await live()
    for (const [title, changes] of breaking) {
      assert.equal((await readChanges(definition(changes))).length, 1, title)
    }
    assert.deepEqual(await readChanges(definition()), [])
    assert.deepEqual(await readChanges({ parameters: definition() }), [])
    const [change, ...more] = await readChanges(definition({ events: [] }))
    const { subscribers, ...rest } = change ?? {}
    assert.deepEqual(more, [])
    assert.deepEqual(rest, { part: 'event', name: 'alarm', change: 'is gone' })
    const [hit, ...others] = subscribers as { solution_id: string; instance_id: string }[]
    assert.deepEqual(others, [])
    assert.equal(hit?.solution_id, 'handles')
    assert.match(hit?.instance_id ?? '', /^[0-9a-f-]{36}$/)
    assert.deepEqual(await live(), was)
  })

  it('refuses what is no definition, and a solution of nobody', async () => {
    const wrong = await check(definition({ mode: 'often' }))
    assertFault(wrong, 'invalid_argument', /^mode must be one of/)
    assertFault(await check('[]'), 'malformed_request')
    assertFault(await check(undefined), 'malformed_request')
    for (const solution of ['handles', 'nobody', 'a%00b']) {
      assertFault(await check(definition(), solution), 'not_found')
      assertFault(await fixture.ask('GET', `/solution/${solution}/definition`), 'not_found')
    }
  })

  it('a long list of changes, and of subscribers, is cut', async () => {
    const count = interfaceLimits.breakingNamedMax + 2
    const names = Array.from({ length: count }, (_, at) => `call${at}`)
    await fixture.exposed('many', { operations: names.map((one) => ({ name: one, script: '' })) })
    for (const one of names) {
      await fixture.subscriber(one, 'many', { script_key: 'many' })
    }
    const refused = await fixture.tryExpose('many', { operations: [] })
    assertFault(refused, 'breaking_change', /call9, and 2 more\); and 2 more\. allow_breaking=true/)
  })
})

describe('a definition that nobody relies on', () => {
  onSubscribers()

  it('a business that was taken off the whitelist relies on nothing any more', async () => {
    const who = await fixture.otherOwner()
    await fixture.expose('pump', definition({ whitelist: [who.businessId] }))
    await fixture.subscriber('foreign', 'pump', {}, who)
    const mode = { mode: 'sync' }
    const whitelist = [who.businessId]
    const listed = await put(definition({ ...mode, whitelist }))
    assertFault(listed, 'breaking_change', /\(handles, sets, foreign\)/)
    await fixture.expose('pump', definition())
    assertFault(await put(definition(mode)), 'breaking_change', /\(handles, sets\)/)
  })

  it('without subscribers no flag is needed', async () => {
    await fixture.solution('alone')
    assertStatus(await fixture.tryExpose('alone', definition()), 201)
    const without = definition({ operations: [], events: [] })
    assertStatus(await fixture.tryExpose('alone', without), 200)
  })

  it('nobody who handles the event: no flag is needed', async () => {
    await fixture.exposed('quiet', definition())
    await fixture.subscriber('deaf', 'quiet')
    assertStatus(await fixture.tryExpose('quiet', definition({ events: [] })), 200)
    assertFault(await fixture.tryExpose('quiet', definition({ operations: [] })), 'breaking_change')
  })
})
