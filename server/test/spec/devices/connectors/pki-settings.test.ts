import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { openCa, type TestCa } from '../../../fixtures/wire/ca.ts'
import { assertOk, assertRefused, managementFixture } from '../../../fixtures/wire/management.ts'
import { keyKinds, type Openssl, openOpenssl } from '../../../fixtures/wire/openssl.ts'

const noOptions = { profile: '', validity_months: null, url: '', api_key_set: false }

let openssl: Openssl
let ca: TestCa
const withAuthority = sharedBySuites(async (suite) => {
  openssl = await openOpenssl(suite)
  ca = await openCa(openssl)
})

async function open(t: TestContext) {
  const fixture = await managementFixture(t)
  const { device: url } = fixture
  const send = (pki: unknown) => fixture.ask('PATCH', url, { body: { provisioning: { pki } } })
  return {
    ...fixture,
    url,
    send,
    async patch(pki: unknown) {
      const reply = await send(pki)
      assertOk(reply)
      return reply.json().provisioning.pki
    },
    async refuses(pki: unknown, says: RegExp) {
      const before = (await fixture.ask('GET', url)).body
      assertRefused(await send(pki), 'invalid_argument', says)
      assert.equal((await fixture.ask('GET', url)).body, before)
    },
  }
}

describe('the client CA of a connector', () => {
  withAuthority()

  it('is off, and when it is enabled needs the client CA certificate as PEM', async (t) => {
    const { ask, patch, refuses, url } = await open(t)
    const off = { enabled: false, ca: null, vendor: null, vendor_options: noOptions }
    assert.deepEqual((await ask('GET', url)).json().provisioning.pki, off)
    await refuses({ enabled: true }, /^provisioning\.pki\.ca is needed/)
    const on = await patch({ enabled: true, ca: ca.pem })
    assert.deepEqual(on, { ...off, enabled: true, ca: ca.pem })
    await refuses({ ca: null }, /^provisioning\.pki\.ca is needed/)
    assert.deepEqual(await patch({ enabled: false }), { ...off, ca: ca.pem })
    assert.deepEqual(await patch({ ca: '' }), off)
  })

  it('takes what openssl writes around a certificate, and keeps the certificate', async (t) => {
    const { patch } = await open(t)
    const wordy = await openssl.command('x509', '-in', ca.certificateFile, '-text')
    assert.match(wordy, /Signature Algorithm/)
    assert.equal((await patch({ enabled: true, ca: wordy })).ca, ca.pem)
    const crlf = ca.pem.replaceAll('\n', '\r\n')
    assert.equal((await patch({ ca: crlf })).ca, ca.pem)
  })

  it('refuses a private key, DER, two certificates, and whoever is no authority', async (t) => {
    const { refuses } = await open(t)
    const key = await openssl.command('pkey', '-in', ca.keyFile)
    const der = await openssl.command('x509', '-in', ca.certificateFile, '-outform', 'DER')
    const device = await openssl.request({ subject: '/CN=d' })
    const leaf = await ca.sign(device.csr)
    const weak = [...keyKinds.rsa.slice(0, -1), 'rsa_keygen_bits:1024']
    await openssl.command('genpkey', ...weak, '-out', 'weak.key')
    const self = ['-x509', '-key', 'weak.key', '-subj', '/CN=weak', '-days', '9']
    const refused: [unknown, RegExp][] = [
      [key, /private key/],
      [`${ca.pem}${key}`, /private key/],
      [der, /must be PEM/],
      [Buffer.from(der, 'latin1').toString('base64'), /must be PEM/],
      [`${ca.pem}${ca.pem}`, /exactly one PEM block; it holds 2/],
      [leaf, /certificate of an authority/],
      [device.csr, /PEM block CERTIFICATE; it holds a CERTIFICATE REQUEST/],
      [await openssl.command('req', ...self), /RSA key of at least 2048 bits/],
      [ca.pem.replace(/[A-Za-z]{20}/, 'AAAAAAAAAAAAAAAAAAAA'), /can be read/],
      [ca.pem.slice(0, 200), /whole PEM block/],
      ['', /is needed/],
      [`${ca.pem}${'x'.repeat(provisioningLimits.certificateCharsMax)}`, /at most/],
      [7, /PEM text/],
      [[ca.pem], /PEM text/],
    ]
    for (const [text, says] of refused) {
      const named = new RegExp(`^provisioning\\.pki\\.ca .*${says.source}`)
      await refuses({ enabled: true, ca: text }, named)
    }
  })

  it('takes an authority with a key of any usual kind', async (t) => {
    const { patch } = await open(t)
    for (const [name, kind] of Object.entries(keyKinds)) {
      await openssl.command('genpkey', ...kind, '-out', `${name}.key`)
      const self = ['-x509', '-key', `${name}.key`, '-subj', `/CN=${name}`, '-days', '9']
      const pem = await openssl.command('req', ...self)
      assert.equal((await patch({ enabled: true, ca: pem })).ca, pem, name)
    }
  })
})

describe('the vendor of certificates of a connector', () => {
  withAuthority()

  it('has a vendor only while it is enabled; blank is none', async (t) => {
    const { patch, refuses } = await open(t)
    await refuses({ vendor: 'cfssl' }, /^provisioning\.pki\.vendor can be chosen only while/)
    await refuses({ enabled: true, ca: ca.pem, vendor: 'acme' }, /^provisioning\.pki\.vendor must/)
    const vendor = { enabled: true, ca: ca.pem, vendor: 'digicert' }
    assert.equal((await patch(vendor)).vendor, 'digicert')
    assert.equal((await patch({ enabled: false })).vendor, 'digicert')
    assert.equal((await patch({ enabled: true, vendor: '' })).vendor, null)
    assert.equal((await patch({ ca: null, vendor: 'internal' })).vendor, 'internal')
  })

  it('signs itself only where its client CA is its own, or none', async (t) => {
    const { ask, patch, refuses, provisioning, business, connector } = await open(t)
    const says = /^provisioning\.pki\.ca must be empty with the vendor internal/
    await refuses({ enabled: true, ca: ca.pem, vendor: 'internal' }, says)
    const own = await provisioning.authorities.create(business.id, connector.id, { use: false })
    await refuses({ enabled: true, ca: ca.pem, vendor: 'internal' }, says)
    const internal = { enabled: true, ca: own.certificatePem, vendor: 'internal' }
    assert.equal((await patch(internal)).ca, own.certificatePem)
    await refuses({ ca: ca.pem }, says)
    await patch({ ca: ca.pem, vendor: null })
    await refuses({ vendor: 'internal' }, says)
    await patch({ enabled: false, ca: ca.pem })
    assert.equal((await patch({ enabled: true, ca: null, vendor: 'internal' })).ca, null)
    const body = { name: 'New', id: 'new', provisioning: { pki: { ...internal, ca: ca.pem } } }
    assertRefused(await ask('POST', '/api:1/connectors', { body }), 'invalid_argument', says)
    assertRefused(await ask('GET', '/api:1/service/new/device2'), 'not_found')
  })

  it('keeps profile, validity in months and url of the vendor, and of no other', async (t) => {
    const { patch, refuses } = await open(t)
    await refuses(
      { enabled: true, ca: ca.pem, vendor_options: { profile: 'x' } },
      /^provisioning\.pki\.vendor_options belong to a vendor/,
    )
    await refuses(
      { enabled: true, ca: ca.pem, vendor: 'cfssl' },
      /^provisioning\.pki\.vendor_options\.url is needed by cfssl/,
    )
    const options = { profile: 'device', validity_months: 24, url: 'https://ca.example.com:8888' }
    const set = { enabled: true, ca: ca.pem, vendor: 'cfssl', vendor_options: options }
    const shown = await patch(set)
    assert.deepEqual(shown.vendor_options, { ...options, api_key_set: false })
    const partly = await patch({ vendor_options: { validity_months: null } })
    assert.deepEqual(partly.vendor_options, { ...shown.vendor_options, validity_months: null })
    assert.deepEqual((await patch({ vendor: 'digicert' })).vendor_options, noOptions)
    const most = provisioningLimits.certificateMonthsMax
    const bad: [object, RegExp][] = [
      [{ validity_months: 0 }, /^provisioning\.pki\.vendor_options\.validity_months must/],
      [{ validity_months: most + 1 }, /^provisioning\.pki\.vendor_options\.validity_months must/],
      [{ validity_months: 1.5 }, /validity_months/],
      [{ validity_months: '12' }, /validity_months/],
      [{ url: 'ftp://ca.example.com' }, /^provisioning\.pki\.vendor_options\.url must begin|https/],
      [{ url: 'https://me:secret@ca.example.com' }, /url must not hold a password/],
      [{ url: 'https://ca.example.com/?a=1' }, /url/],
      [{ profile: 'x'.repeat(limits.nameCharsMax + 1) }, /profile must have at most/],
      [{ profile: 7 }, /profile/],
      [{ api_key: 'a\0b' }, /^provisioning\.pki\.vendor_options\.api_key must not hold control/],
      [{ api_key: { a: 1 } }, /^provisioning\.pki\.vendor_options\.api_key must be a string/],
      [{ other: 1 }, /vendor_options/],
    ]
    for (const [vendor_options, says] of bad) await refuses({ vendor_options }, says)
  })
})

describe('the API key of a vendor of certificates', () => {
  withAuthority()

  it('stores the API key encrypted, and never returns it', async (t) => {
    const { ask, patch, database, connector, provisioning, business, url } = await open(t)
    const apiKey = 'sesame-0123456789abcdef'
    const vendor_options = { api_key: apiKey, profile: 'p' }
    const shown = await patch({ enabled: true, ca: ca.pem, vendor: 'digicert', vendor_options })
    assert.deepEqual(shown.vendor_options, { ...noOptions, profile: 'p', api_key_set: true })
    for (const place of [url, '/api:1/connectors']) {
      assert.ok(!(await ask('GET', place)).body.includes(apiKey))
    }
    const rows = JSON.stringify(await database.rows('select * from provisioning_connector'))
    assert.ok(!rows.includes(apiKey))
    const { pki } = await provisioning.connectors.get(business.id, connector.id)
    assert.match(pki.vendorOptions.apiKey ?? '', /^m1\./)
  })

  it('keeps the API key with a change of something else, until it is cleared', async (t) => {
    const { patch } = await open(t)
    const vendor_options = { api_key: 'sesame', url: 'https://one.example.com' }
    const first = { enabled: true, ca: ca.pem, vendor: 'digicert', vendor_options }
    const shown = await patch(first)
    const isSet = async (pki: unknown) => (await patch(pki)).vendor_options.api_key_set
    assert.equal(await isSet({ vendor_options: { profile: 'p' } }), true)
    assert.equal(await isSet(shown), true)
    assert.equal(await isSet({ vendor_options: { api_key: null } }), false)
  })

  it('deletes the API key if the URL changes', async (t) => {
    const { patch } = await open(t)
    const vendor_options = { api_key: 'sesame', url: 'https://one.example.com' }
    const first = { enabled: true, ca: ca.pem, vendor: 'digicert', vendor_options }
    const isSet = async (pki: unknown) => (await patch(pki)).vendor_options.api_key_set
    assert.equal(await isSet(first), true)
    assert.equal(await isSet({ vendor_options: { url: 'https://two.example.com' } }), false)
    assert.equal(await isSet(first), true)
    const other = { vendor: 'est', vendor_options: { url: 'https://one.example.com' } }
    assert.equal(await isSet(other), false)
  })
})
