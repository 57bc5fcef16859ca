import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deletionLimits } from '../../../../src/api/deletion/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import {
  assertFault,
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { definition } from '../../../fixtures/wire/market.ts'
import { until } from '../../../fixtures/wire/mqtt-fleet.ts'

let fixture: SolutionsFixture<OwnPlatform>
const onInstance = sharedBySuites(async (suite) => {
  fixture = await solutionsFixture(suite, { movesClock: true })
})

describe('the deletion of a business whose public listing others use', () => {
  onInstance()

  it('keeps the listing for these alone, whose modules go on', async (t) => {
    const fake = await fakeModule(t, module([insight('rms')]))
    const { ask, millrace } = fixture
    const publisher = await fixture.otherOwner()
    const listed = { definition: JSON.stringify(definition()), base: fake.url }
    const publish = async () => {
      const body = { ...listed, visibility: 'public' }
      const published = await ask('POST', '/listings', body, publisher.token)
      assertStatus(published, 201)
      return published.json.id
    }
    const listing = await publish()
    const used = await ask('POST', '/modules', { listing })
    assertStatus(used, 201)
    const moduleId = used.json.id

    await removeBusiness(fixture, publisher.businessId)

    assertStatus(await ask('GET', `/modules/${moduleId}`), 200)
    const { assets, pipelines } = millrace.platform
    const view = wholeView(millrace.businessId)
    const signals = [{ name: 'Raw', primitiveType: 'NUMERIC' as const }]
    const asset = await assets.create(view, { name: 'Fan', signals })
    const [signal] = await assets.signals.ofAssets(view, [asset.id])
    const inlets = [{ signalId: signal?.id ?? '' }]
    const link = { assetId: asset.id, moduleId, functionId: 'rms', name: 'Its rms', inlets }
    const made = await pipelines.links.create(view, link)
    assert.equal(made.moduleId, moduleId, 'it can be used for more')
    const { token } = await fixture.otherOwner()
    const late = await ask('POST', '/modules', { listing }, token)
    assertFault(late, 'not_found')
    assertStatus(await ask('DELETE', `/modules/${moduleId}?force=true`), 204)
  })
})

describe('deletions in GraphQL', () => {
  onInstance()

  it('delete a user with its API tokens and invitations if its address confirms it', async () => {
    const { ask, businessId, millrace } = fixture
    const { accounts } = millrace.platform
    const person = { email: 'Cy@example.com', password: 'a long phrase of words' }
    const { id } = await accounts.createUser(businessId, { ...person, role: 'Administrator' })
    const { token } = await accounts.signIn(person.email, person.password)
    const principal = await accounts.session(token)
    const made = await accounts.createToken(principal, { name: 'reports', role: 'Viewer' })
    const remove = (confirm?: string) =>
      graphql('mutation($id: ID!, $confirm: String) { deleteUser(id: $id, confirm: $confirm) }', {
        id,
        confirm,
      })
    assert.deepEqual(await readCode(remove()), 'in_use')
    assert.deepEqual(await readCode(remove('Dy@example.com')), 'invalid_argument')
    assert.ok(await accounts.automation(made.token))
    const { errors } = await remove('Cy@example.com')
    assert.equal(errors, undefined)
    await assert.rejects(accounts.automation(made.token), { code: 'unknown_credential' })
    assertFault(await ask('GET', `/users/${id}/dependants`), 'not_found')
  })

  it('delete a group, and move what lies in it, if its name confirms it', async () => {
    const { businessId, millrace } = fixture
    const { assets, groups } = millrace.platform
    const view = wholeView(businessId)
    const plant = await groups.create(view, { name: 'Plant' })
    const hall = await groups.create(view, { name: 'Hall', parentId: plant.id })
    const press = await assets.create(view, { name: 'Press', groupId: hall.id })
    const remove = (confirm?: string) =>
      graphql(
        `mutation($id: ID!, $confirm: String) { deleteGroup(id: $id, confirm: $confirm) { name } }`,
        { id: hall.id, confirm },
      )
    assert.deepEqual(await readCode(remove()), 'in_use')
    assert.deepEqual(await readCode(remove('Plant')), 'invalid_argument')
    assert.equal((await assets.get(view, press.id)).groupId, hall.id)
    assert.deepEqual((await remove('Hall')).data, { deleteGroup: { name: 'Hall' } })
    assert.equal((await assets.get(view, press.id)).groupId, plant.id)
  })
})

async function removeBusiness(
  { millrace }: SolutionsFixture<OwnPlatform>,
  id: string,
): Promise<void> {
  const { platform, clock, httpUrl, operator: authorization } = millrace
  const url = `${httpUrl}/api:1/businesses/${id}?confirm=${id}`
  const { status } = await fetch(url, { method: 'DELETE', headers: { authorization } })
  assert.equal(status, 202)
  await until(async () => {
    clock.advance(deletionLimits.businessRemovalSettleMs / 4)
    return (await platform.deletion.progress(id)).step === 'done'
  })
}

type Answer = {
  readonly data?: unknown
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[]
}

async function graphql(query: string, variables: object): Promise<Answer> {
  const { httpUrl, token } = fixture.millrace
  const headers = { authorization: `Automation ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ query, variables })
  const response = await fetch(`${httpUrl}/api/graphql`, { method: 'POST', headers, body })
  return (await response.json()) as Answer
}

async function readCode(answer: Promise<Answer>): Promise<string | undefined> {
  return (await answer).errors?.[0]?.extensions?.code
}
