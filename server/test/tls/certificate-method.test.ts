import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { limits } from '../../src/kernel/index.ts'
import { suiteContext } from '../fixtures/suite.ts'
import { openCa } from '../fixtures/wire/ca.ts'
import { type CertificateWorld, certificateWorld } from '../fixtures/wire/certificates.ts'
import { keyKinds } from '../fixtures/wire/openssl.ts'

const hourMs = 3_600_000

describe('the TLS client certificate method', () => {
  const suite = suiteContext()
  let world: CertificateWorld
  before(async () => {
    world = await certificateWorld(suite)
  })

  const identities = () => world.millrace.platform.provisioning.identities
  const whitelist = (identity: string, input = {}) =>
    identities().whitelist(world.millrace.businessId, world.connector.id, identity, input)
  const get = (identity: string) =>
    identities().get(world.millrace.businessId, world.connector.id, identity)

  for (const version of ['1.2', '1.3']) {
    it(`provisions on the first data write over TLS ${version}, and logs both`, async () => {
      const args = ['--tls-max', version, `--tlsv${version}`]
      const device = await world.device(`first-${version}`)
      await whitelist(device.identity)
      assert.deepEqual(await world.write(device, { args }), { status: 204, body: '' })
      assert.deepEqual(await world.lines(device.identity), ['provisioned', 'write'])
      assert.deepEqual(await world.write(device, { args, body: 'a=2' }), { status: 204, body: '' })
      assert.deepEqual(await world.lines(device.identity), ['provisioned', 'write', 'write'])
      const { status, auth } = await get(device.identity)
      assert.deepEqual({ status, auth }, { status: 'provisioned', auth: { type: 'certificate' } })
    })
  }

  for (const [name, kind] of Object.entries(keyKinds)) {
    it(`takes a device whose key is ${name}`, async () => {
      const device = await world.device(`key-${name}`, { kind })
      await whitelist(device.identity)
      assert.equal((await world.write(device)).status, 204)
    })
  }

  it('takes the chain, and the device’s certificate alone', async () => {
    const device = await world.device('alone')
    await whitelist('alone')
    const alone = { ...device, chainFile: device.certificateFile }
    assert.equal((await world.write(alone)).status, 204)
    assert.equal((await world.write(device)).status, 204)
  })

  it('is not known without a certificate', async () => {
    const answer = await world.write(undefined)
    assert.deepEqual(answer, { status: 401, body: 'unknown_credential' })
  })

  it('answers 415 to an activate call, with a certificate and without', async () => {
    const device = await world.device('activating')
    await whitelist('activating')
    const path = '/provision/activate'
    for (const who of [device, undefined]) {
      for (const data of ['id=activating', 'id=activating&password=twenty bytes at least']) {
        const answer = await world.write(who, { path, args: ['--data', data] })
        assert.deepEqual(answer, { status: 415, body: 'wrong_method' })
      }
    }
    assert.equal((await get('activating')).status, 'whitelisted')
  })

  it('refuses a certificate whose start time is in the future until it comes', async () => {
    const device = await world.device('early')
    await whitelist('early', { expire: null })
    world.millrace.clock.advance(-hourMs)
    const early = await world.write(device)
    world.millrace.clock.advance(hourMs)
    assert.deepEqual(early, { status: 403, body: 'certificate_not_yet_valid' })
    assert.equal((await get('early')).status, 'whitelisted')
    assert.equal((await world.write(device)).status, 204)
  })

  it('refuses a certificate that has expired, also of a device that was provisioned', async () => {
    const device = await world.device('old', { days: 1 })
    const other = await world.device('older', { days: 1 })
    await whitelist('old')
    await whitelist('older', { expire: null })
    assert.equal((await world.write(device)).status, 204)
    world.millrace.clock.advance(25 * hourMs)
    const answers = [await world.write(device), await world.write(other)]
    world.millrace.clock.advance(-25 * hourMs)
    const expired = { status: 403, body: 'certificate_expired' }
    assert.deepEqual(answers, [expired, expired])
    assert.equal((await get('older')).status, 'whitelisted')
  })

  it('refuses a certificate that another authority has signed, even one of that name', async () => {
    const stranger = await openCa(world.openssl, 'Example CA')
    const device = await world.device('forged', { by: stranger })
    await whitelist('forged')
    const answer = await world.write(device)
    assert.deepEqual(answer, { status: 403, body: 'certificate_untrusted' })
    const extensions = 'authorityKeyIdentifier=none\nsubjectKeyIdentifier=none\n'
    const nameless = await world.device('forged', { by: stranger, extensions })
    assert.deepEqual(await world.write(nameless), answer)
    assert.equal((await get('forged')).status, 'whitelisted')
  })

  it('refuses a certificate below an authority of the client CA', async () => {
    const { csr, key } = await world.openssl.request({ subject: '/CN=middle' })
    const extensions = 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n'
    const pem = await world.ca.sign(csr, { extensions })
    const [keyFile, certificateFile] = [
      await world.openssl.write('middle.key', key),
      await world.openssl.write('middle.pem', pem),
    ]
    const { csr: leaf, key: leafKey } = await world.openssl.request({ subject: '/CN=below' })
    const request = await world.openssl.write('below.csr', leaf)
    const by = ['-CA', certificateFile, '-CAkey', keyFile, '-CAcreateserial', '-days', '9']
    const below = await world.openssl.say('x509', '-req', '-in', request, ...by)
    await whitelist('below')
    const device = {
      ...{ identity: 'below', pem: below, certificateFile },
      keyFile: await world.openssl.write('below.key', leafKey),
      chainFile: await world.openssl.write('below-chain.pem', `${below}${pem}${world.ca.pem}`),
    }
    assert.equal((await world.write(device)).body, 'certificate_untrusted')
    await whitelist('middle')
    const middle = { ...device, keyFile, chainFile: certificateFile }
    assert.equal((await world.write(middle)).body, 'certificate_untrusted')
  })

  it('refuses a certificate that is for servers only', async () => {
    const extensions = 'basicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n'
    const device = await world.device('server', { extensions })
    await whitelist('server')
    assert.equal((await world.write(device)).body, 'certificate_untrusted')
    const silent = await world.device('silent', { extensions: 'basicConstraints=CA:FALSE\n' })
    await whitelist('silent')
    assert.equal((await world.write(silent)).status, 204)
  })

  it('refuses a subject with two common names, or none', async () => {
    await whitelist('one')
    await whitelist('two')
    const two = await world.device('two', { subject: '/CN=one/CN=two' })
    assert.equal((await world.write(two)).body, 'certificate_untrusted')
    const none = await world.device('none', { subject: '/O=two' })
    assert.equal((await world.write(none)).body, 'certificate_untrusted')
    const odd = await world.device('odd', { subject: '/O=x\\/CN=two/CN=one' })
    assert.equal((await world.write(odd)).status, 204)
    assert.deepEqual(await world.lines('two'), [])
  })

  it('needs the common name to be the identity, letter by letter', async () => {
    await whitelist('Case')
    const device = await world.device('case')
    assert.deepEqual(await world.write(device), { status: 404, body: 'unknown_identity' })
    assert.deepEqual(await world.lines('Case'), [])
  })

  it('must be the one associated with the device', async () => {
    const first = await world.device('twice')
    const second = await world.device('twice')
    await whitelist('twice')
    assert.equal((await world.write(first)).status, 204)
    const answer = await world.write(second)
    assert.deepEqual(answer, { status: 403, body: 'certificate_mismatch' })
    assert.equal((await world.write(first)).status, 204)
    await whitelist('twice', { reprovision: true })
    assert.equal((await world.write(second)).status, 204)
    assert.equal((await world.write(first)).body, 'certificate_mismatch')
  })

  it('of many first writes at once all are taken, and one provisions', async () => {
    const device = await world.device('crowd')
    await whitelist('crowd')
    const answers = await Promise.all(Array.from({ length: 16 }, () => world.write(device)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204])
    const lines = await world.lines('crowd')
    assert.equal(lines.filter((kind) => kind === 'provisioned').length, 1)
    assert.equal(lines.filter((kind) => kind === 'write').length, 16)
  })

  it('is provisioned within the activation window only', async () => {
    const device = await world.device('late', { days: 9 })
    await whitelist('late')
    world.millrace.clock.advance(limits.activationWindowHours * hourMs + hourMs)
    const late = await world.write(device)
    world.millrace.clock.advance(-limits.activationWindowHours * hourMs - hourMs)
    assert.deepEqual(late, { status: 404, body: 'window_closed' })
  })

  it('of a locked device is refused with a valid certificate', async () => {
    const device = await world.device('locked')
    await whitelist('locked', { locked: true })
    assert.deepEqual(await world.write(device), { status: 403, body: 'locked' })
    await whitelist('locked', { locked: false })
    assert.equal((await world.write(device)).status, 204)
    await whitelist('locked', { locked: true })
    assert.deepEqual(await world.write(device), { status: 403, body: 'locked' })
  })

  it('is refused for an identity that nobody whitelisted', async () => {
    const device = await world.device('stranger')
    assert.deepEqual(await world.write(device), { status: 404, body: 'unknown_identity' })
    assert.deepEqual(await world.lines('stranger'), [])
  })

  it('is known on each request of a connection', async () => {
    const device = await world.device('steady')
    await whitelist('steady')
    const again = `https://${world.host}:${world.port}/vendor:v1/stack/alias`
    const both = await world.write(device, { args: [again, '-w', '%{http_code} %{num_connects},'] })
    assert.equal(both.body, '204 1,204 0,')
  })

  it('reads, too, once it was provisioned', async () => {
    const device = await world.device('reader')
    await whitelist('reader')
    await world.write(device, { body: 'a=7' })
    const path = '/vendor:v1/stack/alias?a'
    assert.deepEqual(await world.write(device, { path }), { status: 200, body: 'a=7' })
  })
})

describe('a connector where devices register themselves by certificate', () => {
  it('provisions with the common name, where it conforms and the CA vouches', async (t) => {
    const world = await certificateWorld(t, {
      selfRegistration: true,
      identityFormat: { prefix: 'm-', type: 'number' },
    })
    const device = await world.device('m-7')
    assert.equal((await world.write(device)).status, 204)
    assert.deepEqual(await world.lines('m-7'), ['provisioned', 'write'])
    const odd = await world.device('x-7')
    assert.deepEqual(await world.write(odd), { status: 400, body: 'invalid_argument' })
    const other = await openCa(world.openssl)
    const forged = await world.device('m-8', { by: other })
    assert.equal((await world.write(forged)).body, 'certificate_untrusted')
    const { businessId, platform } = world.millrace
    const { connectors } = platform.provisioning
    const full = await world.device('m-11')
    const patch = (part: object) => connectors.patch(businessId, world.connector.id, part)
    await patch({ identitiesMax: 1 })
    assert.deepEqual(await world.write(full), { status: 507, body: 'connector_full' })
    await patch({ identitiesMax: 2, registrationsPerMinute: 1 })
    assert.deepEqual(await world.write(full), { status: 429, body: 'too_many_requests' })
    const ipRestriction = { enabled: true, allowed: ['192.0.2.1'] }
    await connectors.patch(businessId, world.connector.id, { ipRestriction })
    const elsewhere = await world.device('m-9')
    assert.equal((await world.write(elsewhere)).body, 'address_not_allowed')
    assert.equal((await world.write(device)).status, 204)
    await connectors.patch(businessId, world.connector.id, { pki: { enabled: false } })
    const alone = await world.device('m-10')
    assert.equal((await world.write(alone)).body, 'certificate_untrusted')
    assert.equal((await world.write(device)).status, 204)
  })
})
