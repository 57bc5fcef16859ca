import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type SigningFixture, signingFixture } from '../../../../../test/fixtures/peers/signer.ts'
import { digicertKey, fakeDigicert } from '../../../../../test/fixtures/peers/vendors.ts'
import { refuses } from '../../../../../test/fixtures/provisioning.ts'
import { suiteContext } from '../../../../../test/fixtures/suite.ts'
import { openCa, type TestCa } from '../../../../../test/fixtures/wire/ca.ts'
import { type Openssl, openOpenssl } from '../../../../../test/fixtures/wire/openssl.ts'
import { addMonths } from '../months.ts'

describe('the vendor digicert, as it is documented', () => {
  const suite = suiteContext()
  let world: SigningFixture
  let openssl: Openssl
  let ca: TestCa
  before(async () => {
    openssl = await openOpenssl(suite)
    world = await signingFixture(suite)
    ca = await openCa(openssl)
  })

  const usual = { profile: 'private_ssl_plus', apiKey: digicertKey, validityMonths: 7 }
  const sign = async (url: string, part: object = {}) => {
    const { csr } = await openssl.request({ subject: '/CN=d1' })
    const choice = { vendor: 'digicert', url, caPem: ca.pem, ...usual, ...part } as const
    return world.signer.sign('c1', 'd1', csr, choice)
  }

  it('orders the product with key and validity, and takes the chain of the answer', async (t) => {
    const server = await fakeDigicert(t, ca)
    const { certificatePem, notAfter } = await sign(server.url, { profile: 'private_ssl_plus:77' })
    const wanted = new Date(addMonths(world.clock.nowMs(), 7)).toISOString().slice(0, 10)
    assert.ok(Math.abs(notAfter - Date.parse(wanted)) <= 2 * 86_400_000)
    const leaf = await openssl.write('digicert.pem', certificatePem)
    assert.match(await openssl.command('verify', '-CAfile', ca.certificateFile, leaf), /: OK/)
    const [request] = server.requests
    assert.equal(request?.method, 'POST')
    assert.equal(request?.url, '/services/v2/order/certificate/private_ssl_plus')
    const { certificate, ...order } = JSON.parse(String(request?.body))
    assert.equal(certificate.common_name, 'd1')
    assert.match(certificate.csr, /^-----BEGIN CERTIFICATE REQUEST-----\n/)
    assert.deepEqual(order, {
      organization: { id: 77 },
      order_validity: { custom_expiration_date: wanted },
      skip_approval: true,
      disable_renewal_notifications: true,
    })
  })

  it('fetches the certificate where the answer only names it', async (t) => {
    const server = await fakeDigicert(t, ca, 'download')
    await sign(server.url)
    assert.equal(server.requests.length, 2)
    assert.equal(server.requests[1]?.headers['x-dc-devkey'], digicertKey)
  })

  it('reports that an order waits for an approval', async (t) => {
    const { url } = await fakeDigicert(t, ca, 'pending')
    await refuses('vendor_failed', () => sign(url), 'the order 5001 waits for an approval there')
  })

  it('passes on the message of DigiCert for a wrong key and a wrong product', async (t) => {
    const { url } = await fakeDigicert(t, ca)
    const key = () => sign(url, { apiKey: 'wrong' })
    await refuses('vendor_failed', key, 'HTTP 401: "The API key is not valid."')
    const product = () => sign(url, { profile: 'nothing' })
    await refuses('vendor_failed', product, 'HTTP 404: "There is no such product."')
    for (const profile of ['', '../x', 'a/b', 'a:b', 'a:']) {
      await refuses('vendor_failed', () => sign(url, { profile }), 'profile of the form <product>')
    }
  })
})
