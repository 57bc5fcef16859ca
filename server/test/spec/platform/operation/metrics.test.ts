import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { applyLimits } from '../../../../src/foundation/kernel/index.ts'
import { metricLimits } from '../../../../src/platform/metrics/index.ts'
import { until } from '../../../fixtures/engine.ts'
import { openServerCa, writePair } from '../../../fixtures/peers/server-certificates.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { freePort, isInstalled, startProgram } from '../../../fixtures/processes/programs.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'
import { type Openssl, openOpenssl } from '../../../fixtures/wire/openssl.ts'

const run = promisify(execFile)
const folder = join(import.meta.dirname, '../../../../../docs/operating/monitoring')
const free = { host: '127.0.0.1', port: 0 }
const skip = isInstalled('promtool') ? false : 'promtool is not installed (Debian: prometheus)'

describe('the alert rules', { skip }, () => {
  it('are rules, and each fires for its reason', async () => {
    const { stdout } = await run('promtool', ['check', 'rules', join(folder, 'alerts.yml')])
    assert.match(stdout, /SUCCESS: 13 rules found/)
    const tested = await run('promtool', ['test', 'rules', join(folder, 'alerts.test.yml')])
    assert.match(tested.stdout, /SUCCESS/)
    const names = /alert(?:name="|: )(\w+)/g
    const of = async (file: string) =>
      new Set(
        [...(await readFile(join(folder, file), 'utf8')).matchAll(names)].map(([, one]) => one),
      )
    assert.deepEqual(await of('alerts.test.yml'), await of('alerts.yml'))
  })
})

describe('the listener of metrics', () => {
  const suite = suiteContext()
  let openssl: Openssl
  let millrace: OwnPlatform
  let at: string
  before(async () => {
    Object.assign(metricLimits, { metricsAskMs: 100 })
    openssl = await openOpenssl(suite)
    const authority = await openServerCa(openssl)
    const pair = await writePair(openssl, 'own', await authority.issue({ names: ['localhost'] }))
    const tls = { pairs: [pair], folder: undefined, rsaKeyExchange: false, acme: undefined }
    millrace = await testPlatform(suite, {
      own: 'has a metrics listener',
      config: { metrics: free, tls },
    })
    at = millrace.metricsUrl ?? ''
    const device = await newDevice(millrace.httpUrl, millrace.connector.id, 'measured')
    for (const body of ['a=1', 'a=2']) {
      const headers = { 'X-vendor-CIK': device.token }
      const url = `${millrace.httpUrl}/vendor:v1/stack/alias`
      assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 204)
    }
  })
  const get = async (path: string) => {
    const answer = await fetch(`${at}${path}`)
    return { status: answer.status, text: await answer.text() }
  }

  it('counts requests by route and status, the ledger, jobs, certificates', async () => {
    await until(async () =>
      /route="deviceApi",status="2xx"\} 3$/m.test((await get('/metrics')).text),
    )
    await until(async () =>
      /millrace_ledger_entries\{stage="log",count="taken"\} [2-9]/.test(
        (await get('/metrics')).text,
      ),
    )
    const { text } = await get('/metrics')
    const [, end] =
      /^millrace_certificate_not_after_seconds\{file=".*own\.crt"\} (\S+)$/m.exec(text) ?? []
    assert.ok(Number(end) > Date.now() / 1_000, text)
    assert.match(text, /^millrace_mqtt_clients 0$/m)
    assert.match(text, /^millrace_info\{version="/m)
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
  })

  it('has no value of a tenant in a label', async () => {
    const { text } = await get('/metrics')
    const { connector, businessId } = millrace
    for (const word of [connector.id, businessId, 'measured'])
      assert.equal(text.includes(word), false)
  })

  it('says whether the process lives, is ready and which version it is', async () => {
    assert.deepEqual(await get('/healthz'), { status: 200, text: 'ok\n' })
    assert.deepEqual(await get('/readyz'), { status: 200, text: 'ready\n' })
    assert.match(JSON.parse((await get('/version')).text).version, /^\d+\.\d+\.\d+/)
    assert.equal((await get('/other')).status, 404)
    assert.equal((await get('/toString')).status, 404)
  })

  it('is not ready while a stage is far behind', async () => {
    applyLimits({ readyPendingMax: 1 })
    await millrace.platform.database.rows(
      `insert into jobs_job (queue, tenant, id, business_id, part, state, input, attempts, due_at,
         created_at, updated_at)
       select 'scripts', 'x', n::text, 'x', 0, 'waiting', '{}', 0, 9e15, 1, 1
       from generate_series(1, 5) as s (n)`,
      [],
    )
    await until(async () => (await get('/readyz')).text === 'deliveries is 5 entries behind\n')
    assert.equal((await get('/readyz')).status, 503)
    applyLimits({ readyPendingMax: 1_000_000 })
  })

  it('is valid for promtool', { skip }, async () => {
    const { text } = await get('/metrics')
    const said = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    assert.doesNotMatch(said.stderr + said.stdout, /millrace_/)
  })

  it('has each metric that the dashboard and the rules name', async () => {
    const { text } = await get('/metrics')
    const names = /\b(?:millrace|nodejs|process)_[a-z0-9_]+?(?=_(?:count|sum|bucket)\b|\b)/g
    for (const file of ['alerts.yml', 'dashboard.json']) {
      const used = new Set((await readFile(join(folder, file), 'utf8')).match(names))
      assert.ok(used.size > 5)
      for (const name of used) assert.ok(text.includes(`# TYPE ${name} `), `${file}: ${name}`)
    }
  })

  it('is scraped by Prometheus', { skip }, async () => {
    const port = await freePort()
    const target = new URL(at).host
    const lines = [
      'scrape_configs:',
      '  - job_name: millrace',
      '    scrape_interval: 1s',
      '    static_configs:',
      `      - targets: ['${target}']`,
      `rule_files: ['${join(folder, 'alerts.yml')}']`,
    ]
    const config = `${lines.join('\n')}\n`
    const file = await openssl.write('prometheus.yml', config)
    const data = `--storage.tsdb.path=${openssl.path('tsdb')}`
    const command = [
      'prometheus',
      `--config.file=${file}`,
      data,
      `--web.listen-address=127.0.0.1:${port}`,
    ]
    await startProgram(suite, command, { ports: [port] })
    const query = encodeURIComponent('millrace_ledger_entries{stage="log",count="taken"}')
    await until(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${query}`)
      return /"job":"millrace"/.test(await answer.text())
    })
  })
})
