import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { httpClientLimits } from '../../../../src/scripts/services/http/index.ts'
import { type HttpPeer, httpPeer } from '../../../fixtures/http-client.ts'
import { type TestService, testService } from '../../../fixtures/peers/http-service.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const form = 'application/x-www-form-urlencoded'

let service: TestService
let echo: HttpPeer

const onPeer = sharedBySuites(async (suite) => {
  service = await testService(suite)
  echo = await httpPeer(suite)
})

/** Makes a request that must arrive, and gives what arrived. */
async function sent(operation: string, args: { readonly [key: string]: ScriptValue } = {}) {
  const count = echo.requests.length
  const result = await service.call(operation, { url: echo.url, ...args })
  assert.equal((result as { status_code?: number })?.status_code, 200, JSON.stringify(result))
  assert.equal(echo.requests.length, count + 1)
  return echo.last()
}

/** Each of these gives nil, and nothing is sent. */
async function givesNil(values: readonly { readonly [key: string]: ScriptValue }[]) {
  const count = echo.requests.length
  for (const args of values) {
    const result = await service.call('post', { url: echo.url, ...args })
    assert.equal(result, undefined, JSON.stringify(args))
  }
  assert.equal(echo.requests.length, count)
}

describe('method and URL of the HTTP client', () => {
  onPeer()

  for (const name of ['delete', 'get', 'head', 'options', 'patch', 'post', 'put']) {
    test(`${name} makes a request with the method of its name`, async () => {
      assert.equal((await sent(name)).method, name.toUpperCase())
      assert.equal((await sent(name, { method: 'options' })).method, name.toUpperCase())
      assert.equal((await sent('request', { method: name })).method, name.toUpperCase())
    })
  }

  test('method: default get, in any letter case; one that is not known gives nil', async () => {
    assert.equal((await sent('request')).method, 'GET')
    assert.equal((await sent('request', { method: 'PoSt' })).method, 'POST')
    for (const method of ['TRACE', 'CONNECT', '', 'get\r\n', 'constructor', 5, true, {}]) {
      assert.equal(await service.call('request', { url: echo.url, method }), undefined)
    }
  })

  test('there is no ninth operation', async () => {
    for (const name of ['Get', 'trace', 'connect', '', 'toString']) {
      const count = echo.requests.length
      const given = await service.call(name, { url: echo.url })
      assert.equal((given as { status?: number })?.status, 404, name)
      assert.equal(echo.requests.length, count)
    }
  })

  test('url: the target; missing or unreadable gives nil', async () => {
    assert.equal((await sent('get', { url: `${echo.url}a/b?c=d#e` })).url, '/a/b?c=d')
    assert.equal((await sent('get', { url: `${echo.url}ü ö` })).url, '/%C3%BC%20%C3%B6')
    const bad = [undefined, null, '', 'no url', '/path', 'http://', 5, true, {}, ['http://x/']]
    await givesNil(bad.map((url) => ({ url })))
    const long = `${echo.url}${'a'.repeat(httpClientLimits.httpUrlCharsMax - echo.url.length)}`
    assert.equal((await sent('get', { url: long })).url.length, long.length - echo.url.length + 1)
    await givesNil([{ url: `${long}a` }])
    for (const args of [undefined, null, 'x', 5, [], [echo.url]]) {
      assert.equal(await service.call('get', args), undefined, 'arguments that are no table')
    }
  })

  test('url: another scheme or a user name gives nil, with the reason in the log', async () => {
    const rows = [
      ['ftp://127.0.0.1/', 'url is of the scheme ftp:, not http: or https:'],
      ['file:///etc/passwd', 'url is of the scheme file:, not http: or https:'],
      [echo.url.replace('//', '//user:pw@'), 'url holds a user name or a password: a header'],
    ] as const
    await givesNil(rows.map(([url]) => ({ url })))
    const lines = (await service.lines()).filter(({ level }) => level === 'warn')
    for (const [url, why] of rows) {
      const start = `http.post sends nothing and gives nil: ${why}`
      assert.ok(
        lines.some(({ text }) => text.startsWith(start)),
        `${url}: ${start}`,
      )
    }
    assert.ok(lines.every(({ text }) => !text.includes('pw')))
  })
})

describe('body, JSON and parameters of the HTTP client', () => {
  onPeer()

  test('body: raw data, every byte as it is', async () => {
    const all = new Uint8Array(256).map((_zero, at) => at)
    assert.deepEqual(new Uint8Array((await sent('post', { body: all })).body), all)
    const text = await sent('put', { body: 'a\0ü💧' })
    assert.equal(text.body.toString(), 'a\0ü💧')
    assert.equal(text.headers['content-type'], undefined)
    assert.equal(text.headers['content-length'], String(Buffer.byteLength('a\0ü💧')))
    assert.equal((await sent('delete', { body: 'x' })).body.toString(), 'x')
    await givesNil([{ body: 5 }, { body: true }, { body: {} }, { body: ['a'] }])
  })

  test('body is ignored when the method is GET', async () => {
    const request = await sent('get', { body: 'ignored', json: { a: 1 } })
    assert.equal(request.body.length, 0)
    assert.equal(request.headers['content-type'], undefined)
    assert.equal((await sent('request', { body: 'ignored' })).body.length, 0)
  })

  test('json: data that is sent as application/json', async () => {
    const request = await sent('post', { json: { a: [1, 'ü', true], b: {} } })
    assert.equal(request.headers['content-type'], 'application/json')
    assert.deepEqual(JSON.parse(request.body.toString()), { a: [1, 'ü', true], b: {} })
    assert.equal((await sent('post', { json: [1, 2] })).body.toString(), '[1,2]')
    const own = { json: {}, headers: { 'Content-Type': 'application/vnd.api+json' } }
    assert.equal((await sent('post', own)).headers['content-type'], 'application/vnd.api+json')
    const bytes = new Uint8Array([255])
    await givesNil([{ json: 'a' }, { json: 5 }, { json: true }, { json: { a: bytes } }])
  })

  test('params: for GET the query string, after a query that the url has', async () => {
    const params = { a: 1, b: 'x y&z=ü', c: true, d: ['1', '2'], e: new Uint8Array([255, 32]) }
    const query = 'a=1&b=x%20y%26z%3D%C3%BC&c=true&d=1&d=2&e=%ff%20'
    assert.equal((await sent('get', { params })).url, `/?${query}`)
    assert.equal((await sent('get', { url: `${echo.url}?q=0`, params })).url, `/?q=0&${query}`)
    assert.equal((await sent('get', { params: {} })).url, '/')
    assert.equal((await sent('get', { params })).body.length, 0)
  })

  test('params: otherwise pairs in the body, with the content type of a form', async () => {
    for (const name of ['delete', 'options', 'patch', 'post', 'put']) {
      const request = await sent(name, { params: { a: 1, b: 'x y&z' } })
      assert.deepEqual([request.url, request.body.toString()], ['/', 'a=1&b=x%20y%26z'])
      assert.equal(request.headers['content-type'], form)
    }
    await givesNil([{ params: 'a=1' }, { params: ['a'] }, { params: { a: {} } }, { params: 1 }])
  })

  test('two of body, json and params give nil: they are ambiguous', async () => {
    await givesNil([
      { body: 'a', json: {} },
      { body: 'a', params: {} },
      { json: {}, params: {} },
    ])
  })
})

describe('headers and times of the HTTP client', () => {
  onPeer()

  test('headers: extra request headers, with string values', async () => {
    const request = await sent('get', { headers: { 'X-One': 'a', accept: 'text/plain' } })
    assert.deepEqual([request.headers['x-one'], request.headers.accept], ['a', 'text/plain'])
    const bytes = await sent('get', { headers: { 'x-text': 'ü', 'x-raw': new Uint8Array([233]) } })
    assert.equal(Buffer.from(String(bytes.headers['x-text']), 'latin1').toString(), 'ü')
    assert.equal(bytes.headers['x-raw'], 'é')
    const bad = [{ a: 1 }, { a: true }, { a: {} }, { a: ['b'] }, { 'a b': 'c' }, { '': 'a' }]
    await givesNil([...bad, { ä: 'b' }, { A: '1', a: '2' }].map((headers) => ({ headers })))
    await givesNil([{ headers: 'a: b' }, { headers: ['a'] }, { headers: 5 }])
    const { headerBytesMax } = limits
    await givesNil([{ headers: { a: 'b'.repeat(headerBytesMax) } }])
  })

  test('a header cannot bring another one: CR, LF and NUL give nil', async () => {
    const values = ['a\r\nx-evil: 1', 'a\nx-evil: 1', 'a\rb', 'a\0b', '\r\n\r\nGET / HTTP/1.1']
    await givesNil(values.map((value) => ({ headers: { 'x-a': value } })))
    await givesNil(values.map((value) => ({ headers: { [value]: 'a' } })))
    const request = await sent('get', { url: `${echo.url}a\r\nx-evil: 1` })
    assert.equal(request.headers['x-evil'], undefined)
  })

  test('headers of the connection: its own are left to it, dangerous ones give nil', async () => {
    const own = { 'Content-Length': '1', Connection: 'close', 'Keep-Alive': 'timeout=99' }
    const request = await sent('post', { body: 'four', headers: own })
    assert.equal(request.headers['content-length'], '4')
    assert.equal(request.headers.connection, 'keep-alive')
    assert.equal(request.headers['keep-alive'], undefined)
    const names = ['Host', 'Transfer-Encoding', 'TE', 'Trailer', 'Upgrade', 'Expect']
    const proxy = ['Proxy-Authorization', 'proxy-connection', 'HTTP2-Settings']
    await givesNil([...names, ...proxy].map((name) => ({ headers: { [name]: 'x' } })))
  })

  for (const [argument, max] of [
    ['conn_timeout', httpClientLimits.httpConnectMsMax],
    ['recv_timeout', httpClientLimits.httpReceiveMsMax],
  ] as const) {
    test(`${argument}: an integer from 1 to ${max}; more is invalid`, async () => {
      await sent('get', { [argument]: max })
      await sent('get', { [argument]: null })
      const bad = [max + 1, 0, -1, 1.5, Number.NaN, '1000', true, {}]
      await givesNil(bad.map((value) => ({ [argument]: value })))
    })
  }

  test('the limits of the times are those of the spec', () => {
    const { httpConnectMs, httpConnectMsMax, httpReceiveMs, httpReceiveMsMax } = httpClientLimits
    assert.deepEqual([httpConnectMs, httpConnectMsMax], [3_000, 10_000])
    assert.deepEqual([httpReceiveMs, httpReceiveMsMax], [5_000, 20_000])
  })

  test('what is not in the table is passed over', async () => {
    await sent('get', { timeout: 1, verify: false, __proto__: { x: 1 } })
  })
})
