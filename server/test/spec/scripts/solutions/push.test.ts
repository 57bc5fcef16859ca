import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { scriptingLimits } from '../../../../src/scripts/scripting/index.ts'
import { assertFault, assertStatus, emptySolution, toFiles } from '../../../fixtures/solutions.ts'

const [fixture, onEmpty] = emptySolution()
const nothing = { added: [], changed: [], unchanged: [] }

describe('a folder of scripts, pushed', () => {
  onEmpty()

  it('returns what was added, changed, removed and what is as before', async () => {
    const { version } = (await fixture.pump('GET', '')).json
    const first = await fixture.push({
      'device2_event.lua': 'return 1',
      'modules/a/b.lua': 'return {}',
      'setup.lua': 'x = 1',
    })
    assertStatus(first, 200)
    assert.deepEqual(first.json, {
      added: [
        { kind: 'handler', name: 'device2_event' },
        { kind: 'module', name: 'a.b' },
        { kind: 'plain', name: 'setup.lua' },
      ],
      changed: [],
      removed: [],
      unchanged: [],
      services: nothing,
    })
    const second = await fixture.push({
      'device2_event.lua': 'return 2',
      'setup.lua': 'x = 1',
      'timer_tick.lua': 'return 3',
    })
    assert.deepEqual(second.json, {
      added: [{ kind: 'handler', name: 'timer_tick' }],
      changed: [{ kind: 'handler', name: 'device2_event' }],
      removed: [{ kind: 'module', name: 'a.b' }],
      unchanged: [{ kind: 'plain', name: 'setup.lua' }],
      services: nothing,
    })
    assert.equal((await fixture.pump('GET', '')).json.version, version + 2)
    const third = await fixture.push({
      'device2_event.lua': 'return 2',
      'setup.lua': 'x = 1',
      'timer_tick.lua': 'return 3',
    })
    assert.equal(third.json.unchanged.length, 3)
    assert.equal((await fixture.pump('GET', '')).json.version, version + 2)
  })

  it('makes several scripts of one file, and gives the file back as it was', async () => {
    const text = '-- all of it\n--#EVENT a b\nreturn 1\n\n--#EVENT c d\nreturn 2\n'
    const files = { 'all.lua': text, 'endpoints.lua': '--#ENDPOINT GET /x\nreturn 3' }
    assertStatus(await fixture.push(files), 200)
    assert.deepEqual(await fixture.scripts(), ['handler a_b', 'handler c_d', 'endpoint GET /x'])
    const pulled = (await fixture.pump('GET', '/pull')).json
    assert.deepEqual(pulled, { files: toFiles(files), static_files: [] })
  })

  it('gives an endpoint without a header one, so that it can be pushed again', async () => {
    const name = encodeURIComponent('GET /x/y')
    assertStatus(await fixture.pump('PUT', `/script/${name}`, { source: 'return 3' }), 200)
    const files = await fixture.pull()
    assert.deepEqual(files, { 'endpoints/GET_x_y.lua': '--#ENDPOINT GET /x/y\nreturn 3' })
    assertStatus(await fixture.push(files), 200)
    assert.deepEqual(await fixture.scripts(), ['endpoint GET /x/y'])
  })

  it('brings services along, which are added, changed, and never taken away', async () => {
    const config = (forward: boolean) =>
      JSON.stringify({
        service: fixture.millrace.connector.id,
        parameters: { forward_events: forward },
      })
    const first = await fixture.push({ 'services/pumps.json': config(false) })
    assert.deepEqual(first.json.services, { ...nothing, added: ['pumps'] })
    const again = await fixture.push({ 'services/pumps.json': config(false) })
    assert.deepEqual(again.json.services, { ...nothing, unchanged: ['pumps'] })
    const changed = await fixture.push({ 'services/pumps.json': config(true) })
    assert.deepEqual(changed.json.services, { ...nothing, changed: ['pumps'] })
    assert.deepEqual(await fixture.scripts(), ['handler pumps_event'])
    // Settings that a service gave stay while they are as they were given.
    const after = await fixture.push({})
    assert.deepEqual(after.json.removed, [])
    assert.deepEqual(await fixture.scripts(), ['handler pumps_event'])
    const { items } = (await fixture.pump('GET', '/serviceconfig')).json
    assert.equal(items.length, 1)
    const other = await fixture.push({ 'services/pumps.json': '{"service": "keystore"}' })
    assertFault(other, 'script_refused', /^services\/pumps\.json:1: service is .* remove that one/)
    assertStatus(await fixture.pump('DELETE', `/serviceconfig/${items[0].id}`), 204)
    assert.deepEqual((await fixture.push({})).json.removed, [
      { kind: 'handler', name: 'pumps_event' },
    ])
  })
})

describe('a folder of scripts that is wrong', () => {
  onEmpty()

  it('is all or nothing: every error is returned at once, with file and line', async () => {
    assertStatus(await fixture.push({ 'a_b.lua': 'return 1' }), 200)
    const refused = await fixture.push({
      'a_b.lua': 'return 2',
      'all.lua': '--#EVENT c d\nreturn 1\n--#EVENT e f\nreturn = 2\n--#EVENT broken\n',
      'modules/m.lua': '\nlocal = 1',
      'services/http.json': '{"sslOptions": 5}',
      'services/own.json': '{"service": "nope"}',
      'services/bad.json': '[',
    })
    assertFault(refused, 'script_refused')
    const lines = refused.json.message.split('\n')
    const places = lines.map((line: string) => line.split(' ')[0]).sort()
    assert.deepEqual(places, [
      'all.lua:4:',
      'all.lua:5:',
      'modules/m.lua:2:',
      'services/bad.json:1:',
      'services/http.json:1:',
      'services/own.json:1:',
    ])
    assert.deepEqual(await fixture.pull(), { 'a_b.lua': 'return 1' })
    assert.deepEqual((await fixture.pump('GET', '/serviceconfig')).json.items, [])
  })

  it('is refused where a field is wrong', async () => {
    const file = { path: 'a_b.lua', text: 'return 1' }
    const rows: [unknown, RegExp][] = [
      [{}, /^files must be an array/],
      [{ files: {} }, /^files must be an array/],
      [{ files: [1] }, /^files\[0\] must be an object/],
      [{ files: [{ text: '' }] }, /^files\[0\]\.path must be a string/],
      [{ files: [{ path: 'a_b.lua' }] }, /^files\[0\]\.text must be a string/],
      [{ files: [file, file] }, /^files must not hold a_b\.lua twice/],
      [{ files: [{ ...file, text: 'a\0' }] }, /^files\[0\]\.text must not hold a NUL/],
    ]
    for (const [body, message] of rows) {
      assertFault(await fixture.pump('POST', '/push', body), 'invalid_argument', message)
    }
    assertFault(await fixture.pump('POST', '/push', '{'), 'malformed_request')
    assertFault(await fixture.pump('POST', '/push', '[]'), 'malformed_request')
    assert.deepEqual(await fixture.scripts(), [])
  })

  it('is refused where a path is wrong', async () => {
    const paths = ['../a.lua', '/a.lua', 'a/../b.lua', './a.lua', 'a.txt', 'a//b.lua', '.lua']
    for (const path of [...paths, 'services/x', 'modules/x\ny.lua']) {
      const body = { files: [{ path, text: 'return 1' }] }
      const refused = await fixture.pump('POST', '/push', body)
      assertFault(refused, 'invalid_argument', /^files\[0\]\.path must be of .* not "/)
    }
    assert.deepEqual(await fixture.scripts(), [])
  })

  it('is refused where it has too many files, lines or bytes', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}_b.lua`, 'return 1']))
    assertFault(await fixture.push(many(601)), 'invalid_argument', /600/)
    const scripts = await fixture.push(many(limits.scriptsMax + 1))
    assertFault(scripts, 'invalid_argument', /^A solution has at most 500 scripts/)
    const long = `--#EVENT a b\n${'\n'.repeat(scriptingLimits.scriptFileLinesMax)}--#EVENT c d\n`
    const lines = await fixture.push({ 'a.lua': long })
    assertFault(lines, 'script_refused', /^a\.lua:1: The file has more than/)
    const big = ' '.repeat(limits.scriptSourceBytesMax - 10)
    const five = Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`m${at}_x.lua`, big]))
    const bytes = await fixture.push(five)
    assertFault(bytes, 'invalid_argument', /^All scripts of a solution have at most/)
    assert.deepEqual(await fixture.scripts(), [])
  })
})
