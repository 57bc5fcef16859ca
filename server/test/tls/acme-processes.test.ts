import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { atEnd } from '../fixtures/ends.ts'
import { testFolder } from '../fixtures/engine.ts'
import { until } from '../fixtures/interface.ts'
import { type Pebble, pebbleMissing, startPebble } from '../fixtures/peers/pebble.ts'
import { handshake, openServerCa } from '../fixtures/peers/server-certificates.ts'
import { type TestPlatform, testPlatform } from '../fixtures/platform.ts'
import { withFixedLimits } from '../fixtures/processes/fixed-limits.ts'
import { type InstanceProcess, startInstance } from '../fixtures/processes/instance-process.ts'
import { freePort } from '../fixtures/processes/programs.ts'
import { suiteContext } from '../fixtures/suite.ts'
import { type Openssl, openOpenssl } from '../fixtures/wire/openssl.ts'
import { type Relay, relayTo } from '../fixtures/wire/relay.ts'

const name = 'example.test'

/** Takes the challenges of the ACME server, and says to which process they go. */
type Gate = {
  readonly port: number
  readonly tokens: Set<string>
  /** The URL of the process that answers; undefined: none does. */
  to: () => Promise<string | undefined>
}

async function openGate(t: Pick<TestContext, 'after'>): Promise<Gate> {
  const gate = {
    port: 0,
    tokens: new Set<string>(),
    to: async () => undefined as string | undefined,
  }
  const answer = async (path: string, response: ServerResponse) => {
    gate.tokens.add(path)
    const url = await gate.to()
    if (url === undefined) return void response.destroy()
    const { status, text } = await fetch(`${url}${path}`).then(async (from) => ({
      status: from.status,
      text: await from.text(),
    }))
    response.writeHead(status).end(text)
  }
  const server = createServer(({ url = '' }, response) => void answer(url, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, async () => void server.close())
  gate.port = (server.address() as AddressInfo).port
  return gate
}

/** Limits in place of hours and minutes. */
const soon = withFixedLimits({
  acmeLookMs: 300,
  acmeRetryMs: 1_000,
  acmeRetryMsMax: 1_000,
  acmeLeaseMs: 6_000,
  certificateLookMs: 300,
})

type Server = InstanceProcess & { readonly tlsPort: number; readonly folder: string }

describe('certificates by ACME of several processes', { skip: pebbleMissing }, () => {
  const suite = suiteContext()
  let openssl: Openssl
  let pebble: Pebble
  let gate: Gate
  before(async () => {
    openssl = await openOpenssl(suite)
    gate = await openGate(suite)
    pebble = await startPebble(suite, openssl, gate.port)
    await openssl.write('root.pem', await pebble.root())
    await openssl.write('pebble-ca.pem', pebble.ca)
  })

  /** Starts a process with a data directory of its own. */
  async function start(
    t: TestContext,
    { millrace, relay, folder }: { millrace: TestPlatform; relay: Relay; folder?: string },
  ): Promise<Server> {
    const dir = folder ?? (await testFolder(t, 0o700))
    const tlsPort = await freePort()
    const instance = await startInstance({
      ...(await millrace.otherProcess()),
      ...soon,
      MILLRACE_DATA: dir,
      MILLRACE_DEVICE_TLS: `127.0.0.1:${tlsPort}`,
      MILLRACE_DOMAIN: 'localhost',
      MILLRACE_ACME_NAMES: name,
      MILLRACE_ACME_URL: `https://localhost:${new URL(relay.origin).port}/dir`,
      MILLRACE_ACME_CA: openssl.path('pebble-ca.pem'),
    })
    atEnd(t, () => instance.kill())
    return Object.assign(instance, { tlsPort, folder: dir })
  }

  /** Two of them; the ACME server does not answer until the relay is mended. */
  async function two(t: TestContext) {
    const millrace = await testPlatform(t)
    const relay = await relayTo(t, pebble.url)
    relay.cut(true)
    gate.tokens.clear()
    const servers = await Promise.all([1, 2].map(() => start(t, { millrace, relay })))
    /** The one that orders, and the other. */
    const split = async () => {
      const row = await millrace.platform.database.one<{ owner: string }>(
        'select owner from acme_lease',
      )
      const isOwner = ({ pid }: Server) => row?.owner.startsWith(`process ${pid} `) === true
      const [owner, other] = [servers.find(isOwner), servers.find((one) => !isOwner(one))]
      assert.ok(owner && other)
      return { owner, other }
    }
    return { millrace, relay, servers, split }
  }

  async function verifies({ tlsPort }: Server): Promise<boolean> {
    const trusts = ['-CAfile', openssl.path('root.pem'), '-verify_return_error']
    const said = await handshake(`${tlsPort}`, ...trusts, '-servername', name)
    return said.includes('Verification: OK')
  }
  const readPem = ({ folder }: Server) => readFile(join(folder, 'tls', 'acme', 'ecdsa.pem'), 'utf8')
  const isTrue = (value: boolean) => value

  it('are ordered once; the process that did not order answers the challenge', async (t) => {
    const { millrace, relay, servers, split } = await two(t)
    gate.to = async () => (await split()).other.httpUrl
    relay.mend()
    for (const one of servers) await until(() => verifies(one), isTrue)
    assert.equal(gate.tokens.size, 1)
    const [first, second] = servers as [Server, Server]
    assert.equal(await readPem(first), await readPem(second))
    const { database } = millrace.platform
    const kept = await database.rows('select c, a from acme_certificate c, acme_account a')
    assert.equal(kept.length, 1)
    assert.doesNotMatch(JSON.stringify(kept), /PRIVATE KEY/)
    assert.deepEqual(await database.rows('select token from acme_challenge'), [])

    const before = await readPem(first)
    await first.kill()
    await second.kill()
    const again = await start(t, { millrace, relay })
    await until(() => verifies(again), isTrue)
    assert.equal(await readPem(again), before, 'a new process has it without an order')
    assert.equal(gate.tokens.size, 1)
  })

  it('are ordered by the other one, when the one that orders is killed meanwhile', async (t) => {
    const { relay, split } = await two(t)
    const killed = Promise.withResolvers<Server>()
    let left: Server | undefined
    gate.to = async () => {
      if (left !== undefined) return left.httpUrl
      const { owner, other } = await split()
      left = other
      await owner.kill()
      killed.resolve(other)
      return undefined
    }
    relay.mend()
    const survivor = await killed.promise
    await until(() => verifies(survivor), isTrue)
    assert.ok(gate.tokens.size > 1)
  })

  it('are taken over from the files of a version of before', async (t) => {
    const millrace = await testPlatform(t)
    const relay = await relayTo(t, pebble.url)
    gate.tokens.clear()
    const { ca, issue } = await openServerCa(openssl)
    await openssl.write('root.pem', ca.pem)
    const { cert, key } = await issue({ names: [name] })
    const folder = await testFolder(t, 0o700)
    await mkdir(join(folder, 'tls', 'acme'), { recursive: true })
    await writeFile(join(folder, 'tls', 'acme', 'ecdsa.pem'), `${key.trim()}\n${cert}`)
    const old = await start(t, { millrace, relay, folder })
    const fresh = await start(t, { millrace, relay })
    for (const one of [old, fresh]) await until(() => verifies(one), isTrue)
    assert.equal(await readPem(fresh), await readPem(old))
    assert.equal(gate.tokens.size, 0, 'nothing was ordered')
  })
})
