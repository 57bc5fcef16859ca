import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { Service } from '../../../../src/scripts/scripting/index.ts'
import { scriptingLimits } from '../../../../src/scripts/scripting/index.ts'
import { assertRefused, endpointsFixture } from '../../../fixtures/endpoints.ts'
import { assertStatus } from '../../../fixtures/solutions.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'
import { rawClient } from '../../../fixtures/wire/raw.ts'

const [fixture, shareInstance] = sharedFixture((suite) => endpointsFixture(suite))

/** The answer of a body of Lua. */
const say = async (lua: string, header = 'GET /x') => {
  await fixture.serve(`--#ENDPOINT ${header}\n${lua}`)
  return fixture.get('/x')
}

const [plain, json] = ['text/plain; charset=utf-8', 'application/json']

const contents = [
  ['a text', 'return "häß"', plain, 'häß'],
  ['a text with a NUL', 'return "a\\0b"', plain, 'a\0b'],
  ['an empty text', 'return ""', plain, ''],
  ['a table', 'return {a = {1, "b"}}', json, '{"a":[1,"b"]}'],
  ['an empty table', 'return {}', json, '{}'],
  ['an empty list', "return from_json('[]')", json, '[]'],
  ['a number', 'return 10 / 2', json, '5'],
  ['false', 'return false', json, 'false'],
  ['nothing', '', undefined, ''],
  ['response.message', 'response.message = {1}', json, '[1]'],
  ['response in its place', 'response = {message = "new"}', plain, 'new'],
  ['the table response itself', 'response.message = "m" return response', plain, 'm'],
  ['no table response any more', 'response = nil return 1', json, '1'],
  ['a value beside a message', 'response.message = "m" return "v"', plain, 'v'],
  ['... and local names', 'local value, returned = 1, 2 return {value, ...}', json, undefined],
  ['a last line that is a comment', 'return "x" -- end', plain, 'x'],
] as const

const unsendable = [
  ['a code that is none', 'response.code = "ok"'],
  ['a code below 200', 'response.code = 101'],
  ['a code with a fraction', 'response.code = 200.5'],
  ['a code above 599', 'response.code = 600'],
  ['a response that is no table', 'response = 5'],
  ['headers that are no table', 'response.headers = "x"'],
  ['headers that are a list', 'response.headers = {"x"}'],
  ['a line end in a header', 'response.headers["X-A"] = "a\\r\\nSet-Cookie: b=1"'],
  ['a line feed in a header', 'response.headers["X-A"] = "a\\nb"'],
  ['a NUL in a header', 'response.headers["X-A"] = "a\\0b"'],
  ['a line end in a name', 'response.headers["X-A\\r\\nB"] = "a"'],
  ['a colon in a name', 'response.headers["X-A: b"] = "a"'],
  ['a name that is empty', 'response.headers[""] = "a"'],
  ['a name twice', 'response.headers = {["X-A"] = "1", ["x-a"] = "2"}'],
  ['a value that is a table', 'response.headers["X-A"] = {b = 1}'],
  ['the connection', 'response.headers.Connection = "close"'],
  ['transfer-encoding', 'response.headers["Transfer-Encoding"] = "chunked"'],
  ['upgrade', 'response.headers.Upgrade = "websocket"'],
  ['trailer', 'response.headers.Trailer = "X-A"'],
  ['keep-alive', 'response.headers["Keep-Alive"] = "timeout=9"'],
  ["a proxy's header", 'response.headers["Proxy-Authenticate"] = "Basic"'],
  ['a cookie for the domain', 'response.headers["Set-Cookie"] = "a=1; DOMAIN =localhost"'],
  ['headers beyond all measure', 'response.headers["X-A"] = ("a"):rep(20000)'],
  ['bytes within JSON', 'return {a = "\\255"}'],
] as const

describe('what an endpoint answers: bodies, status and headers', () => {
  shareInstance()

  for (const [what, lua, type, text] of contents) {
    it(`gives ${what} as it is: ${lua}`, async () => {
      const answer = await say(lua)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers['content-type'], type)
      if (text !== undefined) assert.equal(answer.text, text)
      assert.equal(answer.headers['content-length'], String(answer.body.length))
      assert.equal(answer.headers['transfer-encoding'], undefined)
    })
  }

  it('bytes are exact', async () => {
    const answer = await say(
      'local t = {} for i = 0, 255 do t[i + 1] = string.char(i) end return table.concat(t)',
    )
    assert.deepEqual(answer.body, Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)))
    assert.equal(answer.headers['content-type'], 'application/octet-stream')
  })

  it("the endpoint's content type is its answer's, if it sets none", async () => {
    const html = 'GET /x text/html'
    const own = 'response.headers["CONTENT-type"] = "text/css" return "a"'
    for (const [lua, header, type] of [
      ['return "<b>"', html, 'text/html; charset=utf-8'],
      ['return {}', html, json],
      ['return {}', 'GET /x application/hal+json', 'application/hal+json'],
      [own, html, 'text/css'],
      ['return "a"', 'GET /x text/csv;charset=latin1', 'text/csv;charset=latin1'],
    ] as const) {
      assert.equal((await say(lua, header)).headers['content-type'], type, header)
    }
  })

  it('response.code is the status', async () => {
    for (const code of [200, 201, 302, 404, 418, 500, 599]) {
      const answer = await say(`response.code = ${code} return "x"`)
      assert.deepEqual([answer.status, answer.text], [code, 'x'])
    }
    assert.equal((await say('response.code = "404" return "x"')).status, 404)
    for (const code of [204, 304]) {
      const answer = await say(`response.code = ${code} return "x"`)
      assert.deepEqual([answer.status, answer.text], [code, ''])
      assert.equal(answer.headers['content-type'], undefined)
    }
  })

  it('response.headers go out, several of a name as a list', async () => {
    const answer = await say(`
      response.headers["X-One"] = "häß"
      response.headers["X-Number"] = 5
      response.headers["Set-Cookie"] = {"a=1; Path=/", "b=2; HttpOnly"}
      response.headers["Content-Length"] = 1
      response.headers.Location = "/there"
      return "abc"`)
    assert.equal(Buffer.from(answer.headers['x-one'] as string, 'latin1').toString(), 'häß')
    assert.equal(answer.headers['x-number'], '5')
    assert.deepEqual(answer.headers['set-cookie'], ['a=1; Path=/', 'b=2; HttpOnly'])
    assert.equal(answer.headers.location, '/there')
    assert.equal(answer.text, 'abc')
  })

  for (const [what, lua] of unsendable) {
    it(`is rejected, and logged for its author, with ${what}`, async () => {
      assertRefused(await say(lua), 502, 'response_refused')
      const lines = await fixture.lines()
      assert.match(lines.at(-1) ?? '', /^The answer was refused: response/)
    })
  }
})

describe('what an endpoint answers if its script fails', () => {
  shareInstance()

  it('an error is a 500 without detail; the log has file and line', async () => {
    const answer = await say('local secret = nil\nreturn secret.field')
    assertRefused(answer, 500, 'script_failed')
    assert.doesNotMatch(answer.text, /secret|field/)
    assert.match((await fixture.lines()).at(-1) ?? '', /web\.lua:3: .*secret/)
    const thrown = 'error({type = "QueryError", error = "no", status = 404})'
    for (const lua of [thrown, 'return print', 'return ("x"):rep(2e6)']) {
      assertRefused(await say(lua), 500, 'script_failed')
    }
  })

  it('an error in a plain script is one of every endpoint', async () => {
    const web = '--#ENDPOINT GET /x\nreturn 1'
    const files = { 'web.lua': web, 'init.lua': 'error("at the opening")' }
    assertStatus(await fixture.push(files), 200)
    assertRefused(await fixture.get('/x'), 500, 'script_failed')
    assert.match((await fixture.lines()).at(-1) ?? '', /init\.lua:1: at the opening/)
  })

  it('time that runs out is a 504, memory a 507', async () => {
    assertStatus(await fixture.pump('PATCH', '', { limits: { wall_ms: 200 } }), 200)
    assertRefused(await say('while true do end'), 504, 'time_exceeded')
    assertStatus(await fixture.pump('PATCH', '', { limits: { wall_ms: null } }), 200)
    const hoard = 'local t = {} while true do t[#t + 1] = ("x"):rep(1e6) .. #t end'
    assertRefused(await say(hoard), 507, 'script_memory')
  })
})

describe('what an endpoint calls, and the requests that it gets', () => {
  shareInstance()

  it('endpoints may call one another, and plain functions', async () => {
    const web = `--#ENDPOINT GET /double/{n}
return double(tonumber(request.parameters.n))
--#ENDPOINT GET /twice/{n}
return _G["GET /double/{n}"](request, {}).value`
    const files = { 'lib.lua': 'function double(x) return 2 * x end', 'web.lua': web }
    assertStatus(await fixture.push(files), 200)
    assert.equal((await fixture.get('/double/4')).text, '8')
    assert.equal((await fixture.get('/twice/4')).text, '8')
  })

  it('has services, context and log as every script; the calls are in the log', async () => {
    const lua = `Keystore.set{key = "k", value = "v"}
      log.info("asked", context.service, context.solution_id)
      return Keystore.get{key = "k"}`
    assert.deepEqual((await say(lua)).json, { value: 'v' })
    const lines = await fixture.lines()
    assert.deepEqual(lines.slice(-2), ['asked\twebservice\tpump', 'The call ended.'])
  })

  it('several requests of one connection are answered in order, refused ones, too', async (t) => {
    await fixture.serve(`--#ENDPOINT POST /x\nreturn request.body`)
    const client = rawClient(fixture.millrace.httpUrl)
    t.after(() => client.close())
    const head = 'POST /x HTTP/1.1\r\nHost: pump.localhost\r\n'
    const first = await client.ask(`${head}Content-Length: 1\r\n\r\na`)
    assert.deepEqual([first.status, first.body], [200, 'a'])
    const large = 'x'.repeat(limits.endpointBodyBytesMax + 1)
    const second = await client.ask(`${head}Content-Length: ${large.length}\r\n\r\n${large}`)
    assert.equal(second.status, 413)
    const json = `${head}Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{`
    assert.equal((await client.ask(json)).status, 400)
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`
    assert.equal((await client.ask(chunked)).body, 'abcde')
    const absolute = 'GET http://pump.localhost/x HTTP/1.1\r\nHost: pump.localhost\r\n\r\n'
    assert.equal((await client.ask(absolute)).status, 405)
    const star = 'OPTIONS * HTTP/1.1\r\nHost: pump.localhost\r\n\r\n'
    assert.equal((await client.ask(star)).status, 400)
  })

  it('a caller that goes away in the middle of its body harms nobody', async () => {
    await fixture.serve(`--#ENDPOINT POST /x\nreturn request.body`)
    const client = rawClient(fixture.millrace.httpUrl)
    const head = 'POST /x HTTP/1.1\r\nHost: pump.localhost\r\nContent-Length: 100\r\n\r\nabc'
    const asked = client.ask(head)
    client.close()
    await assert.rejects(asked)
    assert.equal((await fixture.get('/x', { method: 'POST', body: 'b' })).text, 'b')
  })

  // The last one: so many calls leave no room in the minute's log.
  it('more calls than may wait are 429 with Retry-After; the others are answered', async (t) => {
    const opened = Promise.withResolvers<undefined>()
    const gate: Service = {
      name: 'gate',
      always: true,
      events: [],
      operation: () => () => opened.promise,
      configure: async () => ({ alias: 'gate', parameters: {} }),
    }
    fixture.millrace.platform.scripting.api.services.register(gate)
    await fixture.serve('--#ENDPOINT GET /x\nGate.pass{} return 1')
    const room = scriptingLimits.scriptCallsMax + scriptingLimits.scriptQueuedMax
    const client = rawClient(fixture.millrace.httpUrl)
    t.after(() => client.close())
    const request = 'GET /x HTTP/1.1\r\nHost: pump.localhost\r\n\r\n'
    const first = client.ask(request.repeat(room))
    // Another connection comes to its turn when all of these are waiting.
    let refused = await fixture.get('/none')
    for (let tries = 0; tries < 5_000 && refused.status !== 429; tries += 1) {
      const answer = fixture.get('/x', { headers: { 'X-Try': String(tries) } })
      refused = await Promise.race([answer, fixture.get('/none')])
      if (refused.status === 404) answer.catch(() => undefined)
    }
    opened.resolve(undefined)
    assertRefused(refused, 429, 'too_many_requests')
    assert.equal(refused.headers['retry-after'], String(limits.retryAfterS))
    assert.equal((await first).status, 200)
    for (let count = 1; count < room; count += 1) assert.equal((await client.ask('')).status, 200)
  })
})
