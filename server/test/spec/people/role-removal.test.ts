import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { wholeView } from '../../../src/groups/index.ts'
import { limits } from '../../../src/kernel/index.ts'
import { runsCommands } from '../../fixtures/commands/command-line.ts'
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

  it('is refused by GraphQL and the command in the same words', async () => {
    const { httpUrl, token } = fixture.millrace
    const response = await fetch(`${httpUrl}/api/graphql`, {
      method: 'POST',
      headers: { Authorization: `Automation ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'mutation { deleteRole(name: "Planner") }' }),
    })
    const { errors } = (await response.json()) as {
      errors: { message: string; extensions: { code: string } }[]
    }
    assert.deepEqual(
      errors.map(({ message, extensions }) => [message, extensions.code]),
      [[sentence, 'in_use']],
    )
    const ran = await runsCommands(fixture.millrace)('role', 'delete', 'Planner', '--yes')
    assert.notEqual(ran.code, 0)
    assert.ok(ran.stderr.includes(sentence), ran.stderr)
  })

  it('names nobody to who sees a part of the business', async () => {
    const { accounts, groups } = fixture.millrace.platform
    const { id } = await groups.create(wholeView(fixture.businessId), { name: 'Hall' })
    const part = { name: 'of a part', role: 'Administrator', groups: [id] }
    const { token } = await accounts.createToken(fixture.businessId, part)
    const answer = await fixture.ask('DELETE', '/roles/Planner', undefined, token)
    assertFault(answer, 'forbidden')
    assert.doesNotMatch(answer.json.message, /planner/)
  })
})
