import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createClient } from '@millrace/client'
import { listenerLimits } from '../../src/api/http/index.ts'
import { until } from '../fixtures/engine.ts'
import {
  handshake,
  openServerCa,
  type ServerCa,
  type ServerPair,
  writePair,
} from '../fixtures/peers/server-certificates.ts'
import { type OwnPlatform, testPlatform } from '../fixtures/platform.ts'
import { startCli } from '../fixtures/processes/cli-process.ts'
import { suiteContext } from '../fixtures/suite.ts'
import { type Openssl, openOpenssl } from '../fixtures/wire/openssl.ts'

const run = promisify(execFile)

const tls12 = ['-tls1_2', '-servername']

describe("the operator's own certificates", () => {
  const suite = suiteContext()
  let openssl: Openssl
  let authority: ServerCa
  let millrace: OwnPlatform
  let trusts: string[]
  let port: string
  before(async () => {
    openssl = await openOpenssl(suite)
    authority = await openServerCa(openssl)
    const folder = openssl.path('names')
    await mkdir(folder)
    const names = ['*.example.test', 'example.test']
    const pairs = [
      await writePair(openssl, 'ec', await authority.issue({ names })),
      await writePair(openssl, 'rsa', await authority.issue({ names, kind: 'rsa' })),
    ]
    const legacy = await authority.issue({ names: ['m2.legacy.test'], kind: 'rsa' })
    await mkdir(join(folder, 'legacy'))
    await writeFile(join(folder, 'legacy', 'fullchain.pem'), legacy.cert)
    await writeFile(join(folder, 'legacy', 'privkey.pem'), legacy.key)
    const tls = { pairs, folder, rsaKeyExchange: true, acme: undefined }
    millrace = await testPlatform(suite, {
      own: 'has a certificate of its own',
      config: { domain: 'example.test', tls },
    })
    port = new URL(millrace.tlsUrl).port
    trusts = ['-CAfile', authority.ca.certificateFile, '-verify_return_error']
  })

  const curl = async (host: string, path: string, ...args: string[]) => {
    const target = ['--resolve', `${host}:${port}:127.0.0.1`, '--max-time', '20']
    const trusted = ['-sS', '--cacert', authority.ca.certificateFile, ...target]
    return (await run('curl', [...trusted, ...args, `https://${host}:${port}${path}`])).stdout
  }

  it('serve a connector under its name, verified by curl', async () => {
    const host = `${millrace.connector.id}.example.test`
    assert.match(await curl(host, '/timestamp'), /^\d{10}$/)
    const token = await curl(host, '/provision/activate', '-d', 'id=with-own-certificate')
    const credential = ['-H', `X-vendor-CIK: ${token}`, '-d', 'a=1', '-w', '%{http_code}']
    assert.equal(await curl(host, '/vendor:v1/stack/alias', ...credential), '204')
  })

  it('stand side by side: RSA for a client of RSA alone, else ECDSA', async () => {
    const host = `${millrace.connector.id}.example.test`
    const any = await handshake(port, ...trusts, ...tls12, host, '-verify_hostname', host)
    assert.match(any, /ECDHE-ECDSA|Signature type: (?:ECDSA|ecdsa)/, any)
    const rsa = [...tls12, host, '-cipher', 'ECDHE-RSA-AES128-GCM-SHA256']
    const only = await handshake(port, ...trusts, ...rsa, '-verify_hostname', host)
    assert.match(only, /Ciphersuite: ECDHE-RSA-AES128-GCM-SHA256/)
    assert.match(only, /Verification: OK/)
  })

  it('take AES128-GCM-SHA256 where the operator allows it, and no other of its kind', async () => {
    const cipher = (name: string) => [...trusts, ...tls12, 'example.test', '-cipher', name]
    const old = await handshake(port, ...cipher('AES128-GCM-SHA256'))
    assert.match(old, /Ciphersuite: AES128-GCM-SHA256/)
    assert.equal(await handshake(port, ...cipher('AES128-SHA256')), '')
  })

  it('serve a legacy name from the folder, and clients that ask for no name', async () => {
    const named = ['-servername', 'm2.legacy.test', '-verify_hostname', 'm2.legacy.test']
    assert.match(await handshake(port, ...trusts, ...named), /Verification: OK/)
    const none = ['-noservername', '-verify_hostname', 'x.example.test']
    assert.match(await handshake(port, ...trusts, ...none), /Verification: OK/)
    assert.match(await curl('m2.legacy.test', '/timestamp'), /^\d{10}$/)
  })

  it('serve MQTT over TLS, verified by mosquitto', async (t) => {
    const host = `${millrace.connector.id}.example.test`
    const token = await curl(host, '/provision/activate', '-d', 'id=mosquitto')
    const mqtts = new URL(millrace.mqttTlsUrl ?? '').port
    const at = ['-h', '127.0.0.1', '-p', mqtts, '-q', '1', '-V', 'mqttv311', '--insecure']
    const said = ['-t', '$resource/a', '-m', '7', '-P', token, '-u', '']
    const ca = ['--cafile', authority.ca.certificateFile]
    try {
      await run('mosquitto_pub', [...at, ...ca, ...said], { timeout: 20_000 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return t.skip('mosquitto_pub is not installed (Debian: mosquitto-clients)')
    }
    const read = ['-H', `X-vendor-CIK: ${token}`]
    assert.equal(await curl(host, '/vendor:v1/stack/alias?a', ...read), 'a=7')
  })

  it('serve the API, GraphQL and the console under the name of the instance', async () => {
    const bearer = ['-H', `Authorization: Automation ${millrace.token}`]
    assert.match(await curl('example.test', '/api:1/connectors', ...bearer), /Example connector/)
    const query = ['-H', 'Content-Type: application/json', '-d', '{"query":"{__typename}"}']
    assert.match(await curl('example.test', '/api/graphql', ...bearer, ...query), /Query/)
    assert.match(await curl('example.test', '/'), /console/i)
    assert.equal(JSON.parse(await curl('example.test', '/healthz')).status, 'ok')
  })

  it('are no page of a connector, nor of a foreign name', async () => {
    const status = ['-o', '/dev/null', '-w', '%{http_code}']
    const host = `${millrace.connector.id}.example.test`
    assert.equal(await curl(host, '/healthz', ...status), '404')
    assert.equal(await curl('m2.legacy.test', '/healthz', ...status), '421')
  })

  it('are shown in the addresses of a connector: no authority to give to devices', async () => {
    const client = createClient({ url: millrace.httpUrl, credential: { apiToken: millrace.token } })
    const params = { path: { connector: millrace.connector.id } }
    const path = '/api:1/service/{connector}/device2/addresses'
    const { data } = await client.GET(path, { params })
    assert.equal(data?.ca, null)
  })
})

describe('certificates that change while the instance runs', () => {
  const suite = suiteContext()
  before(() => Object.assign(listenerLimits, { certificateLookMs: 100 }))
  let openssl: Openssl
  let authority: ServerCa
  before(async () => {
    openssl = await openOpenssl(suite)
    authority = await openServerCa(openssl)
  })

  const days = async (port: string, ...name: string[]) => {
    const at = ['-connect', `127.0.0.1:${port}`, ...name]
    const shown = run('openssl', ['s_client', ...at])
    shown.child.stdin?.end()
    const { stdout } = await shown.catch((error: { stdout: string }) => error)
    const [pem = ''] = /-----BEGIN[\s\S]+?END CERTIFICATE-----/.exec(stdout) ?? []
    const text = run('openssl', ['x509', '-noout', '-enddate'])
    text.child.stdin?.end(pem)
    const until = Date.parse((await text).stdout.replace('notAfter=', ''))
    return Math.round((until - Date.now()) / 86_400_000)
  }
  const issue = (forDays: number) => authority.issue({ names: ['localhost'], days: forDays })

  async function instance(files: { cert: string; key: string }) {
    const tls = { pairs: [files], folder: undefined, rsaKeyExchange: false, acme: undefined }
    const millrace = await testPlatform(suite, {
      own: 'has a certificate of its own',
      config: { tls },
    })
    return new URL(millrace.tlsUrl).port
  }

  it('are followed when their files are replaced, for new connections', async () => {
    const files = await writePair(openssl, 'replaced', await issue(60))
    const port = await instance(files)
    assert.equal(await days(port), 60)
    const next = await issue(70)
    await writeFile(`${files.key}.new`, next.key)
    await writeFile(`${files.cert}.new`, next.cert)
    await rename(`${files.key}.new`, files.key)
    await rename(`${files.cert}.new`, files.cert)
    await until(async () => (await days(port)) === 70)
    assert.equal(await days(port, '-noservername'), 70)
  })

  it('are followed through links that lead elsewhere, as with Kubernetes or certbot', async () => {
    const folder = openssl.path('linked')
    const version = async (name: string, pair: ServerPair) => {
      await mkdir(join(folder, name), { recursive: true })
      await writeFile(join(folder, name, 'tls.crt'), pair.cert)
      await writeFile(join(folder, name, 'tls.key'), pair.key)
      await symlink(name, join(folder, 'next'))
      await rename(join(folder, 'next'), join(folder, 'data'))
    }
    await version('one', await issue(61))
    const at = (file: string) => join(folder, 'data', file)
    const port = await instance({ cert: at('tls.crt'), key: at('tls.key') })
    assert.equal(await days(port), 61)
    await version('two', await issue(71))
    await until(async () => (await days(port)) === 71)
  })
})

describe('certificates that cannot be used', () => {
  const suite = suiteContext()
  let openssl: Openssl
  let authority: ServerCa
  before(async () => {
    openssl = await openOpenssl(suite)
    authority = await openServerCa(openssl)
  })
  const start = (files: { cert: string; key: string }) => {
    const tls = { pairs: [files], folder: undefined, rsaKeyExchange: false, acme: undefined }
    return testPlatform(suite, { own: 'has a certificate of its own', config: { tls } })
  }

  it('end the start with a sentence that names the file', async () => {
    const one = await authority.issue({ names: ['localhost'] })
    const two = await authority.issue({ names: ['localhost'] })
    const mixed = await writePair(openssl, 'mixed', { cert: one.cert, key: two.key })
    await assert.rejects(start(mixed), /mixed\.crt is not of the key in .*mixed\.key/)
    const missing = { cert: openssl.path('none.crt'), key: mixed.key }
    await assert.rejects(start(missing), /none\.crt cannot be read/)
    const [leaf = '', ca = ''] = one.cert.split(/(?<=END CERTIFICATE-----\n)/)
    const unordered = await writePair(openssl, 'unordered', {
      cert: `${leaf}${leaf}${ca}`,
      key: one.key,
    })
    await assert.rejects(start(unordered), /unordered\.crt is not a chain/)
  })

  it('end the process, too', async (t) => {
    const settings = { MILLRACE_DATA: openssl.path('data'), DATABASE_URL: '' }
    const none = openssl.path('none.crt')
    const free = '127.0.0.1:0'
    const ports = { MILLRACE_HTTP: free, MILLRACE_DEVICE_TLS: free, MILLRACE_MQTT_TLS: free }
    const tls = { MILLRACE_TLS_CERT: none, MILLRACE_TLS_KEY: none }
    const env = { ...process.env, ...settings, ...ports, ...tls }
    const command = startCli(t, ['serve'], { cwd: openssl.dir, env })
    assert.equal(await command.end(), 1, command.printed())
    assert.match(command.printed(), /none\.crt cannot be read/)
  })

  it('take no cipher without forward secrecy unless it is allowed', async () => {
    const pair = await authority.issue({ names: ['localhost'], kind: 'rsa' })
    const { tlsUrl } = await start(await writePair(openssl, 'strict', pair))
    const { port } = new URL(tlsUrl)
    const args = ['-CAfile', authority.ca.certificateFile, '-tls1_2', '-cipher']
    assert.equal(await handshake(port, ...args, 'AES128-GCM-SHA256'), '')
    assert.notEqual(await handshake(port, ...args, 'ECDHE-RSA-AES128-GCM-SHA256'), '')
  })
})
