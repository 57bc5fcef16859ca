import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, send, type TestDevice } from '../../../fixtures/wire/device.ts'
import { rawClient } from '../../../fixtures/wire/raw.ts'

let millrace: TestPlatform
let url: string
let host: string
let device: TestDevice
const onPlatform = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
  url = millrace.httpUrl
  host = `${millrace.connector.id}.localhost`
  device = await newDevice(url, millrace.connector.id, 'habits')
  await device.write('a=1&b=2')
})

const path = '/vendor:v1/stack/alias'
const request = (method: string, target: string, headers: string[], body = '') =>
  [`${method} ${target} HTTP/1.1`, ...headers, '', body].join('\r\n')
const withLength = (headers: string[], body: string) => [
  ...headers,
  `Content-Length: ${Buffer.byteLength(body)}`,
]

describe('firmware habits of responses that must be survived', () => {
  onPlatform()

  it('1: header names are canonical, to the letter', async () => {
    const polled = await device.read('a', { 'Request-Timeout': '1000', 'If-Modified-Since': '0' })
    for (const name of ['Date: ', 'Content-Type: ', 'Content-Length: ', 'Last-Modified: ']) {
      assert.ok(polled.text.includes(`\r\n${name}`), name)
    }
    const written = await device.write('a=1')
    assert.ok(written.text.includes('\r\nContent-Length: 0\r\n'), written.text)
  })

  it('2: the whole answer fits in 512 bytes, Date first, nothing for browsers', async () => {
    const activated = await send(url, 'POST', '/provision/activate', { Host: host }, 'id=small')
    for (const answer of [activated, await device.read('a&b'), await device.write('a=1')]) {
      assert.ok(Buffer.byteLength(answer.text, 'latin1') <= 512, `${answer.text.length} bytes`)
      assert.match(answer.headers[0] ?? '', /^Date: /)
      assert.match(answer.text, /^HTTP\/1\.1 /)
      assert.doesNotMatch(answer.text, /transfer-encoding|content-encoding|access-control|csp/i)
      assert.doesNotMatch(answer.text, /content-security-policy|vary|etag/i)
    }
  })

  it('2: a client that offers compression gets none, an HTTP/1.0 client HTTP/1.1', async () => {
    const client = rawClient(url)
    const answer = await client.ask(
      `GET ${path}?a HTTP/1.0\r\nX-vendor-CIK: ${device.token}\r\nAccept-Encoding: gzip\r\n\r\n`,
    )
    client.close()
    assert.match(answer.text, /^HTTP\/1\.1 200 OK\r\n/)
    assert.equal(answer.body, 'a=1')
  })

  it('7: Request-Timeout is clamped, not refused', async () => {
    for (const time of ['15000000', '15000000000000000000', '9'.repeat(400)]) {
      const headers = { 'Request-Timeout': time, 'If-Modified-Since': '0' }
      assert.equal((await device.read('a', headers)).status, 200, time)
    }
  })

  it('7: Last-Modified is exactly RFC 1123 GMT', async () => {
    const headers = { 'Request-Timeout': '1000', 'If-Modified-Since': '0' }
    const answer = await device.read('a', headers)
    const line = answer.headers.find((header) => header.startsWith('Last-Modified: ')) ?? ''
    const text = line.slice('Last-Modified: '.length)
    assert.equal(new Date(Date.parse(text)).toUTCString(), text)
  })
})

describe('firmware habits of credentials and hosts that must be survived', () => {
  onPlatform()

  it('calls that are no more are 404, at any host, and name the one of today', async () => {
    const identities = 'not_found: call /api:1/service/<connector>/device2/identity'
    for (const [old, body] of [
      ['/onep:v1/rpc/process', 'not_found: call /vendor:v1/stack/alias'],
      ['/api:v1/rpc/process', 'not_found: call /vendor:v1/stack/alias'],
      ['/provision/manage/model/pump/sn-1', identities],
      ['/provision/manage/content/pump/', identities.replace('identity', 'content')],
    ] as const) {
      const answer = await send(url, 'POST', old, { Host: 'm2.legacy.example' }, '{}')
      assert.deepEqual([answer.status, answer.body], [404, body], old)
    }
    const other = await send(url, 'POST', '/provision/managed', { Host: host }, '')
    assert.deepEqual([other.status, other.body], [404, 'not_found'])
  })

  it('3: the token is 40 lower-case hexadecimal characters', () => {
    assert.match(device.token, /^[0-9a-f]{40}$/)
  })

  it('4: the token header in any letter case, and as Authorization: token', async () => {
    const spellings = ['X-vendor-CIK', 'x-VENDOR-cik', 'X-EXOSITE-CIK', 'x-exosite-cik']
    for (const name of spellings) {
      assert.equal(
        (await send(url, 'GET', `${path}?a`, { [name]: device.token })).status,
        200,
        name,
      )
    }
    for (const scheme of ['token', 'Token']) {
      const headers = { Authorization: `${scheme} ${device.token}` }
      assert.equal((await send(url, 'GET', `${path}?a`, headers)).status, 200, scheme)
    }
  })

  it('4: an activation may carry an empty or a stale token header', async () => {
    for (const [at, token] of ['', 'stale', device.token].entries()) {
      const headers = { Host: host, 'X-vendor-CIK': token, Authorization: `token ${token}` }
      const answer = await send(url, 'POST', '/provision/activate', headers, `id=stale-${at}`)
      assert.equal(answer.status, 200, token)
    }
  })

  it('5: the Host may be a fixed legacy name: the token alone finds the connector', async () => {
    for (const legacy of ['m2.legacy.example', '10.0.0.1', 'nobody.localhost']) {
      const headers = { Host: legacy, 'X-vendor-CIK': device.token }
      assert.equal((await send(url, 'GET', `${path}?a`, headers)).body, 'a=1', legacy)
    }
  })

  it('5: an activation finds its connector by Host, else by vendor= in the body', async () => {
    const id = millrace.connector.id
    const byHost = await send(url, 'POST', '/provision/activate', { Host: host }, 'id=by-host')
    const legacy = { Host: 'm2.legacy.example' }
    const byBody = await send(url, 'POST', '/provision/activate', legacy, `vendor=${id}&sn=by-body`)
    assert.deepEqual([byHost.status, byBody.status], [200, 200])
  })

  it('8: after a 409 the stored token still works', async () => {
    const again = await send(url, 'POST', '/provision/activate', { Host: host }, 'id=habits')
    assert.equal(again.status, 409)
    assert.equal((await device.write('a=1')).status, 204)
  })

  it('the colon of the path may come as %3A, and the vendor under its other name', async () => {
    const headers = { 'X-vendor-CIK': device.token }
    for (const base of ['/vendor%3Av1', '/vendor%3av1', '/onep:v1', '/onep%3Av1']) {
      assert.equal((await send(url, 'GET', `${base}/stack/alias?a`, headers)).status, 200, base)
    }
  })
})

describe('firmware habits of bodies and values that must be survived', () => {
  onPlatform()

  it('a body may begin with a byte order mark', async () => {
    assert.equal((await device.write('\ufeffa=7')).status, 204)
    assert.equal((await device.read('a')).body, 'a=7')
    const answer = await send(url, 'POST', '/provision/activate', { Host: host }, '\ufeffid=marked')
    assert.equal(answer.status, 200)
  })

  it('6: a body that is not percent-encoded, with its + and its =', async () => {
    const body = 'data_in={"001":21.5,"002":"a+b=c"}'
    assert.equal((await device.write(body)).status, 204)
    const answer = await device.read('data_in')
    const value = decodeURIComponent(answer.body.slice('data_in='.length))
    assert.equal(value, '{"001":21.5,"002":"a+b=c"}')
  })

  it('6: a trailing NUL or line end after the value is dropped', async () => {
    for (const end of ['\0', '\r\n', '\n', '\0\r\n', '\0\0']) {
      assert.equal((await device.write(`b=tail${end}`)).status, 204)
      assert.equal((await device.read('b')).body, 'b=tail')
    }
  })

  it('6: an extra CRLF may precede the next request on a kept-alive socket', async () => {
    const client = rawClient(url)
    const headers = ['Host: x', `X-vendor-CIK: ${device.token}`]
    const write = request('POST', path, withLength(headers, 'b=kept'), 'b=kept')
    assert.equal((await client.ask(write)).status, 204)
    assert.equal((await client.ask(`\r\n${write}`)).status, 204)
    const answer = await client.ask(`\r\n${request('GET', `${path}?b`, headers)}`)
    client.close()
    assert.equal(answer.body, 'b=kept')
  })

  it('9: writing back a value that was set from the cloud acknowledges it', async () => {
    const { provisioning } = millrace.platform
    const { id } = millrace.connector
    const own = await newDevice(url, id, 'acknowledges')
    await own.write('a=1')
    await provisioning.setState(millrace.businessId, id, own.identity, { a: 'on' })
    assert.equal((await own.read('a')).body, 'a=on')
    const before = await provisioning.state(millrace.businessId, id, own.identity)
    assert.equal(before.a?.set, 'on')
    assert.equal(before.a?.reported, '1')
    await own.write('a=on')
    const after = await provisioning.state(millrace.businessId, id, own.identity)
    assert.equal(after.a?.reported, 'on')
  })
})
