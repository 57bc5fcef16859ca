import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from 'node:tls'
import { suiteContext } from '../../../fixtures/suite.ts'
import {
  type CertificateDevice,
  type CertificateFixture,
  certificateFixture,
  dataPath,
} from '../../../fixtures/wire/certificates.ts'
import { makeFile, quoted } from '../../../fixtures/wire/csv.ts'
import { mqttDevice, tlsOptions } from '../../../fixtures/wire/mqtt.ts'
import { openConnection, pollBegins, pollHeader } from '../../../fixtures/wire/raw.ts'

const boundMs = 15_000

describe('lifecycle: another certificate ends what is open with the one before', () => {
  const suite = suiteContext()
  let fixture: CertificateFixture
  before(async () => {
    fixture = await certificateFixture(suite)
  })

  /** Two certificates of one identity, which is provisioned with the first. */
  async function two(identity: string) {
    const [first, second] = [await fixture.device(identity), await fixture.device(identity)]
    await give(first)
    assert.equal((await fixture.write(first)).status, 204)
    return { first, second }
  }

  function give({ identity, pem: key }: CertificateDevice, part = {}) {
    const { millrace, connector } = fixture
    const { identities } = millrace.platform.provisioning
    const input = { ...part, auth: { type: 'certificate', key } } as const
    return identities.whitelist(millrace.businessId, connector.id, identity, input)
  }

  /** A long poll over TLS. @returns all that was received when the connection has ended. */
  async function poll(t: TestContext, device: CertificateDevice): Promise<Promise<string>[]> {
    const { host, port, millrace } = fixture
    const socket = connect({
      host: '127.0.0.1',
      port: Number(port),
      servername: host,
      ca: await readFile(millrace.caFile),
      cert: await readFile(device.chainFile),
      key: await readFile(device.keyFile),
    })
    const { write, closed } = openConnection(t, socket)
    write(`GET ${dataPath}?a HTTP/1.1\r\nHost: ${host}\r\n${pollHeader}\r\n`)
    const { platform, businessId } = millrace
    await pollBegins({ platform, businessId, connector: fixture.connector }, device.identity)
    return [closed]
  }

  const within = <Result>(promise: Promise<Result> | undefined) =>
    Promise.race([promise, pause(boundMs, 'still open', { ref: false })])

  it('a long poll is answered, and its connection closed', async (t) => {
    const { first, second } = await two('replaced')
    const [closed] = await poll(t, first)
    await give(second)
    const text = await within(closed)
    assert.match(`${text}`, /^HTTP\/1.1 403 [\s\S]*\r\n\r\ncertificate_mismatch$/)
    assert.equal((await fixture.write(second)).status, 204)
  })

  it('so by a row of a CSV file', async (t) => {
    const { first, second } = await two('by-csv')
    const [closed] = await poll(t, first)
    const { millrace, connector } = fixture
    const csv = `ID,TLS Client Certificate\n${quoted('by-csv', second.pem)}`
    const { identities } = millrace.platform.provisioning
    const taken = await identities.importCsv(millrace.businessId, connector.id, makeFile(csv))
    for await (const line of taken.answer()) assert.ok(line)
    assert.equal(taken.counts().changed, 1)
    assert.match(`${await within(closed)}`, /^HTTP\/1.1 403 [\s\S]*certificate_mismatch$/)
  })

  it('so an MQTT session, while the same certificate given again ends nothing', async (t) => {
    const { first, second } = await two('by-mqtt')
    const { millrace, host } = fixture
    const { closed, write } = await mqttDevice(t, millrace.mqttTlsUrl, {
      ...(await tlsOptions(millrace, host)),
      cert: await readFile(first.chainFile),
      key: await readFile(first.keyFile),
    })
    await give(first, { locked: false })
    await write('$resource/a', 'still here')
    await give(second)
    assert.notEqual(await within(closed), 'still open')
  })
})
