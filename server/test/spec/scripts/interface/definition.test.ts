import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { interfaceFixture } from '../../../fixtures/interface.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const [fixture, onInstance] = sharedFixture((suite) => interfaceFixture(suite))
let count = 0
/** The solution of this test. */
let id = ''

/** A fresh solution for each test of a suite. */
function eachHasASolution(): void {
  onInstance()
  beforeEach(async () => {
    count += 1
    id = `solution${count}`
    await fixture.solution(id)
  })
}

/** A field, what it may be; values that are taken, and those refused with which sentence. */
type Row = readonly [
  field: string,
  may: string,
  good: readonly unknown[],
  bad: readonly (readonly [value: unknown, sentence: RegExp])[],
]

const key = /^default_script_key must match \^\(\?!\[0-9\]\)\[a-zA-Z0-9\]\{2,63\}\$$/
const keysOfOthers = 'print Print end context string Http http Interface timer'.split(' ')
const noTitles = ['my title', 'end', '9a', 'a-b', '', 'ä'].map((title) => ({ title }))
const types = ['string', 'boolean', 'number', 'integer', 'array', 'object']
const whole = { name: 'getAll', script: 'return 1', response: { type: 'integer' }, parameters: {} }
const alarm = { name: 'alarm', response: {}, parameters: { title: 'alarm' } }
const unreadable = { properties: { a: { pattern: '(' } } }

const rows: readonly Row[] = [
  [
    'default_script_key',
    'string ^(?![0-9])[a-zA-Z0-9]{2,63}$, and no name that scripts have',
    ['ab', 'W2x'],
    [
      ...['a', '2ab', 'a-b', 'ä'.repeat(3), 'x'.repeat(64), 7].map((one) => [one, key] as const),
      ...keysOfOthers.map((one) => [one, new RegExp(`^default_script_key ${one} is a `)] as const),
    ],
  ],
  [
    'name',
    'display name',
    ['Größe der Pumpe'],
    [
      [1, /^name must be a string$/],
      ['Print!', /^default_script_key Print is a word/],
    ],
  ],
  ['description', 'visible to subscribers', ['d'], [[{}, /^description must be a string$/]]],
  [
    'contact',
    'name and email, of the e-mail format',
    [{ name: 'Ann', email: 'ann@example.com' }, {}],
    [
      [{ email: 'ann' }, /^contact\.email must be an e-mail address$/],
      [{ name: 1 }, /^contact\.name must be a string$/],
      [{ phone: '1' }, /^contact has no field "phone"$/],
      ['Ann', /^contact must be an object$/],
    ],
  ],
  [
    'tags',
    'each 1 to 20 characters, at most 10 items',
    [Array.from({ length: 10 }, (_, at) => `${at}`.padEnd(20, 'x')), ['a']],
    [
      [Array.from({ length: 11 }, () => 'a'), /^tags must have at most 10 items$/],
      [[''], /^tags\[0\] must not be empty$/],
      [['a', 'x'.repeat(21)], /^tags\[1\] must have at most 20 characters$/],
      [[1], /^tags\[0\] must be a string$/],
      ['a', /^tags must be an array$/],
    ],
  ],
  [
    'whitelist',
    'array of strings',
    [['business1']],
    [
      ['business1', /^whitelist must be an array$/],
      [[1], /^whitelist\[0\] must be a string$/],
      [['business1', ''], /^whitelist\[1\] must be the id of a business$/],
      [['Acme Ltd'], /^whitelist\[0\] must be the id of a business$/],
    ],
  ],
  [
    'parameters',
    'name ^[a-zA-Z][a-zA-Z0-9_]{2,99}$, type, items, properties, description',
    [
      [{ name: 'api_key' }],
      types.map((type, at) => ({ name: `name${at}`, type })),
      [{ name: 'abc', type: 'array', items: { type: 'string' } }],
      [{ name: 'abc', type: 'object', properties: { a: {} }, description: 'what it is' }],
    ],
    [
      ...['ab', '1abc', '_abc', 'a-bc', `a${'b'.repeat(100)}`].map(
        (name) => [[{ name }], /^parameters\[0\]\.name must match/] as const,
      ),
      [[{ name: 'abc', type: 'null' }], /^parameters\[0\]\.type must be one of/],
      [[{ name: 'abc', items: { a: 1 } }], /^parameters\[0\]\.items\.a is not a/],
      [[{ name: 'abc', properties: { a: 1 } }], /\[0\]\.properties\.a must be a payload schema/],
      [[{ name: 'abc', default: 1 }], /^parameters\[0\] has no field "default"$/],
      [[{ name: 'abc' }, { name: 'abc' }], /^parameters\[1\]\.name is duplicated/],
      [{ a: 1 }, /^parameters must be an array$/],
    ],
  ],
  [
    'operations',
    'name ^[a-zA-Z][a-zA-Z0-9]+$, script, response, parameters, description',
    [[{ ...whole, description: 'all' }]],
    [
      ...['a', '1a', 'get_all', 'get-all', ''].map(
        (name) => [[{ name }], /^operations\[0\]\.name must match/] as const,
      ),
      ...noTitles.map(
        (parameters) => [[{ name: 'go', parameters }], /\.title must be a name in Lua/] as const,
      ),
      [[{ name: 'go', script: 1 }], /^operations\[0\]\.script must be a string$/],
      [[{ name: 'go', response: 1 }], /^operations\[0\]\.response must be a payl/],
      [[{ name: 'go', parameters: unreadable }], /a\.pattern is not a pattern that can be matched/],
      [[{ name: 'go' }, { name: 'go' }], /^operations\[1\]\.name is duplicated/],
      [[{ name: 'subscriberAdded' }], /subscriberAdded is an event of the service/],
      [[{ name: 'go', mode: 'sync' }], /^operations\[0\] has no field "mode"$/],
    ],
  ],
  [
    'events',
    'name ^[a-zA-Z][a-zA-Z0-9]+$, response, parameters, description, default_script',
    [[{ ...alarm, description: 'rings', default_script: 'return 1' }]],
    [
      ...noTitles.map(
        (parameters) => [[{ name: 'go', parameters }], /\.title must be a name in Lua/] as const,
      ),
      [[{ name: 'data_in' }], /^events\[0\]\.name must match/],
      [[{ name: 'go', default_script: 1 }], /^events\[0\]\.default_script must be a s/],
      [[{ name: 'go', script: 'x' }], /^events\[0\] has no field "script"$/],
      [[{ name: 'go' }, { name: 'go' }], /^events\[1\]\.name is duplicated/],
    ],
  ],
  ['mode', 'async or sync', ['async', 'sync'], [['both', /^mode must be one of async, sync$/]]],
  ['colour', 'nothing: it is not known', [], [['red', /^interface has no field "colour"$/]]],
]

describe('interface service configuration, a test for each row', () => {
  eachHasASolution()

  for (const [field, may, good, bad] of rows) {
    it(`the field ${field} may be ${may}`, async () => {
      for (const [value, sentence] of bad) {
        // Beside another field: alone, an object of parameters would be the whole definition.
        const refused = await fixture.tryExpose(id, { contact: {}, [field]: value })
        assertFault(refused, 'invalid_argument', sentence)
      }
      for (const value of good) {
        const { [field]: stored } = await fixture.expose(id, { [field]: value })
        if (field !== 'parameters') assert.deepEqual(stored, value)
      }
    })
  }

  it('defaults: the name stripped of special characters, or the id; [] and nothing', async () => {
    const rest = { description: '', contact: {}, tags: [], whitelist: [] }
    const lists = { parameters: [], operations: [], events: [] }
    assert.deepEqual(await fixture.expose(id, {}), {
      default_script_key: id,
      name: id,
      ...rest,
      ...lists,
    })
    const named = await fixture.expose(id, { name: 'My (best) service 2!' })
    assert.equal(named.default_script_key, 'Mybestservice2')
    const odd = await fixture.expose(id, { name: '2nd' })
    assert.equal(odd.default_script_key, id)
    const keyed = await fixture.expose(id, { default_script_key: 'Given' })
    assert.equal(keyed.name, 'Given')
    const typed = await fixture.expose(id, { parameters: [{ name: 'abc' }] })
    assert.deepEqual(typed.parameters, [{ name: 'abc', type: 'string' }])
  })

  it('a definition that was read can be written back', async () => {
    const path = `/solution/${id}/serviceconfig`
    await fixture.expose(id, { name: 'Once', operations: [{ name: 'go', script: 'return 1' }] })
    const [read] = (await fixture.ask('GET', path)).json.items
    const { service: _, ...body } = read
    const written = await fixture.ask('PUT', `${path}/${read.id}`, body)
    assertStatus(written, 200)
    assert.deepEqual(written.json.parameters, read.parameters)
  })

  it('a solution is exposed once, as interface', async () => {
    await fixture.expose(id, {})
    const again = { service: 'interface' }
    const path = `/solution/${id}/serviceconfig`
    assertFault(await fixture.ask('POST', path, again), 'already_exists')
    const other = { service: 'interface', script_key: 'face' }
    assertFault(await fixture.ask('POST', path, other), 'invalid_argument')
  })

  it('a script that cannot be compiled is refused with file and line', async () => {
    const source = 'local a = 1\nreturn return'
    const operations = [{ name: 'go', script: source }]
    const refused = await fixture.tryExpose(id, { operations })
    assertFault(refused, 'script_refused', /interface_go\.lua:2/)
    const events = [{ name: 'bad', default_script: source }]
    const other = await fixture.tryExpose(id, { default_script_key: 'Pump', events })
    assertFault(other, 'script_refused', /^Pump_bad\.lua:2: /)
    assert.deepEqual((await fixture.ask('GET', `/solution/${id}/serviceconfig`)).json.items, [])
  })

  it('limits: 100 operations, events and parameters, 1000 businesses', async () => {
    const many = (length: number) => Array.from({ length }, (_, at) => ({ name: `name${at}` }))
    for (const list of ['operations', 'events', 'parameters']) {
      await fixture.expose(id, { [list]: many(100) })
      const refused = await fixture.tryExpose(id, { [list]: many(101) })
      assertFault(refused, 'invalid_argument', new RegExp(`^${list} must have at most 100 items$`))
    }
    const whitelist = Array.from({ length: 1_001 }, (_, at) => `b${at}`)
    const refused = await fixture.tryExpose(id, { whitelist })
    assertFault(refused, 'invalid_argument', /^whitelist must have at most 1000 items$/)
    await fixture.expose(id, { whitelist: whitelist.slice(1) })
  })
})

describe('whitelist: only businesses listed may use the service', () => {
  eachHasASolution()

  it('[]: the own business alone; a listed one may; a delisted one no more', async () => {
    const other = await fixture.otherOwner()
    const operations = [{ name: 'ping', script: 'return "pong"' }]
    const key = `Key${id}`
    await fixture.expose(id, { default_script_key: key, operations })
    await fixture.subscriber(`own${id}`, id)
    const guest = `guest${id}`
    await fixture.solution(guest, other)
    for (const name of [id, key]) {
      assertFault(await fixture.trySubscribe(guest, name, {}, other), 'not_found')
    }
    const whitelist = [other.businessId]
    await fixture.expose(id, { default_script_key: key, operations, whitelist })
    await fixture.subscribe(guest, key, {}, other)
    const ping = () => fixture.run(guest, `return ${key}.ping{}`, undefined, other)
    assert.equal(await ping(), 'pong')
    await fixture.expose(id, { default_script_key: key, operations })
    const refused = (await ping()) as { status: number }
    assert.equal(refused.status, 404)
    assert.equal(await fixture.run(`own${id}`, `return ${key}.ping{}`), 'pong')
  })

  it('a subscription is to an id: nobody takes the place of one that is gone', async () => {
    const other = await fixture.otherOwner()
    const operations = [{ name: 'ping', script: 'return "mine"' }]
    await fixture.expose(id, { default_script_key: `Gone${id}`, operations })
    const subscription = await fixture.subscriber(`user${id}`, id)
    const config = await fixture.ask('GET', `/solution/${id}/serviceconfig`)
    const path = `/solution/${id}/serviceconfig/${config.json.items[0].id}`
    assertStatus(await fixture.ask('DELETE', path), 204)
    const thief = `thief${id}`
    await fixture.solution(thief, other)
    const body = {
      default_script_key: id,
      whitelist: [fixture.businessId],
      operations: [{ name: 'ping', script: 'return "stolen"' }],
    }
    await fixture.expose(thief, body, other)
    const refused = (await fixture.run(`user${id}`, `return Gone${id}.ping{}`)) as {
      status: number
    }
    assert.equal(refused.status, 404)
    const mine = `/solution/user${id}/serviceconfig/${subscription}`
    assertFault(await fixture.ask('PUT', mine, { parameters: {} }), 'not_found')
  })

  it('a key of several: the own comes first, others are distinguished by ids', async () => {
    const [first, second] = [await fixture.otherOwner(), await fixture.otherOwner()]
    const third = await fixture.otherOwner()
    const whitelist = [third.businessId]
    const key = `Same${id}`
    const operations = (word: string) => [{ name: 'ping', script: `return "${word}"` }]
    for (const [at, who] of [first, second].entries()) {
      await fixture.solution(`${id}x${at}`, who)
      const body = { default_script_key: key, whitelist, operations: operations(`${at}`) }
      await fixture.expose(`${id}x${at}`, body, who)
    }
    const user = `${id}user`
    await fixture.solution(user, third)
    assertFault(
      await fixture.trySubscribe(user, key, {}, third),
      'invalid_argument',
      /names 2 services: use the id of one$/,
    )
    await fixture.subscribe(user, `${id}x1`, {}, third)
    assert.equal(await fixture.run(user, `return ${key}.ping{}`, undefined, third), '1')
    await fixture.solution(`${id}own`, third)
    const own = { default_script_key: key, operations: operations('own') }
    await fixture.expose(`${id}own`, own, third)
    await fixture.subscribe(user, key, { script_key: 'ours' }, third)
    assert.equal(await fixture.run(user, 'return Ours.ping{}', undefined, third), 'own')
  })

  it("an id that is another service's script key is refused to a new subscriber", async () => {
    const [author, thief, user] = [
      await fixture.otherOwner(),
      await fixture.otherOwner(),
      await fixture.otherOwner(),
    ]
    const key = `wanted${id}`
    const operations = (word: string) => [{ name: 'ping', script: `return "${word}"` }]
    const definition = (word: string, script_key: string) => ({
      default_script_key: script_key,
      whitelist: [user.businessId],
      operations: operations(word),
    })
    await fixture.exposed(`author${id}`, definition('real', key), author)
    const early = `early${id}`
    await fixture.subscriber(early, key, {}, user)
    await fixture.exposed(key, definition('stolen', `other${id}`), thief)
    const late = `late${id}`
    await fixture.solution(late, user)
    assertFault(
      await fixture.trySubscribe(late, key, {}, user),
      'invalid_argument',
      new RegExp(`the script key of author${id}: use the id`),
    )
    await fixture.subscribe(late, `author${id}`, { script_key: 'chosen' }, user)
    assert.equal(await fixture.run(late, 'return Chosen.ping{}', undefined, user), 'real')
    const call = `return ${key[0]?.toUpperCase()}${key.slice(1)}.ping{}`
    assert.equal(await fixture.run(early, call, undefined, user), 'real')
  })
})
