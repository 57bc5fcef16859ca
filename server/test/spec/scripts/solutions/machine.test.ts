import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import type { Tree } from '../../../fixtures/projects/trees.ts'
import {
  assertFault,
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('the machine of a solution, as scripts of the field use it', () => {
  const suite = suiteContext()
  let fixture: SolutionsFixture
  before(async () => {
    fixture = await solutionsFixture(suite)
    const { connector } = fixture.millrace
    const config = { service: connector.id, script_key: 'device2' }
    assertStatus(await fixture.pump('POST', '/serviceconfig', config), 201)
  })
  beforeEach(async () => {
    assertStatus(await fixture.pump('PATCH', '', { reuse_vm: true }), 200)
  })
  const push = async (files: Tree) => assertStatus(await fixture.push(files), 200)
  const run = async (event: string, argument: ScriptValue = {}): Promise<ScriptValue> => {
    const { businessId, millrace } = fixture
    const call = { businessId, solutionId: 'pump', service: 'user', event, argument }
    const end = await millrace.platform.scripting.api.run(call)
    assert.equal(end.kind, 'returned', JSON.stringify(end))
    return end.kind === 'returned' ? end.value : undefined
  }
  const counting = 'count = (count or 0) + 1 return count'

  it('hot, which is the default: globals live on between calls', async () => {
    assert.equal((await fixture.pump('GET', '')).json.reuse_vm, true)
    await push({ 'user_count.lua': counting })
    assert.deepEqual([await run('count'), await run('count')], [1, 2])
  })

  it('cold: each call has a machine of its own', async () => {
    const loud = { 'setup.lua': 'made = (made or 0) + 1', 'user_count.lua': counting }
    await push({ ...loud, 'user_made.lua': 'return made' })
    assert.deepEqual([await run('count'), await run('count')], [1, 2])
    const { json } = await fixture.pump('PATCH', '', { reuse_vm: false })
    assert.equal(json.reuse_vm, false)
    assert.deepEqual([await run('count'), await run('count')], [1, 1])
    assert.equal(await run('made'), 1)
  })

  it('cold calls at once see nothing of one another, and more of them wait', async () => {
    await push({
      'user_wait.lua': 'seen = (seen or 0) + 1 Keystore.get{key = "a"} return seen',
    })
    assertStatus(await fixture.pump('PATCH', '', { reuse_vm: false }), 200)
    const all = await Promise.all(Array.from({ length: 40 }, () => run('wait')))
    assert.deepEqual(new Set(all), new Set([1]))
  })

  it('reuse_vm is true or false, and stays where it is not named', async () => {
    for (const reuse of ['yes', 1, null, {}]) {
      assertFault(await fixture.pump('PATCH', '', { reuse_vm: reuse }), 'invalid_argument')
    }
    assertStatus(await fixture.pump('PATCH', '', { reuse_vm: false }), 200)
    assert.equal((await fixture.pump('PATCH', '', { name: 'Pump 2' })).json.reuse_vm, false)
    const made = await fixture.ask('POST', '/solution', { name: 'Cold', reuse_vm: false })
    assert.equal(made.json.reuse_vm, false)
  })

  it('a module without return gives true, and leaves its globals', async () => {
    await push({
      'modules/units/all.lua': 'function celsius(f) return (f - 32) / 1.8 end',
      'user_module.lua':
        'local first = require("units.all") return {first, require("units.all"), celsius(212)}',
    })
    assert.deepEqual(await run('module'), [true, true, 100])
  })

  const overload =
    'function Device2.getIdentity(o)\n' +
    '  local answer = murano.services.device2.getIdentity(o)\n' +
    '  return {wrapped = answer.identity or answer.error}\nend\n'

  it('an operation of a service is overloaded, and calls the one below', async () => {
    await fixture.millrace.platform.provisioning.identities.add(
      fixture.businessId,
      fixture.millrace.connector.id,
      'pump-1',
    )
    await push({
      'modules/device2.lua': overload,
      'user_get.lua': 'require("device2") return Device2.getIdentity{identity = "pump-1"}',
      'user_lower.lua': 'require("device2") return device2.getIdentity{identity = "pump-1"}',
      'user_other.lua': 'require("device2") return Device2.listIdentities{}.error == nil',
    })
    assert.deepEqual(await run('get'), { wrapped: 'pump-1' })
    assert.deepEqual(await run('lower'), { wrapped: 'pump-1' })
    assert.equal(await run('other'), true)
  })

  it('a whole service is put in the place of another', async () => {
    await push({
      'setup.lua': '_G.Device2 = {getIdentity = function(o) return "mine " .. o.identity end}',
      'user_mine.lua': 'return Device2.getIdentity{identity = "x"}',
      'user_below.lua': 'return murano.services.device2.getIdentity{identity = "none"}.status',
    })
    assert.equal(await run('mine'), 'mine x')
    assert.equal(await run('below'), 404)
  })

  it('handlers call each other as globals, in a hot machine and in a cold one', async () => {
    await push({
      'user_outer.lua': 'return "outer of " .. handle_user_inner{name = event.name}',
      'user_inner.lua': 'return "inner " .. event.name .. " " .. tostring(Keystore ~= nil)',
    })
    for (const reuse of [true, false]) {
      assertStatus(await fixture.pump('PATCH', '', { reuse_vm: reuse }), 200)
      assert.equal(await run('outer', { name: 'a' }), 'outer of inner a true')
    }
  })
})
