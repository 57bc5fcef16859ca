import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { exampleConnector, unique } from '../fixtures/platform.ts'
import { suiteContext } from '../fixtures/suite.ts'
import {
  type CertificateDevice,
  type CertificateFixture,
  certificateFixture,
} from '../fixtures/wire/certificates.ts'
import { newDevice } from '../fixtures/wire/device.ts'

const [other, second] = [unique('other'), unique('second')] as const

describe('TLS sessions and client certificates, with openssl as the client', () => {
  const suite = suiteContext()
  let fixture: CertificateFixture
  let device: CertificateDevice
  before(async () => {
    fixture = await certificateFixture(suite)
    device = await fixture.device('d')
    const { businessId, platform } = fixture.millrace
    const { connectors, identities } = platform.provisioning
    await identities.whitelist(businessId, fixture.connector.id, 'd')
    await connectors.create(businessId, { ...exampleConnector, id: other })
    const pki = { enabled: true, caPem: fixture.ca.pem }
    const more = { id: second, authType: 'certificate', selfRegistration: false, pki }
    await connectors.create(businessId, { ...exampleConnector, ...more })
  })

  const withKey = () => ['-cert', device.certificateFile, '-key', device.keyFile]
  const named = (host = fixture.host) => ['-servername', host]
  const write = (...args: string[]) => fixture.writeByOpenssl(args)

  it('names no authority when it requests the certificate', async () => {
    for (const version of ['-tls1_2', '-tls1_3']) {
      for (const name of [named(), ['-noservername']]) {
        const { output } = await write(version, ...name)
        assert.match(output, /No client certificate CA names sent/)
        assert.match(output, /Requested Signature Algorithms|Client Certificate Types/)
      }
    }
  })

  for (const version of ['-tls1_2', '-tls1_3']) {
    it(`authenticates the device on a fresh connection, ${version}`, async () => {
      const answer = await write(version, ...named(), ...withKey())
      assert.deepEqual([answer.status, answer.reused], [204, false], answer.output)
      const chained = [...named(`${fixture.host}.`), '-cert_chain', device.chainFile]
      const chain = await write(version, ...chained, ...withKey())
      assert.equal(chain.status, 204)
    })

    it(`does not accept a session that began without a certificate, ${version}`, async () => {
      const file = fixture.openssl.path(`anonymous${version}`)
      const fresh = await write(version, ...named(), '-sess_out', file)
      assert.deepEqual([fresh.status, fresh.reused], [401, false])
      const resumed = await write(version, ...named(), '-sess_in', file)
      assert.deepEqual([resumed.status, resumed.reused], [401, true], resumed.output)
      const late = await write(version, ...named(), '-sess_in', file, ...withKey())
      assert.deepEqual([late.status, late.reused], [401, true])
    })

    it(`authenticates the device of a session that it resumes, ${version}`, async () => {
      const file = fixture.openssl.path(`known${version}`)
      await write(version, ...named(), ...withKey(), '-sess_out', file)
      const resumed = await write(version, ...named(), '-sess_in', file)
      assert.deepEqual([resumed.status, resumed.reused], [204, true], resumed.output)
    })

    it(`refuses the resumed session of a device that is locked meanwhile, ${version}`, async () => {
      const { businessId, platform } = fixture.millrace
      const { identities } = platform.provisioning
      const file = fixture.openssl.path(`locked${version}`)
      await write(version, ...named(), ...withKey(), '-sess_out', file)
      await identities.whitelist(businessId, fixture.connector.id, 'd', { locked: true })
      const resumed = await write(version, ...named(), '-sess_in', file)
      await identities.whitelist(businessId, fixture.connector.id, 'd', { locked: false })
      assert.deepEqual([resumed.status, resumed.body, resumed.reused], [403, 'locked', true])
    })

    it(`takes no session to another connector, ${version}`, async () => {
      const file = fixture.openssl.path(`moved${version}`)
      await write(version, ...named(), ...withKey(), '-sess_out', file)
      const moved = [version, ...named(`${second}.localhost`), '-sess_in', file]
      const answer = await fixture.writeByOpenssl(moved, `${second}.localhost`)
      assert.ok([401, 404, 421].includes(answer.status), answer.output)
      const fresh = [version, ...named(`${second}.localhost`), ...withKey()]
      const same = await fixture.writeByOpenssl(fresh, `${second}.localhost`)
      assert.deepEqual([same.status, same.body], [404, 'unknown_identity'])
    })

    it(`answers 421 where the name of the connection and Host differ, ${version}`, async () => {
      const siblings = [version, ...named(`${other}.localhost`), ...withKey()]
      const answer = await fixture.writeByOpenssl(siblings)
      assert.deepEqual([answer.status, answer.body], [421, 'wrong_host'])
      const legacy = await fixture.writeByOpenssl([version, ...named(), ...withKey()], 'm2.example')
      assert.deepEqual([legacy.status, legacy.body], [421, 'wrong_host'])
    })

    it(`finds the connector by Host where the connection names none, ${version}`, async () => {
      const answer = await write(version, '-noservername', ...withKey())
      assert.equal(answer.status, 204, answer.output)
      const nobody = [version, '-noservername', ...withKey()]
      const elsewhere = await fixture.writeByOpenssl(nobody, 'nobody.localhost')
      assert.equal(elsewhere.status, 401)
    })

    it(`lets the port and the case of Host be what they are, ${version}`, async () => {
      const host = `${fixture.connector.id.toUpperCase()}.LocalHost:${fixture.port}`
      const answer = await fixture.writeByOpenssl([version, ...named(), ...withKey()], host)
      assert.equal(answer.status, 204, answer.output)
    })
  }

  it('resumes under TLS 1.2 with a session without a name, by Host', async () => {
    const file = fixture.openssl.path('nameless')
    await write('-tls1_2', ...named(), ...withKey(), '-sess_out', file)
    const resumed = await write('-tls1_2', '-noservername', '-sess_in', file)
    assert.deepEqual([resumed.status, resumed.reused], [204, true], resumed.output)
  })

  it('lets a token be used with a fixed legacy Host, and not with a sibling’s', async () => {
    const token = await newDevice(fixture.millrace.httpUrl, other, 'by-token')
    const credential = ['-H', `X-vendor-CIK: ${token.token}`]
    const to = async (...headers: string[]) => {
      const args = [...credential, ...headers.flatMap((line) => ['-H', line])]
      return (await fixture.write(undefined, { host: `${other}.localhost`, args })).status
    }
    assert.equal(await to(), 204)
    assert.equal(await to('Host: m2.legacy.example'), 204)
    assert.equal(await to(`Host: ${fixture.host}`), 421)
  })
})
