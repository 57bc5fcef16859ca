import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import {
  cfsslProfiles,
  digicertKey,
  estServer,
  fakeCfssl,
  fakeDigicert,
} from '../../../fixtures/peers/vendors.ts'
import { openWeb } from '../../../fixtures/peers/web.ts'
import { type TestPlatform, testPlatform, unique } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'
import { openCa, type TestCa } from '../../../fixtures/wire/ca.ts'
import { keyKinds, type Openssl, openOpenssl } from '../../../fixtures/wire/openssl.ts'

type Body = Readonly<Record<string, unknown>>
type Reply = { readonly status: number; readonly body: Body }

const run = promisify(execFile)

const connectorId = unique('signed')

let millrace: TestPlatform

let openssl: Openssl

let ca: TestCa

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { connector: { id: connectorId, name: 'Signed' } })
  openssl = await openOpenssl(suite)
  ca = await openCa(openssl)
  await choose({ vendor: 'internal' })
})

const base = `/api:1/service/${connectorId}/device2`

async function ask(method: string, path: string, body?: object): Promise<Reply> {
  const asked = { method, as: millrace.basic, body }
  const { status, json } = await askJson<Body>(`${millrace.httpUrl}${path}`, asked)
  return { status, body: json }
}

/** Chooses the vendor by the settings of the connector. */
async function choose(pki: object): Promise<void> {
  const path = `${base}`
  const none = { provisioning: { pki: { enabled: false, ca: null, vendor: null } } }
  await ask('PATCH', path, none)
  const reply = await ask('PATCH', path, { provisioning: { pki: { enabled: true, ...pki } } })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
}

const put = (identity: string, csr: unknown, part: object = {}) =>
  ask('PUT', `${base}/identity/${encodeURIComponent(identity)}`, {
    auth: { type: 'csr', key: csr },
    locked: false,
    ...part,
  })

const get = (identity: string) => ask('GET', `${base}/identity/${encodeURIComponent(identity)}`)

const makeCsr = async (identity: string, kind: readonly string[] = keyKinds.ec) =>
  (await openssl.request({ subject: `/CN=${identity}`, kind })).csr

async function verifies(identity: string, pem: string, caPem: string): Promise<void> {
  const [leaf, root] = [`${identity}.pem`, `${identity}-ca.pem`]
  await openssl.write(leaf, pem)
  await openssl.write(root, caPem)
  const verify = ['verify', '-CAfile', root, '-purpose', 'sslclient', leaf]
  assert.match(await openssl.command(...verify), /: OK/)
  const { subject } = new X509Certificate(pem).toLegacyObject()
  assert.equal(subject.CN, identity)
}

async function ownCa(): Promise<string> {
  const { authorities } = millrace.platform.provisioning
  return (await authorities.get(millrace.businessId, connectorId)).certificatePem
}

describe('a device created with auth.type csr: the certificate that it gets', () => {
  shareInstance()

  for (const kind of ['ec', 'rsa', 'ed25519'] as const) {
    it(`is returned as a JSON object with the field certificate (${kind})`, async () => {
      const identity = `device-${kind}`
      const { status, body } = await put(identity, await makeCsr(identity, keyKinds[kind]))
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(Object.keys(body), ['certificate'])
      await verifies(identity, String(body.certificate), await ownCa())
    })
  }

  it('is then a device with auth.type certificate, of which the fingerprint is known', async () => {
    const tags = [{ name: 'line', value: '1' }]
    const { body } = await put('d-record', await makeCsr('d-record'), { tags })
    const record = (await get('d-record')).body
    assert.equal((record.auth as Body).type, 'certificate')
    assert.equal(record.status, 'whitelisted')
    assert.deepEqual(record.tags, tags)
    const { fingerprint256 } = new X509Certificate(String(body.certificate))
    const row = await millrace.platform.database.one<{ certificate_given: string }>(
      `select certificate_given from provisioning_identity
       where connector_id = '${connectorId}' and identity = 'd-record'`,
    )
    assert.equal(row?.certificate_given, fingerprint256.replaceAll(':', '').toLowerCase())
  })

  it('stores its signed certificate as auth.key, which can be written back', async () => {
    const { body } = await put('d-key', await makeCsr('d-key'))
    const readKey = async () => ((await get('d-key')).body.auth as Body).key
    assert.equal(await readKey(), body.certificate)
    const { auth } = (await get('d-key')).body
    const back = await ask('PUT', `${base}/identity/d-key`, { auth, locked: false })
    assert.deepEqual([back.status, back.body.auth], [200, auth])
    const second = await put('d-key', await makeCsr('d-key'))
    assert.notEqual(second.body.certificate, body.certificate)
    assert.equal(await readKey(), second.body.certificate)
    const { body: page } = await ask('GET', `${base}/identity/?identity=%5Ed-key%24`)
    const [listed] = page.devices as { auth: Body }[]
    assert.deepEqual(listed?.auth.type, 'certificate')
    assert.equal(listed?.auth.key, undefined)
    await millrace.platform.provisioning.identities.remove(
      millrace.businessId,
      connectorId,
      'd-key',
    )
    await ask('PUT', `${base}/identity/d-key`, {})
    assert.equal(await readKey(), undefined)
  })

  it('comes in with its certificate and its key alone, and with no other', async () => {
    const { csr, key } = await openssl.request({ subject: '/CN=d-tls' })
    const { body } = await put('d-tls', csr)
    await openssl.write('d-tls.pem', `${body.certificate}${await ownCa()}`)
    await openssl.write('d-tls.key', key)
    const { port } = new URL(millrace.tlsUrl)
    const host = `${connectorId}.localhost:${port}`
    const call = ['-sS', '--resolve', `${host}:127.0.0.1`, '--cacert', millrace.caFile]
    const write = [`https://${host}/vendor:v1/stack/alias`, '-d', 'a=1', '-w', '%{http_code}']
    const own = ['--cert', openssl.path('d-tls.pem'), '--key', openssl.path('d-tls.key')]
    assert.match((await run('curl', [...call, ...write, ...own])).stdout, /204$/)
    assert.equal((await get('d-tls')).body.status, 'provisioned')
    const forged = (await openCa(openssl)).sign
    await openssl.write('forged.pem', await forged(csr))
    const other = ['--cert', openssl.path('forged.pem'), '--key', openssl.path('d-tls.key')]
    assert.match((await run('curl', [...call, ...write, ...other])).stdout, /401$|403$/)
  })

  it('takes a deadline for its activation', async () => {
    const expire = Date.now() * 1_000 + 3_600_000_000
    const auth = { type: 'csr', key: await makeCsr('d-expire'), expire }
    const reply = await put('d-expire', undefined, { auth })
    assert.equal(reply.status, 200)
    assert.equal(((await get('d-expire')).body.auth as Body).expire, expire)
  })
})

describe('a device created with auth.type csr: requests that are refused', () => {
  shareInstance()

  it('is refused with the rule that the request breaks, and nothing is stored', async () => {
    const good = await makeCsr('other')
    const cases: [unknown, RegExp][] = [
      [good, /CN\) must be the identity "d-bad", and is "other"/],
      ['x'.repeat(1_000_000), /at most 16384 characters/],
      [undefined, /PEM/],
    ]
    for (const [csr, says] of cases) {
      const { status, body } = await put('d-bad', csr)
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal(body.code, 'csr_refused')
      assert.match(String(body.message), says)
    }
    for (const csr of [null, { pem: good }]) {
      const { status, body } = await put('d-bad', csr)
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal(body.code, 'invalid_argument')
      assert.match(String(body.message), /^auth\.key must be PEM text$/)
    }
    assert.equal((await get('d-bad')).status, 404)
  })

  it('is refused for bad fields beside the request before anybody signs', async (t) => {
    const web = await openWeb(t, () => ({ status: 500 }))
    await choose({ ca: ca.pem, vendor: 'cfssl', vendor_options: { url: web.url } })
    const csr = await makeCsr('d-field')
    for (const part of [
      { locked: 'no' },
      { tags: 'x' },
      { unexpected: 1 },
      { auth: { type: 'csr', key: csr, expire: -1 } },
    ]) {
      const { status, body } = await put('d-field', csr, part)
      assert.equal(status, 400)
      assert.equal(body.code, 'invalid_argument')
    }
    assert.equal(web.requests.length, 0)
    await choose({ vendor: 'internal' })
  })

  it('needs a vendor', async () => {
    await choose({ ca: ca.pem })
    const { status, body } = await put('d-none', await makeCsr('d-none'))
    assert.equal(status, 400)
    assert.equal(body.code, 'invalid_argument')
    assert.match(String(body.message), /auth.type csr needs a certificate vendor/)
    await choose({ vendor: 'internal' })
  })
})

describe('a device created with auth.type csr: who signs', () => {
  shareInstance()

  it('is signed by the vendor of the settings, with a key that is never shown', async (t) => {
    const { key, closed } = cfsslProfiles
    const bearer = 'bearer-secret-4711'
    const est = await estServer(t, openssl, ca, { authorization: `Bearer ${bearer}` })
    const digicert = await fakeDigicert(t, ca)
    for (const [vendor, vendor_options] of [
      ['cfssl', { url: await fakeCfssl(t, ca), profile: closed.name, api_key: key }],
      ['est', { url: est.url, api_key: bearer }],
      ['digicert', { url: digicert.url, profile: 'private_ssl_plus', api_key: digicertKey }],
    ] as const) {
      await choose({ ca: ca.pem, vendor, vendor_options })
      const settings = await ask('GET', base)
      assert.ok(!JSON.stringify(settings.body).includes(vendor_options.api_key))
      const stored = await millrace.platform.database.one<{ settings: unknown }>(
        'select settings from provisioning_connector where id = $1',
        [connectorId],
      )
      assert.ok(!JSON.stringify(stored).includes(vendor_options.api_key))
      const { status, body } = await put(`d-${vendor}`, await makeCsr(`d-${vendor}`))
      assert.equal(status, 200, JSON.stringify(body))
      await verifies(`d-${vendor}`, String(body.certificate), ca.pem)
    }
    await choose({ vendor: 'internal' })
  })

  it('is 502 with the reason when the vendor fails, and nothing is stored', async (t) => {
    const foreign = await ca.sign(await makeCsr('d-fail'))
    const result = { success: true, result: { certificate: foreign }, errors: [], messages: [] }
    const web = await openWeb(t, () => ({ status: 200, body: JSON.stringify(result) }))
    await choose({ ca: ca.pem, vendor: 'cfssl', vendor_options: { url: web.url } })
    const { status, body } = await put('d-fail', await makeCsr('d-fail'))
    assert.equal(status, 502)
    assert.equal(body.code, 'vendor_failed')
    assert.match(String(body.message), /cfssl answered with a certificate for another key/)
    assert.equal((await get('d-fail')).status, 404)
    await choose({ vendor: 'internal' })
  })
})
