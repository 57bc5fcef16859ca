import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type InterfaceFixture, interfaceFixture } from '../../../fixtures/interface.ts'
import { serviceCalls, type Table } from '../../../fixtures/service-calls.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('account: who belongs to the business, for its scripts', () => {
  const suite = suiteContext()
  let fixture: InterfaceFixture
  let strange: { readonly id: string; readonly email: string; readonly token: string }
  const viewer = { email: 'Viewer@example.com', password: 'a viewer of it all' }

  before(async () => {
    fixture = await interfaceFixture(suite)
    const { accounts } = fixture.millrace.platform
    await accounts.createUser(fixture.businessId, { ...viewer, role: 'Viewer' })
    const { businessId } = await fixture.otherOwner()
    const other = { email: 'other@example.com', password: 'another strange one' }
    const { id } = await accounts.createUser(businessId, { ...other, role: 'Viewer' })
    const { token } = await accounts.signIn(other.email, other.password)
    strange = { id, email: other.email, token }
  })

  const { ask, refused } = serviceCalls('account', () => fixture)

  const list = async () => (await ask('listUsers')) as unknown as Table[]

  test("listUsers: those of the solution's own business, by e-mail address", async () => {
    const users = await list()
    assert.deepEqual(
      users.map(({ email, role }) => [email, role]),
      [
        [fixture.millrace.account.email, 'Administrator'],
        [viewer.email, 'Viewer'],
      ],
    )
  })

  test('passwords and tokens are never given', async () => {
    for (const user of await list())
      assert.deepEqual(Object.keys(user).sort(), ['email', 'id', 'role'])
    const said = JSON.stringify([await list(), await ask('listRoles')])
    assert.ok(!/password|token|argon/i.test(said), said)
  })

  test('getUser: by id, or by e-mail address in any letter case', async () => {
    const [first, second] = await list()
    assert.deepEqual(await ask('getUser', { id: first?.id }), first)
    assert.deepEqual(await ask('getUser', { email: 'VIEWER@EXAMPLE.COM' }), second)
    const source = 'return Account.getUser{email = event}.role'
    assert.equal(await fixture.run('pump', source, viewer.email), 'Viewer')
  })

  test('getUser: a user of another business is as if it were not there', async () => {
    await refused('getUser', { id: strange.id }, 404, /no such user/)
    await refused('getUser', { email: strange.email }, 404, /no such user/)
    await refused('getUser', { id: 'nobody' }, 404, /no such user/)
    await refused('getUser', { email: 'nobody@example.com' }, 404, /no such user/)
    await refused('getUser', { email: 'no address' }, 404, /no such user/)
    await refused('getUser', { id: 'a\0b' }, 404, /no such user/)
  })

  test('getUser: bad arguments', async () => {
    await refused('getUser', {}, 400, /either id or email/)
    await refused('getUser', { id: 'a', email: 'b@c.de' }, 400, /either id or email/)
    await refused('getUser', { id: 5 }, 400, /id must be given, a text/)
    await refused('getUser', { email: '' }, 400, /email must be given/)
    await refused('getUser', 'a', 400, /table with names/)
  })

  test('getCurrentUser: whose session a token is, with what that one may do', async () => {
    const { accounts } = fixture.millrace.platform
    const { token } = await accounts.signIn(viewer.email, viewer.password)
    const [, user] = await list()
    const permissions = ['View Asset Data', 'View Asset']
    assert.deepEqual(await ask('getCurrentUser', { token }), { ...user, permissions })
    await accounts.signOut(token)
    await refused('getCurrentUser', { token }, 401, /./)
  })

  test('getCurrentUser: a token of others, of a program, or of nobody is a 401', async () => {
    const api = fixture.millrace.token
    for (const token of [strange.token, api, 'f'.repeat(40), 'x', 'a\0']) {
      await refused('getCurrentUser', { token }, 401, /./)
    }
    const answers = await Promise.all(
      [strange.token, 'f'.repeat(40)].map((token) => ask('getCurrentUser', { token })),
    )
    assert.deepEqual(answers[0], answers[1], 'nothing tells that there is such a token')
    await refused('getCurrentUser', {}, 400, /token must be given/)
    await refused('getCurrentUser', { token: 5 }, 400, /token must be given/)
  })

  test('listRoles: names and permissions', async () => {
    const roles = (await ask('listRoles', {})) as unknown as Table[]
    assert.deepEqual(
      roles.map(({ name }) => name),
      ['Administrator', 'Operator', 'Viewer'],
    )
    assert.deepEqual(roles[2]?.permissions, ['View Asset Data', 'View Asset'])
  })

  test('nothing can be changed: there is no such operation', async () => {
    for (const name of ['createUser', 'setPassword', 'removeUser', 'createToken', 'constructor']) {
      await refused(name, {}, 404, /no operation/)
    }
  })
})
