import assert from 'node:assert/strict'
import { before, describe, it, type TestContext, test } from 'node:test'
import { permissions } from '../../../src/accounts/index.ts'
import { limits } from '../../../src/kernel/index.ts'
import { testPlatform } from '../../fixtures/platform.ts'
import { assertFault, type SolutionsFixture, solutionsFixture } from '../../fixtures/solutions.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { askJson } from '../../fixtures/wire/ask.ts'
import { ask } from '../../fixtures/wire/graphql.ts'

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

/** An instance, and a way to make a user who has given an API token of its own name. */
async function givers(t: TestContext) {
  const { platform, businessId, token, httpUrl } = await testPlatform(t)
  const { accounts } = platform
  const authorization = `Automation ${token}`
  const give = async (name: string, role: string) => {
    const user = { email: `${name}@${businessId}.example`, password: 'correct horse', role }
    const { id } = await accounts.createUser(businessId, user)
    const by = await accounts.basic(user.email, user.password)
    await accounts.createToken(by, { name, role: 'Administrator' })
    return id
  }
  const graph = async (change: string) => {
    const text = `mutation { changed: ${change} { ended { tokens invitations } } }`
    return (await ask({ url: `${httpUrl}/api/graphql` }, authorization, text)).data?.changed
  }
  const send = async (method: string, path: string, body: object): Promise<unknown> =>
    (await askJson(`${httpUrl}/api:1/${path}`, { method, as: authorization, body })).json.ended
  const makeRole = (name: string) => accounts.createRole(businessId, { name, permissions })
  return { give, graph, send, makeRole }
}

test('a smaller role names what it ended: GraphQL and the management API', async (t) => {
  const { give, graph, send, makeRole } = await givers(t)
  const ended = (name: string) => ({ ended: { tokens: [name], invitations: [] } })
  const id = await give('one', 'Administrator')
  const changed = await graph(`updateUser(id: "${id}", input: { role: "Viewer" })`)
  assert.deepEqual(changed, ended('one'))
  await makeRole('Lead')
  await give('two', 'Lead')
  const role = 'updateRole(input: { name: "Lead", permissions: ["View Asset"] })'
  assert.deepEqual(await graph(role), ended('two'))
  const names = (name: string) => ({ api_tokens: [name], invitations: [] })
  const third = await give('three', 'Administrator')
  assert.deepEqual(await send('PATCH', `users/${third}`, { role: 'Viewer' }), names('three'))
  await makeRole('Chief')
  await give('four', 'Chief')
  const body = { permissions: ['View Asset'] }
  assert.deepEqual(await send('PUT', 'roles/Chief', body), names('four'))
})
