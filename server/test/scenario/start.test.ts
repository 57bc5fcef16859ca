import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { fleet } from '../../../dev/demo/plant.ts'
import type { Demo } from '../../../dev/demo/seed.ts'
import { comes, demoSettings, type StartedDemo, startDemo } from '../fixtures/demo.ts'
import { millrace } from '../fixtures/processes/page.ts'
import { askGraphql } from '../fixtures/wire/ask.ts'

const run = promisify(execFile)

it('npm start: a demo that lives, a curl that works, a clean stop, the data again', async (t) => {
  const settings = await demoSettings(t)
  const first = await startDemo(t, settings)
  assert.deepEqual(Object.keys(first.demo), [
    ...['api', 'graphql', 'console', 'deviceHttp', 'deviceTls', 'caFile', 'account'],
    ...['connector', 'token', 'asset', 'solutions', 'stations', 'mqtt', 'mqttTls'],
  ])
  assert.match(await readFile(first.demo.caFile, 'utf8'), /BEGIN CERTIFICATE/)
  await lives(first)
  await pastedCommands(first)
  await refusedToOthers(first, settings)
  assert.equal(await first.stop(), 0)

  const second = await startDemo(t, settings)
  assert.equal(second.demo.token, first.demo.token)
  assert.deepEqual(second.demo.account, first.demo.account)
  assert.deepEqual(second.demo.solutions, first.demo.solutions)
  const { assets } = await askGraphql<{ assets: { name: string }[] }>(
    new URL(second.demo.graphql).origin,
    second.demo.token,
    '{ assets { name } }',
  )
  assert.ok(assets.some(({ name }) => name.startsWith('my-device-')))
  const before = (await readAsset(second.demo)).asset.signals[0]?.lastValue?.timestamp
  await comes(async () => {
    const now = (await readAsset(second.demo)).asset.signals[0]?.lastValue?.timestamp
    return now !== undefined && now !== before ? true : undefined
  })
  assert.equal(await second.stop(), 0)
})

/** Its asset gets values, and a status that changed. */
async function lives({ demo }: StartedDemo) {
  const names = await comes(async () => {
    const { asset } = await readAsset(demo)
    const changed = asset.events.length > 0 && asset.status.level !== 'normal'
    return changed ? asset.signals.filter((one) => one.lastValue !== null) : undefined
  })
  for (const name of ['Temperature', 'Pressure', 'Wind', 'Moving average', 'RMS']) {
    assert.ok(
      names.some((signal) => signal.name === name),
      name,
    )
  }
}

/** The commands that the start prints, as a reader pastes them. */
async function pastedCommands({ printed }: StartedDemo) {
  const { stdout } = await run('bash', ['-ec', printedBlock(printed)])
  assert.match(stdout, /^HTTP\/1\.1 204 No Content\r\n/)
  assert.match(stdout, /"my-device-\d+".*"Temperature".*"value":21\.5/s)
  const curl = / {2}curl -s http:\S+\/stations$/m.exec(printed)?.[0] ?? ''
  const stations = await comes(async () => {
    const asked = await run('bash', ['-ec', curl])
    const { stations: requests } = JSON.parse(asked.stdout) as ModuleRequest
    return requests.length >= fleet.length ? requests : undefined
  })
  for (const { identity } of fleet) {
    const readings = stations.find(({ id }) => id === identity)?.readings ?? {}
    assert.deepEqual(Object.keys(readings).sort(), ['pressure', 'temperature', 'wind'], identity)
  }
}

/** The addresses of the demo's module and of its own port are open to the demo's business alone. */
async function refusedToOthers({ demo }: StartedDemo, settings: Readonly<Record<string, string>>) {
  const env = { ...process.env, ...settings }
  const ask = (words: string, input = '') =>
    execFileSync(process.execPath, [millrace, ...words.split(' ')], { env, input })
      .toString()
      .trim()
  const who = '--name Other --email other@demo.example --password-file -'
  ask(`business create ${who}`, 'a phrase of another business')
  const other = ask('token create --business Other --name t')
  const modules = async (token: string, body?: object) => {
    const headers = { Authorization: `Automation ${token}`, 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    return fetch(`${demo.api}/modules`, { headers, ...sent })
  }
  const listed = await (await modules(demo.token)).text()
  const url = /"url":"(http:[^"]+)"/.exec(listed)?.[1] ?? assert.fail(listed)
  assert.equal((await modules(demo.token, { name: 'Again', url })).ok, true)
  const refused = await modules(other, { name: 'Theirs', url })
  assert.match(await refused.text(), /address_refused/)
  const own = await modules(other, { name: 'Its port', url: `${demo.deviceHttp}/solution/x` })
  assert.match(await own.text(), /address_refused/)
}

/** The lines that a person is asked to paste. */
function printedBlock(printed: string): string {
  const lines = printed.split('\n')
  const from = lines.findIndex((line) => line.startsWith('  ID='))
  const to = lines.findIndex((line, at) => at > from && line.trim() === '')
  return lines.slice(from, to).join('\n')
}

type ModuleRequest = {
  readonly stations: readonly { readonly id: string; readonly readings: object }[]
}

type AssetRead = {
  asset: {
    status: { level: string }
    events: { level: number }[]
    signals: { name: string; lastValue: { timestamp: string; value: unknown } | null }[]
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
        signals { name lastValue { timestamp value } }
      }
    }`,
    { id: demo.asset },
  )
}
