import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { scriptingLimits } from '../../../../src/scripts/scripting/index.ts'
import { assertFault, assertStatus, solutionsFixture } from '../../../fixtures/solutions.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const [fixture, onInstance] = sharedFixture((suite) => solutionsFixture(suite))

const ask: typeof fixture.ask = (...call) => fixture.ask(...call)
const pump: typeof fixture.pump = (...call) => fixture.pump(...call)

describe('solutions, through the management API', () => {
  onInstance()

  it('are made, shown and listed', async () => {
    const made = await ask('POST', '/solution', {
      name: 'Größe 😀',
      description: 'of the station',
      limits: { memory_bytes: 8 * 1024 * 1024, wall_ms: 500 },
    })
    assertStatus(made, 201)
    const { id, created_at, updated_at, ...rest } = made.json
    assert.match(id, /^[a-z0-9]+$/)
    assert.equal(created_at, updated_at)
    assert.deepEqual(rest, {
      name: 'Größe 😀',
      description: 'of the station',
      version: 1,
      reuse_vm: true,
      limits: { memory_bytes: 8 * 1024 * 1024, wall_ms: 500 },
    })
    assert.deepEqual((await ask('GET', `/solution/${id}`)).json, made.json)
    const { solutions } = (await ask('GET', '/solution')).json
    assert.deepEqual(
      solutions.map((one: { id: string }) => one.id),
      ['pump', id],
    )
    assertStatus(await ask('DELETE', `/solution/${id}`), 204)
  })

  it('are found by letters of the id or the name, so many of them', async () => {
    for (const [id, name] of [
      ['gate', 'Gate 100%'],
      ['vats', 'Pump_house'],
      ['yard', 'A\\B'],
    ]) {
      assertStatus(await ask('POST', '/solution', { id, name }), 201)
    }
    const found = async (query: Record<string, string>, token?: string) => {
      const path = `/solution?${new URLSearchParams(query)}`
      const answer = await ask('GET', path, undefined, token)
      assertStatus(answer, 200)
      return answer.json.solutions.map((one: { id: string }) => one.id)
    }
    assert.deepEqual(await found({ text: 'PUM' }), ['pump', 'vats'])
    assert.deepEqual(await found({ text: 'pum', limit: '1' }), ['pump'])
    assert.deepEqual(await found({ text: '%' }), ['gate'])
    assert.deepEqual(await found({ text: '_' }), ['vats'])
    assert.deepEqual(await found({ text: '\\' }), ['yard'])
    assert.deepEqual(await found({ text: '' }), ['pump', 'gate', 'vats', 'yard'])
    assert.deepEqual(await found({ text: 'pum' }, (await fixture.otherOwner()).token), [])
    assertFault(await ask('GET', '/solution?limit=0'), 'invalid_argument')
  })

  it('are changed by the fields that are sent, and removed', async () => {
    const { ask: tank } = await fixture.created('tank')
    const first = { description: 'of the station', limits: { memory_bytes: 2 ** 23, wall_ms: 500 } }
    assertStatus(await tank('PATCH', '', first), 200)
    const part = { name: 'Pumps', limits: { wall_ms: null, cpu_ms: 100 } }
    const changed = await tank('PATCH', '', part)
    assertStatus(changed, 200)
    const { created_at, updated_at, ...rest } = changed.json
    assert.ok(updated_at > created_at)
    assert.deepEqual(rest, {
      id: 'tank',
      name: 'Pumps',
      description: 'of the station',
      version: 3,
      reuse_vm: true,
      limits: { memory_bytes: 2 ** 23, cpu_ms: 100 },
    })
    assertStatus(await tank('DELETE', ''), 204)
    assertFault(await tank('GET', ''), 'not_found')
    assertFault(await tank('DELETE', ''), 'not_found')
    assert.doesNotMatch(JSON.stringify((await ask('GET', '/solution')).json), /tank/)
  })

  it('reject what is wrong with any field, and name the field', async () => {
    const rows: [object, RegExp][] = [
      [{ name: 1 }, /^name must be a string/],
      [{ name: '' }, /^name must not be empty/],
      [{ name: 'x'.repeat(limits.nameCharsMax + 1) }, /^name must have at most/],
      [{ name: 'a\0b' }, /^name must not hold control/],
      [{ name: 'a\ud800' }, /^name must be well-formed/],
      [{ description: null }, /^description must be a string/],
      [{ description: 'x'.repeat(limits.settingCharsMax + 1) }, /^description must have at most/],
      [{ colour: 'red' }, /"colour" is not a field/],
    ]
    for (const [part, message] of rows) {
      assertFault(await pump('PATCH', '', part), 'invalid_argument', message)
      const wanted = { name: 'New', ...part }
      assertFault(await ask('POST', '/solution', wanted), 'invalid_argument', message)
    }
    for (const id of [1, '', 'Pump', 'a-b', 'a b', 'x'.repeat(limits.hostLabelCharsMax + 1)]) {
      assertFault(await ask('POST', '/solution', { id, name: 'x' }), 'invalid_argument', /^id /)
    }
    assertFault(await ask('POST', '/solution', {}), 'invalid_argument', /^name /)
    for (const body of ['{', '[]', '1', 'null']) {
      assertFault(await ask('POST', '/solution', body), 'malformed_request')
    }
  })
})

describe('the limits of a solution', () => {
  onInstance()

  it('are refused by name if they are wrong or out of their range', async () => {
    const { scriptMemoryBytesMax: most } = limits
    const { scriptMemoryBytesMin: least } = scriptingLimits
    const rows: [object, RegExp][] = [
      [{ limits: [] }, /^limits must be an object/],
      [{ limits: { memory_bytes: least - 1 } }, /^limits\.memory_bytes must be a whole number/],
      [{ limits: { memory_bytes: most + 1 } }, /^limits\.memory_bytes must be a whole number/],
      [{ limits: { cpu_ms: 0 } }, /^limits\.cpu_ms/],
      [{ limits: { cpu_ms: limits.scriptCpuMsMax + 1 } }, /^limits\.cpu_ms/],
      [{ limits: { ticks: 0 } }, /^limits\.ticks/],
      [{ limits: { ticks: 100_001 } }, /^limits\.ticks/],
      [{ limits: { ticks: 1, cpu_ms: 1 } }, /^limits\.ticks must not be given beside cpu_ms/],
      [{ limits: { wall_ms: 1.5 } }, /^limits\.wall_ms/],
      [{ limits: { wall_ms: limits.scriptWallMsMax + 1 } }, /^limits\.wall_ms/],
      [{ limits: { value_bytes: '1' } }, /^limits\.value_bytes/],
      [{ limits: { service_calls: -1 } }, /^limits\.service_calls/],
      [{ limits: { log_bytes: 2 ** 53 } }, /^limits\.log_bytes/],
    ]
    for (const [part, message] of rows) {
      assertFault(await pump('PATCH', '', part), 'invalid_argument', message)
      const wanted = { name: 'New', ...part }
      assertFault(await ask('POST', '/solution', wanted), 'invalid_argument', message)
    }
    const few = { memory_bytes: least, cpu_ms: 1, wall_ms: 1, value_bytes: 1 }
    const ranges = [
      { ...few, service_calls: 0, log_bytes: 0 },
      { memory_bytes: most, cpu_ms: limits.scriptCpuMsMax, wall_ms: limits.scriptWallMsMax },
    ]
    for (const part of ranges) assertStatus(await pump('PATCH', '', { limits: part }), 200)
  })

  it('may give the time of the processor in ticks, as it once was', async () => {
    const { ask: timed } = await fixture.created('timed')
    for (const [ticks, given] of [
      [10_000, { cpu_ms: 600 }],
      [5, { cpu_ms: 1 }],
      [null, {}],
    ] as const) {
      const changed = await timed('PATCH', '', { limits: { ticks } })
      assertStatus(changed, 200)
      assert.deepEqual(changed.json.limits, given)
    }
  })
})

describe('solutions, of those who may not have them', () => {
  onInstance()

  it('have ids of their own, across businesses', async () => {
    const other = await fixture.otherOwner()
    assertFault(await ask('POST', '/solution', { id: 'pump', name: 'x' }), 'already_exists')
    const taken = await ask('POST', '/solution', { id: 'pump', name: 'x' }, other.token)
    assertFault(taken, 'already_exists')
    assertFault(await ask('POST', '/solution', { id: 'http', name: 'x' }), 'already_exists')
  })
})
