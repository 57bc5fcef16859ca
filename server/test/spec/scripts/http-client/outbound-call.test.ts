import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { createLogger, elapsedMs, nextTurn } from '../../../../src/foundation/kernel/index.ts'
import {
  createOutbound,
  type Lookup,
  outboundKind,
  outboundLimits,
} from '../../../../src/foundation/outbound/index.ts'
import { setLimits } from '../../../fixtures/bounds.ts'
import { httpPeer } from '../../../fixtures/http-client.ts'

const logger = createLogger('silent')
const kib = 1024

function opened(t: TestContext, allow: readonly string[], lookup?: Lookup) {
  const outbound = createOutbound({ allow, logger, ...(lookup === undefined ? {} : { lookup }) })
  t.after(() => outbound.close())
  return outbound
}

function get(url: string, over: Partial<{ totalMsMax: number; answerBytesMax: number }> = {}) {
  const given = { totalMsMax: 5_000, answerBytesMax: 64 * kib, ...over }
  return { method: 'GET', url, connectMsMax: 1_000, ...given } as const
}

function answers(...addresses: string[]): Lookup {
  return (_hostname, _options, callback) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    callback(null, found)
  }
}

test('a listener on the allow list answers; the same one off it receives nothing', async (t) => {
  const open = await httpPeer(t, (response, { method, body }) => {
    response.writeHead(201, { 'x-method': method }).end(body)
  })
  const answer = await opened(t, [open.host]).call({
    ...get(open.url),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['x-method'], 'POST')
  assert.equal(answer.body.toString(), '{"a":1}')

  const closed = opened(t, ['127.0.0.1:1'])
  await assert.rejects(closed.call(get(open.url)), { code: 'address_refused' })
  const mapped = open.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')
  await assert.rejects(closed.call(get(mapped)), { code: 'address_refused' })
  assert.deepEqual([open.requests.length, open.connections()], [1, 1])
})

test('a name that resolves to a forbidden address is refused within the connecting', async (t) => {
  const open = await httpPeer(t, (response) => response.end('in'))
  const url = open.url.replace('127.0.0.1', 'rebound.test')
  const strict = opened(t, [], answers('127.0.0.1'))
  await assert.rejects(strict.call(get(url)), (error: Error) => {
    assert.equal(outboundKind(error), 'refused')
    assert.ok(!error.message.includes('127.0.0.1'), 'the address is not told')
    return true
  })
  const mixed = opened(t, [], answers('192.0.43.8', '127.0.0.1'))
  await assert.rejects(mixed.call(get(url)), { code: 'address_refused' })
  const nothing = opened(t, [], answers())
  await assert.rejects(nothing.call(get(url)), { code: 'address_refused' })
  assert.equal(open.connections(), 0)

  const byAddress = opened(t, [open.host], answers('127.0.0.1'))
  assert.equal((await byAddress.call(get(url))).body.toString(), 'in')
  const byName = opened(t, [open.host.replace('127.0.0.1', 'rebound.test')], answers('127.0.0.1'))
  assert.equal((await byName.call(get(url))).body.toString(), 'in')
})

test('a name that changes its address between connections is caught at the second', async (t) => {
  const open = await httpPeer(t, (response) => {
    response.setHeader('connection', 'close').end('once')
  })
  let asked = 0
  const flips: Lookup = (_hostname, _options, callback) => {
    asked += 1
    callback(null, [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }])
  }
  const outbound = opened(t, [open.host], flips)
  const url = open.url.replace('127.0.0.1', 'flip.test')
  assert.equal((await outbound.call(get(url))).status, 200)
  await assert.rejects(outbound.call(get(url)), { code: 'address_refused' })
  assert.equal(asked, 2)
})

test('a redirect is an answer, not a way', async (t) => {
  const inner = await httpPeer(t, (response) => response.end('secret'))
  const outer = await httpPeer(t, (response) => {
    response.writeHead(302, { location: inner.url }).end()
  })
  const answer = await opened(t, [outer.host, inner.host]).call(get(outer.url))
  assert.deepEqual([answer.status, answer.body.toString()], [302, ''])
})

test('connections are reused', async (t) => {
  const open = await httpPeer(t, (response) => response.end('ok'))
  const outbound = opened(t, [open.host])
  for (let at = 0; at < 20; at += 1) await outbound.call(get(open.url))
  assert.ok(open.connections() <= 2, `${open.connections()} connections for 20 calls`)
})

/** Answers the first request of each connection, and closes it in place of another answer. */
async function stalePeer(t: TestContext) {
  const requests: string[] = []
  const server = createTcpServer((socket) => {
    let count = 0
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      count += 1
      requests.push(`${bytes.toString('latin1').split(' ', 1)[0]} ${count}`)
      if (count === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      else socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}/`, requests }
}

for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'] as const) {
  test(`${method}: a request on a connection that was closed is sent once more`, async (t) => {
    const stale = await stalePeer(t)
    const outbound = opened(t, [stale.host])
    const call = { ...get(stale.url), method: method === 'HEAD' ? 'GET' : method }
    assert.equal((await outbound.call(call)).status, 200)
    // The pool takes the connection back a moment after its answer.
    await nextTurn()
    assert.equal((await outbound.call({ ...call, method })).status, 200)
    assert.deepEqual(stale.requests, [`${call.method} 1`, `${method} 2`, `${method} 1`])
  })
}

for (const method of ['POST', 'PATCH'] as const) {
  test(`${method} is sent once, and not on a connection that was idle for long`, async (t) => {
    const stale = await stalePeer(t)
    const outbound = opened(t, [stale.host])
    const call = { ...get(stale.url), method }
    await outbound.call(call)
    await nextTurn()
    await assert.rejects(outbound.call(call), (error) => outboundKind(error) === 'broken')
    assert.deepEqual(stale.requests, [`${method} 1`, `${method} 2`])
    const other = opened(t, [stale.host])
    await other.call(call)
    await nextTurn()
    setLimits(t, { outboundOnceIdleMsMax: 0 }, outboundLimits)
    await other.call(call)
    assert.deepEqual(stale.requests.slice(2), [`${method} 1`, `${method} 1`])
  })

  test(`${method} does not meet the closing of a server that has shown its time`, async (t) => {
    const open = await httpPeer(t, (response) => response.end('ok'))
    const sockets: Socket[] = []
    open.server.on('connection', (socket) => sockets.push(socket))
    const outbound = opened(t, [open.host])
    const call = { ...get(open.url), method }
    await outbound.call(call)
    const answeredMs = elapsedMs()
    await pause(20)
    const [first = assert.fail('no connection')] = sockets
    first.end()
    await once(first, 'close')
    const shownMs = elapsedMs() - answeredMs
    await outbound.call(call)
    await pause(shownMs)
    await outbound.call(get(open.url))
    assert.equal(sockets.length, 2, 'a GET would be sent once more')
    await pause(shownMs)
    await outbound.call(call)
    assert.equal(sockets.length, 3)
  })
}

test('a request on a new connection is sent once', async (t) => {
  const open = await httpPeer(t, (response) => response.socket?.destroy())
  const call = opened(t, [open.host]).call(get(open.url))
  await assert.rejects(call, (error) => outboundKind(error) === 'broken')
  assert.equal(open.requests.length, 1)
})

test('the total time ends a call in every phase', async (t) => {
  const silent = await httpPeer(t, () => undefined)
  const dripping = await httpPeer(t, (response) => {
    response.writeHead(200).write('x')
  })
  for (const one of [silent, dripping]) {
    const call = opened(t, [one.host]).call(get(one.url, { totalMsMax: 60 }))
    await assert.rejects(call, (error) => outboundKind(error) === 'timed_out')
  }
  const never: Lookup = () => undefined
  const call = opened(t, [], never).call(get('http://never.test/', { totalMsMax: 60 }))
  await assert.rejects(call, (error) => outboundKind(error) === 'timed_out')
})

test('an answer at its cap passes; one byte more, declared or not, does not', async (t) => {
  const open = await httpPeer(t, (response, { url }) => {
    const bytes = Buffer.alloc(Number(new URL(url, 'http://x').searchParams.get('n')))
    if (url.includes('sized')) response.end(bytes)
    else response.write(bytes, () => response.end())
  })
  const outbound = opened(t, [open.host])
  const max = { answerBytesMax: kib }
  for (const way of ['sized', 'open']) {
    const fits = await outbound.call(get(`${open.url}${way}?n=${kib}`, max))
    assert.equal(fits.body.length, kib)
    const over = outbound.call(get(`${open.url}${way}?n=${kib + 1}`, max))
    await assert.rejects(over, (error) => outboundKind(error) === 'too_large')
  }
})

test('the cap counts what a compressed answer unfolds to', async (t) => {
  const zeros = Buffer.alloc(8 * kib * kib)
  const bombs = {
    gzip: gzipSync(zeros),
    br: brotliCompressSync(zeros),
    zstd: zstdCompressSync(zeros),
  }
  for (const [encoding, bomb] of Object.entries(bombs)) {
    assert.ok(bomb.length < 64 * kib)
    const headers = { 'content-encoding': encoding }
    const open = await httpPeer(t, (response) => response.writeHead(200, headers).end(bomb))
    const over = opened(t, [open.host]).call(get(open.url))
    await assert.rejects(over, (error) => outboundKind(error) === 'too_large', encoding)
  }
})

test('an answer in pieces is whole, compressed or not, and without interim answers', async (t) => {
  const sent = randomBytes(2 * kib * kib).toString('base64')
  const open = await httpPeer(t, (response, { url }) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' })
    const isPlain = url === '/plain'
    response.writeHead(200, isPlain ? {} : { 'content-encoding': 'gzip' })
    response.end(isPlain ? sent : gzipSync(sent))
  })
  const outbound = opened(t, [open.host])
  for (const way of ['plain', 'gzip']) {
    const answer = await outbound.call(get(open.url + way, { answerBytesMax: sent.length }))
    assert.equal(answer.status, 200)
    assert.ok(answer.body.toString() === sent, way)
  }
})

test('a connection whose answer was refused serves no other call', async (t) => {
  const open = await httpPeer(t, (response, { url }) => {
    if (url === '/good') response.end('good')
    else response.writeHead(200, { 'content-encoding': 'rot13' }).write('left')
  })
  const outbound = opened(t, [open.host])
  const bad = outbound.call(get(`${open.url}bad`))
  await assert.rejects(bad, (error) => outboundKind(error) === 'broken')
  assert.equal((await outbound.call(get(`${open.url}good`))).body.toString(), 'good')
})

test('what is no answer is broken; where nobody listens is unreachable', async (t) => {
  const talks = (answer: string | undefined) => (socket: Socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () =>
      answer === undefined ? socket.resetAndDestroy() : socket.end(answer),
    )
  }
  const broken = [
    undefined,
    'SSH-2.0-OpenSSH_9.2\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
    'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc',
    'HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 3\r\n\r\nabc',
  ]
  for (const answer of broken) {
    const server = createTcpServer(talks(answer)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const call = opened(t, [host]).call(get(`http://${host}/`))
    await assert.rejects(call, (error) => outboundKind(error) === 'broken', String(answer))
  }
  const gone = await httpPeer(t, () => undefined)
  gone.server.close()
  const call = opened(t, [gone.host]).call(get(gone.url))
  await assert.rejects(call, (error) => outboundKind(error) === 'unreachable')
})

test('what cannot be sent is reported as an argument', async (t) => {
  const open = await httpPeer(t)
  const outbound = opened(t, [open.host])
  await assert.rejects(outbound.call(get('no url')), { code: 'invalid_argument' })
  const smuggled = { ...get(open.url), headers: { a: 'b\r\nx: y' } }
  await assert.rejects(outbound.call(smuggled), { code: 'invalid_argument' })
})
