import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Platform } from '../../../../src/platform/platform.ts'
import { until } from '../../../fixtures/interface.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { anotherProcess, rotationCall } from '../../../fixtures/rotation.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, send, type TestDevice } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'
import { connectTo, pollBegins, pollHeader, readRequest } from '../../../fixtures/wire/raw.ts'

const path = '/vendor:v1/stack/alias'
const hourMs = 3_600_000
const formType = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }

let millrace: OwnPlatform

let other: Platform

let count = 0

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { movesClock: true })
  other = await anotherProcess(suite, millrace)
  await other.provisioning.revocations.startPolling()
})

const newOne = () => {
  count += 1
  return newDevice(millrace.httpUrl, millrace.connector.id, `turned-${count}`)
}

const call = (
  method: 'GET' | 'PUT' | 'DELETE',
  { identity }: { identity: string },
  body?: object,
) => rotationCall(millrace, method, { connectorId: millrace.connector.id, identity }, body)

/** The call of firmware that asks for a new token with its old one. */
const renew = ({ identity }: TestDevice, token: string) =>
  send(
    millrace.httpUrl,
    'POST',
    '/provision/activate',
    { Host: `${millrace.connector.id}.localhost`, 'X-vendor-CIK': token, ...formType },
    `id=${identity}`,
  )

const writeWith = (token: string) =>
  send(millrace.httpUrl, 'POST', path, { 'X-vendor-CIK': token, ...formType }, 'a=x')

async function sentences({ identity }: { identity: string }): Promise<string[]> {
  const { businessId, connector, platform } = millrace
  const filter = { identity, kinds: ['provision' as const] }
  const { lines } = await platform.activity.connectors.lines(businessId, connector.id, filter)
  return lines.map(({ message }) => message).reverse()
}

async function rotated() {
  const device = await newOne()
  assert.equal((await call('PUT', device)).status, 200)
  const answer = await renew(device, device.token)
  assert.equal(answer.status, 200, answer.body)
  return { device, fresh: answer.body }
}

describe('lifecycle: a device that gets a new token', () => {
  shareInstance()

  it('the device activates with its old token and gets a new one; both work', async () => {
    const { device, fresh } = await rotated()
    assert.match(fresh, /^[0-9a-f]{40}$/)
    assert.notEqual(fresh, device.token)
    assert.equal((await writeWith(device.token)).status, 204)
    const { body } = await call('GET', device)
    assert.equal(body.type, 'token')
    assert.equal(body.given, true)
    assert.equal(Number(body.until) - Number(body.opened), 24 * hourMs * 1_000)
  })

  it('the first use of the new one ends the old one, with lines in the log', async () => {
    const { device, fresh } = await rotated()
    assert.equal((await writeWith(fresh)).status, 204)
    const refused = await writeWith(device.token)
    assert.equal(refused.status, 401)
    assert.equal(refused.body, 'unknown_credential')
    assert.equal((await writeWith(fresh)).status, 204)
    assert.equal((await call('GET', device)).status, 404)
    assert.deepEqual(await sentences(device), [
      'The device was provisioned.',
      'A rotation of the credential was opened.',
      'A new credential was given out; the one before still works.',
      'The device used its new credential; the one before is refused from now on.',
    ])
  })

  it('without its old token an activation stays a 409, as without a rotation', async () => {
    const device = await newOne()
    assert.equal((await renew(device, device.token)).status, 409)
    await call('PUT', device)
    assert.equal((await renew(device, 'f'.repeat(40))).status, 409)
    const another = await newOne()
    assert.equal((await renew(device, another.token)).status, 409)
    assert.equal((await call('GET', device)).body.given, false)
  })

  it('of fifty activations at once one gets the new token', async () => {
    const device = await newOne()
    await call('PUT', device)
    const answers = await Promise.all(Array.from({ length: 50 }, () => renew(device, device.token)))
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    assert.equal(answers.filter(({ status }) => status === 409).length, 49)
    assert.equal((await writeWith(won[0]?.body ?? '')).status, 204)
  })

  it('a device whose answer was lost requests again; the lost token is refused', async () => {
    const { device, fresh: lost } = await rotated()
    assert.equal((await renew(device, device.token)).status, 409)
    millrace.clock.advance(10_000)
    const again = await renew(device, device.token)
    assert.equal(again.status, 200)
    assert.equal((await writeWith(lost)).status, 401)
    assert.equal((await writeWith(device.token)).status, 204)
    assert.equal((await writeWith(again.body)).status, 204)
  })

  it('of fifty first uses at once all are served, and one ends the old token', async () => {
    const { device, fresh } = await rotated()
    const answers = await Promise.all(Array.from({ length: 50 }, () => writeWith(fresh)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]))
    const used = (await sentences(device)).filter((text) => text.includes('used its new'))
    assert.equal(used.length, 1)
  })

  it('over MQTT the device requests the token and gets it on its own connection', async (t) => {
    const device = await newOne()
    await call('PUT', device)
    const old = await mqttDevice(t, millrace.mqttUrl, { password: device.token })
    await old.write(`$provision/${device.identity}`, '')
    const { text: fresh } = await old.receive(({ topic }) => topic.startsWith('$provision/'))
    await old.write('$resource/a', 'both work')
    const young = await mqttDevice(t, millrace.mqttUrl, { password: fresh })
    await old.closed
    await young.write('$resource/a', 'new')
  })
})

describe('lifecycle: the end of the window of a rotation', () => {
  shareInstance()

  it('at the end of the window a new token that was not used ends the old one', async (t) => {
    const { device, fresh } = await rotated()
    const { closed } = await mqttDevice(t, millrace.mqttUrl, { password: device.token })
    millrace.clock.advance(24 * hourMs)
    assert.equal((await writeWith(device.token)).status, 401)
    await closed
    await until(
      () => sentences(device),
      (all) => all.at(-1)?.startsWith('The rotation has ended; the old credential') === true,
    )
    assert.equal((await writeWith(device.token)).status, 401)
    assert.equal((await writeWith(fresh)).status, 204)
  })

  it('a window that ends without a new token leaves the old one, and logs it', async () => {
    const device = await newOne()
    await call('PUT', device, { hours: 1 })
    millrace.clock.advance(hourMs)
    assert.equal((await renew(device, device.token)).status, 409)
    await until(
      () => sentences(device),
      (all) => all.at(-1)?.includes('without a new credential') === true,
    )
    assert.equal((await writeWith(device.token)).status, 204)
  })
})

describe('lifecycle: what the first use of the new token ends', () => {
  shareInstance()

  for (const here of [true, false]) {
    const where = here ? 'in the same process' : 'in another process'
    const use = (token: string) => {
      const { provisioning } = here ? millrace.platform : other
      return provisioning.authenticateToken(token, { encrypted: true, ip: '127.0.0.1' })
    }

    it(`a long poll ${where}: answered with 403, and closed`, async (t) => {
      const { device, fresh } = await rotated()
      const line = connectTo(t, millrace.httpUrl)
      line.write(readRequest(device.token, pollHeader))
      await pollBegins(millrace, device.identity)
      await use(fresh)
      const text = await line.closed
      assert.match(text, /^HTTP\/1.1 403 [\s\S]*\r\n\r\ncredential_replaced$/)
    })

    it(`MQTT ${where}: disconnected; what was opened with the new one stays`, async (t) => {
      const { device, fresh } = await rotated()
      const old = await mqttDevice(t, millrace.mqttUrl, { password: device.token })
      if (!here) await use(fresh)
      const young = await mqttDevice(t, millrace.mqttUrl, { password: fresh })
      await old.closed
      await assert.rejects(mqttDevice(t, millrace.mqttUrl, { password: device.token }))
      await young.write('$resource/a', 'still here')
    })
  }

  it('a kept-alive socket: the first request with the new one is answered', async (t) => {
    const { device, fresh } = await rotated()
    const line = connectTo(t, millrace.httpUrl)
    line.write(readRequest(device.token))
    await line.answers(/^HTTP\/1.1 204 /)
    line.write(readRequest(fresh))
    const text = await line.closed
    assert.match(text, /^HTTP\/1.1 204 [\s\S]*HTTP\/1.1 204 [\s\S]*Connection: close/)
  })
})

describe('lifecycle: what an operator does about a rotation', () => {
  shareInstance()

  it('gets the new token, once, to give it to the device', async () => {
    const device = await newOne()
    const opened = await call('PUT', device, { hours: 48, auth: { type: 'token' } })
    const fresh = String(opened.body.token)
    assert.match(fresh, /^[0-9a-f]{40}$/)
    assert.equal('token' in (await call('GET', device)).body, false)
    const second = await call('PUT', device, { auth: { type: 'token' } })
    assert.equal(second.status, 409)
    assert.equal(second.body.code, 'already_exists')
    assert.equal((await renew(device, device.token)).status, 409)
    assert.equal((await writeWith(device.token)).status, 204)
    assert.equal((await writeWith(fresh)).status, 204)
    assert.equal((await writeWith(device.token)).status, 401)
  })

  it('of fifty that give one at once one does', async () => {
    const device = await newOne()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('PUT', device, { auth: { type: 'token' } })),
    )
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    assert.equal((await writeWith(String(won[0]?.body.token))).status, 204)
  })

  it('cancels: the new token is refused, and the old one stays', async () => {
    const { device, fresh } = await rotated()
    assert.equal((await call('DELETE', device)).status, 204)
    assert.equal((await writeWith(fresh)).status, 401)
    millrace.clock.advance(25 * hourMs)
    assert.equal((await writeWith(device.token)).status, 204)
    assert.equal((await call('DELETE', device)).status, 404)
  })

  it('gives an open rotation more time, and the new token stays', async () => {
    const { device, fresh } = await rotated()
    assert.equal((await call('PUT', device, { hours: 72 })).status, 200)
    millrace.clock.advance(48 * hourMs)
    assert.equal((await writeWith(device.token)).status, 204)
    assert.equal((await writeWith(fresh)).status, 204)
  })

  it('locks: the new token is refused as well, and its use ends nothing', async () => {
    const { device, fresh } = await rotated()
    const change = (part: object) => {
      const { businessId, connector, platform } = millrace
      const { identities } = platform.provisioning
      return identities.whitelist(businessId, connector.id, device.identity, part)
    }
    await change({ locked: true })
    assert.equal((await writeWith(fresh)).status, 403)
    await change({ locked: false })
    assert.equal((await writeWith(device.token)).status, 204)
  })

  it('orders another activation: both tokens are unknown, before and after it', async () => {
    const { device, fresh } = await rotated()
    const { businessId, connector, platform } = millrace
    const { identities } = platform.provisioning
    await identities.whitelist(businessId, connector.id, device.identity, { reprovision: true })
    for (const token of [device.token, fresh]) assert.equal((await writeWith(token)).status, 401)
    const activated = await renew(device, device.token)
    assert.equal(activated.status, 200)
    for (const token of [device.token, fresh]) assert.equal((await writeWith(token)).status, 401)
    assert.equal((await writeWith(activated.body)).status, 204)
  })

  for (const [wrong, says] of [
    [{ hours: 0 }, /^hours /],
    [{ hours: '24' }, /^hours /],
    [{ auth: { type: 'key' } }, /^auth\.type /],
    [{ auth: { key: 'x' } }, /^auth\.key /],
    [{ auth: { type: 'token', key: 'chosen' } }, /^auth\.key /],
    [{ auth: { type: 'password', key: 'p'.repeat(30) } }, /^auth\.type can only be token/],
    [{ until: 1 }, /until/],
  ] as const) {
    it(`${JSON.stringify(wrong)} is refused, and the field named`, async () => {
      const device = await newOne()
      const answer = await call('PUT', device, wrong)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.code, 'invalid_argument')
      assert.match(String(answer.body.message), says)
      assert.equal((await call('GET', device)).status, 404)
    })
  }

  it('gets an error if there is nothing to rotate', async () => {
    const waiting = { identity: 'waits' }
    const { businessId, connector, platform } = millrace
    await platform.provisioning.identities.whitelist(businessId, connector.id, 'waits')
    assert.equal((await call('PUT', waiting)).body.code, 'not_provisioned')
    assert.equal((await call('PUT', { identity: 'nobody' })).body.code, 'unknown_identity')
  })
})
