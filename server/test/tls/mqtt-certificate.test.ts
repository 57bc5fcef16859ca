import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { suiteContext } from '../fixtures/suite.ts'
import {
  type CertificateDevice,
  type CertificateFixture,
  certificateFixture,
} from '../fixtures/wire/certificates.ts'
import { mqttDevice, tlsOptions } from '../fixtures/wire/mqtt.ts'

const run = promisify(execFile)

type Context = Parameters<typeof mqttDevice>[0]

describe('the TLS client certificate method over MQTT', () => {
  const suite = suiteContext()
  let fixture: CertificateFixture
  before(async () => {
    fixture = await certificateFixture(suite)
  })

  const connect = async (
    t: Context,
    { chainFile, keyFile }: CertificateDevice,
    host = fixture.host,
  ) => {
    const [cert, key] = [await readFile(chainFile), await readFile(keyFile)]
    const tls = await tlsOptions(fixture.millrace, host)
    return mqttDevice(t, fixture.millrace.mqttTlsUrl, { ...tls, cert, key })
  }
  const identities = () => fixture.millrace.platform.provisioning.identities
  const whitelist = (identity: string, input = {}) =>
    identities().whitelist(fixture.millrace.businessId, fixture.connector.id, identity, input)

  it('a certificate alone connects a device, provisions it, and lets it write', async (t) => {
    const device = await fixture.device('mqtt-1')
    await whitelist(device.identity)
    const { write } = await connect(t, device)
    await write('$resource/a', '1')
    assert.deepEqual(await fixture.lines(device.identity), ['provisioned', 'write'])
    const again = await connect(t, device)
    await again.write('$resource/a', '2')
    assert.deepEqual(await fixture.lines(device.identity), ['provisioned', 'write', 'write'])
  })

  it('mosquitto_pub does, and names the connector by its user name', async () => {
    const device = await fixture.device('mqtt-2')
    await whitelist(device.identity)
    const { port } = new URL(fixture.millrace.mqttTlsUrl ?? '')
    await run('mosquitto_pub', [
      ...['-V', 'mqttv311', '-h', 'localhost', '-p', port, '--cafile', fixture.millrace.caFile],
      ...['--cert', device.chainFile, '--key', device.keyFile, '-u', fixture.connector.id],
      ...['-q', '1', '-t', '$resource/a', '-m', '1'],
    ])
    assert.deepEqual(await fixture.lines(device.identity), ['provisioned', 'write'])
  })

  it('an identity that is unknown, or has another certificate, is refused', async (t) => {
    await assert.rejects(connect(t, await fixture.device('mqtt-unknown')), { code: 5 })
    const device = await fixture.device('mqtt-3')
    await whitelist(device.identity)
    await connect(t, device)
    await assert.rejects(connect(t, await fixture.device('mqtt-3')), { code: 5 })
  })

  it('without a certificate the connection is anonymous and cannot activate', async (t) => {
    const tls = await tlsOptions(fixture.millrace, fixture.host)
    const { client, closed } = await mqttDevice(t, fixture.millrace.mqttTlsUrl, tls)
    client.publish('$provision/mqtt-4', '', { qos: 1 }, () => {})
    await closed
  })

  for (const [what, end] of [
    ['locked', (identity: string) => whitelist(identity, { locked: true })],
    [
      'removed',
      (identity: string) =>
        identities().remove(fixture.millrace.businessId, fixture.connector.id, identity),
    ],
    ['told to activate again', (identity: string) => whitelist(identity, { reprovision: true })],
  ] as const) {
    it(`a device that is ${what} loses its connection though it sends nothing`, async (t) => {
      const device = await fixture.device(`mqtt-${what.length}`)
      await whitelist(device.identity)
      const { closed } = await connect(t, device)
      await end(device.identity)
      await closed
    })
  }
})
