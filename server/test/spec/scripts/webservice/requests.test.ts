import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { webserviceLimits } from '../../../../src/scripts/services/webservice/index.ts'
import {
  assertRefused,
  type EndpointsFixture,
  endpointsFixture,
} from '../../../fixtures/endpoints.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const form = 'application/x-www-form-urlencoded'
const echo = 'return request'

let fixture: EndpointsFixture

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await endpointsFixture(suite)
  await fixture.serve(
    `--#ENDPOINT GET /
${echo}
--#ENDPOINT POST /echo
${echo}
--#ENDPOINT PUT /bytes
response.message = {
  type = type(request.body), length = #request.body, byte = request.body:byte(-1) }
--#ENDPOINT GET /pumps/{id}
${echo}
--#ENDPOINT GET /pumps/first
return "written out"
--#ENDPOINT GET /pumps/{id}/parts/{part}
${echo}
--#ENDPOINT GET /files/{rest*}
${echo}
--#ENDPOINT POST /pumps/{name}
return "made " .. request.parameters.name
--#ENDPOINT GET /weiß
return "never"
`.replace('/weiß', '/wei%C3%9F'),
  )
})

const post = (type: string | undefined, body: string | Buffer, method = 'POST', path = '/echo') =>
  fixture.get(path, { method, body, headers: type === undefined ? {} : { 'Content-Type': type } })

describe('what an endpoint is asked: hosts', () => {
  shareInstance()

  it('is served on the host of the solution, on both listeners', async () => {
    const plain = await fixture.get('/')
    assert.equal(plain.status, 200)
    assert.equal(plain.json.method, 'GET')
    const tls = { ca: await readFile(fixture.millrace.caFile) }
    const secure = await fixture.get('/?x=1', { tls })
    assert.equal(secure.status, 200)
    assert.deepEqual(secure.json.parameters, { x: '1' })
  })

  it('is served under /solution/<id>/ of the console, and sees the same address', async () => {
    const answer = await fixture.shared('/pumps/7?x=1')
    assert.equal(answer.status, 200)
    assert.equal(answer.json.uri, '/pumps/7?x=1')
    assert.deepEqual(answer.json.parameters, { id: '7', x: '1' })
  })

  it('no other name gets a certificate or an answer', async () => {
    const tls = { ca: await readFile(fixture.millrace.caFile) }
    await assert.rejects(fixture.get('/', { tls, host: 'nobody.localhost' }))
    for (const host of ['nobody.localhost', 'a.pump.localhost', '.localhost']) {
      assert.equal((await fixture.get('/', { host })).status, 404, host)
    }
    const unknown = await fixture.get('/solution/nobody/', { host: 'localhost' })
    assertRefused(unknown, 404, 'not_found')
    // The instance's own name has the same parts over TLS.
    assert.equal((await fixture.get('/solution/pump/', { tls, host: 'localhost' })).status, 200)
    // A host of its own is no way to another solution.
    assertRefused(await fixture.get('/solution/pump/'), 404, 'not_found')
    assert.equal((await fixture.get('/solution/Pump/', { host: 'localhost' })).status, 404)
  })

  it("has its host's name in any letter case; devices' paths stay devices'", async () => {
    assert.equal((await fixture.get('/', { host: 'PUMP.LocalHost' })).status, 200)
    const time = await fixture.get('/timestamp')
    assert.match(time.text, /^\d+$/)
  })
})

describe('what an endpoint is asked: paths, methods and parameters', () => {
  shareInstance()

  it('sees uri, method, route, headers in lower case, parameters and the address', async () => {
    const { json } = await fixture.get(
      '/pumps/7/parts/a%20b%2Fc?Key=v%20w&flag&many=1&many=2&x=a+b',
      {
        headers: { 'X-Mixed-Case': 'Yes', 'X-Two': ['a', 'b'], Cookie: 'own=1' },
      },
    )
    assert.equal(json.uri, '/pumps/7/parts/a%20b%2Fc?Key=v%20w&flag&many=1&many=2&x=a+b')
    assert.equal(json.route, '/pumps/{id}/parts/{part}')
    assert.equal(json.ip, '127.0.0.1')
    assert.equal(json.headers['x-mixed-case'], 'Yes')
    assert.equal(json.headers['x-two'], 'a, b')
    assert.equal(json.headers.cookie, 'own=1')
    assert.match(json.headers.host, /^pump\.localhost:\d+$/)
    assert.deepEqual(json.parameters, {
      id: '7',
      part: 'a b/c',
      Key: 'v w',
      flag: '',
      many: ['1', '2'],
      x: 'a b',
    })
    assert.equal(json.body, undefined)
  })

  it('a name in the path goes before a parameter of the same name', async () => {
    const { json } = await fixture.get('/pumps/7?id=8')
    assert.equal(json.parameters.id, '7')
  })

  it('keys that a prototype has are keys like others', async () => {
    const { json } = await fixture.get('/?__proto__=1&constructor=2&toString=3')
    assert.deepEqual(Object.entries(json.parameters).sort(), [
      ...[['__proto__', '1'] as const, ['constructor', '2'] as const, ['toString', '3'] as const],
    ])
  })

  it('what is written out goes before a name, a name before the rest, by method', async () => {
    assert.equal((await fixture.get('/pumps/first')).text, 'written out')
    const posted = await fixture.get('/pumps/first', { method: 'POST' })
    assert.equal(posted.text, 'made first')
    assert.equal((await fixture.get('/files/a/b%20c/d')).json.parameters.rest, 'a/b c/d')
    assert.equal((await fixture.get('/files/')).json.parameters.rest, '')
    assert.equal((await fixture.get('/wei%c3%9f')).text, 'never')
  })

  it('paths are exact: nothing is added, taken away or folded', async () => {
    for (const path of ['/pumps', '/pumps/', '/pumps/7/', '/PUMPS/7', '//', '/files', '/x/../']) {
      assertRefused(await fixture.get(path), 404, 'not_found')
    }
    assertRefused(await fixture.get('/pumps/%zz'), 400, 'malformed_request')
    assertRefused(await fixture.get('/pumps/%ff'), 400, 'malformed_request')
  })

  it('another method is a 405 that names the right ones; OPTIONS is answered', async () => {
    const answer = await fixture.get('/pumps/7', { method: 'DELETE' })
    assertRefused(answer, 405, 'method_not_allowed')
    assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS, POST')
    const options = await fixture.get('/pumps/7', { method: 'OPTIONS' })
    assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS, POST'])
    assert.equal(options.headers['access-control-allow-origin'], undefined)
    assertRefused(await fixture.get('/x', { method: 'OPTIONS' }), 404, 'not_found')
  })

  it('HEAD is a GET without its body', async () => {
    const head = await fixture.get('/pumps/first', { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, '11', ''])
    const none = await fixture.get('/echo', { method: 'HEAD' })
    assert.equal(none.status, 405)
  })
})

describe('what an endpoint is asked: bodies', () => {
  shareInstance()

  it('a JSON body is decoded', async () => {
    const spelled = 'Application/JSON; charset=utf-8'
    for (const type of ['application/json', spelled, 'application/a+json']) {
      const { json } = await post(type, '{"a":[1,null,3],"b":{"c":"é"}}')
      assert.deepEqual(json.body, { a: [1, null, 3], b: { c: 'é' } }, type)
    }
    assert.deepEqual((await post('application/json', '[]')).json.body, [])
    assert.equal((await post('application/json', 'null')).json.body, undefined)
    assert.equal((await post('application/json', '')).json.body, undefined)
  })

  it('a large JSON body is decoded where the script runs', async () => {
    const list = Array.from({ length: webserviceLimits.endpointJsonBytesMax / 4 }, (_, at) => at)
    const text = JSON.stringify({ list, name: 'é' })
    assert.ok(text.length > webserviceLimits.endpointJsonBytesMax)
    const { status, json } = await post('application/json', text)
    assert.equal(status, 200)
    assert.deepEqual(json.body, { list, name: 'é' })
  })

  it('a large body that is no JSON, or holds too much, is refused', async () => {
    const long = '1,'.repeat(webserviceLimits.endpointJsonBytesMax)
    assertRefused(await post('application/json', `[${long}`), 400, 'malformed_request')
    assertRefused(await post('application/json', `[${long}1]x`), 400, 'malformed_request')
    const many = `[${'1,'.repeat(limits.scriptValueNodesMax)}1]`
    assertRefused(await post('application/json', many), 413, 'too_large')
    const half = webserviceLimits.endpointJsonBytesMax
    const deep = '['.repeat(half) + ']'.repeat(half)
    assertRefused(await post('application/json', deep), 400, 'malformed_request')
    assert.equal((await post('application/json', '{}')).status, 200)
  })

  it('what is no JSON is refused with 400', async () => {
    for (const body of ['{', '{"a":1} x', "{'a':1}", Buffer.from([0x22, 0xff, 0x22])]) {
      assertRefused(await post('application/json', body), 400, 'malformed_request')
    }
  })

  it('a byte order mark before JSON or a form is left out, and part of another body', async () => {
    assert.deepEqual((await post('application/json', '\ufeff{"a":1}')).json.body, { a: 1 })
    const large = `\ufeff"${'x'.repeat(webserviceLimits.endpointJsonBytesMax)}"`
    assert.equal(String((await post('application/json', large)).json.body)[0], 'x')
    assert.deepEqual((await post(form, '\ufeffa=1')).json.parameters, { a: '1' })
    assertRefused(await post(form, Buffer.from('a=\xff', 'latin1')), 400, 'malformed_request')
    assert.equal((await post('text/plain', '\ufeffx')).json.body, '\ufeffx')
  })

  it('a form is decoded into body and parameters', async () => {
    const { json } = await post(form, 'a=1&b=x%20y&c=p+q&a=2', 'POST', '/echo?z=0&b=query')
    assert.deepEqual(json.body, { a: ['1', '2'], b: 'x y', c: 'p q' })
    assert.deepEqual(json.parameters, { a: ['1', '2'], b: 'x y', c: 'p q', z: '0' })
    const many = Array.from(
      { length: webserviceLimits.endpointFieldsMax + 1 },
      (_, i) => `k${i}=`,
    ).join('&')
    assertRefused(await post(form, many), 400, 'too_complex')
    const most = many.slice(0, many.lastIndexOf('&'))
    assert.equal((await post(form, most)).status, 200)
  })

  it('any other body is a text, or its exact bytes', async () => {
    assert.equal((await post('text/plain', 'häß\0lich')).json.body, 'häß\0lich')
    assert.equal((await post(undefined, '{"a":1}')).json.body, '{"a":1}')
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const { json } = await post('image/png', all, 'PUT', '/bytes')
    assert.deepEqual(json, { type: 'string', length: 256, byte: 255 })
  })

  it('a compressed body is refused', async () => {
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' }
    const answer = await fixture.get('/echo', { method: 'POST', headers, body: 'x' })
    assertRefused(answer, 415, 'wrong_content_type')
  })

  it('a body has a limit, announced or not', async () => {
    const most = 'x'.repeat(limits.endpointBodyBytesMax)
    assert.equal((await post('text/plain', most, 'PUT', '/bytes')).json.length, most.length)
    assertRefused(await post('text/plain', `${most}x`, 'PUT', '/bytes'), 413, 'too_large')
    const chunked = { 'Transfer-Encoding': 'chunked', 'Content-Type': 'text/plain' }
    const answer = await fixture.get('/bytes', {
      method: 'PUT',
      headers: chunked,
      body: `${most}x`,
    })
    assertRefused(answer, 413, 'too_large')
    // As JSON it may be too many values for a script.
    const many = JSON.stringify(Array(limits.scriptValueNodesMax + 1).fill(1))
    assertRefused(await post('application/json', many), 413, 'too_large')
    assert.equal((await fixture.get('/pumps/first')).status, 200)
  })
})

describe('endpoints that a push changes, or rejects', () => {
  shareInstance()

  it('is refused at the push where its headers are wrong, with file and line', async () => {
    const wrong = [
      ['--#ENDPOINT GET pumps', /web\.lua:1: The header is --#ENDPOINT/],
      ['--#ENDPOINT FETCH /pumps', /web\.lua:1: /],
      ['--#ENDPOINT GET /a?b', /web\.lua:1: /],
      ['--#ENDPOINT GET /{a b}', /web\.lua:1: /],
      ['--#ENDPOINT GET /{1a}', /web\.lua:1: /],
      ['--#ENDPOINT GET /{rest*}/more', /web\.lua:1: /],
      ['--#ENDPOINT GET /x{a}', /web\.lua:1: /],
      ['--#ENDPOINT GET /x texthtml', /web\.lua:1: texthtml is not a content type/],
      ['--#ENDPOINT GET /x\n--#SECURITY', /web\.lua:2: The header is --#SECURITY none\|basic/],
      ['--#ENDPOINT GET /x\n--#SECURITY digest', /web\.lua:2: /],
      ['--#ENDPOINT GET /x\n--#RATELIMIT', /web\.lua:2: The header is --#RATELIMIT/],
      ['--#ENDPOINT GET /x\n--#RATELIMIT 0 1', /web\.lua:2: /],
      ['--#ENDPOINT GET /x\n--#RATELIMIT 1.5 1', /web\.lua:2: /],
      ['--#ENDPOINT GET /x\n\nreturn (', /web\.lua:3: .*near <eof>/],
    ] as const
    for (const [text, message] of wrong) {
      assertFault(await fixture.push({ 'web.lua': text }), 'script_refused', message)
    }
    const path = `/script/${encodeURIComponent('GET /{a')}`
    assertFault(await fixture.pump('PUT', path, { source: '' }), 'invalid_argument')
  })

  it('counts at once when it changes, and is gone with its solution', async () => {
    const { ask } = await fixture.created('brief')
    const path = `/script/${encodeURIComponent('GET /')}`
    const host = 'brief.localhost'
    assertRefused(await fixture.get('/', { host }), 404, 'not_found')
    for (const word of ['one', 'two']) {
      const source = `return "${word}"`
      assertStatus(await ask('PUT', path, { source }), 200)
      assert.equal((await fixture.get('/', { host })).text, word)
    }
    assertStatus(await ask('DELETE', '?confirm=brief'), 204)
    assert.equal((await fixture.get('/', { host })).status, 404)
  })

  it('of two endpoints of one shape the later one is refused, with file and line', async () => {
    const first = { 'a.lua': '--#ENDPOINT GET /t/{x}\nreturn 1\n--#ENDPOINT POST /t/{y}\nreturn 2' }
    const second = { 'b.lua': '-- other\n\n--#ENDPOINT GET /t/{y}\nreturn 3' }
    const said =
      /^b\.lua:3: The endpoint GET \/t\/\{y\} takes what GET \/t\/\{x\} of a\.lua takes\.$/
    assertFault(await fixture.push({ ...first, ...second }), 'script_refused', said)
    const shapes = [
      ['WEBSOCKET /t/{x}', 'WEBSOCKET /t/{y}'],
      ['GET /t/{x*}', 'GET /t/{y*}'],
      ['GET /a%20b', 'GET /a%20%62'],
    ]
    for (const [one, other] of shapes) {
      const text = `--#ENDPOINT ${one}\nreturn 1\n--#ENDPOINT ${other}\nreturn 2`
      assertFault(await fixture.push({ 'a.lua': text }), 'script_refused', /^a\.lua:3: /)
    }
    // Neither beside a script that stays.
    assertStatus(await fixture.push(first), 200)
    assertFault(await fixture.push(second, '?keep=true'), 'script_refused', said)
    const name = encodeURIComponent('GET /t/{y}')
    const put = await fixture.pump('PUT', `/script/${name}`, { source: 'return 3' })
    assertFault(put, 'script_refused', /^endpoints\/GET_t_y_\.lua:1: /)
    const others = '--#ENDPOINT GET /t/{x}\nreturn 1\n--#ENDPOINT GET /t/x\nreturn 2\n'
    await fixture.serve(`${others}--#ENDPOINT GET /t/{x*}\nreturn 3`)
  })
})
