import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { type SigningFixture, signingFixture } from '../../../../test/fixtures/peers/signer.ts'
import { refuses } from '../../../../test/fixtures/provisioning.ts'
import { sharedBySuites } from '../../../../test/fixtures/suite.ts'
import { keyKinds, type Openssl, openOpenssl } from '../../../../test/fixtures/wire/openssl.ts'
import { provisioningLimits } from '../limits.ts'
import { addMonths } from './months.ts'

let world: SigningFixture
let openssl: Openssl
const withAuthority = sharedBySuites(async (suite) => {
  openssl = await openOpenssl(suite)
  world = await signingFixture(suite)
})

const internal = { vendor: 'internal' } as const
let count = 0
/** A file with the text, for openssl. */
const file = (text: string) => {
  count += 1
  return openssl.write(`file-${count}.pem`, text)
}

describe('the built-in authority', () => {
  withAuthority()

  for (const [name, kind] of Object.entries(keyKinds)) {
    it(`signs a request with a key ${name}; openssl verifies it for clients only`, async () => {
      const { csr, key } = await openssl.request({ subject: '/O=Dropped/CN=d1', kind })
      const signed = await world.signer.sign('c1', 'd1', csr, internal)
      const { certificatePem } = await world.authorities.ensure('c1')
      const [ca, leaf] = [await file(certificatePem), await file(signed.certificatePem)]
      const verify = ['verify', '-x509_strict', '-CAfile', ca]
      assert.match(await openssl.command(...verify, '-purpose', 'sslclient', leaf), /: OK/)
      await assert.rejects(openssl.command(...verify, '-purpose', 'sslserver', leaf))
      const publicKey = await openssl.command('pkey', '-in', await file(key), '-pubout')
      assert.equal(await openssl.command('x509', '-in', leaf, '-noout', '-pubkey'), publicKey)
      const subject = await openssl.command('x509', '-in', leaf, '-noout', '-subject')
      assert.equal(subject.trim(), 'subject=CN = d1')
      const printed = await openssl.command(
        'x509',
        '-in',
        leaf,
        '-noout',
        '-fingerprint',
        '-sha256',
      )
      const hex = printed.trim().split('=')[1]?.replaceAll(':', '').toLowerCase()
      assert.equal(signed.fingerprint, hex)
    })
  }

  it('takes every sign of an identity as itself', async () => {
    for (const identity of ['a,O=b', 'a+CN=b', '#0403', 'ü🙂 "x"\\', ' a ', 'CN=a']) {
      const escaped = identity.replace(/[/+\\]/g, '\\$&')
      const { csr } = await openssl.request({ subject: `/CN=${escaped}` })
      const { certificatePem } = await world.signer.sign('c1', identity, csr, internal)
      const { subject } = new X509Certificate(certificatePem).toLegacyObject()
      assert.deepEqual({ ...subject }, { CN: identity })
    }
  })

  it('has one authority for each connector, and rejects a second', async () => {
    const one = await world.authorities.create('c2')
    assert.deepEqual(await world.authorities.find('c2'), one)
    assert.deepEqual(await world.authorities.ensure('c2'), one)
    await refuses('already_exists', () => world.authorities.create('c2'))
    assert.equal(await world.authorities.find('none'), undefined)
    const ensured = await Promise.all(
      Array.from({ length: 8 }, () => world.authorities.ensure('c3')),
    )
    assert.equal(new Set(ensured.map(({ certificatePem }) => certificatePem)).size, 1)
    assert.notEqual(ensured[0]?.certificatePem, one.certificatePem)
  })

  it('keeps its key encrypted, and each connector its own', async () => {
    await world.authorities.ensure('c1')
    await world.authorities.ensure('c4')
    const rows = await world.database.rows<{ connector_id: string; sealed_key: string }>(
      'select connector_id, sealed_key from provisioning_authority',
    )
    for (const row of rows) assert.doesNotMatch(row.sealed_key, /PRIVATE|MIGH/)
    const of = (id: string) => rows.find((row) => row.connector_id === id)?.sealed_key
    await world.database.run(
      'update provisioning_authority set sealed_key = $1 where connector_id = $2',
      [of('c1'), 'c4'],
    )
    const { csr } = await openssl.request({ subject: '/CN=d1' })
    await refuses('secret_unreadable', () => world.signer.sign('c4', 'd1', csr, internal))
  })

  it('signs no more once its own time is over', async (t) => {
    const own = await signingFixture(t)
    const { csr } = await openssl.request({ subject: '/CN=d1' })
    const { notAfter } = await own.authorities.create('c9')
    own.clock.us = (notAfter - 1_000) * 1_000
    assert.equal((await own.signer.sign('c9', 'd1', csr, internal)).notAfter, notAfter)
    own.clock.us = notAfter * 1_000
    await refuses('vendor_failed', () => own.signer.sign('c9', 'd1', csr, internal), 'expired')
  })
})

describe('times and numbers of certificates of the built-in authority', () => {
  withAuthority()

  it('counts calendar months, from now, and ends with its authority at the latest', async () => {
    const { csr } = await openssl.request({ subject: '/CN=d1' })
    const seconds = Math.floor(world.clock.nowMs() / 1_000) * 1_000
    const endAfter = async (validityMonths?: number) => {
      const choice = { ...internal, ...(validityMonths === undefined ? {} : { validityMonths }) }
      return (await world.signer.sign('c1', 'd1', csr, choice)).notAfter
    }
    assert.equal(await endAfter(1), addMonths(seconds, 1))
    assert.equal(await endAfter(30), addMonths(seconds, 30))
    assert.equal(await endAfter(), addMonths(seconds, provisioningLimits.certificateMonthsDefault))
    const { notAfter } = await world.authorities.ensure('c1')
    assert.equal(await endAfter(provisioningLimits.certificateMonthsMax), notAfter)
    for (const months of [0, -1, 1.5, provisioningLimits.certificateMonthsMax + 1, Number.NaN]) {
      await refuses('invalid_argument', () => endAfter(months), 'validityMonths must be a whole')
    }
  })

  it('begins a little before now, for clocks that are behind', async () => {
    const { csr } = await openssl.request({ subject: '/CN=d1' })
    const { certificatePem } = await world.signer.sign('c1', 'd1', csr, internal)
    const { validFromDate } = new X509Certificate(certificatePem)
    const early = world.clock.nowMs() - validFromDate.getTime()
    assert.ok(
      early >= 0 && early <= provisioningLimits.certificateBackdateMs + 1_000,
      `${early} ms`,
    )
  })

  it('gives each certificate a serial number of its own', async () => {
    const { csr } = await openssl.request({ subject: '/CN=d1' })
    const sign = async () => (await world.signer.sign('c1', 'd1', csr, internal)).certificatePem
    const serials = new Set<string>()
    for (let at = 0; at < 5; at += 1) serials.add(new X509Certificate(await sign()).serialNumber)
    assert.equal(serials.size, 5)
    for (const serial of serials) assert.match(serial, /^[4-7][0-9A-F]{31}$/)
  })
})
