import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'
import { readEvents } from '../../../fixtures/wire/sse.ts'

const viewer = { email: 'vera@example.com', password: 'a long phrase' }

/** The longest that a loss of access takes in another process. */
const revokedMsMax = 1_000

const call = (url: string, as: string, method = 'GET', body?: unknown) =>
  askJson(url, { as, method, body })

describe('a second person with the role Viewer, over two processes', () => {
  const context = suiteContext()
  let one: TestPlatform
  let other: { readonly httpUrl: string }
  let administrator: string

  before(async () => {
    one = await testPlatform(context)
    other = await one.another()
    administrator = one.basic
  })

  const users = () => `${one.httpUrl}/api:1/users`

  async function signedIn(email: string): Promise<{ id: string; session: string }> {
    const body = { ...viewer, email, role: 'Viewer' }
    const made = await call(users(), administrator, 'POST', body)
    assert.equal(made.status, 201)
    const pair = { email, password: viewer.password }
    const { json } = await call(`${other.httpUrl}/api:1/token`, '', 'POST', pair)
    return { id: String(made.json.id), session: `token ${json.token}` }
  }

  const graph = (as: string, query: string) =>
    call(`${other.httpUrl}/api/graphql`, as, 'POST', { query })

  /** Measures how long the other process goes on to take the credential. */
  async function lossMs(as: string): Promise<number> {
    const since = performance.now()
    while ((await call(`${other.httpUrl}/api:1/whoami`, as)).status === 200) {
      assert.ok(performance.now() - since < 30_000, 'it is still taken')
    }
    return performance.now() - since
  }

  it('loses access within a second of the removal', async () => {
    const { id, session } = await signedIn(viewer.email)
    assert.equal((await call(`${other.httpUrl}/api:1/whoami`, session)).status, 200)
    assert.equal((await call(`${users()}/${id}`, administrator, 'DELETE')).status, 204)
    const ms = await lossMs(session)
    assert.ok(ms < revokedMsMax, `it took ${ms} ms`)
  })

  it('and so does a revoked API token, and one whose role loses a permission', async () => {
    const wanted = { name: 'tool', role: 'Viewer' }
    const tokens = `${one.httpUrl}/api:1/api-tokens`
    const { json } = await call(tokens, administrator, 'POST', wanted)
    const as = `Automation ${json.token}`
    assert.equal((await graph(as, '{ groups { id } }')).json.errors, undefined)
    const since = performance.now()
    const less = { permissions: ['View Asset Data'] }
    const role = `${one.httpUrl}/api:1/roles/Viewer`
    assert.equal((await call(role, administrator, 'PUT', less)).status, 200)
    for (;;) {
      if ((await graph(as, '{ groups { id } }')).json.errors !== undefined) break
      assert.ok(performance.now() - since < 30_000, 'the role still has the permission')
    }
    assert.ok(performance.now() - since < revokedMsMax + 500)
    assert.equal((await call(`${tokens}/${json.id}`, administrator, 'DELETE')).status, 204)
    const ms = await lossMs(as)
    assert.ok(ms < revokedMsMax, `it took ${ms} ms`)
  })
})

describe('what lies in no group', () => {
  const context = suiteContext()
  let instance: TestPlatform
  before(async () => {
    instance = await testPlatform(context)
  })

  it('ends its live views once the reader sees some groups only', async (t) => {
    const { platform, businessId, connector, httpUrl } = instance
    const { accounts, groups } = platform
    const north = await groups.create(wholeView(businessId), { name: 'Live' })
    const email = 'live@example.com'
    const { password } = viewer
    const { id } = await accounts.createUser(businessId, { email, password, role: 'Administrator' })
    const { token } = await accounts.signIn(email, password)
    const url = `${httpUrl}/api:1/service/${connector.id}/device2/logs`
    const reader = await readEvents(url, { authorization: `token ${token}` })
    t.after(() => reader.close())
    assert.equal(reader.status, 200)
    await accounts.changeUser(businessId, id, { groups: [north.id] })
    const { data } = await reader.until(({ event }) => event === 'end')
    assert.equal((data as { code: string }).code, 'forbidden')
  })

  it('is not what lies in one: devices, of which each sees those of its groups', async () => {
    const { platform, businessId, connector, httpUrl } = instance
    const { groups, provisioning } = platform
    const all = wholeView(businessId)
    const north = await groups.create(all, { name: 'N' })
    const south = await groups.create(all, { name: 'S' })
    const makeToken = async (groupId: string) => {
      const wanted = { name: 'd', role: 'Administrator', groups: [groupId] }
      return `Automation ${(await platform.accounts.createToken(businessId, wanted)).token}`
    }
    const [mine, theirs] = [await makeToken(north.id), await makeToken(south.id)]
    const devices = `${httpUrl}/api:1/service/${connector.id}/device2/identity`
    const one = `${devices}/n-1`
    assert.equal((await call(one, mine, 'PUT', {})).status, 200)
    const [record] = await provisioning.devices.list(all, { ids: ['n-1'] })
    assert.equal(record?.groupId, north.id, 'what one makes lies in the own group')
    await provisioning.identities.whitelist(businessId, connector.id, 'other')
    const listed = async (as: string) => {
      const found = (await call(devices, as)).json as { total: number; devices: object[] }
      return [found.total, found.devices.length]
    }
    assert.deepEqual(await listed(mine), [1, 1])
    assert.deepEqual(await listed(theirs), [0, 0])
    const taken = await call(one, theirs, 'PUT', { locked: true })
    assert.equal(taken.json.code, 'already_exists')
    assert.equal((await call(one, mine)).json.locked, false)
    assert.equal((await call(one, mine, 'DELETE')).status, 204)
  })
})
