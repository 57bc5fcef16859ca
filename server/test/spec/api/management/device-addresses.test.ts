import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { connect } from 'node:tls'
import { createClient } from '@millrace/client'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { inTime } from '../../../fixtures/wire/sockets.ts'

const free = { host: '127.0.0.1', port: 0 }

function readAddresses({ httpUrl, token }: TestPlatform, connector: string) {
  const client = createClient({ url: httpUrl, credential: { apiToken: token } })
  const path = '/api:1/service/{connector}/device2/addresses'
  return client.GET(path, { params: { path: { connector } } })
}

/** Replaces the host of an address, which keeps its scheme and its port. */
const at = (host: string, url = '') => url.replace('127.0.0.1', host)

/** Connects as a device does that trusts nothing else. Throws unless the certificate is good. */
async function connectTls(t: TestContext, address: string, ca: string | null) {
  assert.ok(ca !== null)
  const { host: servername, port } = /\/\/(?<host>.+):(?<port>\d+)$/.exec(address)?.groups ?? {}
  const socket = connect({ host: '127.0.0.1', port: Number(port), servername, ca })
  t.after(() => socket.destroy())
  await inTime('a handshake', once(socket, 'secureConnect'))
  assert.equal(socket.authorized, true)
}

describe('the addresses that devices of a connector call', () => {
  it('are its host and the ports of the instance, with the authority to trust', async (t) => {
    const instance = await testPlatform(t)
    const { id } = instance.connector
    const { data } = await readAddresses(instance, id)
    assert.ok(data !== undefined)
    const { ca, ...addresses } = data
    const host = `${id}.localhost`
    assert.deepEqual(addresses, {
      https: at(host, instance.tlsUrl),
      http: at(host, instance.httpUrl),
      mqtts: at(host, instance.mqttTlsUrl),
      mqtt: at(host, instance.mqttUrl),
    })
    await connectTls(t, addresses.https, ca)
    await connectTls(t, addresses.mqtts, ca)
  })

  it('have MQTT on the port of HTTPS where it has none of its own', async (t) => {
    const config = { mqtt: undefined, mqttTls: undefined, deviceTls: free }
    const instance = await testPlatform(t, { own: 'listens on other addresses', config })
    const { data } = await readAddresses(instance, instance.connector.id)
    assert.equal(data?.mqtts, data?.https.replace('https:', 'mqtts:'))
    assert.equal(data?.mqtt, null)
  })
})
