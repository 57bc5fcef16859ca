import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { refuses } from '../../../../test/fixtures/provisioning.ts'
import { suiteContext } from '../../../../test/fixtures/suite.ts'
import { keyKinds, type Openssl, openOpenssl } from '../../../../test/fixtures/wire/openssl.ts'
import { provisioningLimits } from '../limits.ts'
import { checkCsr } from './csr.ts'
import { readElementAlone, readElements } from './der.ts'
import { formatPem } from './pem.ts'

const suite = suiteContext()
let openssl: Openssl
let good: string
let goodDer: Buffer
before(async () => {
  openssl = await openOpenssl(suite)
  good = (await openssl.request({ subject: '/CN=d1' })).csr
  goodDer = checkCsr(good, 'd1').der
})

const refused = (pem: unknown, says: RegExp, identity = 'd1') =>
  refuses('csr_refused', () => checkCsr(pem, identity), says)
const inPem = (der: Buffer) => formatPem('CERTIFICATE REQUEST', der)
const request = (kind: readonly string[], extra: readonly string[] = []) =>
  openssl.request({ subject: '/CN=d1', kind, extra })

describe('a signing request that openssl made', () => {
  for (const [name, kind] of Object.entries(keyKinds)) {
    it(`passes with a key ${name}`, async () => {
      const { csr, key } = await request(kind)
      const checked = checkCsr(csr, 'd1')
      assert.equal(checked.commonName, 'd1')
      const given = await openssl.write('given.pem', key)
      const publicKey = await openssl.command('pkey', '-in', given, '-pubout')
      assert.equal(checked.publicKey.export({ type: 'spki', format: 'pem' }), publicKey)
      const again = await openssl.write('again.pem', checked.pem)
      assert.equal((await openssl.command('req', '-in', again)).trim(), csr.trim())
    })
  }

  it(`passes with at most ${provisioningLimits.csrCharsMax} characters`, () => {
    assert.equal(checkCsr(good.padEnd(provisioningLimits.csrCharsMax, '\n'), 'd1').commonName, 'd1')
    refused(good.padEnd(provisioningLimits.csrCharsMax + 1, '\n'), /at most \d+ characters/)
  })

  it('passes with other names beside CN, with attributes, CRLF and text around', async () => {
    const extra = ['-addext', 'subjectAltName=DNS:d1.example.com']
    const subject = '/C=CH/O=Example/OU=Line 1/CN=d1'
    const { csr } = await openssl.request({ subject, extra })
    checkCsr(csr, 'd1')
    checkCsr(`\r\n ${csr.replaceAll('\n', '\r\n')}\n\n`, 'd1')
    checkCsr(csr.replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'), 'd1')
    checkCsr(`\uFEFFSubject: CN=dé\n${csr}\0`, 'd1')
  })

  it('may name any identity: signs, spaces, other scripts', async () => {
    for (const identity of ['a b', 'AC-0001:ü🙂', 'a=b', '#0403', '../..']) {
      const { csr } = await openssl.request({ subject: `/CN=${identity.replaceAll('/', '\\/')}` })
      assert.equal(checkCsr(csr, identity).commonName, identity)
    }
  })
})

describe('the common name', () => {
  it('must be the identity, letter by letter', async () => {
    await refused(good, /CN\) must be the identity "d2", and is "d1"/, 'd2')
    await refused(good, /must be the identity/, 'D1')
    await refused(good, /must be the identity/, 'd1 ')
    await refused(good, /must be the identity/, '')
  })

  it('must be there, once', async () => {
    const subjects = ['/O=Example', '/CN=d1/CN=d1', '/CN=d1/O=Example/CN=d2', '/']
    for (const subject of subjects) {
      const { csr } = await openssl.request({ subject })
      await refused(csr, /must have one common name \(CN\), the identity; it has [02]/)
    }
    const { csr } = await openssl.request({ subject: '/CN=d1+CN=d2', extra: ['-multivalue-rdn'] })
    await refused(csr, /it has 2/)
  })

  it('must be in a kind of string that all read alike', async () => {
    const config = await openssl.write(
      'bmp.cnf',
      '[req]\nstring_mask=MASK:0x800\ndistinguished_name=dn\nprompt=no\n[dn]\nCN=d1\n',
    )
    await openssl.command('genpkey', ...keyKinds.ec, '-out', 'bmp.key')
    const bmp = await openssl.command('req', '-new', '-key', 'bmp.key', '-config', config)
    await refused(bmp, /not readable as UTF-8 or ASCII/)
  })
})

describe('the key', () => {
  const rsa = (...more: string[]) => [
    '-algorithm',
    'RSA',
    ...more.flatMap((one) => ['-pkeyopt', one]),
  ]
  const ec = (curve: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`]

  it('must be strong enough: RSA from 2048 to 8192 bits', async () => {
    await refused(
      (await request(rsa('rsa_keygen_bits:1024'))).csr,
      /2048 to 8192 bits; it has 1024/,
    )
    await refused((await request(rsa('rsa_keygen_bits:2047'))).csr, /it has 2047/)
    checkCsr((await request(rsa('rsa_keygen_bits:2048'))).csr, 'd1')
  })

  it('must have an exponent from 65537', async () => {
    const { csr } = await request(rsa('rsa_keygen_bits:2048', 'rsa_keygen_pubexp:3'))
    await refused(csr, /exponent must be an odd number from 65537/)
  })

  it('must lie on P-256, P-384 or P-521', async () => {
    for (const curve of ['secp256k1', 'brainpoolP256r1', 'prime192v1', 'sect283r1']) {
      await refused(
        (await request(ec(curve))).csr,
        /curve must be P-256, P-384 or P-521; it is 1\./,
      )
    }
    const explicit = [...ec('P-256'), '-pkeyopt', 'ec_param_enc:explicit']
    await refused((await request(explicit)).csr, /given by its parameters/)
  })

  it('must be RSA, EC or Ed25519', async () => {
    await refused((await request(['-algorithm', 'ED448'])).csr, /its kind is 1\.3\.101\.113/)
    const pss = ['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048']
    await refused((await request(pss)).csr, /its kind is 1\.2\.840\.113549\.1\.1\.10/)
  })

  it('must be a point of its curve', async () => {
    const keyInfo = readElements(
      readElements(readElementAlone(goodDer, 0x30).content)[0]?.content ?? goodDer,
    )[2]
    const off = Buffer.from(goodDer)
    const at = goodDer.indexOf(keyInfo?.bytes ?? '') + (keyInfo?.bytes.length ?? 0) - 1
    off[at] = (off[at] ?? 0) ^ 1
    await refused(inPem(off), /the public key cannot be read/)
  })
})

describe('the signature', () => {
  it('must prove that the sender has the private key', async () => {
    const broken = Buffer.from(goodDer)
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1
    await refused(inPem(broken), /does not prove/)
    const other = Buffer.from(goodDer)
    other.write('d9', other.indexOf('d1'))
    await refused(inPem(other), /does not prove/, 'd9')
  })

  it('must not be weak: no MD5, no SHA-1', async () => {
    for (const digest of ['-sha1', '-md5', '-sha224']) {
      const { csr } = await request(keyKinds.rsa, [digest])
      await refused(csr, /SHA-256, SHA-384 or SHA-512, or Ed25519; it is 1\.2\.840/)
    }
    for (const digest of ['-sha384', '-sha512']) {
      checkCsr((await request(keyKinds.ec, [digest])).csr, 'd1')
    }
  })

  it('must be of the kind of the key', async () => {
    const wrong = Buffer.from(goodDer)
    const ecdsa = Buffer.from('2a8648ce3d040302', 'hex')
    wrong[wrong.lastIndexOf(ecdsa) + ecdsa.length - 1] = 3
    await refused(inPem(wrong), /does not prove/)
  })
})

describe('what is no request', () => {
  it('is refused with its rule', async () => {
    const { key } = await request(keyKinds.ec)
    await openssl.write('self.key', key)
    const self = ['-x509', '-key', 'self.key', '-subj', '/CN=d1']
    const certificate = await openssl.command('req', ...self)
    const big = `${good}${' '.repeat(1024 * 1024)}`
    for (const [pem, says] of [
      [undefined, /must be a string of PEM/],
      [null, /must be a string of PEM/],
      [42, /must be a string of PEM/],
      [[good], /must be a string of PEM/],
      ['', /must be PEM: it holds no line -----BEGIN CERTIFICATE REQUEST-----/],
      ['hello', /must be PEM/],
      [certificate, /must hold a PEM block CERTIFICATE REQUEST; it holds a CERTIFICATE/],
      [`${good}${good}`, /exactly one PEM block; it holds 2/],
      [`${good}${certificate}`, /exactly one PEM block; it holds 2/],
      [`${good}${key}`, /must not hold a private key/],
      [key, /must not hold a private key/],
      [big, new RegExp(`at most ${provisioningLimits.csrCharsMax} characters`)],
      [good.replace(/^MI/m, '\0'), /whole PEM block CERTIFICATE REQUEST of valid base64/],
      [goodDer.toString('latin1'), /must be PEM/],
      [goodDer.toString('base64'), /must be PEM/],
      [good.replace(/^MI/m, 'M='), /valid base64/],
      [good.slice(0, 100), /whole PEM block/],
      [inPem(Buffer.alloc(0)), /does not hold a PKCS#10 request/],
      [inPem(goodDer.subarray(0, -1)), /does not hold a PKCS#10 request/],
      [inPem(Buffer.concat([goodDer, Buffer.from([0])])), /does not hold a PKCS#10 request/],
    ] as const) {
      await refused(pem, says)
    }
  })

  it('is refused whatever byte is changed, and never taken for another', async () => {
    for (let at = 0; at < goodDer.length; at += 1) {
      for (const bit of [1, 0x20, 0x80]) {
        const changed = Buffer.from(goodDer)
        changed[at] = (changed[at] ?? 0) ^ bit
        await refused(inPem(changed), /rejected: ./)
      }
      await refused(inPem(goodDer.subarray(0, at)), /rejected: ./)
    }
  })

  it('is refused without following what lies in one another', async () => {
    const bytesMax = Math.floor(provisioningLimits.csrCharsMax * 0.7)
    for (const tag of [0x30, 0x31, 0xa0, 0x04, 0x03, 0x24]) {
      let der: Buffer = Buffer.alloc(0)
      while (der.length < bytesMax) der = wrap(tag, der)
      await refused(inPem(der), /rejected: ./)
      await refused(inPem(wrap(0x30, der)), /rejected: ./)
      await refused(inPem(Buffer.alloc(bytesMax, Buffer.from([tag, 0x80]))), /rejected: ./)
      await refused(inPem(withAttributes(wrap(0xa0, wrap(0x30, der)))), /does not prove/)
    }
    await refused(inPem(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff])), /rejected: ./)
    await refused(inPem(Buffer.from([0x3f, 0xff, 0xff])), /rejected: ./)
  })
})

function wrap(tag: number, content: Buffer): Buffer {
  const { length } = content
  const long = length < 0x80 ? [length] : length < 256 ? [0x81, length] : undefined
  const header = Buffer.from([tag, ...(long ?? [0x82, length >> 8, length & 0xff])])
  return Buffer.concat([header, content])
}

/** The valid request with other attributes, which the signature does not cover. */
function withAttributes(attributes: Buffer): Buffer {
  const [info, ...rest] = readElements(readElementAlone(goodDer, 0x30).content)
  const [version, subject, keyInfo] = readElements(info?.content ?? Buffer.alloc(0))
  const parts = [version, subject, keyInfo].map((part) => part?.bytes ?? Buffer.alloc(0))
  const changed = wrap(0x30, Buffer.concat([...parts, attributes]))
  return wrap(0x30, Buffer.concat([changed, ...rest.map((part) => part.bytes)]))
}
