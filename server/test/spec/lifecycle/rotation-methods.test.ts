import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it, type TestContext } from 'node:test'
import { exampleConnector, type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { rotationCall } from '../../fixtures/rotation.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import {
  type CertificateDevice,
  type CertificateFixture,
  certificateFixture,
} from '../../fixtures/wire/certificates.ts'
import { newDevice, send } from '../../fixtures/wire/device.ts'
import { mqttDevice, tlsOptions } from '../../fixtures/wire/mqtt.ts'

const path = '/vendor:v1/stack/alias'
const formType = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
const oldPassword = 'the password of before, long enough'
const newPassword = 'the password from now on, long enough'

describe('lifecycle: a password that is rotated', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  let count = 0
  before(async () => {
    const connector = { ...exampleConnector, id: 'doors', authType: 'password' }
    millrace = await testPlatform(suite, { connector })
  })

  const host = 'doors.localhost'
  const basic = (identity: string, password: string) => ({
    Authorization: `Basic ${Buffer.from(`${identity}:${password}`).toString('base64')}`,
  })
  const activate = (identity: string, password: string, headers: Record<string, string> = {}) => {
    const body = `id=${identity}&password=${encodeURIComponent(password)}`
    const all = { Host: host, ...formType, ...headers }
    return send(millrace.httpUrl, 'POST', '/provision/activate', all, body)
  }
  const write = (identity: string, password: string) => {
    const headers = { Host: host, ...formType, ...basic(identity, password) }
    return send(millrace.httpUrl, 'POST', path, headers, 'a=1')
  }
  const call = (method: 'GET' | 'PUT' | 'DELETE', identity: string, body?: object) =>
    rotationCall(millrace, method, { connectorId: 'doors', identity }, body)

  async function newOne(): Promise<string> {
    count += 1
    const identity = `d${count}`
    assert.equal((await activate(identity, oldPassword)).status, 204)
    return identity
  }

  it('the operator gives another one; both work until the new one is used', async (t) => {
    const identity = await newOne()
    const user = `doors/${identity}`
    const old = await mqttDevice(t, millrace.mqttUrl, { username: user, password: oldPassword })
    const auth = { type: 'password', key: newPassword }
    const { status, body } = await call('PUT', identity, { auth })
    assert.equal(status, 200)
    assert.ok(!JSON.stringify(body).includes(newPassword))
    assert.equal((await write(identity, oldPassword)).status, 204)
    await old.write('$resource/a', 'both')
    const young = await mqttDevice(t, millrace.mqttUrl, { username: user, password: newPassword })
    await old.closed
    assert.equal((await write(identity, oldPassword)).status, 401)
    assert.equal((await write(identity, newPassword)).status, 204)
    await young.write('$resource/a', 'new')
  })

  it('the device brings another one, with its old one and an activation', async () => {
    const identity = await newOne()
    const bring = (by: string) => activate(identity, newPassword, basic(identity, by))
    assert.equal((await bring(oldPassword)).status, 409, 'no rotation is open')
    await call('PUT', identity)
    assert.equal((await activate(identity, newPassword)).status, 409, 'nothing was proved')
    assert.equal((await bring('a guess that is long enough')).status, 409)
    const short = await activate(identity, 'short', basic(identity, oldPassword))
    assert.equal(short.status, 415)
    assert.equal((await bring(oldPassword)).status, 204)
    assert.equal((await write(identity, oldPassword)).status, 204)
    assert.equal((await write(identity, newPassword)).status, 204)
    assert.equal((await write(identity, oldPassword)).status, 401)
  })

  it('of fifty that bring one at once one is taken; all are served with it', async () => {
    const identity = await newOne()
    await call('PUT', identity)
    const brought = await Promise.all(
      Array.from({ length: 50 }, () =>
        activate(identity, newPassword, basic(identity, oldPassword)),
      ),
    )
    assert.equal(brought.filter(({ status }) => status === 204).length, 1)
    const used = await Promise.all(Array.from({ length: 50 }, () => write(identity, newPassword)))
    assert.deepEqual(new Set(used.map(({ status }) => status)), new Set([204]))
    assert.equal((await write(identity, oldPassword)).status, 401)
  })

  it('is not the one that it has, nor too short, nor of another method', async () => {
    const identity = await newOne()
    for (const [auth, says] of [
      [{ type: 'password', key: oldPassword }, /^auth\.key must be another/],
      [{ type: 'password', key: 'short' }, /^auth\.key is refused/],
      [{ type: 'password' }, /^auth\.key must be/],
      [{ type: 'token' }, /^auth\.type can only be password/],
    ] as const) {
      const { status, body } = await call('PUT', identity, { auth })
      assert.equal(status, 400)
      assert.match(String(body.message), says)
    }
    assert.equal((await call('GET', identity)).status, 404)
  })

  it('over MQTT the device brings it on its own connection', async (t) => {
    const identity = await newOne()
    await call('PUT', identity)
    const username = `doors/${identity}`
    const old = await mqttDevice(t, millrace.mqttUrl, { username, password: oldPassword })
    await old.write(`$provision/${identity}`, newPassword)
    await old.receive(({ topic, text }) => topic === `$provision/${identity}` && text === '')
    assert.equal((await write(identity, newPassword)).status, 204)
    await old.closed
  })

  it('a fetch is no activation: it is answered where those are switched off', async () => {
    const { platform, businessId, httpUrl } = millrace
    const { connectors, rotations } = platform.provisioning
    await connectors.create(businessId, { ...exampleConnector, id: 'off' })
    const { token } = await newDevice(httpUrl, 'off', 'd')
    await connectors.patch(businessId, 'off', {
      enabled: false,
      ipRestriction: { enabled: true, allowed: [] },
    })
    const ask = () => {
      const headers = { Host: 'off.localhost', 'X-vendor-CIK': token, ...formType }
      return send(httpUrl, 'POST', '/provision/activate', headers, 'id=d')
    }
    assert.equal((await ask()).status, 403)
    await rotations.open(businessId, 'off', 'd')
    assert.equal((await ask()).status, 200)
  })
})

describe('lifecycle: a client certificate that is rotated', () => {
  const suite = suiteContext()
  let fixture: CertificateFixture
  before(async () => {
    fixture = await certificateFixture(suite)
  })

  const call = (method: 'GET' | 'PUT' | 'DELETE', identity: string, body?: object, at = 'cert') =>
    rotationCall(fixture.millrace, method, { connectorId: at, identity }, body)
  const give = ({ identity, pem }: CertificateDevice) =>
    call('PUT', identity, { auth: { type: 'certificate', key: pem } })

  /** Two certificates of one identity, which is provisioned with the first. */
  async function two(identity: string) {
    const [first, second] = [await fixture.device(identity), await fixture.device(identity)]
    const { millrace, connector } = fixture
    const { identities } = millrace.platform.provisioning
    await identities.whitelist(millrace.businessId, connector.id, identity)
    assert.equal((await fixture.write(first)).status, 204)
    return { first, second }
  }

  async function mqtt(t: TestContext, { chainFile, keyFile }: CertificateDevice) {
    const { millrace, host } = fixture
    const [cert, key] = [await readFile(chainFile), await readFile(keyFile)]
    return mqttDevice(t, millrace.mqttTlsUrl, { ...(await tlsOptions(millrace, host)), cert, key })
  }

  it('a second one is given; both work until the second is used', async (t) => {
    const { first, second } = await two('pair')
    assert.equal((await fixture.write(second)).body, 'certificate_mismatch')
    assert.equal((await give(second)).status, 200)
    const old = await mqtt(t, first)
    assert.equal((await fixture.write(first)).status, 204)
    assert.equal((await fixture.write(second)).status, 204)
    await old.closed
    assert.deepEqual(await fixture.write(first), { status: 403, body: 'certificate_mismatch' })
    const young = await mqtt(t, second)
    await young.write('$resource/a', 'new')
    const third = await fixture.device('pair')
    assert.equal((await give(third)).status, 200, 'and so the next time')
    assert.equal((await fixture.write(second)).status, 204)
    assert.equal((await fixture.write(third)).status, 204)
    assert.equal((await fixture.write(second)).status, 403)
  })

  it('the window ends, and with it the first, though the second was not used', async () => {
    const { first, second } = await two('window')
    const auth = { type: 'certificate', key: second.pem }
    await call('PUT', 'window', { hours: 1, auth })
    fixture.millrace.clock.advance(3_600_000)
    assert.ok([401, 403].includes((await fixture.write(first)).status))
    assert.equal((await fixture.write(second)).status, 204)
  })

  it('a certificate that is given outside of it ends the rotation', async () => {
    const { first, second } = await two('outside')
    await give(second)
    const third = await fixture.device('outside')
    const { millrace, connector } = fixture
    const { identities } = millrace.platform.provisioning
    const input = { authType: 'certificate', certificate: third.pem } as const
    await identities.whitelist(millrace.businessId, connector.id, 'outside', input)
    for (const one of [first, second]) assert.equal((await fixture.write(one)).status, 403)
    assert.equal((await fixture.write(third)).status, 204)
    assert.equal((await call('GET', 'outside')).status, 404)
  })

  it('a signing request is signed as the second while the first still works', async () => {
    const { millrace, openssl } = fixture
    const { connectors, identities } = millrace.platform.provisioning
    const pki = { enabled: true, vendor: 'internal' }
    const settings = { ...exampleConnector, id: 'signed', authType: 'certificate', pki }
    await connectors.create(millrace.businessId, settings)
    const make = async (name: string, sign: (csr: string) => Promise<string>) => {
      const { csr, key } = await openssl.request({ subject: '/CN=own' })
      const pem = await sign(csr)
      const chainFile = await openssl.write(`${name}.pem`, pem)
      const keyFile = await openssl.write(`${name}.key`, key)
      return { identity: 'own', pem, chainFile, keyFile, certificateFile: chainFile }
    }
    const at = { host: 'signed.localhost' }
    const first = await make('first', async (csr) => {
      const whitelisted = await identities.whitelistSigned(
        millrace.businessId,
        'signed',
        'own',
        csr,
      )
      return whitelisted.certificatePem
    })
    assert.equal((await fixture.write(first, at)).status, 204)
    const second = await make('second', async (csr) => {
      const { status, body } = await call(
        'PUT',
        'own',
        { auth: { type: 'csr', key: csr } },
        'signed',
      )
      assert.equal(status, 200, JSON.stringify(body))
      return String(body.certificate)
    })
    const shown = async () =>
      (await identities.get(millrace.businessId, 'signed', 'own')).auth.key?.trim()
    const own = ({ pem }: { pem: string }) => pem.slice(0, pem.indexOf('-----END')).trim()
    assert.equal((await fixture.write(first, at)).status, 204)
    assert.ok((await shown())?.startsWith(own(first)))
    assert.equal((await fixture.write(second, at)).status, 204)
    assert.ok((await shown())?.startsWith(own(second)))
    assert.equal((await fixture.write(first, at)).body, 'certificate_mismatch')
  })

  it('cannot be opened without a certificate, or with one in force or another’s', async () => {
    const { first } = await two('wrong')
    const otherDevice = await fixture.device('unknown')
    for (const [auth, says] of [
      [undefined, /^auth is needed/],
      [{ type: 'certificate', key: first.pem }, /^auth\.key must be another/],
      [{ type: 'certificate', key: otherDevice.pem }, /^auth\.key must have the identity/],
      [{ type: 'certificate' }, /^auth\.key /],
      [{ type: 'token' }, /^auth\.type can only be certificate or csr/],
    ] as const) {
      const { status, body } = await call('PUT', 'wrong', auth && { auth })
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(String(body.message), says)
    }
    assert.equal((await call('GET', 'wrong')).status, 404)
    assert.equal((await fixture.write(first)).status, 204)
  })
})
