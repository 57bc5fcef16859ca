import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { connect as connectPlain } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from 'node:tls'
import { createLogger } from '../../src/foundation/kernel/index.ts'
import { openPlatform } from '../../src/main.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { atEnd } from '../fixtures/ends.ts'
import { exampleConnector, type OwnPlatform, type TestPlatform } from '../fixtures/platform.ts'
import { sharedBySuites } from '../fixtures/suite.ts'
import { openCa } from '../fixtures/wire/ca.ts'
import {
  type CertificateDevice,
  type CertificateFixture,
  certificateFixture,
  dataPath,
} from '../fixtures/wire/certificates.ts'
import { openCrls, type TestCrls } from '../fixtures/wire/crl.ts'
import { newDevice } from '../fixtures/wire/device.ts'
import { mqttDevice, tlsOptions } from '../fixtures/wire/mqtt.ts'

const boundMs = 15_000
const revoked = { status: 403, body: 'certificate_revoked' }

let fixture: CertificateFixture<OwnPlatform>

let crls: TestCrls

let other: Platform

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await certificateFixture(suite, { own: 'moves the clock' })
  crls = await openCrls(fixture.openssl, fixture.ca)
  other = await another(suite, fixture.millrace)
})

async function provisioned(identity: string, options = {}): Promise<CertificateDevice> {
  const device = await fixture.device(identity, options)
  await whitelist(identity)
  assert.equal((await fixture.write(device)).status, 204)
  return device
}

const whitelist = (identity: string) => {
  const { millrace, connector } = fixture
  const { identities } = millrace.platform.provisioning
  return identities.whitelist(millrace.businessId, connector.id, identity)
}

/** Over the wire, as an operator does. */
async function put(list: string): Promise<void> {
  const { millrace, connector } = fixture
  const url = `${millrace.httpUrl}/api:1/service/${connector.id}/device2/crl`
  const headers = { authorization: millrace.basic, 'content-type': 'application/pkix-crl' }
  const answer = await fetch(url, { method: 'PUT', headers, body: list })
  assert.equal(answer.status, 200, await answer.text())
}

async function revoke(...devices: readonly CertificateDevice[]): Promise<void> {
  for (const { pem } of devices) await crls.revoke(pem)
  await put(await crls.make())
}

describe('certificates that their authority has revoked are refused', () => {
  shareInstance()

  for (const version of ['-tls1_2', '-tls1_3']) {
    it(`are refused on fresh connections and in resumed sessions, ${version}`, async () => {
      const [gone, here] = [
        await provisioned(`gone${version}`),
        await provisioned(`here${version}`),
      ]
      const withKey = ({ certificateFile, keyFile }: CertificateDevice) => {
        return ['-cert', certificateFile, '-key', keyFile]
      }
      const write = (...args: string[]) =>
        fixture.writeByOpenssl([version, '-servername', fixture.host, ...args])
      const openSession = async (device: CertificateDevice) => {
        const file = fixture.openssl.path(`session-${device.identity}`)
        assert.equal((await write(...withKey(device), '-sess_out', file)).status, 204)
        return file
      }
      const [goneSession, hereSession] = [await openSession(gone), await openSession(here)]
      const before = await write('-sess_in', goneSession)
      assert.deepEqual([before.status, before.reused], [204, true], before.output)
      await revoke(gone)
      const resumed = await write('-sess_in', goneSession)
      assert.deepEqual([resumed.status, resumed.reused], [403, true], resumed.output)
      assert.equal(resumed.body, revoked.body)
      const fresh = await write(...withKey(gone))
      assert.deepEqual([fresh.status, fresh.reused, fresh.body], [403, false, revoked.body])
      const free = await write('-sess_in', hereSession)
      assert.deepEqual([free.status, free.reused], [204, true])
      assert.equal((await write(...withKey(here))).status, 204)
    })
  }

  it('provision nothing, and leave 401 and 415 what they were', async () => {
    const device = await fixture.device('never')
    await whitelist('never')
    await revoke(device)
    assert.deepEqual(await fixture.write(device), revoked)
    assert.deepEqual(await fixture.lines('never'), [])
    assert.deepEqual(await fixture.write(undefined), { status: 401, body: 'unknown_credential' })
    const activation = { path: '/provision/activate', args: ['--data', 'id=never'] }
    const refused = { status: 415, body: 'wrong_method' }
    assert.deepEqual(await fixture.write(device, activation), refused)
    assert.deepEqual(await fixture.write(undefined, activation), refused)
    const fresh = await fixture.device('never')
    assert.equal((await fixture.write(fresh)).status, 204)
  })

  it('are logged, by the device that presented one', async () => {
    const device = await provisioned('told')
    await revoke(device)
    assert.deepEqual(await fixture.write(device), revoked)
    const { businessId, connector, platform } = fixture.millrace
    await platform.activity.flush()
    const filter = { identity: 'told', kinds: ['refusal' as const] }
    const { lines } = await platform.activity.connectors.lines(businessId, connector.id, filter)
    assert.deepEqual(
      lines.map(({ code }) => code),
      ['certificate_revoked'],
    )
  })
})

describe('certificates that their authority has revoked: what becomes of connections', () => {
  shareInstance()

  for (const here of [true, false]) {
    const where = here ? 'in the same process' : 'in another process'
    it(`end what is open with them, ${where}`, async (t) => {
      const polling = await provisioned(`poll-${here}`)
      const kept = await provisioned(`kept-${here}`)
      const session = await provisioned(`mqtt-${here}`)
      const free = await provisioned(`free-${here}`)
      const poll = await line(t, fixture, polling)
      poll.ask('Request-Timeout: 300000\r\n')
      await isPolling(fixture, polling.identity)
      const still = await line(t, fixture, kept)
      still.ask()
      await still.receives(/^HTTP\/1.1 200 /)
      const mqtt = await openMqtt(t, fixture, session)
      const freeMqtt = await openMqtt(t, fixture, free)
      for (const { pem } of [polling, kept, session]) await crls.revoke(pem)
      const list = await crls.make()
      if (here) await put(list)
      else await putBy(other, fixture, list)
      assert.match(await within(poll.closed), /^HTTP\/1.1 403 [\s\S]*\ncertificate_revoked$/)
      await within(still.closed)
      await within(mqtt.closed)
      await assert.rejects(openMqtt(t, fixture, session))
      await freeMqtt.write('$resource/a', 'still here')
    })
  }
})

describe('certificates that their authority has revoked, when the list or the CA changes', () => {
  shareInstance()

  it('stay refused when the list is stale, and others come in', async () => {
    const [gone, here] = [
      await provisioned('stale-gone', { days: 365 }),
      await provisioned('stale-here', { days: 365 }),
    ]
    await revoke(gone)
    const monthMs = 31 * 86_400_000
    fixture.millrace.clock.advance(monthMs)
    const answers = [await fixture.write(gone), await fixture.write(here)]
    fixture.millrace.clock.advance(-monthMs)
    assert.deepEqual(answers, [revoked, { status: 204, body: '' }])
  })

  it('come in again when the list is removed', async () => {
    const device = await provisioned('again')
    await revoke(device)
    assert.deepEqual(await fixture.write(device), revoked)
    const { businessId, connector, platform } = fixture.millrace
    await platform.provisioning.crls.remove(businessId, connector.id)
    assert.equal((await fixture.write(device)).status, 204)
  })

  it('stay refused when the client CA is removed, since provisioned devices come in', async () => {
    const [gone, here] = [await provisioned('ca-gone'), await provisioned('ca-here')]
    await revoke(gone)
    const { businessId, connector, platform } = fixture.millrace
    const pki = (part: object) =>
      platform.provisioning.connectors.patch(businessId, connector.id, { pki: part })
    await pki({ enabled: false, caPem: null })
    const answers = [await fixture.write(gone), await fixture.write(here)]
    await pki({ enabled: true, caPem: fixture.ca.pem })
    assert.deepEqual(answers, [revoked, { status: 204, body: '' }])
  })
})

describe('a connector that lets in less than before', () => {
  for (const here of [true, false]) {
    const where = here ? 'in the same process' : 'in another process'
    it(`ends what came with a certificate of the client CA before, ${where}`, async (t) => {
      const fixture = await certificateFixture(t, { connector: { selfRegistration: true } })
      const by = here ? fixture.millrace.platform : await another(t, fixture.millrace)
      const [kept, session] = [await fixture.device('kept'), await fixture.device('session')]
      const still = await line(t, fixture, kept)
      still.ask()
      await still.receives(/^HTTP\/1.1 204 /)
      const mqtt = await openMqtt(t, fixture, session)
      const { pem: caPem } = await openCa(fixture.openssl, 'Next')
      const { businessId, connector } = fixture.millrace
      await by.provisioning.connectors.patch(businessId, connector.id, { name: 'Another name' })
      still.ask()
      await still.receives(/204 [\s\S]*204 /)
      await by.provisioning.connectors.patch(businessId, connector.id, { pki: { caPem } })
      await within(still.closed)
      await within(mqtt.closed)
    })

    it(`ends plain connections when developer mode ends, ${where}`, async (t) => {
      const fixture = await certificateFixture(t, { own: 'moves the clock' })
      const { millrace } = fixture
      const by = here ? millrace.platform : await another(t, millrace)
      const { businessId } = millrace
      const { connectors } = by.provisioning
      const plain = await connectors.create(businessId, exampleConnector)
      const polling = await newDevice(millrace.httpUrl, plain.id, 'polling')
      const session = await newDevice(millrace.httpUrl, plain.id, 'session')
      const head = `GET ${dataPath}?a HTTP/1.1\r\nHost: x\r\nX-vendor-CIK: ${polling.token}\r\n`
      const poll = listen(t, connectPlain(Number(new URL(millrace.httpUrl).port), '127.0.0.1'))
      poll.command(`${head}Request-Timeout: 300000\r\n\r\n`)
      await isPolling({ millrace, connector: plain }, 'polling')
      const mqtt = await mqttDevice(t, millrace.mqttUrl, { password: session.token })
      const encrypted = await mqttDevice(t, millrace.mqttTlsUrl, {
        ...(await tlsOptions(millrace, `${plain.id}.localhost`)),
        password: session.token,
      })
      await connectors.patch(businessId, plain.id, { devmode: false })
      assert.match(await within(poll.closed), /^HTTP\/1.1 403 [\s\S]*\nplain_connection$/)
      await within(mqtt.closed)
      await encrypted.write('$resource/a', 'still here')
    })
  }
})

/** Another process on the same database, as far as this one can tell. */
async function another(t: Pick<TestContext, 'after'>, { platform }: TestPlatform) {
  const { config, database, clock } = platform
  const [{ name = '' } = {}] = await database.rows<{ name: string }>(
    'select current_database() as name',
    [],
  )
  const logger = createLogger('silent')
  const opened = await openPlatform({ config, logger, owner: false, clock, databaseName: name })
  atEnd(t, () => opened.close())
  return opened
}

function putBy(
  { provisioning }: Platform,
  { millrace, connector }: CertificateFixture,
  crl: string,
) {
  return provisioning.crls.put(millrace.businessId, connector.id, Buffer.from(crl))
}

/** A connection of HTTP over TLS on which a device stays. */
async function line(
  t: TestContext,
  { host, port, millrace }: CertificateFixture,
  device: CertificateDevice,
) {
  const socket = connect({
    host: '127.0.0.1',
    port: Number(port),
    servername: host,
    ca: await readFile(millrace.caFile),
    cert: await readFile(device.chainFile),
    key: await readFile(device.keyFile),
  })
  const { command, ...messages } = listen(t, socket)
  const ask = (more = '') => command(`GET ${dataPath}?a HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`)
  return { ...messages, ask }
}

function listen(t: TestContext, socket: ReturnType<typeof connectPlain>) {
  const closed = Promise.withResolvers<string>()
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => undefined)
  socket.on('close', () => closed.resolve(received))
  atEnd(t, () => socket.destroy())
  return {
    closed: closed.promise,
    command: (text: string) => void socket.write(text),
    receives: (part: RegExp) => until(async () => part.test(received), part.source),
  }
}

async function openMqtt(t: TestContext, fixture: CertificateFixture, device: CertificateDevice) {
  return mqttDevice(t, fixture.millrace.mqttTlsUrl, {
    ...(await tlsOptions(fixture.millrace, fixture.host)),
    cert: await readFile(device.chainFile),
    key: await readFile(device.keyFile),
  })
}

function isPolling(
  { millrace, connector }: Pick<CertificateFixture, 'millrace' | 'connector'>,
  identity: string,
): Promise<void> {
  const { businessId, platform } = millrace
  return until(async () => {
    await platform.activity.flush()
    const filter = { identity, kinds: ['read' as const] }
    const { lines } = await platform.activity.connectors.lines(businessId, connector.id, filter)
    return lines.length > 0
  }, 'polling')
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let waited = 0; waited < boundMs; waited += 20) {
    if (await holds()) return
    await pause(20)
  }
  throw new Error(`it did not come about: ${what}`)
}

function within<Result>(promise: Promise<Result>): Promise<Result> {
  const late = pause(boundMs, undefined, { ref: false }).then(() => {
    throw new Error('the connection was not ended')
  })
  return Promise.race([promise, late])
}
