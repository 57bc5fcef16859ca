import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { type Answering, type HttpPeer, httpPeer } from '../../../fixtures/http-client.ts'
import { type TestService, testService } from '../../../fixtures/peers/http-service.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

type Result = {
  readonly status_code: number
  readonly headers: { readonly [name: string]: ScriptValue }
  readonly body: string | Uint8Array
}
type Failure = { readonly type: string; readonly error: string; readonly status: number }

const text = 'ü'.repeat(1_000)
const { httpAnswerBytesMax } = limits

let service: TestService
let server: HttpPeer
let answering: Answering

const onPeer = sharedBySuites(async (suite) => {
  service = await testService(suite)
  server = await httpPeer(suite, (response, request) => answering(response, request))
})

async function result(answer: Answering, operation = 'get'): Promise<Result> {
  answering = answer
  const given = await service.call(operation, { url: server.url })
  assert.ok((given as Result)?.status_code !== undefined, JSON.stringify(given))
  return given as Result
}

async function failure(answer: Answering, status: number): Promise<Failure> {
  answering = answer
  const given = (await service.call('get', { url: server.url })) as Failure
  assert.deepEqual(Object.keys(given).sort(), ['error', 'status', 'type'])
  assert.deepEqual([given.type, given.status], ['ServerError', status], given.error)
  return given
}

describe('results of the HTTP client', () => {
  onPeer()

  test('status_code: any status is an answer', async () => {
    for (const status of [200, 201, 204, 304, 400, 401, 404, 418, 500, 503]) {
      const given = await result((response) => response.writeHead(status).end())
      assert.equal(given.status_code, status)
      assert.equal(given.body, '')
    }
  })

  test('headers: names in lower case', async () => {
    const given = await result((response) => response.setHeader('X-MiXed', 'As It Is').end())
    assert.equal(given.headers['x-mixed'], 'As It Is')
    assert.equal(given.headers['X-MiXed'], undefined)
  })

  test('headers: one sent twice is joined; cookies by a line end: they have commas', async () => {
    const cookies = ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2']
    const given = await result((response) => {
      response.setHeader('x-list', ['a', 'b']).setHeader('set-cookie', cookies).end()
    })
    assert.equal(given.headers['x-list'], 'a, b')
    assert.equal(given.headers['set-cookie'], cookies.join('\n'))
  })

  test('headers: a name such as __proto__ is a name', async () => {
    const given = await result((response) => {
      response.setHeader('constructor', 'a').end()
    })
    assert.equal(given.headers.constructor, 'a')
  })

  test('body: text where it is UTF-8, whatever its content type', async () => {
    assert.equal((await result((response) => response.end(text))).body, text)
    assert.equal((await result((response) => response.end('a\0b'))).body, 'a\0b')
    const marked = '\ufeffbegins with a mark'
    assert.equal((await result((response) => response.end(marked))).body, marked)
  })

  test('body: the bytes themselves where it is not', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_none, at) => at))
    const { body } = await result((response) => response.end(all))
    assert.ok(body instanceof Uint8Array)
    assert.deepEqual(Buffer.from(body), all)
  })

  test('head: the headers of the answer, and no body', async () => {
    const length = String(10 * httpAnswerBytesMax)
    const headers = { 'content-length': length, 'content-encoding': 'gzip' }
    const given = await result((response) => response.writeHead(200, headers).end(), 'head')
    assert.deepEqual([given.body, given.headers['content-length']], ['', length])
    assert.equal(given.headers['content-encoding'], 'gzip')
  })

  test('a chunked answer comes whole', async () => {
    const { body } = await result((response) => {
      for (const part of ['a', 'ü', 'c']) response.write(part)
      response.end()
    })
    assert.equal(body, 'aüc')
  })
})

describe('compressed and large answers to the HTTP client', () => {
  onPeer()

  for (const [encoding, packed] of [
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['GZIP', gzipSync(text)],
    ['identity', Buffer.from(text)],
  ] as const) {
    test(`an answer compressed by ${encoding} is unfolded (${packed[0]})`, async () => {
      const headers = { 'content-encoding': encoding, 'content-length': packed.length }
      const given = await result((response) => response.writeHead(200, headers).end(packed))
      assert.equal(given.body, text)
      assert.equal(given.headers['content-encoding'], undefined)
      assert.equal(given.headers['content-length'], undefined)
    })
  }

  test('an empty answer declared as compressed is empty', async () => {
    const headers = { 'content-encoding': 'gzip' }
    assert.equal((await result((response) => response.writeHead(200, headers).end())).body, '')
  })

  test('an answer of the largest size passes; one byte more is a failure', async () => {
    const fits = await result((response) => response.end('a'.repeat(httpAnswerBytesMax)))
    assert.equal(fits.body.length, httpAnswerBytesMax)
    const over = await failure((response) => response.end('a'.repeat(httpAnswerBytesMax + 1)), 502)
    assert.match(over.error, /larger than 983040 bytes/)
    await failure((response) => {
      response.write('a'.repeat(httpAnswerBytesMax))
      response.end('b')
    }, 502)
  })
})

describe('an interim answer that nobody asked for is parsed past', () => {
  onPeer()
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
  const end = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nhere'
  const rows: Readonly<Record<string, readonly string[]>> = {
    'in one packet with the answer': [interim + end],
    'twice, the second with a header': [interim, `${interim.slice(0, -2)}a: b\r\n\r\n${end}`],
    'letter by letter': [...interim, end],
    'without a reason': ['HTTP/1.1 100\r\n\r\n', end],
    'with a 103 behind it': [`${interim}HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n`, end],
    'not at all, but an answer that begins a little alike': ['HTTP/1.1 ', end.slice(9)],
  }
  for (const [name, packets] of Object.entries(rows)) {
    for (const operation of ['get', 'post']) {
      test(`${name}, to a ${operation}`, async (t) => {
        const url = await speaking(t, packets)
        // Twice: the connection is kept, and the second request gets what is its own.
        for (let times = 0; times < 2; times += 1) {
          const given = await service.call(operation, { url })
          assert.equal((given as Result).body, 'here', JSON.stringify(given))
        }
      })
    }
  }

  test('in a body it is the body', async () => {
    const { body } = await result((response) => response.end(interim + end))
    assert.equal(body, interim + end)
  })

  test('one that never ends is an error', async () => {
    const long = `HTTP/1.1 100 ${'x'.repeat(limits.headerBytesMax + 1)}`
    await failure((response) => response.socket?.end(long), 502)
  })
})

describe('failures of the HTTP client', () => {
  onPeer()

  test('what is broken is an error object', async () => {
    const { error } = await failure((response) => response.socket?.destroy(), 502)
    assert.match(error, /^No answer: /)
  })

  test('a failed connection is an error object', async (t) => {
    const gone = await httpPeer(t)
    gone.server.close()
    const given = (await service.call('get', { url: gone.url })) as Failure
    assert.deepEqual([given.type, given.status], ['ServerError', 502])
    assert.match(given.error, /127\.0\.0\.1 is out of reach \(ECONNREFUSED\)/)
  })

  test('a refusal is an error object that names the host', async () => {
    const given = (await service.call('get', { url: 'http://10.0.0.1/secret?a=b' })) as Failure
    assert.deepEqual(given, {
      type: 'ServerError',
      error: 'The operator does not allow calls to 10.0.0.1.',
      status: 502,
    })
  })
})

/** A peer that writes these packets, one after the other, for each request's head. */
async function speaking(t: TestContext, packets: readonly string[]): Promise<string> {
  const server = createServer((socket) => {
    socket.setNoDelay().on('error', () => undefined)
    socket.on('data', async (data) => {
      if (!data.includes('\r\n\r\n')) return
      for (const packet of packets) await new Promise((sent) => socket.write(packet, sent))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
