import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertFault, assertStatus, emptySolution } from '../../../fixtures/solutions.ts'

const [fixture, onEmpty] = emptySolution()

const project = (part: object = {}) => JSON.stringify({ formatversion: '1.0.0', ...part })

describe('a project of the field, pushed', () => {
  onEmpty()

  it('services/<service>/<event>.lua and services/<service>_<event>.lua are handlers', async () => {
    assertStatus(
      await fixture.push({
        'services/device2/event.lua': 'return 1',
        'services/timer_tick.lua': 'return 2',
        'services/user/all.lua': '--#EVENT user account\nreturn 3\n--#EVENT user other\nreturn 4',
      }),
      200,
    )
    assert.deepEqual(await fixture.scripts(), [
      'handler device2_event',
      'handler timer_tick',
      'handler user_account',
      'handler user_other',
    ])
  })

  it('murano.yaml names where the parts lie, and what is none', async () => {
    const files = {
      'murano.json': project({
        info: { name: 'x' },
        modules: { location: './src/lua/', include: ['*.lua', 'a/*.lua'] },
        services: { location: 'handlers', exclude: ['old_*.lua', '*_test.lua'] },
        routes: { location: 'web' },
      }),
      'src/lua/units.lua': 'return 1',
      'src/lua/a/b.lua': 'return 2',
      'src/lua/c/d.lua': 'return 3',
      'handlers/device2/event.lua': 'return 4',
      'handlers/old_event.lua': 'return 5',
      'handlers/timer_tick_test.lua': 'return 6',
      'web/pumps.lua': '--#ENDPOINT GET /pumps\nreturn 7',
      'init.lua': 'return = 8',
    }
    const pushed = await fixture.push(files)
    assertStatus(pushed, 200)
    assert.equal(pushed.json.project, 'changed')
    const wanted = ['handler device2_event', 'module a.b', 'module units', 'endpoint GET /pumps']
    assert.deepEqual(await fixture.scripts(), wanted)
    const back = await fixture.pull()
    assert.deepEqual(JSON.parse(back['murano.json'] ?? ''), JSON.parse(files['murano.json']))
    assert.equal(back['src/lua/a/b.lua'], 'return 2')
    const again = await fixture.push(back)
    assert.equal(again.json.project, undefined)
    assert.equal(again.json.unchanged.length, 4)
    const broken = await fixture.push({ ...files, 'src/lua/a/b.lua': '\nlocal = 1' })
    assertFault(broken, 'script_refused', /^src\/lua\/a\/b\.lua:2: /)
  })

  it('without sections the parts lie in modules, services, endpoints and routes', async () => {
    const files = {
      'murano.json': project(),
      'modules/m.lua': 'return 1',
      'services/a_b.lua': 'return 2',
      'endpoints/x.lua': '--#ENDPOINT GET /x\nreturn 3',
      'routes/y.lua': '--#ENDPOINT GET /y\nreturn 4',
      'other/z.lua': 'return 5',
    }
    assertStatus(await fixture.push(files), 200)
    assert.equal((await fixture.scripts()).length, 4)
  })

  it('a part of murano.yaml that is wrong is noted, and counts as left out', async () => {
    const rows: [object, RegExp][] = [
      [{ formatversion: '2.0.0' }, /formatversion is not 1\.0\.0/],
      [{ modules: [] }, /modules is no object/],
      [{ modules: { location: '../x' } }, /modules\.location/],
      [{ modules: { location: '/x' } }, /modules\.location/],
      [{ services: { include: 5 } }, /services\.include/],
      [{ services: { exclude: Array.from({ length: 21 }, () => 'a') } }, /services\.exclude/],
      [{ endpoints: { include: '(a|b)' } }, /endpoints\.include/],
    ]
    for (const [part, message] of rows) {
      const files = { 'murano.json': project(part), 'modules/m.lua': 'return 1' }
      const pushed = await fixture.push(files)
      assertStatus(pushed, 200)
      const notes: { file: string; message: string }[] = pushed.json.notes
      assert.ok(notes.some((note) => note.file === 'murano.json' && message.test(note.message)))
    }
    assertFault(
      await fixture.push({ 'murano.json': '[]' }),
      'script_refused',
      /must hold an object/,
    )
  })
})

describe('a project of the field, pulled or pushed again', () => {
  onEmpty()

  it('a service may lie in a folder of its name', async () => {
    const { id } = fixture.millrace.connector
    const config = JSON.stringify({ service: id, parameters: { forward_events: false } })
    assertStatus(await fixture.push({ 'services/device2/device2.json': config }), 200)
    assert.deepEqual(await fixture.pull(), { 'services/device2/device2.json': config })
    const odd = await fixture.push({ 'services/a/b/c.json': '{}' })
    assert.match(odd.json.notes[0].message, /no place of a service/)
  })

  it('a pull holds no secrets, and pushed again it changes nothing', async () => {
    const http = JSON.stringify({ parameters: { credentials: 'token=very-secret' } })
    const pushed = await fixture.push({ 'services/http.json': http })
    assertStatus(pushed, 200)
    assert.match(
      pushed.json.notes[0].message,
      /without hosts are sent wherever a script sends them/,
    )
    const back = await fixture.pull()
    assert.doesNotMatch(JSON.stringify(back), /very-secret/)
    const again = await fixture.push(back)
    assert.deepEqual([again.json.services.changed, again.json.changed], [[], []])
  })

  it('a dry run returns what would change, and changes nothing', async () => {
    assertStatus(await fixture.push({ 'a_b.lua': 'return 1', 'c_d.lua': 'return 2' }), 200)
    const { version } = (await fixture.pump('GET', '')).json
    const files = { 'a_b.lua': 'return 3', 'e_f.lua': 'return 4' }
    const dry = await fixture.push(files, '?dry_run=true')
    assertStatus(dry, 200)
    assert.equal((await fixture.pump('GET', '')).json.version, version)
    assert.deepEqual(await fixture.scripts(), ['handler a_b', 'handler c_d'])
    const real = await fixture.push(files)
    assert.deepEqual(dry.json, real.json)
    assert.deepEqual(real.json.removed, [{ kind: 'handler', name: 'c_d' }])
  })

  it('keeps what the folder does not have, if that is requested', async () => {
    assertStatus(await fixture.push({ 'a_b.lua': 'return 1', 'c_d.lua': 'return 2' }), 200)
    const kept = await fixture.push({ 'a_b.lua': 'return 1' }, '?keep=true')
    assert.deepEqual(kept.json.kept, [{ kind: 'handler', name: 'c_d' }])
    assert.deepEqual(kept.json.removed, [])
    assert.deepEqual(await fixture.scripts(), ['handler a_b', 'handler c_d'])
    for (const query of ['?keep=1', '?dry_run=yes', '?colour=red']) {
      assertFault(await fixture.push({}, query), 'invalid_argument')
    }
  })
})
