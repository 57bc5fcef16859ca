import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { type SigningFixture, signingFixture } from '../../../../../test/fixtures/peers/signer.ts'
import {
  cfsslProfiles,
  fakeCfssl,
  hasCfssl,
  realCfssl,
} from '../../../../../test/fixtures/peers/vendors.ts'
import { refuses } from '../../../../../test/fixtures/provisioning.ts'
import { suiteContext } from '../../../../../test/fixtures/suite.ts'
import { openCa, type TestCa } from '../../../../../test/fixtures/wire/ca.ts'
import { keyKinds, type Openssl, openOpenssl } from '../../../../../test/fixtures/wire/openssl.ts'

const installed = await hasCfssl()
const missing = 'the command cfssl is not installed here (Debian: golang-cfssl)'

/** The same for `cfssl serve` itself and for the fake that stands in where it is missing. */
for (const real of [true, false]) {
  const skip = real && !installed ? missing : false
  describe(real ? 'the vendor cfssl, a real `cfssl serve`' : 'the vendor cfssl, its fake', {
    skip,
  }, () => {
    const suite = suiteContext()
    let world: SigningFixture
    let openssl: Openssl
    let ca: TestCa
    let url: string
    before(async () => {
      openssl = await openOpenssl(suite)
      world = await signingFixture(suite)
      ca = await openCa(openssl)
      url = await (real ? realCfssl(suite, openssl, ca) : fakeCfssl(suite, ca))
    })

    const { key, closed, open } = cfsslProfiles
    const sign = async (part: object, kind: readonly string[] = keyKinds.ec) => {
      const { csr } = await openssl.request({ subject: '/CN=d1', kind })
      return world.signer.sign('c1', 'd1', csr, { vendor: 'cfssl', url, caPem: ca.pem, ...part })
    }
    const days = (notAfter: number) => Math.round((notAfter - world.clock.nowMs()) / 86_400_000)

    for (const kind of ['ec', 'rsa'] as const) {
      it(`signs with profile and key, which it proves with an HMAC (${kind})`, async () => {
        const part = { profile: closed.name, apiKey: key }
        const { certificatePem, notAfter } = await sign(part, keyKinds[kind])
        assert.equal(days(notAfter), closed.days)
        const leaf = await openssl.write(`leaf-${kind}-${real}.pem`, certificatePem)
        const verify = ['verify', '-CAfile', ca.certificateFile, '-purpose', 'sslclient', leaf]
        assert.match(await openssl.command(...verify), /: OK/)
        const { subject } = new X509Certificate(certificatePem).toLegacyObject()
        assert.equal(subject.CN, 'd1')
      })
    }

    it('signs without a key if the profile needs none', async () => {
      const { notAfter } = await sign({ profile: open.name, apiKey: '' })
      assert.equal(days(notAfter), open.days)
    })

    it('passes on the message for a wrong key, a missing one, a wrong profile', async () => {
      const wrong = { profile: closed.name, apiKey: 'ab'.repeat(16) }
      await refuses('vendor_failed', () => sign(wrong), /cfssl answered HTTP 4\d\d: "/)
      await refuses('vendor_failed', () => sign({ profile: closed.name }), /HTTP [45]\d\d: "/)
      const malformed = { profile: closed.name, apiKey: 'not hexadecimal' }
      await refuses('vendor_failed', () => sign(malformed), 'needs an API key of hexadecimal')
    })

    it('fails where the client CA of the connector has not signed', async () => {
      const other = await openCa(openssl, 'Another CA')
      const part = { profile: open.name, caPem: other.pem }
      await refuses('vendor_failed', () => sign(part), "connector's client CA has not signed")
      await sign({ profile: open.name, caPem: `${other.pem}${ca.pem}` })
      await sign({ profile: open.name, caPem: '' })
    })
  })
}
