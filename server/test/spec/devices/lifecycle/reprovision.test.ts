import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  exampleConnector,
  type TestPlatform,
  testPlatform,
  unique,
} from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'
import { activate, newDevice } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'

const resources = {
  a: { format: 'string', settable: true },
  level: { format: 'number', settable: true, initial: '7' },
}

let millrace: TestPlatform

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
})

type Policy = { readonly policy?: unknown; readonly data?: unknown }

/** A connector with a policy, and one device of it that wrote a value. */
async function open(reprovision: Policy = {}) {
  const id = unique('again')
  const { businessId, platform, httpUrl } = millrace
  const { connectors } = platform.provisioning
  await connectors.create(businessId, { ...exampleConnector, id, resources, reprovision })
  const device = await newDevice(httpUrl, id, 'pump')
  assert.equal((await device.write('a=old&level=9')).status, 204)
  return { id, device, again: () => activate(httpUrl, `${id}.localhost`, 'pump') }
}

async function api(method: string, path: string, body?: object) {
  const asked = { method, as: `Automation ${millrace.token}`, body }
  const { status, json } = await askJson(`${millrace.httpUrl}/api:1/service/${path}`, asked)
  return { status, body: json }
}

const order = (id: string, part: object = { reprovision: true }) =>
  api('PUT', `${id}/device2/identity/pump`, part)

async function values(id: string): Promise<Record<string, { set: string; reported: string }>> {
  return (await api('GET', `${id}/device2/identity/pump/state`)).body
}

async function sentences(id: string): Promise<string[]> {
  const { businessId, platform } = millrace
  const { lines } = await platform.activity.connectors.lines(businessId, id, {
    kinds: ['provision'],
  })
  return lines.map(({ message }) => message)
}

describe('lifecycle: the policy of provisioning again, in the settings', () => {
  shareInstance()

  it('is on_order and keep by default, and can be read and changed', async () => {
    const { id } = await open()
    const before = await api('GET', `${id}/device2`)
    assert.deepEqual(before.body.provisioning.reprovision, { policy: 'on_order', data: 'keep' })
    const part = { provisioning: { reprovision: { data: 'anew' } } }
    const after = await api('PATCH', `${id}/device2`, part)
    assert.deepEqual(after.body.provisioning.reprovision, { policy: 'on_order', data: 'anew' })
    const again = await api('PATCH', `${id}/device2`, {
      provisioning: { reprovision: { policy: 'never' } },
    })
    assert.deepEqual(again.body.provisioning.reprovision, { policy: 'never', data: 'anew' })
    const read = await api('GET', `${id}/device2`)
    assert.deepEqual(read.body, again.body)
  })

  for (const [wrong, field] of [
    [{ policy: 'always' }, 'provisioning.reprovision.policy'],
    [{ data: true }, 'provisioning.reprovision.data'],
    [{ when: 'now' }, 'provisioning.reprovision."when"'],
    ['never', 'provisioning.reprovision'],
    [null, 'provisioning.reprovision'],
  ] as const) {
    it(`${JSON.stringify(wrong)} is refused, and ${field} named`, async () => {
      const { id } = await open()
      const answer = await api('PATCH', `${id}/device2`, { provisioning: { reprovision: wrong } })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.code, 'invalid_argument')
      assert.ok(answer.body.message.startsWith(`${field} `), answer.body.message)
    })
  }
})

describe('lifecycle: provisioning again with the policy never', () => {
  shareInstance()

  it('refuses an order with a code, and the second activation stays a 409', async () => {
    const { id, device, again } = await open({ policy: 'never' })
    for (const answer of [
      await order(id),
      await api('POST', `${id}/device2/reprovision`, { all: true }),
    ]) {
      assert.equal(answer.status, 409)
      assert.equal(answer.body.code, 'reprovision_refused')
      assert.match(answer.body.message, /provisioning\.reprovision\.policy/)
    }
    const second = await again()
    assert.equal(second.status, 409)
    assert.equal(second.body, 'already_activated')
    assert.equal((await device.write('a=on')).status, 204)
  })

  it('takes all other fields of an identity', async () => {
    const { id } = await open({ policy: 'never' })
    const part = { reprovision: false, locked: false, tags: [{ name: 'site', value: 'lab' }] }
    assert.equal((await order(id, part)).status, 200)
  })

  it('lets an order that was given before be followed', async () => {
    const { id, again } = await open()
    await order(id)
    await api('PATCH', `${id}/device2`, { provisioning: { reprovision: { policy: 'never' } } })
    assert.equal((await again()).status, 200)
    assert.equal((await again()).status, 409)
  })
})

describe('lifecycle: provisioning again with the policy on_order', () => {
  shareInstance()

  it('keeps the values where data is keep', async () => {
    const { id, again } = await open()
    await order(id)
    assert.equal((await again()).status, 200)
    const { a, level } = await values(id)
    assert.deepEqual([a?.reported, a?.set, level?.reported], ['old', 'old', '9'])
    assert.equal((await sentences(id))[0], 'The device was provisioned.')
  })

  it('anew clears the values, sets the initial ones, and logs it', async () => {
    const { id, again } = await open({ data: 'anew' })
    await order(id)
    assert.equal((await values(id)).a?.reported, 'old', 'not before the activation')
    assert.equal((await again()).status, 200)
    const { a, level } = await values(id)
    assert.equal(a, undefined)
    assert.deepEqual([level?.reported, level?.set], [null, '7'])
    assert.equal((await sentences(id))[0], 'The device was provisioned; its values were cleared.')
  })

  it('anew holds for the one activation that was ordered', async () => {
    const { id, again } = await open({ data: 'anew' })
    await order(id)
    assert.equal((await again()).status, 200)
    await api('PATCH', `${id}/device2`, { provisioning: { reprovision: { data: 'keep' } } })
    await api('PATCH', `${id}/device2/identity/pump/state`, { a: 'new' })
    await order(id)
    assert.equal((await again()).status, 200)
    assert.equal((await values(id)).a?.set, 'new')
  })

  it('anew does not take what was set before the first activation', async () => {
    const { id } = await open({ data: 'anew' })
    const path = `${id}/device2/identity/fresh`
    await api('PUT', path, { reprovision: true })
    await api('PATCH', `${path}/state`, { a: 'waits' })
    const { httpUrl } = millrace
    assert.equal((await activate(httpUrl, `${id}.localhost`, 'fresh')).status, 200)
    const { body } = await api('GET', `${path}/state`)
    assert.equal(body.a.set, 'waits')
  })

  it('the settings of the connector at the time of the order apply', async () => {
    const { id, again } = await open({ data: 'anew' })
    await order(id)
    await api('PATCH', `${id}/device2`, { provisioning: { reprovision: { data: 'keep' } } })
    assert.equal((await again()).status, 200)
    assert.equal((await values(id)).a, undefined)
  })

  it('an order that is withdrawn clears nothing, and the old token is known again', async () => {
    const { id, device, again } = await open({ data: 'anew' })
    await order(id)
    await order(id, { reprovision: false })
    assert.equal((await device.write('level=8')).status, 204)
    assert.equal((await values(id)).a?.reported, 'old')
    assert.equal((await again()).status, 409)
  })

  it('of fifty activations after it one wins, and the values are cleared once', async () => {
    const { id, again } = await open({ data: 'anew' })
    await order(id)
    const answers = await Promise.all(Array.from({ length: 50 }, again))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ status }) => status === 409).length, 49)
    assert.equal((await sentences(id)).length, 2)
  })
})

describe('lifecycle: provisioning many devices again at once', () => {
  shareInstance()

  it('by tag: those that are provisioned, whose connections end; the others stay', async (t) => {
    const { id, device } = await open()
    const { httpUrl, mqttUrl } = millrace
    const tagged = await newDevice(httpUrl, id, 'tagged')
    const tags = [{ name: 'site', value: 'lab' }]
    await api('PUT', `${id}/device2/identity/tagged`, { tags })
    await api('PUT', `${id}/device2/identity/waiting`, { tags })
    const { closed } = await mqttDevice(t, mqttUrl, { password: tagged.token })
    const { status, body } = await api('POST', `${id}/device2/reprovision`, {
      tag: { name: 'site' },
    })
    assert.deepEqual([status, body], [200, { ordered: 1 }])
    await closed
    assert.equal((await tagged.write('a=1')).status, 401)
    assert.equal((await device.write('a=1')).status, 204)
    assert.equal((await activate(httpUrl, `${id}.localhost`, 'tagged')).status, 200)
  })

  it('all, in more than one batch; who was ordered already is not counted', async () => {
    const { id } = await open({ data: 'anew' })
    await millrace.platform.database.run(
      `insert into provisioning_identity
           (connector_id, identity, locked, tags, created_at, provisioned_at, auth_type)
         select $1, 'many-' || n, false, '[]', 1, 1, 'token' from generate_series(1, 2100) n`,
      [id],
    )
    const path = `${id}/device2/reprovision`
    assert.deepEqual((await api('POST', path, { all: true })).body, { ordered: 2101 })
    assert.deepEqual((await api('POST', path, { all: true })).body, { ordered: 0 })
    const one = await api('GET', `${id}/device2/identity/many-2100`)
    assert.equal(one.body.status, 'reprovision')
  })

  for (const wrong of [{}, { all: false }, { all: true, identity: 'pump' }, { every: 1 }]) {
    it(`${JSON.stringify(wrong)} is refused`, async () => {
      const { id } = await open()
      const answer = await api('POST', `${id}/device2/reprovision`, wrong)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.code, 'invalid_argument')
    })
  }
})

describe('lifecycle: provisioning a locked device again', () => {
  shareInstance()

  it('with the unlock: for firmware that dropped its credential when it was locked', async () => {
    const { id, device, again } = await open()
    await order(id, { locked: true })
    assert.equal((await device.read('a')).status, 403)
    assert.equal((await again()).status, 403)
    await order(id, { locked: false })
    assert.equal((await again()).status, 409)
    await order(id, { locked: true })
    const { body } = await order(id, { locked: false, reprovision: true })
    assert.equal(body.status, 'reprovision')
    const { status, body: token } = await again()
    assert.deepEqual([status, token.length], [200, 40])
    assert.equal((await device.read('a')).status, 401)
  })
})
