import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { scriptingLimits } from '../../../../src/scripts/scripting/index.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import type { Tree } from '../../../fixtures/projects/trees.ts'
import {
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('what runs of a solution', () => {
  const suite = suiteContext()
  let fixture: SolutionsFixture<OwnPlatform>
  before(async () => {
    fixture = await solutionsFixture(suite, { movesClock: true })
  })
  beforeEach(async () => assertStatus(await fixture.push({}), 200))
  const push = (files: Tree) => fixture.push(files)
  const run = async (event: string, businessId = fixture.businessId) => {
    const call = { businessId, solutionId: 'pump', service: 'test', event, argument: null }
    const ended = await fixture.millrace.platform.scripting.api.run(call)
    return ended.kind === 'returned' ? ended.value : ended.error
  }

  it('is the new script, as soon as a change was answered', async () => {
    for (const value of [1, 2, 3]) {
      assertStatus(await push({ 'test_go.lua': `return ${value}` }), 200)
      assert.equal(await run('go'), value)
    }
    assertStatus(await push({}), 200)
    assert.equal(((await run('go')) as { status: number }).status, 404)
  })

  it('is the new script a moment after another process has changed it', async () => {
    await push({ 'test_go.lua': 'return "before"' })
    assert.equal(await run('go'), 'before')
    const { platform, clock } = fixture.millrace
    await platform.database.transaction(async (transaction) => {
      await transaction.run(`update scripting_script set source = 'return "after"'`)
      await transaction.run('update scripting_solution set version = version + 1')
    })
    clock.advance(scriptingLimits.programCheckMs)
    assert.equal(await run('go'), 'after')
  })

  it('is nothing for another business', async () => {
    await push({ 'test_go.lua': 'return 1' })
    const other = await fixture.otherOwner()
    assert.equal(((await run('go', other.businessId)) as { status: number }).status, 404)
    assert.equal(await run('go'), 1)
  })

  it("is a handler's own script, also where a plain file defines the same", async () => {
    await push({
      'aaa.lua': 'function handle_test_go() return "plain" end',
      'test_go.lua': 'return "own"',
      'zzz.lua': 'function handle_test_go() return "plain" end',
    })
    assert.equal(await run('go'), 'own')
    await push({ 'aaa.lua': 'handle_test_go = function() return "plain" end' })
    assert.equal(await run('go'), 'plain')
    const { api } = fixture.millrace.platform.scripting
    assert.equal(await api.handles(fixture.businessId, 'pump', 'test', 'go'), true)
  })

  it('keeps to the limits that the solution was given', async () => {
    await push({ 'test_go.lua': 'while true do end' })
    assertStatus(await fixture.pump('PATCH', '', { limits: { cpu_ms: 5 } }), 200)
    assert.equal(((await run('go')) as { status: number }).status, 504)
    assertStatus(await fixture.pump('PATCH', '', { limits: { cpu_ms: null, wall_ms: 30 } }), 200)
    assert.equal(((await run('go')) as { status: number }).status, 504)
    assertStatus(await fixture.pump('PATCH', '', { limits: { wall_ms: null } }), 200)
    await push({ 'test_go.lua': 'return 1' })
    assert.equal(await run('go'), 1)
  })

  it('is one whole folder, when several are pushed at once', async () => {
    const folders = [1, 2, 3, 4, 5].map((at) => ({
      'test_go.lua': `return ${at} + require("m")`,
      'modules/m.lua': `return ${at * 10}`,
    }))
    const { version } = (await fixture.pump('GET', '')).json
    const pushed = await Promise.all(folders.map(push))
    for (const answer of pushed) assertStatus(answer, 200)
    assert.equal((await fixture.pump('GET', '')).json.version, version + folders.length)
    const value = (await run('go')) as number
    assert.equal(value % 11, 0, `${value} is of one folder`)
  })
})
