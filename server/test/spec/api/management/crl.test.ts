import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { testClock } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { openCa, type TestCa } from '../../../fixtures/wire/ca.ts'
import { openCrls, type TestCrls } from '../../../fixtures/wire/crl.ts'
import { assertOk, assertRefused, managementFixture } from '../../../fixtures/wire/management.ts'
import { type Openssl, openOpenssl } from '../../../fixtures/wire/openssl.ts'

const pemType = { 'content-type': 'application/x-pem-file' }
const derType = { 'content-type': 'application/pkix-crl' }

let openssl: Openssl

let ca: TestCa

let crls: TestCrls

let fixture: Awaited<ReturnType<typeof managementFixture>>

let url: string

const clock = testClock()

const shareInstance = sharedBySuites(async (suite) => {
  openssl = await openOpenssl(suite)
  ca = await openCa(openssl)
  crls = await openCrls(openssl, ca)
  fixture = await managementFixture(suite, { own: 'moves the clock', clock })
  url = `${fixture.device}/crl`
  await trust(ca)
})

const trust = async ({ pem }: TestCa) => {
  const body = { provisioning: { pki: { enabled: true, ca: pem } } }
  assertOk(await fixture.ask('PATCH', fixture.device, { body }))
}

const put = (crl: string | Buffer, headers: Record<string, string> = pemType) =>
  fixture.ask('PUT', url, { body: crl, headers })

const toDer = async (pem: string) => {
  const file = await openssl.write('list.pem', pem)
  await openssl.command('crl', '-in', file, '-outform', 'DER', '-out', openssl.path('list.der'))
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
}

const revokedPem = async (subject: string) => {
  const { csr } = await openssl.request({ subject })
  return ca.sign(csr)
}

const clear = () => fixture.ask('DELETE', url)

describe('the revocation list of a connector: put, shown and removed', () => {
  shareInstance()

  it('is put as PEM, shown, and removed', async () => {
    await crls.revoke(await revokedPem('/CN=gone'))
    const pem = await crls.make({ number: 300 })
    const topics: string[] = []
    fixture.changes.onChange(({ topic }) => topics.push(topic))
    const answer = await put(pem)
    assertOk(answer)
    assert.ok(topics.splice(0).includes('connectors'))
    const body = answer.json()
    assert.deepEqual(
      { ...body, crl: '', this_update: 0, next_update: 0 },
      { crl: '', number: '300', this_update: 0, next_update: 0, revoked: 1, stale: false },
    )
    assert.ok(Math.abs(body.this_update / 1_000 - Date.now()) < 60_000)
    assert.equal((body.next_update - body.this_update) / 1_000_000, 30 * 86_400)
    assert.deepEqual(await toDer(body.crl), await toDer(pem))
    assert.deepEqual((await fixture.ask('GET', url)).json(), body)
    assertOk(await clear(), 204)
    assert.ok(topics.includes('connectors'))
    assertRefused(await fixture.ask('GET', url), 'not_found')
  })

  it('is put as DER, and as PEM in JSON', async () => {
    const pem = await crls.make()
    assertOk(await put(await toDer(pem), derType))
    const jsonType = { 'content-type': 'application/json; charset=utf-8' }
    assertOk(await put(JSON.stringify({ crl: pem }), jsonType))
    assertRefused(await put('{', jsonType), 'malformed_request')
    assertRefused(await put('{"crl":7}', jsonType), 'invalid_argument', /crl must be a string/)
    assertRefused(await put('{"list":""}', jsonType), 'invalid_argument', /list/)
  })

  it('may have openssl’s text form before it', async () => {
    const pem = await crls.make()
    const file = await openssl.write('told.pem', pem)
    assertOk(await put(`\ufeff${await openssl.command('crl', '-in', file, '-text')}end`))
  })

  it('is stale when a newer one is due, and stays', async () => {
    assertOk(await put(await crls.make()))
    clock.step(31 * 86_400_000)
    assert.equal((await fixture.ask('GET', url)).json().stale, true)
    clock.step(-31 * 86_400_000)
  })
})

describe('the revocation list of a connector: the lists that are refused', () => {
  shareInstance()

  it('is refused where its number is lower than that of the one in force', async () => {
    const [older, newer] = [await crls.make({ number: 400 }), await crls.make({ number: 401 })]
    assertOk(await put(newer))
    assertRefused(await put(older), 'crl_outdated', /number is 400, and 401 is in force/)
    assertOk(await put(newer))
    assertOk(await clear(), 204)
    assertOk(await put(older))
  })

  it('without a number it is refused where it was made before the one in force', async () => {
    await clear()
    const plain = await openCrls(openssl, ca, { extensions: '' })
    const day = (offset: number) => {
      const date = new Date(Date.now() + offset * 86_400_000).toISOString()
      return `${date.slice(0, 19).replace(/[-T:]/g, '')}Z`
    }
    const made = (from: number) =>
      plain.make({ more: ['-crl_lastupdate', day(from), '-crl_nextupdate', day(9)] })
    const [older, newer] = [await made(-2), await made(-1)]
    const answer = await put(newer)
    assertOk(answer)
    assert.equal(answer.json().number, null)
    assertRefused(await put(older), 'crl_outdated', /made later/)
    await clear()
    const [expired, early] = [
      await plain.make({ more: ['-crl_lastupdate', day(-3), '-crl_nextupdate', day(-1)] }),
      await made(1),
    ]
    assertRefused(await put(expired), 'crl_refused', /was valid until/)
    assertRefused(await put(early), 'crl_refused', /not valid before/)
  })

  it('is refused where another authority signed it, even one of the same name', async () => {
    const [named, otherCa] = [await openCa(openssl), await openCa(openssl, 'Other CA')]
    const of = async (authority: TestCa) => (await openCrls(openssl, authority)).make()
    assertRefused(await put(await of(named)), 'crl_refused', /the signature is not that/)
    assertRefused(await put(await of(otherCa)), 'crl_refused', /its issuer is not/)
    assertRefused(await fixture.ask('GET', url), 'not_found')
  })

  it('is rejected if it is only a part, or has what is not supported', async () => {
    const of = async (extensions: string) => (await openCrls(openssl, ca, { extensions })).make()
    const part = await of('issuingDistributionPoint=critical,@p\n[p]\nonlyuser=TRUE')
    assertRefused(await put(part), 'crl_refused', /a whole list/)
    const delta = await of('2.5.29.27=critical,DER:020101')
    assertRefused(await put(delta), 'crl_refused', /a whole list/)
    const odd = await of('1.2.3.4=critical,DER:0500')
    assertRefused(await put(odd), 'crl_refused', /the critical extension 1\.2\.3\.4/)
    assertOk(await put(await of('1.2.3.4=DER:0500')))
    await clear()
  })

  it('is refused where a single bit of it is another', async () => {
    const der = await toDer(await crls.make())
    const codes = new Set<string>()
    for (let at = 0; at < der.length; at += 1) {
      const bent = Buffer.from(der)
      bent[at] = (bent[at] ?? 0) ^ 1
      const answer = await put(bent, derType)
      assert.equal(answer.statusCode, 400, `byte ${at}: ${answer.body}`)
      codes.add(answer.json().code)
    }
    assert.deepEqual([...codes], ['crl_refused'])
    for (const part of [der.subarray(0, -1), Buffer.concat([der, Buffer.from([0])])]) {
      assertRefused(await put(part, derType), 'crl_refused')
    }
  })

  for (const [name, body] of [
    ['nothing', ''],
    ['a text', 'no list'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n'],
    ['two blocks', '-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n'.repeat(2)],
    ['bad base64', '-----BEGIN X509 CRL-----\nMAAA=\n-----END X509 CRL-----\n'],
  ] as const) {
    it(`is refused where it is ${name}`, async () => {
      assertRefused(await put(body), 'crl_refused')
    })
  }

  it('is refused where it is larger than the limit', async () => {
    assertRefused(await put(Buffer.alloc(limits.crlBytesMax + 1, 0x30), derType), 'too_large')
    assertRefused(await put(Buffer.alloc(limits.crlBytesMax, 0x30), derType), 'crl_refused')
  })
})

describe('the revocation list of a connector: the authority that signs it', () => {
  shareInstance()

  it('needs the client CA', async () => {
    const body = { provisioning: { pki: { enabled: false, ca: null } } }
    const list = await crls.make()
    assertOk(await fixture.ask('PATCH', fixture.device, { body }))
    const answer = await put(list)
    assertRefused(answer, 'invalid_argument', /^provisioning\.pki\.ca is needed/)
    await trust(ca)
  })

  it('is rejected if the client CA may not sign lists', async () => {
    const [keyFile, certificateFile] = [openssl.path('mute.key'), openssl.path('mute.pem')]
    const usage = ['-addext', 'keyUsage=critical,keyCertSign', '-subj', '/CN=Mute']
    await openssl.command('genpkey', '-algorithm', 'EC', '-pkeyopt', 'group:P-256', '-out', keyFile)
    await openssl.command('req', '-x509', '-key', keyFile, '-out', certificateFile, ...usage)
    const mute = { ...ca, keyFile, certificateFile, pem: await openssl.read('mute.pem') }
    await trust(mute)
    const list = await (await openCrls(openssl, mute)).make()
    assertRefused(await put(list), 'crl_refused', /lacks cRLSign/)
    await trust(ca)
  })

  it('of an RSA authority is taken, too', async () => {
    const [keyFile, certificateFile] = [openssl.path('rsa.key'), openssl.path('rsa.pem')]
    const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile, '-subj', '/CN=RSA']
    await openssl.command('req', '-x509', ...made, '-out', certificateFile)
    const rsa = { ...ca, keyFile, certificateFile, pem: await openssl.read('rsa.pem') }
    await trust(rsa)
    assertOk(await put(await (await openCrls(openssl, rsa)).make()))
    await trust(ca)
    await clear()
  })
})
