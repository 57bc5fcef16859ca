import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type SigningFixture, signingFixture } from '../../../../../test/fixtures/peers/signer.ts'
import { estServer } from '../../../../../test/fixtures/peers/vendors.ts'
import { openWeb, type WebAnswer } from '../../../../../test/fixtures/peers/web.ts'
import { refuses } from '../../../../../test/fixtures/provisioning.ts'
import { suiteContext } from '../../../../../test/fixtures/suite.ts'
import { openCa, type TestCa } from '../../../../../test/fixtures/wire/ca.ts'
import { keyKinds, type Openssl, openOpenssl } from '../../../../../test/fixtures/wire/openssl.ts'

const run = promisify(execFile)
const basic = `Basic ${Buffer.from('operator:s3cret').toString('base64')}`

describe('the vendor est', () => {
  const suite = suiteContext()
  let world: SigningFixture
  let openssl: Openssl
  let ca: TestCa
  before(async () => {
    openssl = await openOpenssl(suite)
    world = await signingFixture(suite)
    ca = await openCa(openssl)
  })

  const sign = async (url: string, part: object = {}, kind: readonly string[] = keyKinds.ec) => {
    const { csr } = await openssl.request({ subject: '/CN=d1', kind })
    return world.signer.sign('c1', 'd1', csr, { vendor: 'est', url, caPem: ca.pem, ...part })
  }

  it('is tested against a server that works with curl and openssl', async (t) => {
    const { key, csr } = await openssl.request({ subject: '/CN=127.0.0.1' })
    const own = { extensions: 'subjectAltName=IP:127.0.0.1\n' }
    const tls = { key, cert: await ca.sign(csr, own) }
    const { url } = await estServer(t, openssl, ca, { authorization: basic, tls })
    const curl = ['-sS', '--fail', '--cacert', ca.certificateFile, '--max-time', '20']
    const device = await openssl.request({ subject: '/CN=d1' })
    const der = ['req', '-in', await openssl.write('d1.csr', device.csr), '-outform', 'DER']
    await openssl.command(...der, '-out', 'd1.der')
    await openssl.command('base64', '-in', 'd1.der', '-out', 'd1.b64')
    const type = ['-H', 'Content-Type: application/pkcs10']
    const enroll = [`${url}/.well-known/est/simpleenroll`, '--data-binary']
    const body = `@${openssl.path('d1.b64')}`
    const { stdout } = await run('curl', [
      ...curl,
      '-u',
      'operator:s3cret',
      ...type,
      ...enroll,
      body,
    ])
    await openssl.write('d1.p7b', stdout)
    await openssl.command('base64', '-d', '-in', 'd1.p7b', '-out', 'd1.p7')
    const inside = ['pkcs7', '-inform', 'DER', '-in', 'd1.p7', '-print_certs']
    const leaf = await openssl.write('d1.pem', await openssl.command(...inside))
    assert.match(await openssl.command('verify', '-CAfile', ca.certificateFile, leaf), /: OK/)
    await assert.rejects(run('curl', [...curl, ...type, ...enroll, body]), /401/)
  })

  for (const kind of ['ec', 'rsa', 'ed25519'] as const) {
    it(`sends PKCS#10 in base64 and reads PKCS#7, with HTTP Basic (${kind})`, async (t) => {
      const server = await estServer(t, openssl, ca, { authorization: basic })
      const apiKey = 'operator:s3cret'
      const { certificatePem } = await sign(server.url, { apiKey }, keyKinds[kind])
      const leaf = await openssl.write(`est-${kind}.pem`, certificatePem)
      assert.match(await openssl.command('verify', '-CAfile', ca.certificateFile, leaf), /: OK/)
      const [request] = server.requests
      assert.equal(request?.headers['content-transfer-encoding'], 'base64')
      assert.match(String(request?.body), /^([A-Za-z0-9+/=]{1,64}\r\n)+$/)
    })
  }

  it('sends any other key as a bearer token', async (t) => {
    const { url } = await estServer(t, openssl, ca, { authorization: 'Bearer abc.def' })
    await sign(url, { apiKey: 'abc.def' })
    await refuses('vendor_failed', () => sign(url, { apiKey: 'abc' }), 'est answered HTTP 401')
    await refuses('vendor_failed', () => sign(url), 'est answered HTTP 401')
  })

  it('calls the authority that the profile names, below any path of the URL', async (t) => {
    const { url } = await estServer(t, openssl, ca, { label: 'line%201' })
    await sign(`${url}/`, { profile: 'line 1' })
    await refuses('vendor_failed', () => sign(url, { profile: '../../x' }), 'HTTP 404')
    await refuses('vendor_failed', () => sign(`${url}/below`, { profile: 'line 1' }), 'HTTP 404')
  })

  it('reads PKCS#7 as bytes, and with open lengths as some servers write them', async (t) => {
    const { csr } = await openssl.request({ subject: '/CN=d1' })
    const leaf = await openssl.write('bytes.pem', `${await ca.sign(csr)}${ca.pem}`)
    const bundle = ['crl2pkcs7', '-nocrl', '-certfile', leaf, '-outform', 'DER']
    await openssl.command(...bundle, '-out', 'bytes.p7')
    const der = await readFile(openssl.path('bytes.p7'))
    for (const body of [der, opened(der), Buffer.from(opened(der).toString('base64'))]) {
      const { url } = await openWeb(t, () => ({ status: 200, body }))
      const choice = { vendor: 'est', url, caPem: ca.pem } as const
      await world.signer.sign('c1', 'd1', csr, choice)
    }
  })

  it('reports the fault of every other answer', async (t) => {
    const html = '<html><b>secret-key</b> is not welcome</html>'
    const answers: [WebAnswer, RegExp][] = [
      [{ status: 202, headers: { 'retry-after': '600' } }, /asked again later \(after 600 s\)/],
      [{ status: 202 }, /asked again later: it does not sign by itself/],
      [{ status: 204 }, /answered HTTP 204\.$/],
      [{ status: 500, body: html }, /answered HTTP 500: "<html><b>\(API key\)<\/b> is not wel/],
      [{ status: 302, headers: { location: 'http://127.0.0.1/' } }, /answered HTTP 302/],
      [{ status: 200, body: '' }, /something else than PKCS#7/],
      [{ status: 200, body: html }, /something else than PKCS#7/],
      [{ status: 200, body: 'AAAA' }, /something else than PKCS#7/],
      [{ status: 200, body: Buffer.alloc(10_000, '\x30\x80', 'latin1') }, /something else/],
      [{ status: 200, body: Buffer.alloc(300 * 1024) }, /larger than 262144 bytes/],
    ]
    for (const [answer, says] of answers) {
      const { url } = await openWeb(t, () => answer)
      await refuses('vendor_failed', () => sign(url, { apiKey: 'secret-key' }), says)
    }
  })
})

/** The outer three layers of a PKCS#7 with their lengths left open. */
function opened(der: Buffer): Buffer {
  const open = (tag: number, content: Buffer) =>
    Buffer.concat([Buffer.from([tag, 0x80]), content, Buffer.from([0, 0])])
  const inside = (at: number) => at + 2 + (der.readUInt8(at + 1) & 0x7f)
  const outer = inside(0)
  const explicit = outer + 11
  const data = inside(explicit)
  const kind = der.subarray(outer, explicit)
  const content = der.subarray(inside(data))
  return open(0x30, Buffer.concat([kind, open(0xa0, open(0x30, content))]))
}
