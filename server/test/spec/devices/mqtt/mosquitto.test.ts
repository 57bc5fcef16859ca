import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { atEnd, testFolder } from '../../../fixtures/ends.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import type { TestDevice } from '../../../fixtures/wire/device.ts'
import { mqttFleet, until } from '../../../fixtures/wire/mqtt-fleet.ts'

const run = promisify(execFile)

describe('mosquitto’s clients, over TLS with the CA of the instance', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  const { newOne, set, state } = mqttFleet(() => millrace)
  before(async () => {
    millrace = await testPlatform(suite)
  })

  const mosquitto = async (program: 'pub' | 'sub' | 'rr', ...args: string[]) => {
    const { port } = new URL(millrace.mqttTlsUrl ?? '')
    const server = ['-h', 'localhost', '-p', port, '--cafile', millrace.caFile]
    const { stdout } = await run(`mosquitto_${program}`, ['-V', 'mqttv311', ...server, ...args])
    return stdout.trim()
  }

  it('mosquitto_rr activates, mosquitto_pub writes with what it got', async () => {
    const topic = '$provision/by-mosquitto'
    const asked = ['-u', millrace.connector.id, '-t', topic, '-e', topic, '-n']
    const token = await mosquitto('rr', ...asked)
    assert.match(token, /^[0-9a-f]{40}$/)
    const device = { ...(await newOne()), identity: 'by-mosquitto', token }
    const credential = ['-u', '', '-P', token, '-q', '1']
    await mosquitto('pub', ...credential, '-t', '$resource/temperature', '-m', '21.5')
    assert.equal((await state(device)).temperature?.reported, '21.5')
    const batch = '[{"timestamp":1500000000,"values":{"a":"x"}}]'
    await mosquitto('pub', ...credential, '-t', '$resource.batch', '-m', batch)
    assert.equal((await state(device)).a?.reported, 'x')
  })

  it('mosquitto_sub receives what is set', async () => {
    const device = await newOne()
    await set(device, { a: 'on' })
    const credential = ['-u', '', '-P', device.token]
    const messages = await mosquitto('sub', ...credential, '-t', '$resource/a', '-C', '1', '-v')
    assert.match(messages, /^\$resource\/a\/\d{16} on$/)
  })

  it('mosquitto_pub comes to its end with what is refused, with QoS 1 and 2', async () => {
    const device = await newOne()
    const credential = ['-u', '', '-P', device.token]
    await mosquitto('pub', ...credential, '-q', '2', '-t', '$resource/a', '-m', 'x')
    await mosquitto('pub', ...credential, '-q', '1', '-t', '$resource/temperature', '-m', 'nan')
    await mosquitto('pub', ...credential, '-q', '1', '-t', '$resource/b', '-m', 'y')
    assert.deepEqual(Object.keys(await state(device)), ['b'])
  })

  it('mosquitto_sub with a wildcard fails', async () => {
    const { token } = await newOne()
    const credential = ['-u', '', '-P', token]
    const denied = mosquitto('sub', ...credential, '-t', '$resource/#', '-E')
    await denied.then(
      (out) => assert.equal(out, ''),
      (error: { stderr: string }) => assert.match(error.stderr, /denied/),
    )
  })
})

const page = new URL('../../../../../docs/using/mqtt.md', import.meta.url)

describe('a broker of Mosquitto as a bridge', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  const { newOne, set, state } = mqttFleet(() => millrace)
  before(async () => {
    millrace = await testPlatform(suite)
  })

  /** Starts a broker with the settings of the page, for a device. @returns its Unix socket. */
  async function startBridge(t: TestContext, device: TestDevice): Promise<string> {
    const folder = await testFolder(t)
    const socket = join(folder, 'socket')
    const { port } = new URL(millrace.mqttTlsUrl ?? '')
    const [, settings = ''] = /```conf\n(.*?)```/s.exec(await readFile(page, 'utf8')) ?? []
    const own = settings
      .replace('listener 1883 127.0.0.1', `listener 0 ${socket}`)
      .replace('demo.localhost:8883', `localhost:${port}`)
      .replace('/etc/mosquitto/millrace-ca.pem', millrace.caFile)
      .replace('remote_username demo', `remote_username ${millrace.connector.id}`)
      .replace('<token>', device.token)
      .replace('data_out', 'b')
    await writeFile(join(folder, 'conf'), `user ${userInfo().username}\n${own}`)
    const broker = spawn('mosquitto', ['-c', join(folder, 'conf')], { stdio: 'ignore' })
    atEnd(t, () => broker.kill())
    return socket
  }

  it('writes the messages of a site, and hands on values that are set', async (t) => {
    const device = await newOne()
    const at = ['--unix', await startBridge(t, device)]
    const publish = ['-q', '1', '-t', 'site/a', '-m', 'of the site']
    await until(async () => {
      await run('mosquitto_pub', [...at, ...publish]).catch(() => {})
      return (await state(device)).a?.reported === 'of the site'
    })
    const received = run('mosquitto_sub', [...at, '-t', 'site/set/#', '-v', '-C', '1'])
    let isReceived = false
    received.finally(() => {
      isReceived = true
    })
    await until(async () => {
      await set(device, { b: 'on' })
      return isReceived
    })
    assert.match((await received).stdout, /^site\/set\/b\/\d{16} on$/m)
  })
})
