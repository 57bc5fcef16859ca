import assert from 'node:assert/strict'
import { connect as connectTcp } from 'node:net'
import { before, describe, it } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { type EndpointsFixture, endpointsFixture } from '../../../fixtures/endpoints.ts'
import { idleSocket } from '../../../fixtures/peers/idle-sockets.ts'
import { assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites, suiteContext } from '../../../fixtures/suite.ts'
import { handshakeText } from '../../../fixtures/wire/raw-sockets.ts'
import { inTime } from '../../../fixtures/wire/sockets.ts'

type Raw = { readonly status: number; readonly text: string; readonly body: string }

/** Sends bytes to a listener, and reads until it ends the connection. */
function raw(url: string, bytes: string): Promise<Raw> {
  const { protocol, hostname, port } = new URL(url)
  const at = { host: hostname, port: Number(port) }
  const socket =
    protocol === 'https:' ? connectTls({ ...at, rejectUnauthorized: false }) : connectTcp(at)
  const { promise, resolve, reject } = Promise.withResolvers<Raw>()
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', reject)
  socket.on('close', () => {
    const [, code] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? []
    resolve({ status: Number(code), text, body: text.slice(text.indexOf('\r\n\r\n') + 4) })
  })
  socket.write(bytes)
  return inTime('an answer', promise)
}

function head(path: string, ...lines: string[]): string {
  return `${[`GET ${path} HTTP/1.1`, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`
}

/** Checks what firmware needs of any answer: a length, and no chunks. */
function assertWhole({ text, body }: Raw): void {
  assert.doesNotMatch(text, /transfer-encoding/i)
  const [, length] = /^content-length: (\d+)\r$/im.exec(text) ?? assert.fail(text)
  assert.equal(body.length, Number(length), text)
}

const lua = `--#ENDPOINT GET /{rest*}
return "pump"
--#ENDPOINT POST /{rest*}
return "pump"
--#ENDPOINT WEBSOCKET /socket
return 1
`

const overHttpOnly = [
  ...['/', '/api:1/solution', '/api/graphql', '/solution/pump/x', '/healthz', '/metrics'],
]
const notifications = '/v1/Services/x/Notifications'

let fixture: EndpointsFixture

let plain: string

let secure: string

const shareInstance = sharedBySuites(async (suite) => {
  const config = { hosts: ['millrace.lan', 'ops.localhost'] }
  fixture = await endpointsFixture(suite, { own: 'has more host names', config })
  await fixture.serve(lua)
  plain = fixture.millrace.httpUrl
  secure = fixture.millrace.tlsUrl
})

const foreign = [
  'evil.example',
  'localhost.evil.example',
  'evillocalhost',
  '127.0.0.1.evil.example',
  'push.example:1',
]

describe('the hosts on which the console, the API and GraphQL answer', () => {
  shareInstance()

  it('are the domain, addresses and what MILLRACE_HOSTS names', async () => {
    const own = [
      'localhost',
      'LOCALHOST:1',
      'localhost.',
      '127.0.0.1',
      '192.168.1.2:8080',
      '[::1]:1',
    ]
    for (const host of [...own, 'millrace.lan', 'ops.localhost:80']) {
      for (const path of overHttpOnly) {
        const answer = await raw(plain, head(path, `Host: ${host}`))
        assert.notEqual(answer.status, 421, `${host} ${path}`)
        assert.notEqual(answer.status, 400, `${host} ${path}`)
      }
      assert.match((await raw(plain, head('/solution/pump/x', `Host: ${host}`))).body, /pump/)
      assert.equal((await raw(plain, head(notifications, `Host: ${host}`))).status, 401)
    }
  })

  it('are no others: a refusal names the setting, and nothing was done', async () => {
    for (const host of foreign) {
      for (const path of overHttpOnly) {
        const answer = await raw(plain, head(path, `Host: ${host}`))
        assertWhole(answer)
        assert.equal(answer.status, 421, `${host} ${path}`)
        assert.equal(JSON.parse(answer.body).code, 'unknown_host')
        assert.match(answer.body, /MILLRACE_HOSTS/)
      }
    }
    const body = JSON.stringify({ id: 'rebound', name: 'x' })
    const lines = [
      'POST /api:1/solution HTTP/1.1',
      'Host: evil.example',
      `Authorization: Automation ${fixture.millrace.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    assert.equal((await raw(plain, `${lines.join('\r\n')}\r\n\r\n${body}`)).status, 421)
    assertStatus(await fixture.ask('GET', '/solution/rebound'), 404)
  })

  it('websockets of /solution/ are among what needs such a host', async () => {
    for (const [host, status] of [['localhost', 101] as const, ['evil.example', 421] as const]) {
      const text = handshakeText('/solution/pump/socket', { Host: host })
      const socket = await idleSocket(plain, text)
      const deadline = inTime(
        'an answer',
        new Promise<void>((resolve) => {
          const look = setInterval(() => {
            if (!socket.received().includes('\r\n\r\n')) return
            clearInterval(look)
            resolve()
          }, 5)
        }),
      )
      await deadline
      socket.destroy()
      assert.match(socket.received(), new RegExp(`^HTTP/1.1 ${status} `), host)
    }
  })
})

describe('the hosts on which notifications and devices are answered', () => {
  shareInstance()

  it('notifications answer on every host that is no label, on both listeners', async () => {
    for (const url of [plain, secure]) {
      for (const host of ['notify.localhost', 'push.example', 'localhost', 'own.example']) {
        assert.equal((await raw(url, head(notifications, `Host: ${host}`))).status, 401, host)
      }
      for (const host of ['nobody.localhost', 'pump.localhost', 'www.localhost']) {
        assert.notEqual((await raw(url, head(notifications, `Host: ${host}`))).status, 401, host)
      }
      // No path of theirs leads to another part.
      const other = await raw(url, head('/v1/Other', 'Host: notify.localhost'))
      assert.equal(other.status, 404)
    }
  })

  it('devices’ paths answer on every host, and without one', async () => {
    for (const url of [plain, secure]) {
      for (const line of ['Host: m2.example.com', 'Host: ???', 'Host:', 'X-None: 1']) {
        const answer = await raw(url, head('/timestamp', line))
        assert.equal(answer.status, 200, line)
        assertWhole(answer)
      }
    }
  })

  it('a device is found by its token without a Host; an activation needs one', async () => {
    const { connector } = fixture.millrace
    const type = 'Content-Type: application/x-www-form-urlencoded'
    const activation = (line: string) =>
      raw(
        plain,
        `POST /provision/activate HTTP/1.1\r\n${line}${type}\r\nContent-Length: 8\r\n` +
          'Connection: close\r\n\r\nid=alone',
      )
    assert.equal((await activation('')).status, 404)
    const { body: token } = await activation(`Host: ${connector.id}.localhost\r\n`)
    const read = await raw(plain, head('/vendor:v1/stack/alias?a', `X-vendor-CIK: ${token}`))
    assert.equal(read.status, 204)
  })
})

describe('the host that a request names, by its version of HTTP and its target', () => {
  shareInstance()

  it('HTTP/1.0 without a Host is served, HTTP/1.1 without one is refused', async () => {
    assert.equal((await raw(plain, 'GET /healthz HTTP/1.0\r\n\r\n')).status, 200)
    for (const path of ['/healthz', '/api:1/solution', '/solution/pump/x', notifications]) {
      for (const url of [plain, secure]) {
        const answer = await raw(url, head(path, 'X-None: 1'))
        assert.equal(answer.status, 400, path)
        assertWhole(answer)
      }
    }
  })

  it('a target in absolute form names the host itself, and must agree with Host', async () => {
    const { port } = new URL(plain)
    for (const [target, ...lines] of [
      [`http://pump.localhost:${port}/x`, `Host: pump.localhost:${port}`],
      ['HTTP://Pump.localhost/x?y', 'Host: pump.localhost'],
      ['http://pump.localhost?y'],
    ] as const) {
      assert.match((await raw(plain, head(target, ...lines))).body, /^pump/, target)
    }
    for (const url of [plain, secure]) {
      const time = await raw(url, head('http://m2.example.com/timestamp', 'Host: m2.example.com'))
      assert.equal(time.status, 200)
    }
    for (const [target, host] of [
      ['http://pump.localhost/x', 'localhost'],
      ['http://localhost/api:1/solution', 'pump.localhost'],
      ['http://localhost/timestamp', 'evil.example'],
    ] as const) {
      assert.equal((await raw(plain, head(target, `Host: ${host}`))).status, 400, target)
    }
    for (const host of ['evil.example', 'localhost@evil.example', 'evil.example:1']) {
      const answer = await raw(plain, head(`http://${host}/healthz`, `Host: ${host}`))
      assert.equal(answer.status, 421, host)
    }
    const mixed = handshakeText('http://pump.localhost/socket', { Host: 'localhost' })
    const socket = await raw(plain, mixed.replace('Connection: Upgrade', 'Connection: close'))
    assert.equal(socket.status, 400)
  })

  it('a request with two Hosts is refused, whoever would answer', async () => {
    for (const path of ['/', '/timestamp', '/x', '/solution/pump/x', notifications]) {
      for (const url of [plain, secure]) {
        const hosts = ['Host: pump.localhost', 'host: localhost']
        for (const lines of [hosts, [...hosts].reverse(), ['Host: localhost', 'HOST: localhost']]) {
          const answer = await raw(url, head(path, ...lines))
          assert.equal(answer.status, 400, path)
          assertWhole(answer)
        }
      }
    }
    const text = handshakeText('/socket', { 'X-More': '1\r\nHost: localhost' })
    const answer = await raw(
      plain,
      text.replace('Connection: Upgrade', 'Connection: Upgrade, close'),
    )
    assert.equal(answer.status, 400)
  })
})

describe('what Node answers by itself', () => {
  const suite = suiteContext()
  let fixture: EndpointsFixture
  before(async () => {
    fixture = await endpointsFixture(suite, {
      own: 'shortens the time of requests',
      times: { requestMs: 200 },
    })
  })
  const rows: readonly (readonly [number, string, string])[] = [
    [400, 'what is no HTTP', 'nonsense\r\n\r\n'],
    [400, 'lines that end without a carriage return', 'GET /timestamp HTTP/1.1\nHost: x\n\n'],
    [400, 'two lengths', head('/timestamp', 'Host: x', 'Content-Length: 1', 'Content-Length: 2')],
    [400, 'a chunk without a size', chunked('zz\r\n')],
    [413, 'a chunk with much behind its size', chunked(`1;${'x'.repeat(20_000)}\r\n`)],
    [431, 'a head that is too long', head('/timestamp', 'Host: x', `X: ${'x'.repeat(20_000)}`)],
    [417, 'an expectation that nobody knows', head('/timestamp', 'Host: x', 'Expect: x')],
    [408, 'half a request', 'GET /timestamp HTTP/1.1\r\nHost: '],
  ]
  for (const [status, what, bytes] of rows) {
    it(`has a length and no chunks: ${status}, ${what}`, async () => {
      for (const url of [fixture.millrace.httpUrl, fixture.millrace.tlsUrl]) {
        const answer = await raw(url, bytes)
        assert.equal(answer.status, status, answer.text)
        assertWhole(answer)
        assert.match(answer.text, /^connection: close\r$/im)
        // There is one answer only.
        assert.equal(answer.text.split('HTTP/1.1 ').length, 2)
      }
    })
  }

  it('is nowhere inside of the answer to what was asked before', async () => {
    const good = 'GET /timestamp HTTP/1.1\r\nHost: x\r\n\r\n'
    const answer = await raw(fixture.millrace.httpUrl, `${good}nonsense\r\n\r\n`)
    assert.match(answer.text, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n\d{10}(?:HTTP\/1\.1 400 |$)/)
  })
})

function chunked(body: string): string {
  return `POST /provision/activate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body}`
}
