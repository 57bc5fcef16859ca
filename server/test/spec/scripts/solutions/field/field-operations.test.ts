import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { projectTree, type Tree } from '../../../../fixtures/projects/trees.ts'
import { assertStatus, solutionsFixture, toFiles } from '../../../../fixtures/solutions.ts'
import { sharedFixture } from '../../../../fixtures/suite.ts'

const [fixture, onInstance] = sharedFixture((suite) => solutionsFixture(suite))

type Found = { readonly kind: string; readonly severity: string; readonly message: string }

async function check(files: { path: string; text: string }[]): Promise<Found[]> {
  const checked = await fixture.ask('POST', '/solution-check', { files })
  assertStatus(checked, 200)
  return checked.json.findings
}

/** The operations that projects of the field call, or that their interfaces offer. */
const operations: Readonly<Record<string, string>> = {
  Config: 'solution getParameters setParameters',
  Content: 'list info download upload delete clear',
  Device: 'rpcCall',
  Device2: `getIdentity getIdentityState setIdentityState listIdentities countIdentities
    updateIdentity addIdentity removeIdentity makeIdentity addIdentityTag removeIdentityTag
    getIdentityTag listTagName addGatewayResource getGatewayResource updateGatewayResource
    removeGatewayResource getGatewaySettings updateGatewaySettings addIdentities updateIdentities`,
  Email: 'send',
  Http: 'get post put delete request',
  Interface: 'trigger triggerOne getSubscriber',
  Keystore: 'get set delete list mdelete command',
  Scripts: 'trigger',
  Timer: 'sendAfter cancel',
  Timeseries: 'write',
  Tsdb: 'write multiWrite query',
  User: `getUserToken getCurrentUser createUser activateUser listUsers listUserData createUserData
    updateUserData deleteUserData resetUserPassword createRole hasUserRoleParam updateUser
    deleteUser createSocial`,
  Websocket: 'send',
}

/** The operations that a solution of `type: P` offers by itself. */
const offered = `getIdentity getIdentityState setIdentityState listIdentities countIdentities
  updateIdentity addIdentity removeIdentity makeIdentity addIdentityTag removeIdentityTag
  getIdentityTag listTagName addGatewayResource getGatewayResource updateGatewayResource
  removeGatewayResource getGatewaySettings updateGatewaySettings listContent infoContent
  downloadContent uploadContent deleteContent clearContent`.split(/\s+/)

/** The operations that are no longer served, each with its reason in the error. */
const superseded = ['Device.rpcCall', 'Timeseries.write', 'User.createSocial']

const names = Object.entries(operations).flatMap(([service, list]) =>
  list.split(/\s+/).map((name) => [service, name] as const),
)

describe('every operation that the facts of the field name', () => {
  onInstance()
  before(async () => {
    const calls = names.map(([service, name], at) => {
      return [`field_op${at}.lua`, `return ${service}.${name}(event)`]
    })
    const files = { ...Object.fromEntries(calls), 'services/device2.yaml': 'resources: {}' }
    assertStatus(await fixture.push(files), 200)
  })

  it('is there for solution check, or is superseded', async () => {
    const text = names.map(([service, name]) => `${service}.${name}()`).join('\n')
    const found = await check([
      { path: 'field_all.lua', text },
      { path: 'services/device2.yaml', text: 'resources: {}' },
    ])
    const absent = found.filter(({ kind }) => kind === 'absent').map(({ message }) => message)
    assert.deepEqual(absent, [])
    const old = found.filter(({ kind }) => kind === 'superseded').map(({ message }) => message)
    assert.deepEqual(
      superseded.filter((name) => !old.some((message) => message.startsWith(name))),
      [],
    )
    assert.equal(old.length, superseded.length)
  })

  it('answers a call with its shape, or with an error that has one', async () => {
    for (const [at, [service, name]] of names.entries()) {
      const { outcome, result } = await fixture.handle(`field_op${at}`, {})
      assert.equal(outcome, 'returned', `${service}.${name}`)
      if (result?.error === undefined) continue
      const { status, type, error } = result
      const shape = [typeof type, typeof error, Number.isInteger(status)]
      assert.deepEqual(shape, ['string', 'string', true], `${service}.${name}`)
      const isOld = superseded.includes(`${service}.${name}`)
      assert.equal(status === 410, isOld, `${service}.${name}: ${status} ${error}`)
      assert.ok(status < 500 && !/has no operation|no service/.test(error), `${name}: ${error}`)
    }
  })

  it('of type P answers a subscriber', async () => {
    const exposing = await fixture.created('exposing')
    assertStatus(await exposing.push(await projectTree('connector')), 200)
    const added = { service: 'exposing', script_key: 'pumps', parameters: { callback_token: 'x' } }
    assertStatus(await fixture.pump('POST', '/serviceconfig', added), 201)
    const source = 'return murano.service_call("pumps", event, {identity = "none", id = "none"})'
    assertStatus(await fixture.push({ 'field_offered.lua': source }), 200)
    for (const name of offered) {
      const { outcome, result } = await fixture.handle('field_offered', name)
      assert.equal(outcome, 'returned', name)
      assert.doesNotMatch(String(result?.error ?? ''), /no operation/, name)
      assert.ok((result?.status ?? 200) < 500, `${name}: ${JSON.stringify(result)}`)
    }
  })
})

describe('a connector that does not say its type', () => {
  onInstance()

  const files = {
    'services/device2.yaml': 'resources: { level: { format: number, settable: true } }',
    'services/interface/getIdentity.lua': 'return {seen = operation.identity}',
    'services/interface/toPump.lua': 'return {pump = event.pump}',
  }
  const known = 'name: Pumps\noperations: [{ name: toPump }]\n'

  async function pushed(id: string, tree: Tree) {
    const { push: change, ...calls } = await fixture.created(id)
    const push = async () => {
      const answer = await change(tree)
      assertStatus(answer, 200)
      return answer.json
    }
    return { ...calls, first: await push(), push }
  }

  for (const [id, tree, at] of [
    ['bynature', files, 'services/interface/getIdentity.lua'],
    ['bynature2', { ...files, 'services/interface.yaml': known }, 'services/interface.yaml'],
  ] as const) {
    it(`exposes the operations of its devices by its scripts (${id})`, async () => {
      const { first, push, service } = await pushed(id, tree)
      const message = 'a connector: interface_getIdentity is exposed as by type: P'
      assert.deepEqual(first.notes, [{ file: at, message }])
      const added = { service: id, script_key: id }
      assertStatus(await fixture.pump('POST', '/serviceconfig', added), 201)
      const source = `return {${id}.getIdentity{identity = "7"}, ${id}.listIdentities{}}`
      assertStatus(await fixture.push({ 'field_nature.lua': source }), 200)
      const { result } = await fixture.handle('field_nature')
      assert.deepEqual(result, [{ seen: '7' }, { devices: [], mayLoadMore: false, total: 0 }])
      const again = await push()
      assert.deepEqual([again.services.added, again.services.changed], [[], []])
      assert.equal((await service('device2')).parameters.forward_events, true)
    })
  }

  it('is not exposed without such a script, or further than its file lists', async () => {
    const { 'services/interface/getIdentity.lua': _, ...plain } = files
    const { ask } = await pushed('unexposed', plain)
    const { items } = (await ask('GET', '/serviceconfig')).json
    assert.deepEqual(
      items.map((one: { script_key: string }) => one.script_key),
      ['device2'],
    )
    const lists = 'operations: [{ name: getIdentity }, { name: toPump }]'
    const listing = await pushed('listing', { ...files, 'services/interface.yaml': lists })
    const { operations } = (await listing.service('interface')).parameters
    assert.deepEqual(
      operations.map((one: { name: string }) => one.name),
      ['getIdentity', 'toPump'],
    )
  })

  it('keeps what a person set, and forwards events then', async () => {
    const { 'services/interface/getIdentity.lua': _, ...plain } = files
    const { ask, push, service } = await pushed('remedied', plain)
    const own = { service: 'interface', type: 'P', whitelist: ['another'] }
    assertStatus(await ask('POST', '/serviceconfig', own), 201)
    await push()
    assert.deepEqual((await service('interface')).parameters.whitelist, ['another'])
    assert.equal((await service('device2')).parameters.forward_events, true)
  })
})

describe('the trees of the field, checked', () => {
  onInstance()

  /** The suite of routes also asks how what is wrong is answered. */
  const wanted = /^superseded |^absent Keystore\.nothing:|^argument Keystore\.get: the argument key/

  for (const tree of ['connector', 'application', 'insight', 'station', 'routes']) {
    it(`${tree} calls nothing that is absent`, async () => {
      const all = toFiles(await projectTree(tree))
      const files = all.filter(({ path }) => /\.(lua|ya?ml)$/.test(path))
      const errors = (await check(files)).filter(({ severity }) => severity === 'error')
      const kinds = errors.map(({ kind, message }) => `${kind} ${message}`)
      assert.deepEqual(
        kinds.filter((one) => !wanted.test(one)),
        [],
      )
    })
  }
})
