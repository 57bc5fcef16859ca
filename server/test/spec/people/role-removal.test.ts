import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { limits } from '../../../src/kernel/index.ts'
import { assertFault, type SolutionsFixture, solutionsFixture } from '../../fixtures/solutions.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const many = limits.dependantsNamedMax + 2

describe('a role that somebody has', () => {
  const suite = suiteContext()
  let fixture: SolutionsFixture

  before(async () => {
    fixture = await solutionsFixture(suite)
    const { accounts } = fixture.millrace.platform
    const { id: other } = await accounts.createBusiness({ name: 'Other' })
    for (const id of [fixture.businessId, other]) {
      await accounts.createRole(id, { name: 'Planner', permissions: ['View Asset'] })
    }
    const elsewhere = { email: 'elsewhere@example.com', password: 'correct horse' }
    await accounts.createUser(other, { ...elsewhere, role: 'Planner' })
    await accounts.createToken(fixture.businessId, { name: 'wall display', role: 'Planner' })
    await accounts.createToken(fixture.businessId, { name: 'of another role', role: 'Viewer' })
    const invitation = { email: 'guest@example.com', role: 'Planner' }
    await fixture.ask('POST', '/invitations', invitation)
    for (let at = 0; at < many; at += 1) {
      const email = `planner-${String(at).padStart(2, '0')}@example.com`
      const user = { email, password: 'correct horse', role: 'Planner' }
      await accounts.createUser(fixture.businessId, user)
    }
  })

  const names = Array.from(
    { length: limits.dependantsNamedMax },
    (_, at) => `planner-${String(at).padStart(2, '0')}@example.com`,
  )
  const users = `${many} users (${names.join(', ')} and 2 more)`
  const others = '1 api tokens (wall display); 1 invitations (guest@example.com)'
  const sentence = `On the role Planner depend ${users}; ${others}: change these first.`

  it('is not deleted: the refusal names its users, tokens and invitations', async () => {
    const answer = await fixture.ask('DELETE', '/roles/Planner')
    assertFault(answer, 'in_use')
    assert.equal(answer.json.message, sentence)
  })
})
