import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Platform } from '../../../../src/platform/platform.ts'
import { until } from '../../../fixtures/interface.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { anotherProcess } from '../../../fixtures/rotation.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'
import { connectTo, pollBegins, pollHeader, readRequest } from '../../../fixtures/wire/raw.ts'
import { inTime } from '../../../fixtures/wire/sockets.ts'

let millrace: OwnPlatform

let other: Platform

let count = 0

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { movesClock: true })
  other = await anotherProcess(suite, millrace)
})

const newOne = () => {
  count += 1
  return newDevice(millrace.httpUrl, millrace.connector.id, `revoked-${count}`)
}

const change = (device: TestDevice, part: object, by: Platform) =>
  by.provisioning.identities.whitelist(
    millrace.businessId,
    millrace.connector.id,
    device.identity,
    part,
  )

const orders = [
  {
    order: 'a lock',
    status: 403,
    code: 'locked',
    give: (device: TestDevice, by: Platform) => change(device, { locked: true }, by),
  },
  {
    order: 'an order to activate again',
    status: 401,
    code: 'unknown_credential',
    give: (device: TestDevice, by: Platform) => change(device, { reprovision: true }, by),
  },
  {
    order: 'a removal',
    status: 401,
    code: 'unknown_credential',
    give: ({ identity }: TestDevice, by: Platform) =>
      by.provisioning.identities.remove(millrace.businessId, millrace.connector.id, identity),
  },
]

const comesTo = (device: TestDevice, status: number) =>
  until(
    async () => (await device.write('a=x')).status,
    (found) => found === status,
  )

describe('lifecycle: what ends an authorization ends the open connections', () => {
  shareInstance()

  for (const here of [true, false]) {
    const where = here ? 'in the same process' : 'in another process'
    const by = () => (here ? millrace.platform : other)
    for (const { order, status, code, give } of orders) {
      it(`${order} ${where} answers a long poll with ${status}, and closes it`, async (t) => {
        const device = await newOne()
        const line = connectTo(t, millrace.httpUrl)
        line.write(readRequest(device.token, pollHeader))
        await pollBegins(millrace, device.identity)
        await give(device, by())
        const text = await inTime('an end', line.closed)
        assert.match(text, new RegExp(`^HTTP/1.1 ${status} `))
        assert.match(text, /\r\nConnection: close\r\n/)
        assert.ok(text.endsWith(`\r\n\r\n${code}`), text)
      })

      it(`${order} ${where} closes a kept-alive socket`, async (t) => {
        const device = await newOne()
        const line = connectTo(t, millrace.httpUrl)
        line.write(readRequest(device.token))
        await line.answers(/^HTTP\/1.1 204 /)
        await give(device, by())
        await inTime('an end', line.closed)
      })

      it(`${order} ${where} disconnects MQTT`, async (t) => {
        const device = await newOne()
        const { closed, write } = await mqttDevice(t, millrace.mqttUrl, { password: device.token })
        await write('$resource/a', 'said')
        await give(device, by())
        await inTime('an end', closed)
        await assert.rejects(mqttDevice(t, millrace.mqttUrl, { password: device.token }))
      })
    }
  }
})

describe('lifecycle: what ends an authorization leaves alone', () => {
  shareInstance()

  it('leaves the other devices alone, and unlocking ends nothing', async (t) => {
    const [locked, free] = [await newOne(), await newOne()]
    const line = connectTo(t, millrace.httpUrl)
    line.write(readRequest(free.token))
    await line.answers(/^HTTP\/1.1 204 /)
    const mqtt = await mqttDevice(t, millrace.mqttUrl, { password: free.token })
    const own = connectTo(t, millrace.httpUrl)
    own.write(readRequest(locked.token))
    await own.answers(/^HTTP\/1.1 204 /)
    await change(locked, { locked: true }, other)
    await change(free, { locked: false }, other)
    await inTime('an end', own.closed)
    await mqtt.write('$resource/a', 'still here')
    line.write(readRequest(free.token))
    await line.answers(/still%20here|still\+here/)
    await change(locked, { locked: false }, other)
    assert.equal((await locked.write('a=back')).status, 204)
  })

  it('an unlock in another process is in force as soon', async () => {
    const device = await newOne()
    await change(device, { locked: true }, other)
    await comesTo(device, 403)
    await change(device, { locked: false }, other)
    await comesTo(device, 204)
  })

  it('answers what another device has under way on the same socket', async (t) => {
    const [locked, free] = [await newOne(), await newOne()]
    const line = connectTo(t, millrace.httpUrl)
    line.write(readRequest(locked.token))
    await line.answers(/^HTTP\/1.1 204 /)
    line.write(readRequest(free.token, pollHeader))
    await pollBegins(millrace, free.identity)
    await change(locked, { locked: true }, millrace.platform)
    const { provisioning } = millrace.platform
    await provisioning.setState(millrace.businessId, millrace.connector.id, free.identity, {
      a: 'set',
    })
    const text = await inTime('an end', line.closed)
    assert.match(text, /HTTP\/1.1 200 [\s\S]*\r\n\r\na=set$/)
  })

  it('is forgotten once every process has read it', async () => {
    const device = await newOne()
    await change(device, { locked: true }, millrace.platform)
    const rows = () =>
      millrace.platform.database.rows(
        'select seq from provisioning_revocation where identity = $1',
        [device.identity],
      )
    assert.equal((await rows()).length, 1)
    await millrace.platform.provisioning.revocations.sweep()
    assert.equal((await rows()).length, 1)
    millrace.clock.advance(2 * 3_600_000)
    await millrace.platform.provisioning.revocations.sweep()
    assert.equal((await rows()).length, 0)
  })
})
