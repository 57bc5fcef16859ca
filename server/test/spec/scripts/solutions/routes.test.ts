import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type EndpointsFixture, endpointsFixture } from '../../../fixtures/endpoints.ts'
import { root } from '../../../fixtures/processes/page.ts'
import { routeCases } from '../../../fixtures/projects/route-cases.ts'
import { projectTree } from '../../../fixtures/projects/trees.ts'
import { assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let fixture: EndpointsFixture
const onSolution = sharedBySuites(async (suite) => {
  fixture = await endpointsFixture(suite)
  assertStatus(await fixture.push(await projectTree('routes')), 200)
})

describe('a suite of routes answers as in the field', () => {
  onSolution()

  for (const [area, cases] of Object.entries(routeCases)) {
    it(`${area}: ${Object.keys(cases).length} calls`, async () => {
      const expected = new Map<string, unknown>()
      const answered = new Map<string, unknown>()
      for (const [name, one] of Object.entries(cases)) {
        const { status, json } = await fixture.shared(`/${area}/${name}`)
        expected.set(name, 'here' in one ? one.here : one.field)
        answered.set(name, status === 200 ? (json.value ?? null) : `status ${status}`)
      }
      assert.deepEqual(Object.fromEntries(answered), Object.fromEntries(expected))
    })
  }

  it('has 125 calls, and every case of the solution is one', async () => {
    const tree = await projectTree('routes')
    const sources = Object.values(tree).join('\n')
    const names = [...sources.matchAll(/^function cases\.(\w+)/gm)].map(([, name]) => name)
    const all = Object.values(routeCases).flatMap((cases) => Object.keys(cases))
    assert.equal(all.length, 125)
    assert.deepEqual([...all].sort(), [...names].sort())
  })

  it('each answer that differs is on the page of Lua, with its reason', async () => {
    const page = await readFile(join(root, 'docs/reference/lua.md'), 'utf8')
    const [, section = ''] = page.split('## Differences of the route suite\n')
    const rows = section.split('\n').filter((line) => line.startsWith('| `'))
    const listed = rows.map((line) => /^\| `([^`]+)` \| .+ \| .+ \| .+ \|$/.exec(line)?.[1])
    const differing = Object.entries(routeCases).flatMap(([area, cases]) =>
      Object.entries(cases).flatMap(([name, one]) => ('here' in one ? [`${area}/${name}`] : [])),
    )
    assert.deepEqual(listed.sort(), differing.sort())
  })
})
