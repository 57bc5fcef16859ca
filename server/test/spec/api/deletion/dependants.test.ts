import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import { unique } from '../../../fixtures/platform.ts'
import {
  assertFault,
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { definition } from '../../../fixtures/wire/market.ts'

let fixture: SolutionsFixture
const onInstance = sharedBySuites(async (suite) => {
  fixture = await solutionsFixture(suite)
})

type Shown = readonly (readonly [kind: string, effect: string, count: number, names: string[]])[]

async function readPreview(path: string): Promise<Shown> {
  const { status, json } = await fixture.ask('GET', `${path}/dependants`)
  assert.equal(status, 200, JSON.stringify(json))
  return json.dependants.map(
    ({ kind, effect, count, names }: Record<string, unknown>) =>
      [kind, effect, count, names] as const,
  )
}

describe('the deletion of a connector', () => {
  onInstance()

  it('names devices, values, contents, services, assets and signals', async () => {
    const { ask, pump, businessId, millrace } = fixture
    const { assets, provisioning } = millrace.platform
    const resources = { level: { format: 'number', settable: true } }
    const id = unique('pumps')
    await ask('POST', '/connectors', { id, name: 'Pumps', resources })
    await ask('PUT', `/service/${id}/device2/identity/p1`, {})
    await provisioning.setState(businessId, id, 'p1', { level: '3' })
    await pump('POST', '/serviceconfig', { service: id, script_key: 'meters' })
    const signals = [
      { name: 'Level', primitiveType: 'NUMERIC' as const, source: { alias: 'level' } },
    ]
    const device = { connectorId: id, identity: 'p1' }
    await assets.create(wholeView(businessId), { name: 'Pump 1', device, signals })
    assert.deepEqual(await readPreview(`/connectors/${id}`), [
      ['devices', 'deleted', 1, ['p1']],
      ['values', 'deleted', 1, ['p1 level']],
      ['services', 'deleted', 1, ['pump/meters']],
      ['assets', 'kept', 1, ['Pump 1']],
      ['signals', 'kept', 1, ['Level']],
    ])
    const refused = await ask('DELETE', `/connectors/${id}`)
    assertFault(refused, 'connector_in_use', /1 devices \(p1\).*1 assets \(Pump 1\).*Pumps/)
    assertFault(await ask('DELETE', `/connectors/${id}?confirm=pump`), 'invalid_argument')
    assert.equal((await ask('DELETE', `/connectors/${id}?confirm=Pumps`)).status, 204)
    assertFault(await ask('GET', `/connectors/${id}/dependants`), 'not_found')
  })
})

describe('the deletion of a group', () => {
  onInstance()

  it('moves what lies in it to its parent if its name confirms it', async () => {
    const { ask, businessId, millrace } = fixture
    const { assets, provisioning, policies, groups } = millrace.platform
    const view = wholeView(businessId)
    const above = await groups.create(view, { name: 'Plant' })
    const hall = await groups.create(view, { name: 'Hall', parentId: above.id })
    const line = await groups.create(view, { name: 'Line', parentId: hall.id })
    await assets.create(view, { name: 'Press', groupId: hall.id })
    const connectorId = millrace.connector.id
    await provisioning.identities.whitelist(businessId, connectorId, 'g1', {})
    const name = { connectorId, identity: 'g1' }
    await provisioning.devices.update(view, name, { groupId: hall.id })
    await policies.instructions.create(view, { name: 'Oil it', groupId: hall.id })
    const translations = [{ language: 'en', name: 'Oil', policy: 'Oil it' }]
    const policy = await policies.create(view, { groupId: hall.id, translations })
    assert.deepEqual(
      await readPreview(`/groups/${hall.id}`),
      [
        ['groups', 'moved', 1, ['Line']],
        ['assets', 'moved', 1, ['Press']],
        ['devices', 'moved', 1, ['g1']],
        ['policies', 'moved', 1, [policy.id]],
        ['work_instructions', 'moved', 1, ['Oil it']],
      ].toSorted(makeOrder(await readPreview(`/groups/${hall.id}`))),
    )
    const url = `/groups/${hall.id}`
    assertFault(await ask('DELETE', url), 'in_use', /1 groups \(Line\).*1 assets \(Press\)/)
    assertFault(await ask('DELETE', `${url}?confirm=Plant`), 'invalid_argument')
    assert.equal((await ask('DELETE', `${url}?confirm=Hall`)).status, 204)
    assert.equal((await groups.get(view, line.id)).parentId, above.id)
    assert.deepEqual((await readPreview(`/groups/${above.id}`)).map(([kind]) => kind).toSorted(), [
      ...['assets', 'devices', 'groups', 'policies', 'work_instructions'],
    ])
  })

  it('is blocked by users, API tokens and invitations that have it', async () => {
    const { ask, businessId, millrace } = fixture
    const { accounts, groups } = millrace.platform
    const { id } = await groups.create(wholeView(businessId), { name: 'Held' })
    const held = { name: 'of the hall', role: 'Viewer', groups: [id] }
    const { id: token } = await accounts.createToken(businessId, held)
    assert.deepEqual(await readPreview(`/groups/${id}`), [
      ['api_tokens', 'blocks', 1, ['of the hall']],
    ])
    const refused = await ask('DELETE', `/groups/${id}?confirm=Held`)
    assertFault(refused, 'in_use', /1 api tokens \(of the hall\)\. Change these first/)
    await accounts.revokeToken(businessId, token)
    assert.equal((await ask('DELETE', `/groups/${id}`)).status, 204)
  })
})

/** Sorts rows as those of another list, by their kinds. */
function makeOrder(list: Shown) {
  const order = list.map(([kind]) => kind)
  return (one: readonly unknown[], other: readonly unknown[]) =>
    order.indexOf(String(one[0])) - order.indexOf(String(other[0]))
}

describe('the deletion of a user', () => {
  onInstance()

  it('names its sessions, API tokens and invitations, which go with it', async () => {
    const { ask, businessId, millrace } = fixture
    const { accounts } = millrace.platform
    const person = { email: 'Ann@example.com', password: 'a long phrase of words' }
    const ann = await accounts.createUser(businessId, { ...person, role: 'Administrator' })
    assert.equal((await ask('DELETE', `/users/${ann.id}`)).status, 204, 'nothing depends on it')
    const user = await accounts.createUser(businessId, { ...person, role: 'Administrator' })
    const { token } = await accounts.signIn(person.email, person.password)
    const principal = await accounts.session(token)
    const made = await accounts.createToken(principal, { name: 'reports', role: 'Viewer' })
    await accounts.invite(principal, { email: 'bo@example.com', role: 'Viewer' })
    const url = `/users/${user.id}`
    const [sessions, ...others] = await readPreview(url)
    assert.deepEqual(sessions?.slice(0, 3), ['sessions', 'deleted', 1])
    assert.deepEqual(others, [
      ['api_tokens', 'deleted', 1, ['reports']],
      ['invitations', 'deleted', 1, ['bo@example.com']],
    ])
    const refused = await ask('DELETE', url)
    assertFault(refused, 'in_use', /1 api tokens \(reports\).*Ann@example.com/)
    assert.ok(await accounts.automation(made.token))
    assert.equal((await ask('DELETE', `${url}?confirm=Ann@example.com`)).status, 204)
    await assert.rejects(accounts.automation(made.token), { code: 'unknown_credential' })
    await assert.rejects(accounts.session(token), { code: 'unknown_credential' })
    assert.deepEqual(await accounts.listInvitations(businessId), [])
  })

  it('keeps the last who manages the others, whatever confirms it', async () => {
    const { ask, businessId, millrace } = fixture
    const { email } = millrace.account
    const user = await millrace.platform.accounts.findUser(businessId, { email })
    const refused = await ask('DELETE', `/users/${user?.id}?confirm=${email}`)
    assertFault(refused, 'in_use', /needs a user/)
  })
})

describe('the deletion of modules and listings', () => {
  onInstance()

  it('names the links of a module, and its name deletes it with them', async (t) => {
    const fake = await fakeModule(t, module([insight('rms')]))
    const { ask, businessId, millrace } = fixture
    const { assets, pipelines } = millrace.platform
    const view = wholeView(businessId)
    const added = await ask('POST', '/modules', { url: fake.url, name: 'Vibration' })
    assertStatus(added, 201)
    const moduleId = added.json.id
    const signals = [{ name: 'Raw', primitiveType: 'NUMERIC' as const }]
    const asset = await assets.create(view, { name: 'Fan', signals })
    const [signal] = await assets.signals.ofAssets(view, [asset.id])
    const inlets = [{ signalId: signal?.id ?? '' }]
    const link = { assetId: asset.id, moduleId, functionId: 'rms', name: 'The rms', inlets }
    await pipelines.links.create(view, link)
    const url = `/modules/${moduleId}`
    assert.deepEqual(await readPreview(url), [['links', 'deleted', 1, ['The rms']]])
    assertFault(await ask('DELETE', url), 'in_use', /"The rms" of the asset "Fan"/)
    assertFault(await ask('DELETE', `${url}?confirm=rms`), 'invalid_argument')
    assertStatus(await ask('DELETE', `${url}?confirm=Vibration`), 204)
    assert.deepEqual(await pipelines.links.ofAssets(view, [asset.id]), [])
  })

  it('counts the modules of others that use a listing, and names none', async (t) => {
    const fake = await fakeModule(t, module([insight('rms')]))
    const { ask } = fixture
    const { token } = await fixture.otherOwner()
    const body = { definition: JSON.stringify(definition()), base: fake.url, visibility: 'public' }
    const published = await ask('POST', '/listings', body)
    assertStatus(published, 201)
    const used = await ask('POST', '/modules', { listing: published.json.id }, token)
    assertStatus(used, 201)
    const url = `/listings/${published.json.id}`
    assert.deepEqual(await readPreview(url), [['modules', 'blocks', 1, ['of another business']]])
    assertFault(await ask('GET', `${url}/dependants`, undefined, token), 'not_found')
    assertFault(await ask('DELETE', url), 'in_use')
    assertStatus(await ask('DELETE', `/modules/${used.json.id}`, undefined, token), 204)
    assertStatus(await ask('DELETE', url), 204)
  })
})
