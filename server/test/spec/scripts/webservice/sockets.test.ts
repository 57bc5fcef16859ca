import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { webserviceLimits } from '../../../../src/scripts/services/webservice/index.ts'
import {
  assertRefused,
  type EndpointsFixture,
  endpointsFixture,
} from '../../../fixtures/endpoints.ts'
import { until } from '../../../fixtures/interface.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { type OpenSocket, openSocket, readRefusal } from '../../../fixtures/wire/sockets.ts'

const lua = `--#ENDPOINT WEBSOCKET /echo
return websocketInfo.message
--#ENDPOINT WEBSOCKET /seen/{name}
if websocketInfo.type == "close" then print(to_json(websocketInfo)) end
return websocketInfo
--#ENDPOINT WEBSOCKET /answers
if websocketInfo.type ~= "data" then return end
local what = websocketInfo.message
response.message = "set"
if what == "set" then return end
if what == "table" then return {list = {1, 2}, text = "é"} end
if what == "number" then return 12.5 end
if what == "false" then return false end
if what == "empty" then return "" end
if what == "bytes" then return "\\255\\0" end
if what == "unsayable" then return {"\\255"} end
response.message = nil
--#ENDPOINT WEBSOCKET /own
assert(websocket_info == websocketInfo and request == websocketInfo)
if websocketInfo.type == "open" then
  websocketInfo.send("one")
  websocketInfo.send({two = 2})
  return "three"
end
if websocketInfo.type == "close" then
  return print(to_json(websocketInfo.send("late")))
end
websocketInfo.close(4001, websocketInfo.message)
return "not sent any more"
--#ENDPOINT WEBSOCKET /ordered
if websocketInfo.type ~= "data" then return end
Keystore.set {key = "last", value = websocketInfo.message}
return websocketInfo.message
--#ENDPOINT WEBSOCKET /failing application/json
if websocketInfo.type == "close" then return print("closed with " .. websocketInfo.code) end
if websocketInfo.type == "data" then
  error("boom")
end
--#ENDPOINT GET /echo
return "http"
--#ENDPOINT POST /ordered
return "posted"
--#ENDPOINT POST /call/{operation}
return {answer = Websocket[request.parameters.operation](request.body)}
`

let fixture: EndpointsFixture

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await endpointsFixture(suite)
  await fixture.serve(lua)
})

const open = (path: string, options?: OpenSocket) => openSocket(fixture, path, options)

const call = async (operation: string, body: unknown) => {
  const headers = { 'Content-Type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  return (await fixture.get(`/call/${operation}`, sent)).json.answer
}

/** A line of the log that is like this, when it is there. */
const line = async (pattern: RegExp): Promise<string> => {
  const found = await until(
    async () => (await fixture.lines()).filter((one) => pattern.test(one)),
    (lines) => lines.length > 0,
  )
  return String(found[0])
}

const parsed = (text: string) => (text.startsWith('{') ? JSON.parse(text) : text)

describe('websockets of a solution: messages', () => {
  shareInstance()

  it('open, data, close: what the script sees', async () => {
    const path = '/seen/a%20b?Key=v+w&many=1&many=2&name=query'
    const headers = { 'X-Own': 'Yes', Cookie: 'own=1' }
    const socket = await open(path, { headers })
    const opened = await socket.nextJson()
    const { socket_id: id, timestamp, headers: seen, ...rest } = opened
    assert.match(id, /^[a-z][a-z0-9]{15}$/)
    assert.ok(Number.isInteger(timestamp) && timestamp > 1e15)
    assert.equal(seen['x-own'], 'Yes')
    assert.equal(seen.cookie, 'own=1')
    assert.match(seen.host, /^pump\.localhost:\d+$/)
    assert.deepEqual(rest, {
      type: 'open',
      uri: path,
      method: 'GET',
      route: '/seen/{name}',
      ip: '127.0.0.1',
      server_ip: '127.0.0.1',
      parameters: { Key: 'v w', many: ['1', '2'], name: 'a b' },
    })
    socket.send('héllo')
    const { timestamp: later, ...data } = await socket.nextJson()
    assert.ok(later >= timestamp)
    const kind = { type: 'data', message: 'héllo', message_type: 'data-text' }
    assert.deepEqual(data, { ...rest, ...kind, socket_id: id, headers: seen })
    socket.close(4000, 'enough')
    assert.deepEqual(await socket.closed, { code: 4000, reason: 'enough' })
    const closed = JSON.parse(await line(/"type":"close".*|"code":4000/))
    assert.deepEqual([closed.code, closed.reason, closed.socket_id], [4000, 'enough', id])
  })

  it('what it returns is sent back: text, JSON of all else, nothing for nil', async () => {
    const socket = await open('/answers')
    const rows = [
      ['set', 'set'],
      ['table', '{"list":[1,2],"text":"é"}'],
      ['number', '12.5'],
      ['false', 'false'],
      ['nothing', undefined],
      ['empty', ''],
    ] as const
    for (const [sent, wanted] of rows) {
      socket.send(sent)
      if (wanted === undefined) continue
      const got = String(await socket.next())
      assert.deepEqual(got.startsWith('{') ? JSON.parse(got) : got, parsed(wanted), sent)
    }
    socket.send('bytes')
    assert.deepEqual(await socket.next(), Buffer.from([255, 0]))
    socket.close()
  })

  it('bytes are exact, and an echo of a binary message is one', async () => {
    const socket = await open('/echo')
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    for (const bytes of [all, Buffer.from('plain'), Buffer.alloc(0)]) {
      socket.send(bytes)
      assert.deepEqual(await socket.next(), bytes)
    }
    socket.send('plain')
    assert.equal(await socket.next(), 'plain')
    const long = 'é'.repeat(webserviceLimits.socketMessageBytesMax / 2)
    socket.send(long)
    assert.equal(await socket.next(), long)
    socket.close()
  })

  it('messages of a socket are handled in their order, however many come at once', async () => {
    const socket = await open('/ordered')
    const numbers = [...Array(5 * webserviceLimits.socketWaitingMax).keys()].map(String)
    for (const number of numbers) socket.send(number)
    const got: unknown[] = []
    for (const _ of numbers) got.push(await socket.next())
    assert.deepEqual(got, numbers)
    socket.close()
  })

  it('a message that came before its client left is handled', async () => {
    const socket = await open('/ordered')
    socket.send('the last word')
    socket.close()
    await socket.closed
    await until(
      () =>
        fixture.millrace.platform.database.one<{ body: string }>(
          "select body from keystore_entry where solution_id = 'pump' and key = 'last'",
          [],
        ),
      (known) => known?.body === '"the last word"',
    )
  })

  it('websocketInfo.send and websocketInfo.close act at once', async () => {
    const socket = await open('/own')
    assert.equal(await socket.next(), 'one')
    assert.deepEqual(await socket.nextJson(), { two: 2 })
    assert.equal(await socket.next(), 'three')
    socket.send('why')
    assert.deepEqual(await socket.closed, { code: 4001, reason: 'why' })
    assert.match(await line(/no such socket/), /"status":404/)
  })
})

describe('websockets of a solution: handlers that send to one and close it', () => {
  shareInstance()

  it('any handler of the solution sends to a socket by its id', async () => {
    const socket = await open('/seen/x')
    const { socket_id } = await socket.nextJson()
    const sends = [
      [{ message: 'text' }, 'text'],
      [{ message: { a: 1 }, server_ip: '127.0.0.1' }, '{"a":1}'],
      [{ message: 'text', type: 'data-text' }, 'text'],
      [{ message: 'text', type: 'data-binary' }, Buffer.from('text')],
    ] as const
    for (const [what, wanted] of sends) {
      assert.equal(await call('send', { socket_id, ...what }), undefined)
      assert.deepEqual(await socket.next(), wanted)
    }
    assert.ok((await call('list', {})).includes(socket_id))
    const { opened_at, headers: _, ...info } = await call('info', { socket_id })
    assert.ok(Number.isInteger(opened_at))
    assert.deepEqual(info, {
      socket_id,
      uri: '/seen/x',
      method: 'GET',
      route: '/seen/{name}',
      ip: '127.0.0.1',
      server_ip: '127.0.0.1',
      parameters: { name: 'x' },
    })
    assert.equal(await call('close', { socket_id, code: 3000, reason: 'done' }), undefined)
    assert.deepEqual(await socket.closed, { code: 3000, reason: 'done' })
    for (const operation of ['send', 'close', 'info']) {
      const message = operation === 'send' ? { message: 'x' } : {}
      const answer = await call(operation, { socket_id, ...message })
      assert.deepEqual([answer.type, answer.status], ['QueryError', 404])
    }
    assert.ok(!(await call('list', {})).includes(socket_id))
  })

  it('closeAll closes those of its solution, and returns how many', async () => {
    const sockets = [await open('/echo'), await open('/ordered')]
    const { length } = await call('list', {})
    assert.ok(length >= 2)
    assert.equal(await call('closeAll', {}), length)
    for (const { closed } of sockets) assert.equal((await closed).code, 1000)
    assert.deepEqual(await call('list', {}), [])
  })

  it('wrong arguments are reported', async () => {
    const socket = await open('/seen/x')
    const { socket_id } = await socket.nextJson()
    const rows = [
      ['send', { message: 'x' }, /socket_id/],
      ['send', { socket_id }, /message is missing/],
      ['send', { socket_id, message: 'x', type: 'text' }, /type must be/],
      ['close', { socket_id, code: 1001 }, /code must be/],
      ['close', { socket_id, code: 5000 }, /code must be/],
      ['close', { socket_id, reason: 'x'.repeat(124) }, /reason must be/],
    ] as const
    for (const [operation, args, message] of rows) {
      const { status, error } = await call(operation, args)
      assert.equal(status, 400)
      assert.match(error, message)
    }
    socket.close()
  })

  it("another solution's socket is none", async () => {
    const valve = await fixture.created('valve')
    assertStatus(await valve.push({ 'web.lua': lua }), 200)
    const socket = await open('/seen/x', { host: 'valve.localhost' })
    const { socket_id } = await socket.nextJson()
    for (const [operation, more] of [
      ['send', { message: 'x' }],
      ['info', {}],
      ['close', {}],
    ] as const) {
      assert.equal((await call(operation, { socket_id, ...more })).status, 404)
    }
    await call('closeAll', {})
    assert.ok(!(await call('list', {})).includes(socket_id))
    socket.send('still there')
    assert.equal((await socket.nextJson()).message, 'still there')
    assertStatus(await valve.ask('DELETE', '?confirm=valve'), 204)
    assert.equal((await socket.closed).code, 1001, 'with its solution')
  })
})

describe('websockets of a solution: the upgrade', () => {
  shareInstance()

  it('is served beside HTTP: a request without an upgrade is rejected', async () => {
    assert.equal((await fixture.get('/echo')).text, 'http')
    const answer = await fixture.get('/seen/x')
    assertRefused(answer, 426, 'upgrade_required')
    assert.equal(answer.headers.upgrade, 'websocket')
    assertRefused(await fixture.get('/ordered'), 426, 'upgrade_required')
    const posted = await fixture.get('/ordered', { method: 'POST', body: '' })
    assert.equal(posted.text, 'posted')
    assertRefused(await fixture.get('/echo', { method: 'DELETE' }), 405, 'method_not_allowed')
    assert.equal(
      (await fixture.get('/echo', { method: 'OPTIONS' })).headers.allow,
      'GET, HEAD, OPTIONS',
    )
    const offered = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': '' }
    assert.equal((await fixture.get('/echo', { headers: offered })).text, 'http')
  })

  it('an upgrade to what is no websocket is refused as any request', async () => {
    for (const path of ['/', '/call/list', '/echo/', '/seen/']) {
      assertRefused(await readRefusal(open(path)), 404, 'not_found')
    }
    assertRefused(await readRefusal(open('/seen/%ff')), 400, 'malformed_request')
    assertRefused(await readRefusal(open('/echo', { host: 'nobody.localhost' })), 404, 'not_found')
    const shared = { host: 'localhost' }
    const nobody = await readRefusal(open('/solution/nobody/echo', shared))
    assertRefused(nobody, 404, 'not_found')
    assert.equal(nobody.headers['content-security-policy'], 'sandbox')
    assert.notEqual((await readRefusal(open('/api:1/whoami', shared))).status, 101)
    assert.equal((await readRefusal(open('/timestamp'))).status, 200, 'a path of devices')
  })

  it('is served on both listeners, and under /solution/<id>/ of the console', async () => {
    const tls = { ca: await readFile(fixture.millrace.caFile) }
    const secure = await open('/echo', { tls })
    secure.send('over TLS')
    assert.equal(await secure.next(), 'over TLS')
    secure.close()
    for (const listener of [{}, { tls }]) {
      const shared = await open('/solution/pump/seen/x?y=1', { ...listener, host: 'localhost' })
      assert.equal((await shared.nextJson()).uri, '/seen/x?y=1')
      shared.close()
    }
  })

  it("Node's own client: text, bytes, close", async () => {
    const socket = new WebSocket(`${fixture.millrace.httpUrl}/solution/pump/echo`)
    socket.binaryType = 'arraybuffer'
    const event = <Type>(name: string) =>
      new Promise<Type>((resolve) =>
        socket.addEventListener(name, (one) => resolve(one as Type), { once: true }),
      )
    await event('open')
    assert.equal(socket.extensions, '', 'nothing is compressed')
    socket.send('text')
    assert.equal((await event<MessageEvent>('message')).data, 'text')
    socket.send(new Uint8Array([0, 254, 255]))
    const { data } = await event<MessageEvent>('message')
    assert.deepEqual(new Uint8Array(data), new Uint8Array([0, 254, 255]))
    socket.close(4002, 'bye')
    assert.equal((await event<CloseEvent>('close')).code, 4002)
  })

  it('the first protocol that is offered is chosen', async () => {
    const socket = await open('/seen/x', { protocols: ['chat.v2', 'chat.v1'] })
    assert.equal(socket.protocol, 'chat.v2')
    assert.equal((await socket.nextJson()).protocol, 'chat.v2')
    socket.close()
  })
})

describe('websockets of a solution: failures and pushes', () => {
  shareInstance()

  it('a script that fails closes with 1011, and its log says why', async () => {
    const socket = await open('/failing')
    socket.send('x')
    assert.deepEqual(await socket.closed, { code: 1011, reason: 'The script failed.' })
    assert.match(await line(/boom/), /web\.lua:\d+: boom/)
    await line(/^closed with 1011$/)
    const refused = await open('/answers')
    refused.send('unsayable')
    const { code, reason } = await refused.closed
    assert.equal(code, 1011)
    assert.doesNotMatch(reason, /lua/)
    await line(/The answer was refused: .*bytes that are not text/)
  })

  it('a message that is too large closes with 1009', async () => {
    const socket = await open('/echo')
    socket.send('x'.repeat(webserviceLimits.socketMessageBytesMax + 1))
    assert.equal((await socket.closed).code, 1009)
  })

  it('after a push the new script handles what comes; without one its sockets end', async () => {
    const [kept, gone] = [await open('/echo'), await open('/ordered')]
    kept.send('before')
    assert.equal(await kept.next(), 'before')
    await fixture.serve('--#ENDPOINT WEBSOCKET /echo\nreturn "new " .. websocketInfo.message')
    kept.send('after')
    assert.equal(await kept.next(), 'new after')
    assert.deepEqual(await gone.closed, { code: 1001, reason: 'The endpoint is gone.' })
    kept.close()
    await fixture.serve(lua)
  })

  it('header lines: any letter case, any content type, pulled as pushed', async () => {
    const text = '--#ENDPOINT websocket /a/{b} application/json\nreturn 1'
    const path = 'sockets.lua'
    const pushed = await fixture.push({ [path]: text })
    assert.deepEqual(pushed.json.added, [{ kind: 'endpoint', name: 'WEBSOCKET /a/{b}' }])
    assert.deepEqual(await fixture.pull(), { [path]: text })
    for (const wrong of ['--#ENDPOINT WEBSOCKET', '--#ENDPOINT WEBSOCKETS /a']) {
      const refused = await fixture.push({ [path]: wrong })
      assertFault(refused, 'script_refused', /sockets\.lua:1: The header is --#ENDPOINT/)
    }
    await fixture.serve(lua)
  })
})
