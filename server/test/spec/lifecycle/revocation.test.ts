import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLogger } from '../../../src/kernel/index.ts'
import { openPlatform } from '../../../src/main.ts'
import type { Platform } from '../../../src/platform.ts'
import { atEnd } from '../../fixtures/ends.ts'
import { type OwnPlatform, testPlatform } from '../../fixtures/platform.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../fixtures/wire/device.ts'
import { mqttDevice } from '../../fixtures/wire/mqtt.ts'

/** Far more than the second that is promised, far less than a poll or a credential's memory. */
const boundMs = 15_000
const path = '/vendor:v1/stack/alias'

/** A socket on which one device speaks HTTP. */
type Line = {
  command(request: string): void
  /** Resolves when what was received passes. */
  answers(part: RegExp): Promise<string>
  /** Resolves with all that was received when the server has ended the connection. */
  readonly closed: Promise<string>
}

function openLine(t: TestContext, url: string): Line {
  const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1')
  const closed = Promise.withResolvers<string>()
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
  })
  socket.on('error', () => undefined)
  socket.on('close', () => closed.resolve(received))
  atEnd(t, () => socket.destroy())
  return {
    command: (request) => void socket.write(request),
    answers: (part) => until(() => (part.test(received) ? received : undefined)),
    closed: closed.promise,
  }
}

async function until<Found>(find: () => Found | undefined): Promise<Found> {
  for (let waited = 0; waited < boundMs; waited += 20) {
    const found = find()
    if (found !== undefined) return found
    await pause(20)
  }
  throw new Error('it did not come about')
}

function within<Result>(promise: Promise<Result>): Promise<Result> {
  const late = pause(boundMs, undefined, { ref: false }).then(() => {
    throw new Error('the connection was not ended')
  })
  return Promise.race([promise, late])
}

const asked = ({ token }: TestDevice, more = '') =>
  `GET ${path}?a HTTP/1.1\r\nHost: x.example\r\nX-vendor-CIK: ${token}\r\n${more}\r\n`
const polled = (device: TestDevice) => asked(device, 'Request-Timeout: 300000\r\n')

let millrace: OwnPlatform

/** Another process on the same database, as far as this one can tell. */
let other: Platform

let count = 0

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { movesClock: true })
  const { config, database } = millrace.platform
  const [{ name = '' } = {}] = await database.rows<{ name: string }>(
    'select current_database() as name',
    [],
  )
  const logger = createLogger('silent')
  other = await openPlatform({ config, logger, owner: false, databaseName: name })
  suite.after(() => other.close())
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

async function comesTo(device: TestDevice, status: number): Promise<void> {
  for (let waited = 0; waited < boundMs; waited += 20) {
    if ((await device.write('a=x')).status === status) return
    await pause(20)
  }
  throw new Error(`it did not come to ${status}`)
}

/** The line of the log is written when the poll begins. */
async function isPolling({ identity }: TestDevice): Promise<void> {
  const { businessId, connector, platform } = millrace
  for (let waited = 0; waited < boundMs; waited += 20) {
    await platform.activity.flush()
    const filter = { identity, kinds: ['read' as const] }
    const { lines } = await platform.activity.connectors.lines(businessId, connector.id, filter)
    if (lines.length > 0) return
    await pause(20)
  }
  throw new Error('the poll did not begin')
}

describe('lifecycle: what ends an authorization ends the open connections', () => {
  shareInstance()

  for (const here of [true, false]) {
    const where = here ? 'in the same process' : 'in another process'
    const by = () => (here ? millrace.platform : other)
    for (const { order, status, code, give } of orders) {
      it(`${order} ${where} answers a long poll with ${status}, and closes it`, async (t) => {
        const device = await newOne()
        const line = openLine(t, millrace.httpUrl)
        line.command(polled(device))
        await isPolling(device)
        await give(device, by())
        const text = await within(line.closed)
        assert.match(text, new RegExp(`^HTTP/1.1 ${status} `))
        assert.match(text, /\r\nConnection: close\r\n/)
        assert.ok(text.endsWith(`\r\n\r\n${code}`), text)
      })

      it(`${order} ${where} closes a kept-alive socket`, async (t) => {
        const device = await newOne()
        const line = openLine(t, millrace.httpUrl)
        line.command(asked(device))
        await line.answers(/^HTTP\/1.1 204 /)
        await give(device, by())
        await within(line.closed)
      })

      it(`${order} ${where} disconnects MQTT`, async (t) => {
        const device = await newOne()
        const { closed, write } = await mqttDevice(t, millrace.mqttUrl, { password: device.token })
        await write('$resource/a', 'said')
        await give(device, by())
        await within(closed)
        await assert.rejects(mqttDevice(t, millrace.mqttUrl, { password: device.token }))
      })
    }
  }
})

describe('lifecycle: what ends an authorization leaves alone', () => {
  shareInstance()

  it('leaves the other devices alone, and unlocking ends nothing', async (t) => {
    const [locked, free] = [await newOne(), await newOne()]
    const line = openLine(t, millrace.httpUrl)
    line.command(asked(free))
    await line.answers(/^HTTP\/1.1 204 /)
    const mqtt = await mqttDevice(t, millrace.mqttUrl, { password: free.token })
    const own = openLine(t, millrace.httpUrl)
    own.command(asked(locked))
    await own.answers(/^HTTP\/1.1 204 /)
    await change(locked, { locked: true }, other)
    await change(free, { locked: false }, other)
    await within(own.closed)
    await mqtt.write('$resource/a', 'still here')
    line.command(asked(free))
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
    const line = openLine(t, millrace.httpUrl)
    line.command(asked(locked))
    await line.answers(/^HTTP\/1.1 204 /)
    line.command(polled(free))
    await isPolling(free)
    await change(locked, { locked: true }, millrace.platform)
    const { provisioning } = millrace.platform
    await provisioning.setState(millrace.businessId, millrace.connector.id, free.identity, {
      a: 'set',
    })
    const text = await within(line.closed)
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
