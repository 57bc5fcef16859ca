import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { waitMsMax } from '../../../../fixtures/bounds.ts'
import { testEngine } from '../../../../fixtures/database.ts'
import { atEnd } from '../../../../fixtures/ends.ts'
import { until } from '../../../../fixtures/engine.ts'
import type { InstanceProcess } from '../../../../fixtures/processes/instance-process.ts'
import { root } from '../../../../fixtures/processes/page.ts'
import { freePort, isInstalled, startProgram } from '../../../../fixtures/processes/programs.ts'
import {
  type SharedInstance,
  sharedInstance,
} from '../../../../fixtures/processes/two-processes.ts'
import { mqttDevice } from '../../../../fixtures/wire/mqtt.ts'

const page = join(root, 'docs', 'operating', 'proxies', 'haproxy-servers.cfg')
const skip =
  (testEngine === 'embedded' && 'the embedded engine has one process') ||
  (!isInstalled('haproxy') && 'haproxy is not installed (Debian: haproxy)')
const deviceAddress = '127.0.0.5'
const [first, second] = ['127.0.0.11', '127.0.0.12']
/** From the end of a server until a device writes again; the proxy looks every second. */
const outageMsMax = 10_000
const pollMs = 50

type Ports = { readonly http: number; readonly tls: number; readonly mqtt: number }

async function ports(): Promise<Ports> {
  return { http: await freePort(), tls: await freePort(), mqtt: await freePort() }
}

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-haproxy-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A server with a data directory and an address of its own, with the settings of the page. */
async function startServer(t: TestContext, shared: SharedInstance, at: Ports, address: string) {
  return shared.start(undefined, {
    MILLRACE_DATA: await emptyFolder(t),
    MILLRACE_INSTANCE_KEY: 'a1'.repeat(32),
    MILLRACE_TRUSTED_PROXIES: '127.0.0.1',
    MILLRACE_PROXY_PROTOCOL: 'device_tls,mqtt_tls',
    MILLRACE_HTTP: `${address}:${at.http}`,
    MILLRACE_DEVICE_TLS: `${address}:${at.tls}`,
    MILLRACE_MQTT_TLS: `${address}:${at.mqtt}`,
    MILLRACE_MQTT: '',
  })
}

/** HAProxy with the file of the page, but for addresses and ports. */
async function startProxy(t: TestContext, behind: Ports) {
  const own = { tls: await freePort(), mqtt: await freePort() }
  const config = (await readFile(page, 'utf8'))
    .replace('bind 0.0.0.0:443', `bind 127.0.0.1:${own.tls}`)
    .replace('bind 0.0.0.0:8883', `bind 127.0.0.1:${own.mqtt}`)
    .replaceAll('10.0.0.1:', `${first}:`)
    .replaceAll('10.0.0.2:', `${second}:`)
    .replaceAll(/(127\.0\.0\.1[12]):8443/g, `$1:${behind.tls}`)
    .replaceAll(/(127\.0\.0\.1[12]):8883/g, `$1:${behind.mqtt}`)
    .replace('check port 8080', `check port ${behind.http}`)
  const file = join(await emptyFolder(t), 'haproxy.cfg')
  await writeFile(file, config)
  const command = ['haproxy', '-db', '-f', file]
  const { said } = await startProgram(t, command, { ports: [own.tls, own.mqtt] })
  const isUp = async () =>
    /millrace_https\/one is UP/.test(said()) && /millrace_mqtts\/one is UP/.test(said())
  return { ...own, oneIsBack: () => until(isUp) }
}

/** A CA that devices trust: the same of all servers. */
async function readCa(shared: SharedInstance, process: InstanceProcess): Promise<string> {
  const { ca } = await shared.ask(process, 'GET', `${shared.base}/addresses`)
  return ca
}

type Target = { readonly port: number; readonly host: string; readonly ca: string }

/** A request over TLS through the proxy, on a connection of its own. */
function call(
  { port, host, ca }: Target,
  path: string,
  { headers = {}, body }: { headers?: IncomingHttpHeaders; body?: string } = {},
): Promise<{ status: number; body: string }> {
  const method = body === undefined ? 'GET' : 'POST'
  const to = { host: '127.0.0.1', port, servername: host, ca, agent: false, path, method }
  const options = { ...to, localAddress: deviceAddress, headers: { host, ...headers } }
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...options, timeout: waitMsMax }, (answer) => {
      text(answer).then((all) => resolve({ status: answer.statusCode ?? 0, body: all }), reject)
    })
    outgoing.on('error', reject).on('timeout', () => outgoing.destroy(new Error('timed out')))
    outgoing.end(body)
  })
}

/** Writes numbers one after the other, each until it is acknowledged. */
function writer(write: (n: number) => Promise<unknown>) {
  const acknowledged: { readonly n: number; readonly atMs: number }[] = []
  let stopped = false
  const running = (async () => {
    for (let n = 1; !stopped; n += 1) {
      for (;;) {
        const done = await write(n).then(
          () => true,
          () => false,
        )
        if (done) break
        if (stopped) return
        await pause(pollMs)
      }
      acknowledged.push({ n, atMs: performance.now() })
    }
  })()
  return {
    acknowledged,
    /** Waits for as many more acknowledgements of what is written from now on. */
    async more(count: number) {
      const sinceMs = performance.now()
      const wanted = acknowledged.length + count
      while (acknowledged.length < wanted) {
        assert.ok(performance.now() - sinceMs < waitMsMax, `${acknowledged.length} of ${wanted}`)
        await pause(pollMs)
      }
    },
    /** The longest time between two acknowledgements. */
    longestMs: () =>
      Math.max(
        ...acknowledged.slice(1).map(({ atMs }, at) => atMs - (acknowledged[at]?.atMs ?? 0)),
      ),
    async stop() {
      stopped = true
      await running
    },
  }
}

async function readStored(shared: SharedInstance, identity: string): Promise<Set<number>> {
  const client = await shared.connect()
  const { rows } = await client.query<{ body: string }>(
    "select body from eventlog_entry where identity = $1 and kind = 'write'",
    [identity],
  )
  return new Set(rows.map(({ body }) => Number(JSON.parse(body).payload[0].values.n)))
}

/** A device that writes over HTTPS, and one that writes over MQTT and connects again if it must. */
async function startDevices(t: TestContext, https: Target, mqtt: Target) {
  const activate = async (identity: string) => {
    const answer = await call(https, '/provision/activate', { body: `id=${identity}` })
    assert.equal(answer.status, 200, answer.body)
    return answer.body
  }
  const [overHttp, overMqtt] = [await activate('http'), await activate('mqtt')]
  const http = writer(async (n) => {
    const headers = { 'x-vendor-cik': overHttp }
    const { status } = await call(https, '/vendor:v1/stack/alias', { headers, body: `n=${n}` })
    assert.equal(status, 204)
  })
  const tls = { ca: mqtt.ca, servername: mqtt.host, password: overMqtt, connectTimeout: 2_000 }
  const connect = () => mqttDevice(t, `mqtts://127.0.0.1:${mqtt.port}`, tls)
  let connected = connect()
  const packets = writer(async (n) => {
    try {
      await (await connected).write('$resource/n', String(n))
    } catch (error) {
      connected = connect()
      // It is awaited by the next write.
      connected.catch(() => {})
      throw error
    }
  })
  return { http, mqtt: packets }
}

it('devices go on behind HAProxy when a server is killed, and lose nothing', {
  skip,
}, async (t) => {
  const shared = await sharedInstance(t)
  const behind = await ports()
  const started = [first, second].map((address) => startServer(t, shared, behind, address))
  const [one = assert.fail(), two = assert.fail()] = await Promise.all(started)
  const proxy = await startProxy(t, behind)
  const ca = await readCa(shared, one)
  assert.equal(await readCa(shared, two), ca)
  const host = `${shared.connectorId}.localhost`
  const device = { port: proxy.tls, host, ca }
  assert.equal((await call(device, '/ip')).body, deviceAddress)
  const management = { ...device, host: 'localhost' }
  const path = `${shared.base}/addresses`
  const headers = { authorization: shared.headers.Authorization }
  const { http, mqtt } = await startDevices(t, device, { ...device, port: proxy.mqtt })
  for (const each of [http, mqtt]) await each.more(20)
  await one.kill()
  for (const each of [http, mqtt]) await each.more(20)
  assert.equal((await call(management, path, { headers })).status, 200)
  // Back again, the first one serves alone: whichever had the connections, each was killed.
  await startServer(t, shared, behind, first)
  await proxy.oneIsBack()
  await two.kill()
  for (const each of [http, mqtt]) await each.more(20)
  assert.equal((await call(management, path, { headers })).status, 200)
  for (const [name, each] of Object.entries({ http, mqtt })) {
    await each.stop()
    assert.ok(each.longestMs() < outageMsMax, `${name}: ${each.longestMs()} ms without an answer`)
    const stored = await readStored(shared, name)
    assert.deepEqual(
      each.acknowledged.filter(({ n }) => !stored.has(n)),
      [],
    )
  }
})
