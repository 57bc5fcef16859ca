import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  assertFault,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('what no text and no time is, in a request of the management API', () => {
  const suite = suiteContext()
  let fixture: SolutionsFixture
  before(async () => {
    fixture = await solutionsFixture(suite)
  })

  for (const [name, path] of [
    ['text', '/groups?text=a%00b'],
    ['text', '/dashboards?text=a%00b'],
    ['text', '/templates?text=a%00b'],
    ['text', '/solution/pump/logs?text=a%00b'],
    ['subject', '/audit?subject=a%00b'],
    ['group', '/assets/export?group=a%00b'],
    ['template', '/assets/export?template=a%00b'],
  ] as const) {
    it(`a NUL in ${path} is refused by the name of the parameter`, async () => {
      const answer = await fixture.ask('GET', path)
      assertFault(answer, 'invalid_argument', new RegExp(`^${name} .*NUL`))
      assert.equal((await fixture.ask('GET', '/groups')).status, 200)
    })
  }

  for (const from of [1e300, 9e15, -62_135_596_800_000_000]) {
    it(`a range that begins at ${from} is refused by its name`, async () => {
      const body = { from, to: 1_767_225_600_000_000 }
      const answer = await fixture.ask('POST', '/solution/pump/replay', body)
      assertFault(answer, 'invalid_argument', /^from must lie within the years 1685 to 2254/)
    })
  }
})
