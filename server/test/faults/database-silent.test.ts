import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { connectionLost, openDatabase } from '../../src/foundation/database/index.ts'
import { createLogger } from '../../src/foundation/kernel/index.ts'
import { databaseProxy } from '../fixtures/database-proxy.ts'
import { atEnd } from '../fixtures/ends.ts'
import { testPlatform } from '../fixtures/platform.ts'
import { startCli } from '../fixtures/processes/cli-process.ts'
import { newDevice, send } from '../fixtures/wire/device.ts'
import { until } from '../fixtures/wire/mqtt-fleet.ts'

const logger = createLogger('silent')
/** Instead of the limit, so that several checks take seconds. */
const lookMs = 300

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-silent-'))
  atEnd(t, () => rm(path, { recursive: true, force: true }))
  return path
}

/** Takes connections, and sends nothing. */
async function silentServer(t: TestContext): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return `127.0.0.1:${address.port}`
}

describe('a database that takes connections and answers nothing', () => {
  it('ends a start and a command with 1 and a sentence, without the password', async (t) => {
    const at = await silentServer(t)
    const free = '127.0.0.1:0'
    const env = {
      ...process.env,
      MILLRACE_DATA: await folder(t),
      DATABASE_URL: `postgres://somebody:s3cret@${at}/there`,
      MILLRACE_LOG: 'silent',
      MILLRACE_HTTP: free,
      MILLRACE_DEVICE_TLS: free,
      MILLRACE_MQTT_TLS: free,
    }
    const cwd = tmpdir()
    const started = [['serve'], ['ledger', 'verify']].map((words) =>
      startCli(t, words, { cwd, env }),
    )
    for (const cli of started) {
      assert.equal(await cli.end(), 1)
      const sentence = `The database at ${at} (DATABASE_URL) does not answer`
      assert.ok(cli.printed().includes(`${sentence}: it was waited for 10 s.`), cli.printed())
      assert.ok(!cli.printed().includes('s3cret'), cli.printed())
    }
  })

  it('has every request answered 503, and works again when it answers', async (t) => {
    const proxy = await databaseProxy(t)
    const { httpUrl, connector, token } = await testPlatform(t, {
      own: 'silences the database',
      config: proxy.config,
    })
    const device = await newDevice(httpUrl, connector.id, 'known')
    const other = await newDevice(httpUrl, connector.id, 'not-asked-yet')
    assert.equal((await device.write('a=1')).status, 204)
    const known = { 'X-vendor-CIK': device.token }
    const fresh = { 'X-vendor-CIK': other.token }
    const alias = '/vendor:v1/stack/alias'
    const routes = [
      ['POST', alias, known, 'a=2'],
      ['POST', alias, fresh, 'a=2'],
      ['GET', `${alias}?a`, known],
      ['POST', '/provision/activate', { Host: `${connector.id}.localhost` }, 'id=new'],
      ['GET', '/api:1/connectors', { Host: 'localhost', authorization: `Automation ${token}` }],
      ['GET', '/healthz', { Host: 'localhost' }],
    ] as const
    proxy.silence()
    const answers = await Promise.all(
      routes.map(([method, path, headers, body]) => send(httpUrl, method, path, headers, body)),
    )
    answers.forEach(({ status, text }, at) => {
      assert.equal(status, 503, `${routes[at]?.slice(0, 2)}: ${text}`)
      assert.match(text, /\r\nretry-after: 1\r\n/i)
    })
    proxy.up()
    await until(async () => (await device.read('a')).status === 200)
    assert.equal((await other.write('a=3')).status, 204)
  })

  it('does not keep the platform from closing', async (t) => {
    const proxy = await databaseProxy(t)
    const database = await openDatabase({
      url: proxy.config.databaseUrl,
      dataDir: proxy.config.dataDir,
      owner: false,
      logger,
    })
    database.hints.listen('sets', () => {})
    const writer = database.writer()
    await writer.commit([])
    await database.run('select 1')
    proxy.silence()
    await writer.close()
    await database.close()
  })

  it('is not confused with a statement that takes long', async (t) => {
    const proxy = await databaseProxy(t)
    const database = await openDatabase({
      url: proxy.config.databaseUrl,
      dataDir: proxy.config.dataDir,
      owner: false,
      logger,
      lookMs,
    })
    atEnd(t, () => database.close())
    const writer = database.writer()
    atEnd(t, () => writer.close())
    // Several checks see nothing of it, also if one is late.
    const values = [(lookMs * 10) / 1_000]
    const long = { text: 'select pg_sleep($1)', values }
    await Promise.all([database.run(long.text, values), writer.commit([long])])
  })

  it('is noticed on connections that stay silent while the server answers others', async (t) => {
    const proxy = await databaseProxy(t)
    const database = await openDatabase({
      url: proxy.config.databaseUrl,
      dataDir: proxy.config.dataDir,
      owner: false,
      logger,
      lookMs,
    })
    atEnd(t, () => database.close())
    const writer = database.writer()
    atEnd(t, () => writer.close())
    await writer.commit([])
    proxy.silence({ newToo: false })
    const one = { text: 'select 1', values: [] }
    await assert.rejects(writer.commit([one]), (error) => connectionLost(error))
    await writer.commit([one])
  })
})
