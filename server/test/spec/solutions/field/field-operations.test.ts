import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { projectTree } from '../../../fixtures/projects/trees.ts'
import {
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let fixture: SolutionsFixture
const onInstance = sharedBySuites(async (suite) => {
  fixture = await solutionsFixture(suite)
})

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

/** Those that a solution of `type: P` offers by itself. */
const offered = `getIdentity getIdentityState setIdentityState listIdentities countIdentities
  updateIdentity addIdentity removeIdentity makeIdentity addIdentityTag removeIdentityTag
  getIdentityTag listTagName addGatewayResource getGatewayResource updateGatewayResource
  removeGatewayResource getGatewaySettings updateGatewaySettings listContent infoContent
  downloadContent uploadContent deleteContent clearContent`.split(/\s+/)

/** Those that are no longer served, each with its reason in the error. */
const superseded = ['Device.rpcCall', 'Timeseries.write', 'User.createSocial']

const names = Object.entries(operations).flatMap(([service, list]) =>
  list.split(/\s+/).map((name) => [service, name] as const),
)

describe('every operation that the facts of the field name', () => {
  onInstance()
  before(async () => {
    const calls = names.map(([service, name], at) => ({
      path: `field_op${at}.lua`,
      text: `return ${service}.${name}(event)`,
    }))
    const files = [...calls, { path: 'services/device2.yaml', text: 'resources: {}' }]
    assertStatus(await fixture.pump('POST', '/push', { files }), 200)
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
      const call = { service: 'field', event: `op${at}`, argument: {} }
      const { outcome, result } = (await fixture.pump('POST', '/run', call)).json
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
    const tree = Object.entries(await projectTree('connector'))
    const exposing = { id: 'exposing', name: 'Exposing' }
    assertStatus(await fixture.ask('POST', '/solution', exposing), 201)
    const files = tree.map(([path, text]) => ({ path, text }))
    assertStatus(await fixture.ask('POST', '/solution/exposing/push', { files }), 200)
    const added = { service: 'exposing', script_key: 'pumps', parameters: { callback_token: 'x' } }
    assertStatus(await fixture.pump('POST', '/serviceconfig', added), 201)
    const source = 'return murano.service_call("pumps", event, {identity = "none", id = "none"})'
    assertStatus(await fixture.push({ 'field_offered.lua': source }), 200)
    for (const name of offered) {
      const call = { service: 'field', event: 'offered', argument: name }
      const { outcome, result } = (await fixture.pump('POST', '/run', call)).json
      assert.equal(outcome, 'returned', name)
      assert.doesNotMatch(String(result?.error ?? ''), /no operation/, name)
      assert.ok((result?.status ?? 200) < 500, `${name}: ${JSON.stringify(result)}`)
    }
  })
})

describe('the trees of the field, checked', () => {
  onInstance()

  /** The suite of routes also asks how what is wrong is answered. */
  const wanted = /^superseded |^absent Keystore\.nothing:|^argument Keystore\.get: the argument key/

  for (const tree of ['connector', 'application', 'insight', 'station', 'routes']) {
    it(`${tree} calls nothing that is absent`, async () => {
      const files = Object.entries(await projectTree(tree)).flatMap(([path, text]) =>
        /\.(lua|ya?ml)$/.test(path) ? [{ path, text }] : [],
      )
      const errors = (await check(files)).filter(({ severity }) => severity === 'error')
      const kinds = errors.map(({ kind, message }) => `${kind} ${message}`)
      assert.deepEqual(
        kinds.filter((one) => !wanted.test(one)),
        [],
      )
    })
  }
})
