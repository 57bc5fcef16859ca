import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { ConnectorLine } from '../../../../../src/log/activity/index.ts'
import { startCommand } from '../../../../fixtures/commands/command-line.ts'
import { until } from '../../../../fixtures/engine.ts'
import { type OwnPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import {
  type InstanceProcess,
  startInstance,
} from '../../../../fixtures/processes/instance-process.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import type { TestDevice } from '../../../../fixtures/wire/device.ts'
import { mqttFleet } from '../../../../fixtures/wire/mqtt-fleet.ts'

let millrace: OwnPlatform

let other: InstanceProcess

const { newOne, connect, set } = mqttFleet(() => millrace)

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { own: 'starts a second process' })
  const folder = await mkdtemp(join(tmpdir(), 'millrace-other-'))
  suite.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  other = await startInstance({ ...(await millrace.otherProcess()), MILLRACE_DATA: folder })
  suite.after(() => other.stop())
})

async function setThere({ identity }: TestDevice, values: object): Promise<void> {
  const { connector, token } = millrace
  const path = `/api:1/service/${connector.id}/device2/identity/${identity}/state`
  const answer = await fetch(`${other.httpUrl}${path}`, {
    method: 'PATCH',
    headers: { Authorization: `Automation ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(values),
  })
  assert.equal(answer.status, 204, await answer.text())
}

async function setByCommand(t: { after(end: () => unknown): void }, one: TestDevice, a: string) {
  const where = ['--connector', millrace.connector.id, '--identity', one.identity]
  const run = startCommand(t, ['device', 'state', ...where, '--set', `a=${a}`], {
    cwd: process.cwd(),
    env: { MILLRACE_URL: other.httpUrl, MILLRACE_TOKEN: millrace.token },
  })
  assert.equal(await run.end(), 0, run.printed())
}

const [isTrue, isFalse] = [() => true, () => false]

function poll(device: TestDevice) {
  return device.read('a', { 'Request-Timeout': '300000', 'If-Modified-Since': '0' })
}

describe('what another process sets answers a poll, a live view, and a lost connection', () => {
  shareInstance()

  it('answers a long poll, long before its end', async () => {
    const device = await newOne()
    const waiting = poll(device)
    await setThere(device, { a: 'from-there' })
    assert.equal((await waiting).body, 'a=from-there')
  })

  it('answers a long poll where a command has set it', async (t) => {
    const device = await newOne()
    const waiting = poll(device)
    await setByCommand(t, device, 'by-command')
    assert.equal((await waiting).body, 'a=by-command')
  })

  it('is a line of a live view here', async (t) => {
    const device = await newOne()
    const { businessId, connector, platform } = millrace
    const { promise: shown, resolve } = Promise.withResolvers<ConnectorLine>()
    const filter = { identity: device.identity, kinds: ['set'] as const }
    const listener = (lines: readonly ConnectorLine[]) =>
      lines[0] !== undefined && resolve(lines[0])
    t.after(platform.activity.connectors.follow(businessId, connector.id, listener, { filter }))
    await setThere(device, { a: 'seen' })
    assert.equal((await shown).message, 'Set a=seen.')
  })

  it('reaches a device also after every connection to the database was lost', async (t) => {
    const device = await newOne()
    const { receive } = await connect(t, device)
    await millrace.platform.database
      .run(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      .catch(() => {})
    // Either process answers 503 until it has connections again, however long that takes.
    const answered = (call: () => Promise<unknown>) => until(() => call().then(isTrue, isFalse))
    await answered(async () => assert.equal((await device.read('b')).status, 204))
    const pollAgain = async (): Promise<string> => {
      const { status, body } = await poll(device)
      return status === 503 ? pollAgain() : body
    }
    const waiting = pollAgain()
    await answered(() => setThere(device, { a: 'after' }))
    await receive(({ text }) => text === 'after')
    assert.equal(await waiting, 'a=after')
  })
})

describe('what another process sets is pushed over MQTT', () => {
  shareInstance()

  it('is pushed to a device that is connected by MQTT and silent', async (t) => {
    const device = await newOne()
    const { receive } = await connect(t, device)
    await setThere(device, { a: 'from-there' })
    assert.match((await receive(({ text }) => text === 'from-there')).topic, /^\$resource\/a\/\d+$/)
  })

  it('is pushed to a device that keeps publishing, and so never pings', async (t) => {
    const device = await newOne()
    const { receive, write } = await connect(t, device)
    const pushed = receive(({ text }) => text === 'by-command')
    let over = false
    const mark = () => {
      over = true
    }
    pushed.then(mark, mark)
    const setting = setByCommand(t, device, 'by-command')
    while (!over) await write('$resource/temperature', '20.5')
    await Promise.all([pushed, setting])
  })

  it('is pushed where it repeats what the device has reported', async (t) => {
    const device = await newOne()
    const { receive, messages, write } = await connect(t, device)
    await set(device, { a: 'reboot' })
    const first = await receive(({ text }) => text === 'reboot')
    await write(first.topic, 'reboot')
    await setThere(device, { a: 'reboot' })
    await receive(({ topic, text }) => text === 'reboot' && topic !== first.topic)
    assert.equal(messages.length, 2)
  })

  it('is pushed at the next connect where it repeats the last value', async (t) => {
    const device = await newOne()
    const { receive, write, end } = await connect(t, device)
    await set(device, { a: 'reboot' })
    await write((await receive(() => true)).topic, 'reboot')
    await end()
    await set(device, { a: 'reboot' })
    const again = await connect(t, device)
    const { topic } = await again.receive(({ text }) => text === 'reboot')
    await again.write(topic, 'reboot')
    await again.end()
    const third = await connect(t, device)
    await set(device, { b: 'only this' })
    await third.receive(({ text }) => text === 'only this')
    assert.equal(third.messages.length, 1)
  })
})

describe('notifications of other processes', () => {
  it('may be missing: looking from time to time finds what was set', async (t) => {
    const millrace = await testPlatform(t, { own: 'starts a second process' })
    const device = await mqttFleet(() => millrace).newOne()
    const there = await millrace.another()
    const { hints } = there.platform.database
    Object.assign(hints, { tell() {} })
    const waiting = device.read('a', { 'Request-Timeout': '300000', 'If-Modified-Since': '0' })
    const { businessId, connector } = millrace
    await there.platform.provisioning.setState(businessId, connector.id, device.identity, {
      a: 'without a hint',
    })
    assert.equal((await waiting).body, 'a=without%20a%20hint')
  })
})
