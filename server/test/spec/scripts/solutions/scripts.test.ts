import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import {
  assertFault,
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('the scripts of a solution, one by one', () => {
  const suite = suiteContext()
  let fixture: SolutionsFixture
  before(async () => {
    fixture = await solutionsFixture(suite)
  })
  const put = (name: string, source: unknown, query = '') =>
    fixture.pump('PUT', `/script/${encodeURIComponent(name)}${query}`, { source })

  it('are put, shown, listed without their text, and removed', async () => {
    const made = await put('device2_event', 'return event')
    assertStatus(made, 200)
    const { created_at: at, updated_at: _, ...rest } = made.json
    assert.ok(at > 1_600_000_000_000_000)
    assert.deepEqual(rest, {
      kind: 'handler',
      name: 'device2_event',
      file: 'device2_event.lua',
      source: 'return event',
    })
    assert.deepEqual((await fixture.pump('GET', '/script/device2_event')).json, made.json)
    const { source: _s, ...shown } = made.json
    const listed = (await fixture.pump('GET', '/script')).json.scripts
    assert.deepEqual(listed, [{ ...shown, size: 12 }])
    assertStatus(await fixture.pump('DELETE', '/script/device2_event'), 204)
    assertFault(await fixture.pump('GET', '/script/device2_event'), 'not_found')
    assertFault(await fixture.pump('DELETE', '/script/device2_event'), 'not_found')
  })

  it('have the kind of which their name has the shape, or the one that is given', async () => {
    const rows = [
      ['GET /v1/x', '', 'endpoint', 'endpoints/GET_v1_x.lua'],
      ['a.b', '', 'module', 'modules/a/b.lua'],
      ['setup.lua', '', 'plain', 'setup.lua'],
      ['lib/setup.lua', '', 'plain', 'lib/setup.lua'],
      ['timer_tick', '', 'handler', 'timer_tick.lua'],
      ['device_help', '?kind=module', 'module', 'modules/device_help.lua'],
    ] as const
    for (const [name, query, kind, file] of rows) {
      const { json } = await put(name, 'return 1', query)
      assert.deepEqual({ kind: json.kind, file: json.file }, { kind, file }, name)
      const path = `/script/${encodeURIComponent(name)}${query}`
      assertStatus(await fixture.pump('DELETE', path), 204)
    }
  })

  it('raise the version of the solution when they change, and only then', async () => {
    const version = async () => (await fixture.pump('GET', '')).json.version
    const first = await version()
    await put('a_b', 'return 1')
    assert.equal(await version(), first + 1)
    await put('a_b', 'return 1')
    assert.equal(await version(), first + 1)
    await put('a_b', 'return 2')
    assert.equal(await version(), first + 2)
    await fixture.pump('DELETE', '/script/a_b')
    assert.equal(await version(), first + 3)
  })

  it('are refused with file and line where they cannot be compiled', async () => {
    const rows = [
      ['a_b', 'return 1\nlocal x = = 1', /^a_b\.lua:2: /],
      ['a.b', '\n\nfunction (', /^modules\/a\/b\.lua:3: /],
      ['x.lua', 'return return', /^x\.lua:1: /],
      ['POST /y', 'if', /^endpoints\/POST_y\.lua:1: /],
      ['a_b', '--#RETRY often\nreturn 1', /^a_b\.lua:1: The header is --#RETRY <n> \[seconds\]/],
      ['a_b', 'x = 1\n--#EVENT c d\nreturn 1', /^a_b\.lua:2: The header is of another one: c_d/],
      ['a_b', '\u001bLua', /^a_b\.lua:1: /],
    ] as const
    for (const [name, source, message] of rows) {
      assertFault(await put(name, source), 'script_refused', message)
    }
    assertFault(await fixture.pump('GET', '/script/a_b'), 'not_found')
  })

  it('are refused where a field is wrong', async () => {
    for (const name of ['a', 'A b', 'GET x', 'FETCH /x', '../x.lua', 'a/../b.lua', 'a..b', 'é_x']) {
      const refused = await put(name, 'return 1')
      if (name === 'a') assertStatus(refused, 200)
      else assertFault(refused, 'invalid_argument', /^name must be/)
    }
    assertStatus(await fixture.pump('DELETE', '/script/a'), 204)
    assertFault(await put('a.b', 'return 1', '?kind=handler'), 'invalid_argument', /of a handler/)
    assertFault(await put('a', 'return 1', '?kind=story'), 'invalid_argument', /^kind must be one/)
    assertFault(await put('a', 'return 1', '?colour=red'), 'invalid_argument', /"colour"/)
    const most = limits.scriptSourceBytesMax
    const rows: [unknown, RegExp][] = [
      [undefined, /^source must be a string/],
      [7, /^source must be a string/],
      ['a\0b', /^source must not hold a NUL/],
      ['-- \ud800', /^source must be well-formed/],
    ]
    for (const [source, message] of rows) {
      assertFault(await put('a_b', source), 'invalid_argument', message)
    }
    // A body of the management API is no larger than one script; a push may bring it.
    const files = [{ path: 'a_b.lua', text: `--${'x'.repeat(most)}` }]
    const pushed = await fixture.pump('POST', '/push', { files })
    assertFault(pushed, 'invalid_argument', /^files\[0\]\.text has more than/)
    const strange = await fixture.pump('PUT', '/script/a_b', { source: 'x = 1', colour: 'red' })
    assertFault(strange, 'invalid_argument', /"colour" is not a field/)
    assertFault(await fixture.pump('PUT', '/script/a_b', '['), 'malformed_request')
  })
})
