import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it, type TestContext } from 'node:test'
import { exampleConnector, type OwnPlatform } from '../../../fixtures/platform.ts'
import { rotationCall } from '../../../fixtures/rotation.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import {
  type CertificateDevice,
  type CertificateFixture,
  certificateFixture,
} from '../../../fixtures/wire/certificates.ts'
import { mqttDevice, tlsOptions } from '../../../fixtures/wire/mqtt.ts'

let fixture: CertificateFixture<OwnPlatform>

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await certificateFixture(suite, { own: 'moves the clock of a server of TLS' })
})

const call = (
  method: 'GET' | 'PUT' | 'DELETE',
  identity: string,
  body?: object,
  at = fixture.connector.id,
) => rotationCall(fixture.millrace, method, { connectorId: at, identity }, body)

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

describe('lifecycle: a client certificate that is rotated', () => {
  shareInstance()

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
    const input = { auth: { type: 'certificate', key: third.pem } } as const
    await identities.whitelist(millrace.businessId, connector.id, 'outside', input)
    for (const one of [first, second]) assert.equal((await fixture.write(one)).status, 403)
    assert.equal((await fixture.write(third)).status, 204)
    assert.equal((await call('GET', 'outside')).status, 404)
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

/** Two signed certificates of one device; the operator gave the second by a signing request. */
async function signedTwice(connectorId: string) {
  const { millrace } = fixture
  const { businessId } = millrace
  const { connectors, identities } = millrace.platform.provisioning
  const pki = { enabled: true, vendor: 'internal' }
  const settings = { ...exampleConnector, id: connectorId, authType: 'certificate', pki }
  await connectors.create(businessId, settings)
  const at = { host: `${connectorId}.localhost` }
  const first = await signedBy('first', async (csr) => {
    const input = { auth: { type: 'csr', key: csr } } as const
    const signed = await identities.whitelistSigned(businessId, connectorId, 'own', input)
    return signed.certificate
  })
  assert.equal((await fixture.write(first, at)).status, 204)
  const second = await signedBy('second', async (csr) => {
    const auth = { type: 'csr', key: csr }
    const { status, body } = await call('PUT', 'own', { auth }, connectorId)
    assert.equal(status, 200, JSON.stringify(body))
    return String(body.certificate)
  })
  const shown = async () =>
    (await identities.get(businessId, connectorId, 'own')).auth.key?.trim() ?? ''
  return { first, second, at, shown }
}

async function signedBy(name: string, sign: (csr: string) => Promise<string>) {
  const { openssl } = fixture
  const { csr, key } = await openssl.request({ subject: '/CN=own' })
  const pem = await sign(csr)
  const chainFile = await openssl.write(`${name}.pem`, pem)
  const keyFile = await openssl.write(`${name}.key`, key)
  return { identity: 'own', pem, chainFile, keyFile, certificateFile: chainFile }
}

describe('lifecycle: a client certificate that is rotated by a signing request', () => {
  shareInstance()

  it('a signing request is signed as the second while the first still works', async () => {
    const { first, second, at } = await signedTwice('signed')
    assert.equal((await fixture.write(first, at)).status, 204)
    assert.equal((await fixture.write(second, at)).status, 204)
    assert.equal((await fixture.write(first, at)).body, 'certificate_mismatch')
  })

  it('the device shows the first certificate until the second is used', async () => {
    const { first, second, at, shown } = await signedTwice('shown')
    const own = ({ pem }: { pem: string }) => pem.slice(0, pem.indexOf('-----END')).trim()
    assert.equal((await fixture.write(first, at)).status, 204)
    assert.ok((await shown()).startsWith(own(first)))
    assert.equal((await fixture.write(second, at)).status, 204)
    assert.ok((await shown()).startsWith(own(second)))
  })
})
