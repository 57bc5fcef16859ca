import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type SigningFixture, signingFixture } from '../../../../test/fixtures/peers/signer.ts'
import { openWeb } from '../../../../test/fixtures/peers/web.ts'
import { refuses } from '../../../../test/fixtures/provisioning.ts'
import { suiteContext } from '../../../../test/fixtures/suite.ts'
import { openCa, type TestCa } from '../../../../test/fixtures/wire/ca.ts'
import { type Openssl, openOpenssl } from '../../../../test/fixtures/wire/openssl.ts'
import { provisioningLimits } from '../limits.ts'
import { limitVendorCalls } from './signer.ts'

/** Right and wrong answers of a vendor, in the format of cfssl. */
describe('the answer of a vendor', () => {
  const suite = suiteContext()
  let world: SigningFixture
  let openssl: Openssl
  let ca: TestCa
  let csr: string
  let answer = ''
  let url: string
  let asked: number
  before(async () => {
    openssl = await openOpenssl(suite)
    world = await signingFixture(suite)
    ca = await openCa(openssl)
    csr = (await openssl.request({ subject: '/CN=d1' })).csr
    const web = await openWeb(suite, () => {
      asked += 1
      const said = { success: true, result: { certificate: answer }, errors: [], messages: [] }
      return { status: 200, body: JSON.stringify(said) }
    })
    url = web.url
    asked = 0
  })

  const sign = (certificate: string, part: object = {}) => {
    answer = certificate
    return world.signer.sign('c1', 'd1', csr, { vendor: 'cfssl', url, ...part })
  }

  it('is taken where it is for the key, the name, in force, for clients', async () => {
    const good = await ca.sign(csr)
    assert.equal((await sign(good)).certificatePem, good)
    assert.equal((await sign(`${ca.pem}some words\n${good}`)).certificatePem, good)
    const silent = await ca.sign(csr, { extensions: 'basicConstraints=CA:FALSE\n' })
    assert.equal((await sign(silent)).certificatePem, silent)
  })

  it('is refused for another key', async () => {
    const other = await openssl.request({ subject: '/CN=d1' })
    const foreign = await ca.sign(other.csr)
    await refuses('vendor_failed', () => sign(foreign), 'cfssl answered with a certificate for an')
    await refuses('vendor_failed', () => sign(ca.pem), 'for another key')
  })

  it('is refused for another name, for two names, and for none', async () => {
    for (const subject of ['/CN=d2', '/CN=d1/CN=d2', '/O=d1', '/O=x, CN = d1']) {
      const named = await ca.sign(csr, { subject })
      await refuses('vendor_failed', () => sign(named), 'another common name (CN)')
    }
  })

  it('is refused when it has expired, at the very second', async () => {
    const short = await ca.sign(csr, { days: 1 })
    const { notAfter } = await sign(short)
    const now = world.clock.us
    world.clock.us = (notAfter - 1) * 1_000
    await sign(short)
    world.clock.us = notAfter * 1_000
    await refuses('vendor_failed', () => sign(short), 'has expired')
    world.clock.us = now
  })

  it('is refused when it would make the device an authority, or serves servers only', async () => {
    const authority = await ca.sign(csr, { extensions: 'basicConstraints=critical,CA:TRUE\n' })
    await refuses('vendor_failed', () => sign(authority), 'certificate of an authority')
    const server = await ca.sign(csr, { extensions: 'extendedKeyUsage=serverAuth\n' })
    await refuses('vendor_failed', () => sign(server), 'not for client authentication')
  })

  it('is refused when another has signed it, also one of the same name', async () => {
    const sameName = await openCa(openssl, 'Example CA')
    const good = await ca.sign(csr)
    await refuses('vendor_failed', () => sign(good, { caPem: sameName.pem }), 'has not signed')
    await sign(good, { caPem: ca.pem })
  })

  it('is refused when it is no certificate, or too many', async () => {
    const good = await ca.sign(csr)
    const half = good.slice(0, good.length / 2)
    const broken = good.replace('MII', 'MIA')
    for (const text of ['', 'no', half, broken, csr, good.repeat(21), 'x'.repeat(200_000)]) {
      await refuses('vendor_failed', () => sign(text), 'without a certificate that can be read')
    }
  })

  it('is not requested if the certificate request is rejected', async () => {
    asked = 0
    const choice = { vendor: 'cfssl', url } as const
    const refused = () => world.signer.sign('c1', 'd2', csr, choice)
    await refuses('csr_refused', refused, 'must be the identity "d2"')
    assert.equal(asked, 0)
  })
})

describe('the way to a vendor', () => {
  const suite = suiteContext()
  let world: SigningFixture
  let csr: string
  before(async () => {
    const openssl = await openOpenssl(suite)
    world = await signingFixture(suite)
    csr = (await openssl.request({ subject: '/CN=d1' })).csr
  })
  const sign = (vendor: 'cfssl' | 'est' | 'digicert', url: string, apiKey = '') =>
    world.signer.sign('c1', 'd1', csr, { vendor, url, apiKey, profile: 'p' })

  it('is refused by the operator’s rules as any other', async () => {
    for (const url of ['http://10.0.0.1:8888', 'http://169.254.169.254', 'http://[::1]:8888']) {
      await refuses('address_refused', () => sign('cfssl', url))
    }
  })

  it('names the vendor if its server is out of reach', async () => {
    const nobody = () => sign('est', 'http://127.0.0.1:1')
    await refuses('vendor_failed', nobody, /est failed: 127\.0\.0\.1 is out of reach/)
  })

  it('must be a URL, and encrypted where the key itself is sent', async () => {
    for (const url of ['cfssl:8888', 'ftp://example.com', 'nonsense', 'http://']) {
      await refuses(
        'invalid_argument',
        () => sign('cfssl', url),
        'vendorOptions.url must be an http',
      )
    }
    await refuses('invalid_argument', () => sign('cfssl', ''), 'must be given for the vendor cfssl')
    await refuses('invalid_argument', () => sign('est', 'http://example.com/?a=1'), 'query')
    for (const vendor of ['est', 'digicert'] as const) {
      const plain = () => sign(vendor, 'http://ca.example.com', 'key')
      await refuses('invalid_argument', plain, `must begin with https: the vendor ${vendor}`)
    }
  })

  it('takes no key that could end a header', async () => {
    for (const vendor of ['est', 'digicert'] as const) {
      const broken = () => sign(vendor, 'http://127.0.0.1:1', 'a\r\nX-Other')
      await refuses('vendor_failed', broken, 'an option of it cannot be sent')
    }
  })
})

it('a connector has few signings under way, the process not many; ends make room', async () => {
  const limited = limitVendorCalls()
  const ends: (() => void)[] = []
  const wait = () => new Promise<void>((resolve) => ends.push(resolve))
  const running: Promise<void>[] = []
  for (let at = 0; at < provisioningLimits.vendorCallsOfConnectorMax; at += 1) {
    running.push(limited('c0', wait))
  }
  await refuses('overloaded', () => limited('c0', wait), 'Try again')
  for (let other = 1; running.length < provisioningLimits.vendorCallsMax; other += 1) {
    running.push(limited(`c${other}`, wait))
  }
  await refuses('overloaded', () => limited('fresh', wait))
  for (const end of ends) end()
  await Promise.all(running)
  assert.equal(await limited('c0', async () => 'done'), 'done')
})
