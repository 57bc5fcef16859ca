import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { webserviceLimits } from '../../../../src/scripts/services/webservice/index.ts'
import {
  assertRefused,
  type EndpointsFixture,
  endpointsFixture,
} from '../../../fixtures/endpoints.ts'
import { openWeb } from '../../../fixtures/peers/web.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import { assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import {
  frameBytes,
  handshakeText,
  opcodes,
  rawSocket,
} from '../../../fixtures/wire/raw-sockets.ts'
import { type OpenSocket, openSocket, readRefusal } from '../../../fixtures/wire/sockets.ts'

const key = 'a-key/of=more, than (20)-letters'.replaceAll(' ', '_')
const seen = 'if websocketInfo.type ~= "close" then return websocketInfo end'

const lua = `--#ENDPOINT WEBSOCKET /open
${seen}
--#ENDPOINT WEBSOCKET /basic
--#SECURITY basic platform
${seen}
--#ENDPOINT WEBSOCKET /bearer
--#SECURITY bearer platform
${seen}
--#ENDPOINT WEBSOCKET /key
--#SECURITY apiKey platform
${seen}
--#ENDPOINT WEBSOCKET /seldom
--#RATELIMIT 2 60
${seen}
--#ENDPOINT WEBSOCKET /echo
if websocketInfo.type == "data" then return websocketInfo.message end
--#ENDPOINT WEBSOCKET /gated
if websocketInfo.type ~= "close" then Http.get {url = websocketInfo.parameters.url} end
--#ENDPOINT POST /pour/{socket_id}
for count = 1, 200 do
  local told = Websocket.send {
    socket_id = request.parameters.socket_id, message = string.rep("x", 200 * 1024) }
  if told then return {count = count, status = told.status} end
end
--#ENDPOINT GET /list
return Websocket.list()
`

let fixture: EndpointsFixture<OwnPlatform>

let configured: string | undefined

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await endpointsFixture(suite, { movesClock: true })
  await fixture.serve(lua)
  await configure({ api_keys: { shop: key } })
})

const open = (path: string, options?: OpenSocket) => openSocket(fixture, path, options)

const configure = async (body: Record<string, unknown>) => {
  const made = await (configured === undefined
    ? fixture.pump('POST', '/serviceconfig', { service: 'webservice', ...body })
    : fixture.pump('PATCH', `/serviceconfig/${configured}`, body))
  assertStatus(made, configured === undefined ? 201 : 200)
  configured = made.json.id
}

const secret = (scheme: string) => {
  const { basic, token } = fixture.millrace
  const [, password = ''] = basic.split(' ')
  const encoded = Buffer.from(password, 'base64').toString('base64url')
  const escaped = encodeURIComponent(key).replaceAll('(', '%28').replaceAll(')', '%29')
  return { basic: encoded, bearer: token, apiKey: escaped }[scheme] ?? ''
}

describe('who may open a websocket: credentials', () => {
  shareInstance()

  it('--#SECURITY: by the headers of any request', async () => {
    const { basic, token } = fixture.millrace
    const rows = [
      ['/basic', { Authorization: basic }, { type: 'basic' }, 'Basic realm="pump"'],
      ['/bearer', { Authorization: `Bearer ${token}` }, { type: 'bearer' }, 'Bearer realm="pump"'],
      ['/key', { 'X-API-Key': key }, { type: 'apiKey', name: 'shop' }, undefined],
    ] as const
    for (const [path, headers, who, challenge] of rows) {
      const none = await readRefusal(open(path))
      assertRefused(none, 401, 'unknown_credential')
      assert.equal(none.headers['www-authenticate'], challenge)
      const socket = await open(path, { headers: { ...headers } })
      const { security, headers: shown } = await socket.nextJson()
      const { subject: _, permissions: __, ...rest } = security
      assert.deepEqual(rest, who)
      assert.equal(shown.authorization ?? shown['x-api-key'], undefined)
      socket.close()
    }
  })

  it('--#SECURITY: a page offers its credential as a protocol', async (t) => {
    const rows = [
      ['/basic', 'basic'],
      ['/bearer', 'bearer'],
      ['/key', 'apiKey'],
    ] as const
    for (const [path, scheme] of rows) {
      const credential = `${scheme}.${secret(scheme)}`
      for (const protocols of [
        [credential, 'chat'],
        ['chat', credential],
      ]) {
        const socket = await open(path, { protocols })
        assert.equal(socket.protocol, 'chat')
        const text = String(await socket.next())
        assert.equal(JSON.parse(text).security.type, scheme)
        assert.ok(!text.includes(secret(scheme)), 'the script never sees it')
        socket.close()
      }
      assertRefused(
        await readRefusal(open(path, { protocols: [credential] })),
        400,
        'malformed_request',
      )
      const wrong = ['chat', `${scheme}.${secret(scheme).slice(1)}`]
      assertRefused(await readRefusal(open(path, { protocols: wrong })), 401, 'unknown_credential')
    }
    const all = `chat,bearer.${fixture.millrace.token}`
    const raw = rawSocket(t, fixture, handshakeText('/bearer', { 'Sec-WebSocket-Protocol': all }))
    const head = await raw.answer
    assert.match(head, /^HTTP\/1\.1 101 /)
    assert.match(head, /^Sec-WebSocket-Protocol: chat\r$/m)
    assert.ok(!head.includes(fixture.millrace.token))
    raw.destroy()
  })

  it("another business's token is nobody's, and a session is none", async () => {
    const { token } = await fixture.otherOwner()
    const { email, password } = fixture.millrace.account
    const session = await fixture.millrace.platform.accounts.signIn(email, password)
    for (const wrong of [token, session.token]) {
      const headers = { Authorization: `Bearer ${wrong}` }
      assertRefused(await readRefusal(open('/bearer', { headers })), 401, 'unknown_credential')
    }
  })

  it('a credential that is taken back ends its sockets with 1008', async () => {
    const { accounts } = fixture.millrace.platform
    const { businessId, clock } = fixture.millrace
    const { id, token } = await accounts.createToken(businessId, { name: 'x', role: 'Viewer' })
    const headers = { Authorization: `Bearer ${token}` }
    const [lost, kept] = [
      await open('/bearer', { headers }),
      await open('/bearer', { headers: { Authorization: `Bearer ${fixture.millrace.token}` } }),
    ]
    await accounts.revokeToken(businessId, id)
    clock.advance(webserviceLimits.socketCredentialMs)
    assert.deepEqual(await lost.closed, {
      code: 1008,
      reason: 'The credential is not known any more.',
    })
    await kept.next()
    kept.send('x')
    assert.equal((await kept.nextJson()).message, 'x')
    kept.close()
  })

  it('a push that requires a credential ends the sockets that have none', async () => {
    const socket = await open('/open')
    await socket.next()
    await fixture.serve(lua.replace('/open\n', '/open\n--#SECURITY bearer platform\n'))
    socket.send('x')
    assert.equal((await socket.closed).code, 1008)
    await assert.rejects(socket.next(), /"code":1008/, 'nothing is answered any more')
    await fixture.serve(lua)
  })
})

describe('who may open a websocket: origins and rates', () => {
  shareInstance()

  it('pages of other origins connect if cors allows it', async () => {
    const own = `http://pump.localhost:${new URL(fixture.millrace.httpUrl).port}`
    const other = 'https://app.example.com'
    const { basic } = fixture.millrace
    const asked = async (origin: string | undefined, path = '/open') => {
      const Origin = origin === undefined ? {} : { Origin: origin }
      const headers = { Cookie: 'a=1', Authorization: basic, ...Origin }
      try {
        const socket = await open(path, { headers })
        const { headers: shown } = await socket.nextJson()
        socket.close()
        return shown.cookie === undefined ? 'stripped' : 'whole'
      } catch (error) {
        return (error as { answer: { status: number } }).answer.status
      }
    }
    const rows = [
      [null, [undefined, 'whole'], [own, 'whole'], [other, 403], ['null', 403]],
      [{ origin: '*' }, [own, 'whole'], [other, 'stripped'], ['null', 'stripped']],
      [{ origin: [other] }, [other, 'stripped'], ['https://evil.example', 403]],
      [{ origin: ['http://localhost:*'] }, ['http://localhost:1', 'stripped'], [other, 403]],
      [{ origin: [other], credentials: true }, [other, 'whole'], [`${other}.evil`, 403]],
    ] as const
    for (const [cors, ...wanted] of rows) {
      await configure({ cors })
      for (const [origin, what] of wanted) {
        assert.equal(await asked(origin), what, JSON.stringify([cors, origin]))
        const secured = what === 'stripped' ? 401 : what
        assert.equal(await asked(origin, '/basic'), secured, JSON.stringify([cors, origin]))
      }
    }
    await configure({ cors: null })
    const refused = await readRefusal(open('/open', { headers: { Origin: other } }))
    assertRefused(refused, 403, 'forbidden')
  })

  it("on the console's origin a script sees none of its credentials", async () => {
    const headers = { Authorization: fixture.millrace.basic, Cookie: 'session=1', 'X-API-Key': key }
    const options = {
      host: 'localhost',
      headers,
      protocols: ['chat', `bearer.${secret('bearer')}`],
    }
    const socket = await open('/solution/pump/open', options)
    const text = String(await socket.next())
    for (const name of ['authorization', 'cookie', 'x-api-key', 'sec-websocket-protocol']) {
      assert.equal(JSON.parse(text).headers[name], undefined, name)
    }
    socket.close()
  })

  it('--#RATELIMIT counts the upgrades of an address', async () => {
    for (const socket of [await open('/seldom'), await open('/seldom')]) socket.close()
    const third = await readRefusal(open('/seldom'))
    assertRefused(third, 429, 'too_many_requests')
    assert.ok(Number(third.headers['retry-after']) > 50)
    fixture.millrace.clock.advance(60_000)
    const again = await open('/seldom')
    again.close()
  })
})

describe('what a websocket may send', () => {
  shareInstance()

  it('a handshake that is none is refused, and the connection ends', async (t) => {
    const rows = [
      [{ 'Sec-WebSocket-Key': undefined }, 400, 'malformed_request'],
      [{ 'Sec-WebSocket-Key': 'short' }, 400, 'malformed_request'],
      [{ 'Sec-WebSocket-Version': undefined }, 426, 'upgrade_required'],
      [{ 'Sec-WebSocket-Version': '8' }, 426, 'upgrade_required'],
      [{ 'Sec-WebSocket-Protocol': 'a, a' }, 400, 'malformed_request'],
      [{ 'Sec-WebSocket-Protocol': 'a b' }, 400, 'malformed_request'],
      [{ 'Content-Length': '5' }, 400, 'malformed_request'],
      [{ 'Transfer-Encoding': 'chunked' }, 400, 'malformed_request'],
      [{ Connection: 'close' }, 426, 'upgrade_required'],
    ] as const
    for (const [headers, status, code] of rows) {
      const raw = rawSocket(t, fixture, handshakeText('/open', headers))
      const answer = await raw.answer
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), JSON.stringify(headers))
      const [, body = ''] = answer.split('\r\n\r\n')
      assert.equal(JSON.parse(body).code, code)
      if (status === 426 && !('Connection' in headers)) {
        assert.match(answer, /^Sec-WebSocket-Version: 13\r$/m)
      }
      await raw.gone
    }
    // Behind a request without an answer yet, which would come among the frames.
    const first = 'GET /list HTTP/1.1\r\nHost: pump.localhost\r\n\r\n'
    const behind = rawSocket(t, fixture, first + handshakeText('/open'))
    await assert.rejects(behind.answer, /^Error: gone after: $/)
  })

  it('a frame that no client may send closes with the code that says why', async (t) => {
    const { text, more, ping } = opcodes
    const rows = [
      ['not masked', [frameBytes(text, 'x', { masked: false })], 1002],
      ['a bit of an extension', [frameBytes(text, 'x', { rsv: 4 })], 1002],
      ['an unknown opcode', [frameBytes(3, 'x')], 1002],
      ['a control frame in parts', [frameBytes(ping, 'x', { fin: false })], 1002],
      ['a control frame too long', [frameBytes(ping, 'x'.repeat(126))], 1002],
      ['what goes on with nothing', [frameBytes(more, 'x')], 1002],
      ['a message within another', [frameBytes(text, 'x', { fin: false }), frameBytes(text)], 1002],
      ['text that is not UTF-8', [frameBytes(text, Buffer.from([0xc3, 0x28]))], 1007],
      ['a length that is not there yet', [Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0])], 1009],
      [
        'too much in parts',
        [
          frameBytes(text, 'x'.repeat(60_000), { fin: false }),
          ...[1, 2, 3].map(() => frameBytes(more, 'x'.repeat(60_000), { fin: false })),
        ],
        1009,
      ],
      [
        'too many parts',
        [
          frameBytes(text, 'x', { fin: false }),
          ...Array.from({ length: webserviceLimits.socketFragmentsMax }, () =>
            frameBytes(more, 'x', { fin: false }),
          ),
        ],
        1008,
      ],
    ] as const
    for (const [what, frames, code] of rows) {
      const raw = rawSocket(t, fixture, handshakeText('/echo'))
      raw.write(Buffer.concat(frames))
      assert.equal(await raw.closeCode(), code, what)
      raw.destroy()
    }
  })

  it('frames are read however they come: with the handshake, byte by byte, in parts', async (t) => {
    const first = Buffer.concat([
      Buffer.from(handshakeText('/echo')),
      frameBytes(opcodes.text, 'with it'),
    ])
    const raw = rawSocket(t, fixture, first)
    assert.equal((await raw.next()).payload.toString(), 'with it')
    for (const byte of frameBytes(opcodes.text, 'slowly')) raw.write(Buffer.from([byte]))
    assert.equal((await raw.next()).payload.toString(), 'slowly')
    raw.write(frameBytes(opcodes.text, 'in ', { fin: false }))
    raw.write(frameBytes(opcodes.ping, 'between'))
    raw.write(frameBytes(opcodes.more, 'parts'))
    const frames = [await raw.next(), await raw.next()]
    assert.deepEqual(
      frames.map(({ opcode, payload }) => [opcode, payload.toString()]),
      [
        [opcodes.pong, 'between'],
        [opcodes.text, 'in parts'],
      ],
    )
    raw.write(frameBytes(opcodes.close, Buffer.from([0x03, 0xe8])))
    assert.equal(await raw.closeCode(), 1000)
    await raw.gone
  })
})

describe('what a websocket may do: clients that are idle, slow or many', () => {
  shareInstance()

  it('an idle client is pinged, and cut if it does not answer', async (t) => {
    const quiet = await open('/echo')
    const raw = rawSocket(t, fixture, handshakeText('/echo'))
    await raw.answer
    const { clock } = fixture.millrace
    clock.advance(webserviceLimits.socketPingMs)
    assert.equal((await raw.next()).opcode, opcodes.ping)
    clock.advance(webserviceLimits.socketPongMsMax)
    await raw.gone
    quiet.send('still here')
    assert.equal(await quiet.next(), 'still here')
    quiet.close()
  })

  it('a client that does not read is closed, and the script is notified', async (t) => {
    const raw = rawSocket(t, fixture, handshakeText('/open'))
    const { socket_id } = JSON.parse((await raw.next()).payload.toString())
    raw.pause()
    const { json } = await fixture.get(`/pour/${socket_id}`, { method: 'POST', body: '' })
    assert.equal(json.status, 503)
    assert.ok(json.count > webserviceLimits.socketUnreadBytesMax / (200 * 1024))
    assert.ok(!(await fixture.get('/list')).json.includes(socket_id))
    assert.ok((await fixture.lines()).some((line) => line.startsWith('The client does not read')))
  })

  it('a client that floods is not read any more, then closed', async (t) => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    const web = await openWeb(t, async () => {
      await gate
      return { status: 200 }
    })
    const raw = rawSocket(t, fixture, handshakeText(`/gated?url=${encodeURIComponent(web.url)}`))
    await raw.answer
    const one = frameBytes(opcodes.text, 'x')
    raw.write(
      Buffer.concat(Array.from({ length: 50 * webserviceLimits.socketFloodMax }, () => one)),
    )
    assert.equal(await raw.closeCode(), 1008)
    release()
    assert.ok((await fixture.lines()).some((line) => line.startsWith('The client sends faster')))
  })

  it('a solution has so many, and no more', async (t) => {
    const before = (await fixture.get('/list')).json.length
    const free = webserviceLimits.socketsOfSolutionMax - before
    const raws = Array.from({ length: free }, () => rawSocket(t, fixture, handshakeText('/echo')))
    for (const raw of raws) assert.match(await raw.answer, /^HTTP\/1\.1 101 /)
    const refused = await readRefusal(open('/echo'))
    assertRefused(refused, 429, 'too_many_requests')
    for (const raw of raws) raw.destroy()
    await Promise.all(raws.map(({ gone }) => gone))
  })
})
