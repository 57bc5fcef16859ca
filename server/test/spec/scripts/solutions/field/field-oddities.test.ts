import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../../src/foundation/kernel/index.ts'
import { endpointsFixture } from '../../../../fixtures/endpoints.ts'
import type { Tree } from '../../../../fixtures/projects/trees.ts'
import { assertFault, assertStatus } from '../../../../fixtures/solutions.ts'
import { sharedFixture } from '../../../../fixtures/suite.ts'

const [fixture, onInstance] = sharedFixture((suite) => endpointsFixture(suite))

type Row = readonly [file: string, settings: object, note: RegExp | undefined]

const document = {
  openapi: '3.0.0',
  servers: [{ url: 'https://cloud.example.com' }],
  paths: { '/a': { get: { operationId: 'a' } } },
}
const operations = [{ name: 'one' }, { name: 7 }]
const resources = { level: { format: 'number' }, odd: { format: 'colour' } }

/** Known settings that are out of range, or of another type. */
const taken: readonly Row[] = [
  ['services/webservice.json', { rate_limit: 0 }, undefined],
  ['services/webservice.json', { rate_limit: -1 }, /^rate_limit must be a whole number from 0/],
  ['services/webservice.json', { headers: { 'X-A': 7, 'X-B': 'b' } }, /^headers\.X-A must be a /],
  ['services/webservice.json', { documented_endpoints: 'public' }, /^documented_endpoints must be/],
  ['services/webservice.json', { default_page: '../x' }, /^default_page must /],
  ['services/interface.json', { operations }, /^operations\[1\]\.name must be/],
  ['services/interface.json', { name: 'A', description: 5 }, /^description must be a string/],
  ['services/device2.json', { resources }, /^device2: resources\.odd\.format must be one of/],
  ['services/cloud.json', { ...document, rate_per_minute: 0 }, undefined],
  ['services/http.json', { credentials: 7 }, /^credentials must be/],
  ['murano.json', { formatversion: '2.0' }, /^formatversion is not 1\.0\.0/],
  ['murano.json', { modules: { location: '/etc' } }, /^modules\.location must be a folder/],
  ['murano.json', { services: { include: ['a{b'] } }, /^services\.include must be up to/],
]

/** Without these something would be open, or go elsewhere. */
const refused: readonly Row[] = [
  ['services/interface.json', { whitelist: 'all' }, /whitelist must be an array/],
  ['services/interface.json', { quota: 1 }, /quota must be an object/],
  ['services/cloud.json', { service: 'openapi', definition: document, base_url: 7 }, /base_url/],
  ['services/device2.json', { provisioning: { auth_type: 'none' } }, /auth_type must be one of/],
  ['services/http.json', { sslOptions: 7 }, /sslOptions/],
]

let count = 0

/** Pushes a folder to a new solution. */
async function pushNew(files: Tree) {
  count += 1
  const { push, pull } = await fixture.created(`odd${count}`)
  return { pushed: await push(files), pull }
}

type Note = { readonly file: string; readonly message: string }

describe('a setting of the field that is out of range', () => {
  onInstance()

  for (const [file, settings, note] of taken) {
    it(`${file} with ${JSON.stringify(settings).slice(0, 60)} is kept`, async () => {
      const text = JSON.stringify(settings)
      const { pushed, pull } = await pushNew({ [file]: text, 'a_b.lua': 'return 1' })
      assertStatus(pushed, 200)
      const notes: Note[] = pushed.json.notes ?? []
      const own = notes.filter(({ message }) => note?.test(message) === true)
      assert.equal(own.length, note === undefined ? 0 : 1, JSON.stringify(notes))
      assert.ok(own.every((one) => one.file === file))
      assert.equal((await pull())[file], text)
    })
  }

  for (const [file, settings, problem] of refused) {
    it(`${file} with ${JSON.stringify(settings).slice(0, 60)} is refused`, async () => {
      const { pushed } = await pushNew({ [file]: JSON.stringify(settings) })
      assertFault(pushed, 'script_refused', problem)
    })
  }

  it('is refused where a person writes it, and 0 requests a minute are any number', async () => {
    const set = (rate_limit: number) =>
      fixture.pump('POST', '/serviceconfig', { service: 'webservice', parameters: { rate_limit } })
    assertFault(await set(-1), 'invalid_argument', /rate_limit/)
    assertFault(await set(limits.endpointRateMax + 1), 'invalid_argument', /rate_limit/)
    const lua = '--#ENDPOINT GET /x\nreturn 1'
    const files = { 'web.lua': lua, 'services/webservice.yaml': 'rate_limit: 1' }
    const twice = async () => {
      const { get } = fixture
      return [(await get('/x')).status, (await get('/x')).status]
    }
    assertStatus(await fixture.push(files), 200)
    assert.deepEqual(await twice(), [200, 429])
    assertStatus(await fixture.push({ ...files, 'services/webservice.yaml': 'rate_limit: 0' }), 200)
    assert.deepEqual(await twice(), [200, 200])
  })
})

describe('a file of a service that the solution has under another name', () => {
  onInstance()

  it('changes nothing if it is empty, and is refused if it is not', async () => {
    const settings = async () => (await fixture.pump('GET', '/serviceconfig')).json.items
    const push = (text: string) =>
      fixture.push({ 'services/cloud.json': text, 'a_b.lua': 'return 1' })
    assertStatus(await push(JSON.stringify(document)), 200)
    const before = await settings()
    const pushed = await push('{}')
    assertStatus(pushed, 200)
    const message = 'cloud is openapi in the solution already: its settings stay'
    assert.deepEqual(pushed.json.notes, [{ file: 'services/cloud.json', message }])
    assert.deepEqual(await settings(), before)
    assertFault(await push('{"a": 1}'), 'script_refused', /service is openapi in the solution/)
  })
})

describe('a name of the field', () => {
  onInstance()

  it('of a placeholder has dots, and of a file any characters', async () => {
    const files = {
      'services/{product.id}_event.lua': '--#EVENT {product.id} event\nreturn 1',
      'modules/debug?:@=&.lua': 'ran = true',
      'services/größe (2)/x y.lua': 'return 1',
    }
    const pushed = await fixture.push(files)
    assertStatus(pushed, 200)
    const notes: Note[] = pushed.json.notes
    const shown = notes.map(({ file, message }) => `${file}: ${message}`).sort()
    assert.match(shown[0] ?? '', /^modules\/debug\?:@=&\.lua: require takes no such name/)
    assert.match(shown[1] ?? '', /^services\/\{product\.id\}_event\.lua: .* script key productid$/)
    const texts = await fixture.pull()
    for (const [path, text] of Object.entries(files)) assert.equal(texts[path], text)
    for (const path of ['../a.lua', 'a/../b.lua', '.a.lua', 'a\\b.lua', '/a.lua']) {
      assertFault(await fixture.push({ [path]: '' }), 'invalid_argument', /path/)
    }
  })
})
