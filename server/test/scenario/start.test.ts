import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Demo } from '../../../dev/demo/seed.ts'
import { askGraphql } from '../support/ask.ts'
import { testAddress, testEngine } from '../support/database.ts'
import { atEnd } from '../support/ends.ts'

const run = promisify(execFile)
const up = join(import.meta.dirname, '..', '..', '..', 'dev', 'up.ts')
const waitMsMax = 60_000

type Started = { readonly demo: Demo; readonly printed: string; stop(): Promise<number | null> }

it('npm start: a demo that lives, a curl that works, a clean stop, the data again', async (t) => {
  const settings = await demoSettings(t)
  const first = await start(t, settings)
  assert.deepEqual(Object.keys(first.demo), [
    ...['api', 'graphql', 'console', 'deviceHttp', 'deviceTls', 'caFile', 'account'],
    ...['connector', 'token', 'asset', 'mqtt', 'mqttTls'],
  ])
  assert.match(await readFile(first.demo.caFile, 'utf8'), /BEGIN CERTIFICATE/)
  const names = await until(async () => {
    const { asset } = await readAsset(first.demo)
    const changed = asset.events.length > 0 && asset.status.level > 0
    return changed ? asset.signals.filter((one) => one.lastValue !== null) : undefined
  })
  for (const name of ['Temperature', 'Pressure', 'Wind', 'Moving average']) {
    assert.ok(
      names.some((signal) => signal.name === name),
      name,
    )
  }
  const { stdout } = await run('bash', ['-ec', printedBlock(first.printed)])
  assert.match(stdout, /^HTTP\/1\.1 204 No Content\r\n/)
  assert.match(stdout, /"my-device-\d+".*"Temperature".*"value":21\.5/s)
  assert.equal(await first.stop(), 0)

  const second = await start(t, settings)
  assert.equal(second.demo.token, first.demo.token)
  assert.deepEqual(second.demo.account, first.demo.account)
  const { assets } = await askGraphql<{ assets: { name: string }[] }>(
    new URL(second.demo.graphql).origin,
    second.demo.token,
    '{ assets { name } }',
  )
  assert.ok(assets.some(({ name }) => name.startsWith('my-device-')))
  const before = (await readAsset(second.demo)).asset.signals[0]?.lastValue?.ts
  await until(async () => {
    const now = (await readAsset(second.demo)).asset.signals[0]?.lastValue?.ts
    return now !== undefined && now !== before ? true : undefined
  })
  assert.equal(await second.stop(), 0)
})

async function demoSettings(t: TestContext): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-start-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return {
    MILLRACE_DATA: folder,
    MILLRACE_HTTP: '127.0.0.1:0',
    MILLRACE_DEVICE_TLS: '127.0.0.1:0',
    MILLRACE_MQTT_TLS: '127.0.0.1:0',
    DATABASE_URL: testEngine === 'external' ? ((await testAddress(t)).url ?? '') : '',
  }
}

async function start(t: TestContext, settings: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, [up], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(t, () => end(child, 'SIGKILL'))
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  await until(async () => (printed.includes('Ctrl-C stops it') ? true : undefined))
  const file = join(settings.MILLRACE_DATA ?? '', 'demo.json')
  const demo = JSON.parse(await readFile(file, 'utf8')) as Demo
  return { demo, printed, stop: () => end(child, 'SIGINT') }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal)
    await once(child, 'exit')
  }
  return child.exitCode
}

/** The lines that a person is told to paste. */
function printedBlock(printed: string): string {
  const lines = printed.split('\n')
  const from = lines.findIndex((line) => line.startsWith('  ID='))
  const to = lines.findIndex((line, at) => at > from && line.trim() === '')
  return lines.slice(from, to).join('\n')
}

type AssetRead = {
  asset: {
    status: { level: number }
    events: { level: number }[]
    signals: { name: string; lastValue: { ts: number; value: unknown } | null }[]
  }
}

function readAsset(demo: Demo): Promise<AssetRead> {
  return askGraphql<AssetRead>(
    new URL(demo.graphql).origin,
    demo.token,
    `query ($id: ID!) {
      asset(id: $id) {
        status { level }
        events { level }
        signals { name lastValue { ts value } }
      }
    }`,
    { id: demo.asset },
  )
}

/** Asks again until there is an answer. */
async function until<Result>(ask: () => Promise<Result | undefined>): Promise<Result> {
  const deadline = Date.now() + waitMsMax
  for (;;) {
    const result = await ask()
    if (result !== undefined) return result
    if (Date.now() > deadline) throw new Error('waited too long')
    await pause(50)
  }
}
