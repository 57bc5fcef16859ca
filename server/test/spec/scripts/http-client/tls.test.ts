import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { httpClientLimits } from '../../../../src/scripts/services/http/index.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { type HttpPeer, httpPeer, httpsPeer } from '../../../fixtures/http-client.ts'
import { type TestService, testService } from '../../../fixtures/peers/http-service.ts'
import { type ServerTls, serverOptions } from '../../../fixtures/peers/tls-server.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { openCa, type TestCa } from '../../../fixtures/wire/ca.ts'
import { keyKinds, type Openssl, openOpenssl } from '../../../fixtures/wire/openssl.ts'

type Fields = { readonly [key: string]: ScriptValue }
type Pair = { readonly key: string; readonly cert: string }

let openssl: Openssl
let service: TestService
let server: ServerTls
let clients: TestCa
let client: Pair
let demanding: HttpPeer

const onPeer = sharedBySuites(async (suite) => {
  openssl = await openOpenssl(suite)
  service = await testService(suite)
  server = await serverOptions(openssl)
  clients = await openCa(openssl, 'Client CA')
  client = await clientPair(clients)
  const demands = { ca: clients.pem, requestCert: true, rejectUnauthorized: true }
  demanding = await httpsPeer(suite, { ...server.options, ...demands }, (response) => {
    const subject = (response.socket as TLSSocket).getPeerCertificate().subject
    response.end(JSON.stringify(subject?.CN ?? null))
  })
})

async function clientPair(ca: TestCa, name = 'script'): Promise<Pair> {
  const { csr, key } = await openssl.request({ subject: `/CN=${name}` })
  return { key, cert: await ca.sign(csr) }
}

const cacerts = () => server.ca.pem
const get = (sslOptions: ScriptValue, args: Fields = {}) =>
  service.call('get', { url: demanding.url, sslOptions, ...args })
const getBody = (given: ScriptValue) => (given as { body?: unknown })?.body

async function refused(given: Promise<ScriptValue>, reason: RegExp): Promise<void> {
  const { status, error } = (await given) as { status: number; error: string }
  assert.equal(status, 502, error)
  assert.match(error, reason)
}

/** `openssl s_server`, which ends a handshake without a certificate that it trusts. */
async function sServer(t: TestContext): Promise<string> {
  const keyFile = await openssl.write('server.key', server.options.key)
  const certFile = await openssl.write('server.pem', server.options.cert)
  const own = ['-key', keyFile, '-cert', certFile, '-accept', '127.0.0.1:0', '-www']
  const demands = ['-Verify', '1', '-verify_return_error', '-CAfile', clients.certificateFile]
  const child = spawn('openssl', ['s_server', ...own, ...demands])
  atEnd(t, () => child.kill('SIGKILL'))
  for (let said = ''; ; ) {
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
    said += chunk.toString()
    const port = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(said)?.[1]
    if (port !== undefined) return `https://127.0.0.1:${port}/`
  }
}

describe('sslOptions of the HTTP client: whom it trusts', () => {
  onPeer()

  test('without the private CA, or with another, the server is not trusted', async () => {
    const count = demanding.requests.length
    await refused(get({ ...client }), /CERT|VERIFY/)
    const other = await openCa(openssl, 'Another CA')
    await refused(get({ ...client, cacerts: other.pem }), /CERT|VERIFY/)
    assert.equal(demanding.requests.length, count)
  })

  test('with a private CA only what it signed is trusted; several may be given', async () => {
    const other = await openCa(openssl, 'Another CA')
    const both = `${other.pem}${cacerts()}`
    assert.equal(getBody(await get({ ...client, cacerts: both })), '"script"')
  })

  test('a certificate for another host is not trusted', async (t) => {
    const url = demanding.url.replace('127.0.0.1', 'localhost')
    const named = await testService(t, { allow: ['localhost:*'] })
    const given = named.call('get', { url, sslOptions: { ...client, cacerts: cacerts() } })
    await refused(given, /ALTNAME|out of reach/)
  })

  test('plain http does not mind them', async (t) => {
    const plain = await httpPeer(t)
    const given = await service.call('get', { url: plain.url, sslOptions: { ...client } })
    assert.equal((given as { status_code: number }).status_code, 200)
  })
})

describe('sslOptions of the HTTP client: its own certificate', () => {
  onPeer()

  test('key, cert and cacerts: a server that demands all three answers', async () => {
    assert.equal(getBody(await get({ ...client, cacerts: cacerts() })), '"script"')
  })

  test('the configuration gives them, too; an argument takes its place whole', async () => {
    await service.configure({ sslOptions: { ...client, cacerts: cacerts() } })
    assert.equal(getBody(await get(undefined)), '"script"')
    await refused(get({ cacerts: cacerts() }), /CERTIFICATE_REQUIRED|broke off|out of reach/)
    await refused(get({}), /CERT|VERIFY/)
    await service.configure({ sslOptions: null })
    await refused(get(undefined), /CERT|VERIFY/)
  })

  test('it is stored sealed, and only names are given back', async () => {
    const stored = await service.configure({ sslOptions: { ...client, cacerts: cacerts() } })
    assert.deepEqual(stored.parameters, { sslOptionNames: ['key', 'cert', 'cacerts'] })
    assert.ok(!JSON.stringify(stored).includes('BEGIN'))
    await service.configure({ sslOptions: null })
  })

  test('without a client certificate, or with one of another CA, the server refuses', async () => {
    const count = demanding.requests.length
    const reason = /out of reach|broke off/
    await refused(get({ cacerts: cacerts() }), reason)
    const otherPair = await clientPair(await openCa(openssl, 'Strange CA'))
    await refused(get({ ...otherPair, cacerts: cacerts() }), reason)
    assert.equal(demanding.requests.length, count)
  })

  test('a certificate of one call is not used for the next, nor by another solution', async () => {
    assert.equal(getBody(await get({ ...client, cacerts: cacerts() })), '"script"')
    await refused(get({ cacerts: cacerts() }), /out of reach|broke off/)
    const second = await clientPair(clients, 'second')
    assert.equal(getBody(await get({ ...second, cacerts: cacerts() })), '"second"')
  })

  test('to another origin the certificate is not shown', async (t) => {
    const open = { requestCert: true, rejectUnauthorized: false }
    const seen: unknown[] = []
    const other = await httpsPeer(t, { ...server.options, ...open }, (response) => {
      seen.push((response.socket as TLSSocket).getPeerCertificate().subject?.CN ?? null)
      response.end('other')
    })
    const leading = await httpsPeer(t, { ...server.options, ...open }, (response) => {
      response.writeHead(302, { location: other.url }).end()
    })
    const sslOptions = { ...client, cacerts: cacerts() }
    const given = await service.call('get', { url: leading.url, sslOptions })
    assert.equal(getBody(given), 'other', JSON.stringify(given))
    assert.deepEqual(seen, [null])
  })

  test('what is no pair of key and certificate, or no PEM, gives nil', async () => {
    const other = await clientPair(clients)
    const locked = await openssl.write('locked.key', client.key)
    const pass = ['-passout', 'pass:x', '-aes256', '-in', locked]
    const encrypted = execFileSync('openssl', ['pkey', ...pass], { encoding: 'utf8' })
    const long = `${'x'.repeat(httpClientLimits.httpPemCharsMax)}${client.cert}`
    for (const sslOptions of [
      { key: client.key },
      { cert: client.cert },
      { key: client.key, cert: other.cert },
      { key: client.cert, cert: client.key },
      { key: encrypted, cert: client.cert },
      { key: 'x', cert: 'y' },
      { ...client, cert: long },
      { cacerts: 'x' },
      { cacerts: cacerts().replace('MII', 'xxx') },
      { cacerts: [cacerts()] },
      { key: 5, cert: client.cert },
      ...['x', 5, 0, false, '', [client.key]],
    ]) {
      assert.equal(await get(sslOptions), undefined, JSON.stringify(sslOptions).slice(0, 60))
    }
  })

  for (const kind of ['rsa', 'p384', 'ed25519'] as const) {
    test(`openssl's own server takes a key of the kind ${kind}`, async (t) => {
      const { csr, key } = await openssl.request({ subject: '/CN=script', kind: keyKinds[kind] })
      const cert = await clients.sign(csr)
      const url = await sServer(t)
      const given = await service.call('get', {
        url,
        sslOptions: { key, cert, cacerts: cacerts() },
      })
      assert.match(String(getBody(given)), /Subject: CN ?= ?script/)
      const without = service.call('get', { url, sslOptions: { cacerts: cacerts() } })
      await refused(without, /out of reach|broke off/)
    })
  }
})
