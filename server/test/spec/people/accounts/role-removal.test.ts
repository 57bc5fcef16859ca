import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { permissions } from '../../../../src/people/accounts/index.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'
import { ask } from '../../../fixtures/wire/graphql.ts'

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
