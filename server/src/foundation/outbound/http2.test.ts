import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { type FakeApns, fakeApns } from '../../../test/fixtures/peers/push-apns.ts'
import { serverOptions } from '../../../test/fixtures/peers/tls-server.ts'
import { openOpenssl } from '../../../test/fixtures/wire/openssl.ts'
import { createLogger } from '../kernel/index.ts'
import { createHttp2, type Guest, type Lookup, outboundKind } from './index.ts'

const guest: Guest = { scope: 'solution-1', allow: [] }

function opened(t: TestContext, allow: readonly string[], lookup?: Lookup) {
  const logger = createLogger('silent')
  const http2 = createHttp2({ allow, logger, ...(lookup === undefined ? {} : { lookup }) })
  atEnd(t, () => http2.close())
  return http2
}

/** Without a token, so that every answer is 403: it is an answer as any other. */
function post(url: string, over: { totalMsMax?: number; answerBytesMax?: number } = {}) {
  const times = { connectMsMax: 2_000, totalMsMax: 5_000, answerBytesMax: 1_000 }
  return { method: 'POST', url: `${url}/3/device/aa`, body: '{}', ...times, ...over } as const
}

const host = (fake: FakeApns) => `127.0.0.1:${fake.port}`

test('calls of a guest share a connection, and another guest has one of its own', async (t) => {
  const fake = await fakeApns(t)
  const http2 = opened(t, [host(fake)])
  const answers = await Promise.all([1, 2, 3].map(() => http2.call(post(fake.url), guest)))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.toString()]),
    Array(3).fill([403, '{"reason":"MissingProviderToken"}']),
  )
  assert.equal(fake.connections, 1)
  await http2.call(post(fake.url), { ...guest, scope: 'solution-2' })
  assert.equal(fake.connections, 2)
})

test('an address that is not opened is refused, by its number and behind its name', async (t) => {
  const fake = await fakeApns(t)
  const found: Lookup = (_name, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  const http2 = opened(t, [], found)
  await assert.rejects(http2.call(post(fake.url), guest), { code: 'address_refused' })
  const named = fake.url.replace('127.0.0.1', 'push.test')
  await assert.rejects(http2.call(post(named), guest), { code: 'address_refused' })
  assert.equal(fake.connections, 0)
  const allowed = { ...guest, allow: [{ host: '127.0.0.1', port: fake.port }] }
  assert.equal((await http2.call(post(fake.url), allowed)).status, 403)
})

test('TLS connects to a server of the authority that is trusted, and with no other', async (t) => {
  const { options, ca } = await serverOptions(await openOpenssl(t))
  const fake = await fakeApns(t, options)
  const http2 = opened(t, [host(fake)])
  const trusting = { ...guest, tls: { ca: ca.pem } }
  assert.equal((await http2.call(post(fake.url), trusting)).status, 403)
  await assert.rejects(http2.call(post(fake.url), guest), { kind: 'unreachable' })
})

test('a request that the other end did not begin is sent again, on a new connection', async (t) => {
  const fake = await fakeApns(t)
  const http2 = opened(t, [host(fake)])
  await http2.call(post(fake.url), guest)
  fake.goAway()
  assert.equal((await http2.call(post(fake.url), guest)).status, 403)
  fake.failures.push('refuse')
  assert.equal((await http2.call(post(fake.url), guest)).status, 403)
  assert.equal(fake.failures.length, 0)
  fake.failures.push('refuse', 'refuse', 'refuse', 'refuse')
  await assert.rejects(http2.call(post(fake.url), guest), { kind: 'broken' })
  assert.equal(fake.failures.length, 1, 'and not for ever')
})

test('a request that was begun and broke off is not sent again', async (t) => {
  const fake = await fakeApns(t)
  const http2 = opened(t, [host(fake)])
  await http2.call(post(fake.url), guest)
  fake.failures.push('hang')
  const call = http2.call(post(fake.url), guest)
  call.catch(() => undefined)
  for (let tries = 0; fake.failures.length > 0 && tries < 6_000; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  fake.cut()
  await assert.rejects(call, { kind: 'broken' })
  assert.equal((await http2.call(post(fake.url), guest)).status, 403)
})

test('a connection on which a call waited in vain takes no other', async (t) => {
  const fake = await fakeApns(t)
  const http2 = opened(t, [host(fake)])
  fake.failures.push('hang')
  // On a busy machine a call may end before its connection is open.
  while (fake.failures.length > 0) {
    const silent = http2.call(post(fake.url, { totalMsMax: 100 }), guest)
    await assert.rejects(silent, (error) => outboundKind(error) === 'timed_out')
  }
  const before = fake.connections
  assert.equal((await http2.call(post(fake.url), guest)).status, 403)
  assert.equal(fake.connections, before + 1)
})

test('an answer larger than its cap is cut, and the connection goes on', async (t) => {
  const fake = await fakeApns(t)
  const http2 = opened(t, [host(fake)])
  const call = http2.call(post(fake.url, { answerBytesMax: 8 }), guest)
  await assert.rejects(call, (error) => outboundKind(error) === 'too_large')
  assert.equal((await http2.call(post(fake.url), guest)).status, 403)
  assert.equal(fake.connections, 1)
})

test('a server without HTTP/2 and one that is not there have different errors', async (t) => {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const http2 = opened(t, [`127.0.0.1:${port}`])
  const call = () => http2.call(post(`http://127.0.0.1:${port}`), guest)
  await assert.rejects(call(), { kind: 'broken' })
  server.close()
  await once(server, 'close')
  await assert.rejects(call(), { kind: 'unreachable' })
})
