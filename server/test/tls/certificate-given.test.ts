import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { exampleConnector, type OwnPlatform } from '../fixtures/platform.ts'
import { sharedBySuites } from '../fixtures/suite.ts'
import { openCa } from '../fixtures/wire/ca.ts'
import {
  type CertificateDevice,
  type CertificateFixture,
  certificateFixture,
} from '../fixtures/wire/certificates.ts'
import { send } from '../fixtures/wire/device.ts'

let fixture: CertificateFixture<OwnPlatform>

const onInstance = sharedBySuites(async (suite) => {
  fixture = await certificateFixture(suite, { own: 'moves the clock' })
  const { connectors } = fixture.millrace.platform.provisioning
  await connectors.create(fixture.millrace.businessId, { ...exampleConnector, id: 'tokens' })
})

async function put(identity: string, auth: unknown, connector = fixture.connector.id) {
  const path = `/api:1/service/${connector}/device2/identity/${identity}`
  const response = await fetch(`${fixture.millrace.httpUrl}${path}`, {
    method: 'PUT',
    headers: { Authorization: fixture.millrace.basic, 'Content-Type': 'application/json' },
    body: JSON.stringify({ auth, locked: false }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const give = (device: CertificateDevice, connector = fixture.connector.id) =>
  put(device.identity, { type: 'certificate', key: device.pem }, connector)

describe('an identity that is whitelisted with its certificate', () => {
  onInstance()

  it('is listed by the end of its certificate, as one of a first request', async () => {
    const { httpUrl, basic } = fixture.millrace
    const long = await fixture.device('ends-late')
    const short = await fixture.device('ends-soon', { days: 3 })
    await give(long)
    await give(await fixture.device('ends-soon'))
    await give(short)
    const first = await fixture.device('ends-first', { days: 2 })
    await put('ends-first', {})
    assert.equal((await fixture.write(first)).status, 204)
    const url = `${httpUrl}/api:1/service/${fixture.connector.id}/device2/certificates?limit=2`
    const response = await fetch(url, { headers: { Authorization: basic } })
    const { certificates, mayLoadMore } = (await response.json()) as {
      certificates: { identity: string; until: number }[]
      mayLoadMore: boolean
    }
    const names = certificates.map(({ identity }) => identity)
    assert.deepEqual([names, mayLoadMore], [['ends-first', 'ends-soon'], true])
    const { validToDate } = new X509Certificate(short.pem)
    assert.equal(certificates[1]?.until, validToDate.getTime() * 1_000)
  })

  it('is provisioned by this certificate and by no other', async () => {
    const [given, other] = [await fixture.device('given'), await fixture.device('given')]
    const { status, body } = await give(given)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal((body.auth as { type: string }).type, 'certificate')
    assert.deepEqual(await fixture.write(other), { status: 403, body: 'certificate_mismatch' })
    assert.equal((await fixture.write(given)).status, 204)
    assert.deepEqual(await fixture.lines('given'), ['provisioned', 'write'])
  })

  it('may be given another certificate, which is the one from then on', async () => {
    const [first, second] = [await fixture.device('moves'), await fixture.device('moves')]
    await give(first)
    assert.equal((await fixture.write(first)).status, 204)
    await give(second)
    assert.equal((await fixture.write(first)).body, 'certificate_mismatch')
    assert.equal((await fixture.write(second)).status, 204)
  })

  it('needs no client CA where the connector has no PKI', async () => {
    const device = await fixture.device('pinned', { by: await openCa(fixture.openssl) })
    await give(device, 'tokens')
    const host = 'tokens.localhost'
    assert.deepEqual(await fixture.write(device, { host }), { status: 204, body: '' })
    const otherDevice = await fixture.device('pinned')
    assert.equal((await fixture.write(otherDevice, { host })).body, 'certificate_mismatch')
    const nobody = await fixture.device('nobody')
    assert.deepEqual(await fixture.write(nobody, { host }), {
      status: 401,
      body: 'unknown_credential',
    })
  })
})

describe('an identity that is whitelisted with a certificate, what is refused', () => {
  onInstance()

  it('is refused a token, also on a connector of tokens', async () => {
    await give(await fixture.device('strict'), 'tokens')
    const headers = { Host: 'tokens.localhost' }
    const { httpUrl } = fixture.millrace
    const answer = await send(httpUrl, 'POST', '/provision/activate', headers, 'id=strict')
    assert.deepEqual([answer.status, answer.body], [415, 'wrong_method'])
  })

  it('is refused with the rule that the certificate breaks', async () => {
    const otherDevice = await fixture.device('x', { by: await openCa(fixture.openssl) })
    const other = await fixture.device('y')
    const extensions = 'basicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n'
    const server = await fixture.device('x', { extensions })
    const good = await fixture.device('x')
    const key = await fixture.openssl.command('pkey', '-in', good.keyFile)
    const rules: [unknown, RegExp][] = [
      [otherDevice.pem, /not signed by the connector's client CA/],
      [other.pem, /the identity as its common name/],
      [server.pem, /not for client authentication/],
      [`${good.pem}${fixture.ca.pem}`, /exactly one PEM block/],
      [`${good.pem}${key}`, /private key/],
      [good.pem.replaceAll('-----', ''), /must be PEM/],
      [fixture.ca.pem, /an authority's/],
      [undefined, /auth\.key|csr/],
      [7, /PEM text/],
    ]
    for (const [pem, rule] of rules) {
      const auth = pem === undefined ? { key: 'x' } : { type: 'certificate', key: pem }
      const { status, body } = await put('x', auth)
      assert.equal(status, 400)
      assert.match(String(body.message), /^auth\.key /)
      assert.match(String(body.message), rule)
    }
    assert.deepEqual((await fixture.write(good)).body, 'unknown_identity')
  })

  it('is refused a certificate that has expired, and may have one that begins later', async () => {
    const device = await fixture.device('timed', { days: 1 })
    const { clock } = fixture.millrace
    const dayMs = 86_400_000
    clock.advance(2 * dayMs)
    const late = await give(device)
    clock.advance(-3 * dayMs)
    const early = await give(device)
    clock.advance(dayMs)
    assert.match(
      String(late.body.message),
      /^auth\.key is refused: The certificate was valid until/,
    )
    assert.equal(early.status, 200)
    assert.equal((await fixture.write(device)).status, 204)
  })

  it('can be written back as it was read', async () => {
    const device = await fixture.device('again')
    await give(device)
    const { status } = await put('again', { type: 'certificate' })
    assert.equal(status, 200)
    assert.equal((await fixture.write(device)).status, 204)
    assert.equal((await put('again', { type: 'certificate' })).status, 200)
    assert.equal((await put('again', { type: 'token' })).status, 400)
  })
})
