import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type TestPlatform, testPlatform } from '../fixtures/platform.ts'
import { suiteContext } from '../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../fixtures/wire/device.ts'

const run = promisify(execFile)

describe('the device API over TLS, with curl and openssl as clients', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  let device: TestDevice
  let host: string
  let port: string
  before(async () => {
    millrace = await testPlatform(suite)
    device = await newDevice(millrace.httpUrl, millrace.connector.id, 'tls')
    host = `${millrace.connector.id}.localhost`
    port = new URL(millrace.tlsUrl).port
  })

  const curl = async (name: string, ...args: string[]) => {
    const target = ['--resolve', `${name}:${port}:127.0.0.1`, '--max-time', '20']
    const { stdout } = await run('curl', ['-sS', '--cacert', millrace.caFile, ...target, ...args])
    return stdout
  }
  const url = (name: string, path: string) => `https://${name}:${port}${path}`

  it('answers under the name of the connector, with a certificate that curl trusts', async () => {
    assert.match(await curl(host, url(host, '/timestamp')), /^\d{10}$/)
  })

  it('takes a device through its life: activate, write, read', async () => {
    const token = await curl(host, url(host, '/provision/activate'), '-d', 'id=over-tls')
    assert.match(token, /^[0-9a-f]{40}$/)
    const credential = ['-H', `X-vendor-CIK: ${token}`]
    const path = url(host, '/vendor:v1/stack/alias')
    const written = await curl(host, path, ...credential, '-d', 'a=1', '-w', '%{http_code}')
    assert.equal(written, '204')
    assert.equal(await curl(host, `${path}?a`, ...credential), 'a=1')
  })

  for (const version of ['1.2', '1.3']) {
    it(`speaks TLS ${version}`, async () => {
      const max = ['--tls-max', version, `--tlsv${version}`]
      assert.match(await curl(host, url(host, '/timestamp'), ...max), /^\d{10}$/)
    })
  }

  it('refuses TLS 1.1', async () => {
    await assert.rejects(curl(host, url(host, '/timestamp'), '--tls-max', '1.1'))
  })

  it('shows openssl a chain that ends at the throw-away CA', async () => {
    const args = ['-connect', `127.0.0.1:${port}`, '-servername', host, '-CAfile', millrace.caFile]
    const verify = ['-verify_return_error', '-verify_hostname', host]
    const child = run('openssl', ['s_client', '-brief', ...args, ...verify])
    child.child.stdin?.end()
    const { stderr } = await child
    assert.match(stderr, /Verification: OK/)
    assert.match(stderr, new RegExp(`Verified peername: ${host}`))
  })

  it('makes no certificate for a name that is no connector', async () => {
    await assert.rejects(curl('nobody.localhost', url('nobody.localhost', '/timestamp')))
  })

  it('keeps a connector that is not in developer mode from plain connections', async () => {
    const { provisioning } = millrace.platform
    const strict = await provisioning.connectors.create(millrace.businessId, {
      name: 'strict',
      selfRegistration: true,
      resources: { a: { format: 'string' } },
    })
    const name = `${strict.id}.localhost`
    await assert.rejects(newDevice(millrace.httpUrl, strict.id, 'd'), /plain_connection/)
    const token = await curl(name, url(name, '/provision/activate'), '-d', 'id=d')
    const written = await fetch(`${millrace.httpUrl}/vendor:v1/stack/alias`, {
      method: 'POST',
      headers: { 'X-vendor-CIK': token },
      body: 'a=1',
    })
    assert.equal(written.status, 403)
    assert.equal(await written.text(), 'plain_connection')
  })

  it('lets a token that was got without encryption be used with it', async () => {
    const path = url(host, '/vendor:v1/stack/alias')
    const credential = ['-H', `X-vendor-CIK: ${device.token}`]
    const written = await curl(host, path, ...credential, '-d', 'b=2', '-w', '%{http_code}')
    assert.equal(written, '204')
  })
})
