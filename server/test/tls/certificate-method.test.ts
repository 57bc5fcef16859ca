import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../src/foundation/kernel/index.ts'
import type { OwnPlatform } from '../fixtures/platform.ts'
import { sharedBySuites } from '../fixtures/suite.ts'
import { openCa } from '../fixtures/wire/ca.ts'
import { type CertificateFixture, certificateFixture } from '../fixtures/wire/certificates.ts'
import { keyKinds } from '../fixtures/wire/openssl.ts'

const hourMs = 3_600_000

let fixture: CertificateFixture<OwnPlatform>

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await certificateFixture(suite, { own: 'moves the clock' })
})

const identities = () => fixture.millrace.platform.provisioning.identities

const whitelist = (identity: string, input = {}) =>
  identities().whitelist(fixture.millrace.businessId, fixture.connector.id, identity, input)

const get = (identity: string) =>
  identities().get(fixture.millrace.businessId, fixture.connector.id, identity)

describe('the TLS client certificate method: devices that are taken', () => {
  shareInstance()

  for (const version of ['1.2', '1.3']) {
    it(`provisions on the first data write over TLS ${version}, and logs both`, async () => {
      const args = ['--tls-max', version, `--tlsv${version}`]
      const device = await fixture.device(`first-${version}`)
      await whitelist(device.identity)
      assert.deepEqual(await fixture.write(device, { args }), { status: 204, body: '' })
      assert.deepEqual(await fixture.lines(device.identity), ['provisioned', 'write'])
      assert.deepEqual(await fixture.write(device, { args, body: 'a=2' }), {
        status: 204,
        body: '',
      })
      assert.deepEqual(await fixture.lines(device.identity), ['provisioned', 'write', 'write'])
      const { status, auth } = await get(device.identity)
      assert.deepEqual({ status, auth }, { status: 'provisioned', auth: { type: 'certificate' } })
    })
  }

  for (const [name, kind] of Object.entries(keyKinds)) {
    it(`takes a device whose key is ${name}`, async () => {
      const device = await fixture.device(`key-${name}`, { kind })
      await whitelist(device.identity)
      assert.equal((await fixture.write(device)).status, 204)
    })
  }

  it('takes the chain, and the device’s certificate alone', async () => {
    const device = await fixture.device('alone')
    await whitelist('alone')
    const alone = { ...device, chainFile: device.certificateFile }
    assert.equal((await fixture.write(alone)).status, 204)
    assert.equal((await fixture.write(device)).status, 204)
  })

  it('is known on each request of a connection', async () => {
    const device = await fixture.device('steady')
    await whitelist('steady')
    const again = `https://${fixture.host}:${fixture.port}/vendor:v1/stack/alias`
    const both = await fixture.write(device, {
      args: [again, '-w', '%{http_code} %{num_connects},'],
    })
    assert.equal(both.body, '204 1,204 0,')
  })

  it('reads, too, once it was provisioned', async () => {
    const device = await fixture.device('reader')
    await whitelist('reader')
    await fixture.write(device, { body: 'a=7' })
    const path = '/vendor:v1/stack/alias?a'
    assert.deepEqual(await fixture.write(device, { path }), { status: 200, body: 'a=7' })
  })

  it('of many first writes at once all are taken, and one provisions', async () => {
    const device = await fixture.device('crowd')
    await whitelist('crowd')
    const answers = await Promise.all(Array.from({ length: 16 }, () => fixture.write(device)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204])
    const lines = await fixture.lines('crowd')
    assert.equal(lines.filter((kind) => kind === 'provisioned').length, 1)
    assert.equal(lines.filter((kind) => kind === 'write').length, 16)
  })
})

describe('the TLS client certificate method: requests without what is expected', () => {
  shareInstance()

  it('is not known without a certificate', async () => {
    const answer = await fixture.write(undefined)
    assert.deepEqual(answer, { status: 401, body: 'unknown_credential' })
  })

  it('answers 415 to an activate call, with a certificate and without', async () => {
    const device = await fixture.device('activating')
    await whitelist('activating')
    const path = '/provision/activate'
    for (const who of [device, undefined]) {
      for (const data of ['id=activating', 'id=activating&password=twenty bytes at least']) {
        const answer = await fixture.write(who, { path, args: ['--data', data] })
        assert.deepEqual(answer, { status: 415, body: 'wrong_method' })
      }
    }
    assert.equal((await get('activating')).status, 'whitelisted')
  })

  it('needs the common name to be the identity, letter by letter', async () => {
    await whitelist('Case')
    const device = await fixture.device('case')
    assert.deepEqual(await fixture.write(device), { status: 404, body: 'unknown_identity' })
    assert.deepEqual(await fixture.lines('Case'), [])
  })

  it('must be the one associated with the device', async () => {
    const first = await fixture.device('twice')
    const second = await fixture.device('twice')
    await whitelist('twice')
    assert.equal((await fixture.write(first)).status, 204)
    const answer = await fixture.write(second)
    assert.deepEqual(answer, { status: 403, body: 'certificate_mismatch' })
    assert.equal((await fixture.write(first)).status, 204)
    await whitelist('twice', { reprovision: true })
    assert.equal((await fixture.write(second)).status, 204)
    assert.equal((await fixture.write(first)).body, 'certificate_mismatch')
  })

  it('is provisioned within the activation window only', async () => {
    const device = await fixture.device('late', { days: 9 })
    await whitelist('late')
    fixture.millrace.clock.advance(limits.activationWindowHours * hourMs + hourMs)
    const late = await fixture.write(device)
    fixture.millrace.clock.advance(-limits.activationWindowHours * hourMs - hourMs)
    assert.deepEqual(late, { status: 404, body: 'window_closed' })
  })

  it('of a locked device is refused with a valid certificate', async () => {
    const device = await fixture.device('locked')
    await whitelist('locked', { locked: true })
    assert.deepEqual(await fixture.write(device), { status: 403, body: 'locked' })
    await whitelist('locked', { locked: false })
    assert.equal((await fixture.write(device)).status, 204)
    await whitelist('locked', { locked: true })
    assert.deepEqual(await fixture.write(device), { status: 403, body: 'locked' })
  })

  it('is refused for an identity that nobody whitelisted', async () => {
    const device = await fixture.device('unknown')
    assert.deepEqual(await fixture.write(device), { status: 404, body: 'unknown_identity' })
    assert.deepEqual(await fixture.lines('unknown'), [])
  })
})

describe('the TLS client certificate method: certificates that are refused', () => {
  shareInstance()

  it('refuses a certificate whose start time is in the future until it comes', async () => {
    const device = await fixture.device('early')
    await whitelist('early', { auth: { expire: null } })
    fixture.millrace.clock.advance(-hourMs)
    const early = await fixture.write(device)
    fixture.millrace.clock.advance(hourMs)
    assert.deepEqual(early, { status: 403, body: 'certificate_not_yet_valid' })
    assert.equal((await get('early')).status, 'whitelisted')
    assert.equal((await fixture.write(device)).status, 204)
  })

  it('refuses a certificate that has expired, also of a device that was provisioned', async () => {
    const device = await fixture.device('old', { days: 1 })
    const other = await fixture.device('older', { days: 1 })
    await whitelist('old')
    await whitelist('older', { auth: { expire: null } })
    assert.equal((await fixture.write(device)).status, 204)
    fixture.millrace.clock.advance(25 * hourMs)
    const answers = [await fixture.write(device), await fixture.write(other)]
    fixture.millrace.clock.advance(-25 * hourMs)
    const expired = { status: 403, body: 'certificate_expired' }
    assert.deepEqual(answers, [expired, expired])
    assert.equal((await get('older')).status, 'whitelisted')
  })

  it('refuses a certificate that another authority has signed, even one of that name', async () => {
    const otherCa = await openCa(fixture.openssl, 'Example CA')
    const device = await fixture.device('forged', { by: otherCa })
    await whitelist('forged')
    const answer = await fixture.write(device)
    assert.deepEqual(answer, { status: 403, body: 'certificate_untrusted' })
    const extensions = 'authorityKeyIdentifier=none\nsubjectKeyIdentifier=none\n'
    const nameless = await fixture.device('forged', { by: otherCa, extensions })
    assert.deepEqual(await fixture.write(nameless), answer)
    assert.equal((await get('forged')).status, 'whitelisted')
  })

  it('refuses a certificate below an authority of the client CA', async () => {
    const { csr, key } = await fixture.openssl.request({ subject: '/CN=middle' })
    const extensions = 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n'
    const pem = await fixture.ca.sign(csr, { extensions })
    const [keyFile, certificateFile] = [
      await fixture.openssl.write('middle.key', key),
      await fixture.openssl.write('middle.pem', pem),
    ]
    const { csr: leaf, key: leafKey } = await fixture.openssl.request({ subject: '/CN=below' })
    const request = await fixture.openssl.write('below.csr', leaf)
    const by = ['-CA', certificateFile, '-CAkey', keyFile, '-CAcreateserial', '-days', '9']
    const below = await fixture.openssl.command('x509', '-req', '-in', request, ...by)
    await whitelist('below')
    const device = {
      identity: 'below',
      pem: below,
      certificateFile,
      keyFile: await fixture.openssl.write('below.key', leafKey),
      chainFile: await fixture.openssl.write('below-chain.pem', `${below}${pem}${fixture.ca.pem}`),
    }
    assert.equal((await fixture.write(device)).body, 'certificate_untrusted')
    await whitelist('middle')
    const middle = { ...device, keyFile, chainFile: certificateFile }
    assert.equal((await fixture.write(middle)).body, 'certificate_untrusted')
  })

  it('refuses a certificate that is for servers only', async () => {
    const extensions = 'basicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n'
    const device = await fixture.device('server', { extensions })
    await whitelist('server')
    assert.equal((await fixture.write(device)).body, 'certificate_untrusted')
    const silent = await fixture.device('silent', { extensions: 'basicConstraints=CA:FALSE\n' })
    await whitelist('silent')
    assert.equal((await fixture.write(silent)).status, 204)
  })

  it('refuses a subject with two common names, or none', async () => {
    await whitelist('one')
    await whitelist('two')
    const two = await fixture.device('two', { subject: '/CN=one/CN=two' })
    assert.equal((await fixture.write(two)).body, 'certificate_untrusted')
    const none = await fixture.device('none', { subject: '/O=two' })
    assert.equal((await fixture.write(none)).body, 'certificate_untrusted')
    const odd = await fixture.device('odd', { subject: '/O=x\\/CN=two/CN=one' })
    assert.equal((await fixture.write(odd)).status, 204)
    assert.deepEqual(await fixture.lines('two'), [])
  })
})

describe('a connector where devices register themselves by certificate', () => {
  it('provisions with the common name, where it conforms and the CA vouches', async (t) => {
    const fixture = await certificateFixture(t, {
      connector: { selfRegistration: true, identityFormat: { prefix: 'm-', type: 'number' } },
    })
    const device = await fixture.device('m-7')
    assert.equal((await fixture.write(device)).status, 204)
    assert.deepEqual(await fixture.lines('m-7'), ['provisioned', 'write'])
    const odd = await fixture.device('x-7')
    assert.deepEqual(await fixture.write(odd), { status: 400, body: 'invalid_argument' })
    const other = await openCa(fixture.openssl)
    const forged = await fixture.device('m-8', { by: other })
    assert.equal((await fixture.write(forged)).body, 'certificate_untrusted')
    const { businessId, platform } = fixture.millrace
    const { connectors } = platform.provisioning
    const full = await fixture.device('m-11')
    const patch = (part: object) => connectors.patch(businessId, fixture.connector.id, part)
    await patch({ identitiesMax: 1 })
    assert.deepEqual(await fixture.write(full), { status: 507, body: 'connector_full' })
    await patch({ identitiesMax: 2, registrationsPerMinute: 1 })
    assert.deepEqual(await fixture.write(full), { status: 429, body: 'too_many_requests' })
    const ipRestriction = { enabled: true, allowed: ['192.0.2.1'] }
    await connectors.patch(businessId, fixture.connector.id, { ipRestriction })
    const elsewhere = await fixture.device('m-9')
    assert.equal((await fixture.write(elsewhere)).body, 'address_not_allowed')
    assert.equal((await fixture.write(device)).status, 204)
    await connectors.patch(businessId, fixture.connector.id, { pki: { enabled: false } })
    const alone = await fixture.device('m-10')
    assert.equal((await fixture.write(alone)).body, 'certificate_untrusted')
    assert.equal((await fixture.write(device)).status, 204)
  })
})
