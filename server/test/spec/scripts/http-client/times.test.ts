import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { systemClock } from '../../../../src/foundation/kernel/index.ts'
import { outboundLimits } from '../../../../src/foundation/outbound/index.ts'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { httpClientLimits } from '../../../../src/scripts/services/http/index.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { type HttpPeer, httpPeer } from '../../../fixtures/http-client.ts'
import { type TestService, testService } from '../../../fixtures/peers/http-service.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

type Failure = { readonly type: string; readonly error: string; readonly status: number }

/**
 * Asserts that a call ends when its time is over, on a clock that the test holds: so no other of
 * its times can have ended it, and a busy machine changes nothing.
 * @param begun resolves when the time has begun.
 */
async function assertEndsAt(
  t: TestContext,
  [beforeMs, atMs]: readonly [number, number],
  work: () => Promise<ScriptValue>,
  begun: () => Promise<unknown>,
): Promise<Failure> {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const waiting = begun()
    const given = work()
    await waiting
    t.mock.timers.tick(beforeMs)
    assert.equal(await Promise.race([given, turns('not ended')]), 'not ended')
    t.mock.timers.tick(atMs - beforeMs)
    return (await given) as Failure
  } finally {
    t.mock.timers.reset()
  }
}

/** Resolves when what has happened until now has had its effects. */
async function turns<Value>(value: Value): Promise<Value> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
  return value
}

let service: TestService
let silent: HttpPeer
let dripping: HttpPeer

const onPeers = sharedBySuites(async (suite) => {
  service = await testService(suite)
  silent = await httpPeer(suite, () => undefined)
  dripping = await httpPeer(suite, (response) => {
    response.writeHead(200).write('x')
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
})

/** A client that waits for the address of `slow.test` until it is answered. */
async function heldName(t: TestContext) {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const client = await testService(t, {
    allow: ['slow.test:*'],
    lookup: (_name, _options, callback) => {
      asked.resolve()
      answered.promise.then(() => callback(null, [{ address: '127.0.0.1', family: 4 }]))
    },
  })
  return { service: client, asked: asked.promise, answer: answered.resolve }
}

/** It takes connections, and says nothing. */
async function muteServer(t: TestContext): Promise<Server> {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)))
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  atEnd(t, () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return server
}

describe('times of the HTTP client', () => {
  onPeers()

  test('recv_timeout counts from the request to the last byte, however it drips', async (t) => {
    for (const { url, server } of [silent, dripping]) {
      const { type, status, error } = await assertEndsAt(
        t,
        [299, 300],
        () => service.call('get', { url, recv_timeout: 300 }),
        () => once(server, 'request'),
      )
      assert.deepEqual([type, status], ['ServerError', 504])
      assert.match(error, /127\.0\.0\.1 did not answer in time/)
    }
  })

  test('recv_timeout begins when the connection stands: connecting has its own time', async (t) => {
    const name = await heldName(t)
    const server = await httpPeer(t, (response) => response.end('here'))
    const url = server.url.replace('127.0.0.1', 'slow.test')
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const args = { url, recv_timeout: 300, conn_timeout: 10_000 }
    const given = name.service.call('get', args) as Promise<{ body?: string }>
    await name.asked
    t.mock.timers.tick(9_999)
    name.answer()
    assert.equal((await given).body, 'here', JSON.stringify(await given))
  })

  test('conn_timeout ends a name that does not resolve, a TLS that does not begin', async (t) => {
    const name = await heldName(t)
    const args = { conn_timeout: 300, recv_timeout: httpClientLimits.httpReceiveMsMax }
    const { error, status } = await assertEndsAt(
      t,
      [299, 300],
      () => name.service.call('get', { url: 'http://slow.test/', ...args }),
      () => name.asked,
    )
    assert.equal(status, 502)
    assert.match(error, /slow\.test did not connect in time/)
    const mute = await muteServer(t)
    const { port } = mute.address() as AddressInfo
    const given = await assertEndsAt(
      t,
      [299, 300],
      () => service.call('get', { url: `https://127.0.0.1:${port}/`, ...args }),
      () => once(mute, 'connection'),
    )
    assert.match(given.error, /did not connect in time/)
  })

  test('redirects share recv_timeout', async (t) => {
    const time = { ms: 0 }
    const clock = { ...systemClock(), elapsedMs: () => time.ms }
    const service = await testService(t, { clock })
    const hops: ServerResponse[] = []
    const server = await httpPeer(t, (response) => hops.push(response))
    const reached = async (count: number) => {
      while (hops.length < count) await turns(undefined)
    }
    const redirect = async (hop: number) => {
      await reached(hop)
      time.ms += 1_000
      t.mock.timers.tick(1_000)
      hops[hop - 1]?.writeHead(302, { location: '/' }).end()
    }
    // Each hop alone is within the time, and the hops together are not: fewer than are allowed.
    const given = await assertEndsAt(
      t,
      [499, 500],
      () => service.call('get', { url: server.url, recv_timeout: 2_500 }),
      async () => {
        for (const hop of [1, 2]) await redirect(hop)
        await reached(3)
      },
    )
    assert.equal(given.status, 504)
  })

  test("no request lasts longer than its script's own time", async (t) => {
    // Shorter than the time to receive, and counted from a little before.
    const work = () => service.call('get', { url: silent.url }, { remainingMs: 4_000 })
    const begun = () => once(silent.server, 'request')
    const given = await assertEndsAt(t, [3_000, 4_000], work, begun)
    assert.equal(given.status, 504)
  })

  test('a request of a script that has ended is cut', async () => {
    const end = new AbortController()
    const requests = silent.requests.length
    const given = service.call('get', { url: silent.url }, { signal: end.signal })
    const cut = once(silent.server, 'request').then(([request]) => once(request.socket, 'close'))
    while (silent.requests.length === requests) await new Promise(setImmediate)
    end.abort()
    assert.equal(((await given) as Failure).status, 502)
    await cut
  })
})

describe('connections of the HTTP client', () => {
  onPeers()

  test('as many requests of a solution run at once as may, then 429', async (t) => {
    const held: (() => void)[] = []
    const server = await httpPeer(t, (response) => held.push(() => response.end('here')))
    const { httpRequestsMax } = httpClientLimits
    const running = Array.from({ length: httpRequestsMax }, () =>
      service.call('get', { url: server.url, recv_timeout: 20_000 }),
    )
    while (held.length < httpRequestsMax) await new Promise(setImmediate)
    const over = (await service.call('get', { url: server.url })) as Failure
    assert.deepEqual([over.type, over.status], ['QueryError', 429])
    assert.equal(server.connections(), httpRequestsMax)
    const other = service.call('get', { url: server.url }, { solutionId: 'another' })
    while (held.length < httpRequestsMax + 1) await new Promise(setImmediate)
    for (const answer of held.splice(0)) answer()
    for (const given of await Promise.all([...running, other])) {
      assert.equal((given as { body: string }).body, 'here')
    }
    const after = service.call('get', { url: server.url })
    while (held.length === 0) await new Promise(setImmediate)
    held[0]?.()
    assert.equal(((await after) as { body: string }).body, 'here')
  })

  test('calls that give up early cannot pile up sockets', async (t) => {
    const mute = await muteServer(t)
    let taken = 0
    mute.on('connection', () => {
      taken += 1
    })
    const { port } = mute.address() as AddressInfo
    const wide = await testService(t, {
      allow: [1, 2, 3, 4, 5].map((one) => `127.0.0.${one}:*`),
    })
    const max = outboundLimits.outboundGuestSocketsMax
    const answers: Failure[] = []
    const isBusy = ({ status, error }: Failure) => status === 503 && /connections/.test(error)
    // Until there are no more: as many rounds as it takes, each with one socket at least.
    for (let round = 0; round <= max && !answers.some(isBusy); round += 1) {
      const calls = [1, 2, 3, 4, 5].map((one) => {
        const url = `https://127.0.0.${one}:${port}/`
        return wide.call('get', { url, conn_timeout: 5 }, {})
      })
      answers.push(...((await Promise.all(calls)) as Failure[]))
    }
    assert.ok(answers.some(isBusy), 'a call was refused for its connections')
    assert.ok(taken <= max, `${taken} sockets`)
    assert.match(answers[0]?.error ?? '', /did not connect in time/)
    const other = await httpPeer(t)
    const given = await wide.call('get', { url: other.url }, { solutionId: 'another' })
    assert.equal((given as { status_code?: number }).status_code, 200, 'others are not held up')
  })

  test('connections are reused for a solution, and not for another', async (t) => {
    const server = await httpPeer(t, (response) => response.end('here'))
    for (let at = 0; at < 10; at += 1) await service.call('get', { url: server.url })
    const kept = server.connections()
    assert.ok(kept <= 3, `${kept} connections for 10 requests`)
    await service.call('get', { url: server.url }, { solutionId: 'another' })
    assert.equal(server.connections(), kept + 1)
  })
})
