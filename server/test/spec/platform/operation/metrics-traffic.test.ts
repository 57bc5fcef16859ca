import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { metricLimits } from '../../../../src/platform/metrics/index.ts'
import { until } from '../../../fixtures/engine.ts'
import { type Observed, observed } from '../../../fixtures/operation/observed-instance.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'

const page = join(import.meta.dirname, '../../../../../docs/operating/monitoring.md')

/** Metrics that traffic does not change. */
const constant = [
  'millrace_info',
  'millrace_certificate_not_after_seconds',
  'millrace_metrics_failures_total',
]

describe('metrics of real traffic', () => {
  const suite = suiteContext()
  let fixture: Observed
  let modules: readonly string[]
  let text: string
  let earlier: string
  before(async () => {
    Object.assign(metricLimits, { metricsAskMs: 100, metricsModulesMax: 1 })
    const script = 'if event.payload[1].values.temperature == "99" then error("hot") end'
    const config = { metrics: { host: '127.0.0.1', port: 0 } }
    fixture = await observed(suite, { own: 'counts all calls', config, script })
    modules = [fixture.moduleId, (await fixture.addModule([[]])).moduleId]
    earlier = await scrape()
    for (const body of ['temperature=25', 'temperature=99']) {
      assert.equal((await fixture.device.write(body)).status, 204)
    }
    await mqttDevice(suite, fixture.millrace.mqttUrl, { password: fixture.device.token })
    await fixture.settle()
    // A call of a module is counted after its answer, a notification after its provider's.
    await until(async () => {
      text = await scrape()
      return ['module_calls_total', 'jobs', 'notification_attempts_duration_seconds']
        .map((name) => `millrace_${name}`)
        .every(changed)
    })
  })
  const scrape = async () => (await fetch(`${fixture.millrace.metricsUrl}/metrics`)).text()
  const families = () =>
    [...text.matchAll(/^# TYPE (millrace_\w+) /gm)].map(([, name = '']) => name).sort()
  const samples = (of: string, name: string) =>
    of.split('\n').filter((line) => new RegExp(`^${name}(_sum|_count)?[ {]`).test(line))
  const changed = (name: string) =>
    samples(text, name).join('\n') !== samples(earlier, name).join('\n')

  it('changes each metric', () => {
    for (const name of families()) {
      assert.ok(changed(name) || constant.includes(name), `${name} is as it was`)
    }
  })

  /** The value of a series; undefined if there is none. */
  const readNumber = (series: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`millrace_${series} `))
    return line === undefined ? undefined : Number(line.split(' ').at(-1))
  }
  const above = (series: string, least: number) =>
    assert.ok((readNumber(series) ?? 0) > least, `${series}: ${readNumber(series)}`)

  it('counts commits with their entries and time', () => {
    above('log_entries_total{kind="write"}', 1)
    above('log_commit_entries_bucket{le="1"}', 1)
    above('log_commit_duration_seconds_count', 1)
  })

  it('counts calls by module, as far as they are few', () => {
    const own = modules.map((id) =>
      readNumber(`module_calls_total{module="${id}",outcome="returned"}`),
    )
    assert.equal(own.filter((value) => value === undefined).length, 1, `${own}`)
    above('module_calls_total{module="other",outcome="returned"}', 0)
    above('module_call_seconds_total{module="other"}', 0)
  })

  it('counts notifications by provider and outcome', () => {
    const labels = 'provider="sink",outcome="accepted"'
    above(`notification_attempts_duration_seconds_count{${labels}}`, 1)
  })

  it('has the connections of each pool', () => {
    for (const pool of ['main', 'writers']) {
      const of = (state: string) =>
        readNumber(`database_connections{pool="${pool}",state="${state}"}`) ?? Number.NaN
      assert.ok(of('in_use') + of('idle') >= 1)
      assert.ok(of('in_use') + of('idle') <= of('limit'))
      assert.ok(of('waiting') >= 0)
    }
  })

  it('has each metric on the page, and the page no other', async () => {
    const named = (await readFile(page, 'utf8')).match(/^\| `millrace_.*?\|/gm) ?? []
    const listed = named.flatMap((cell) => cell.match(/millrace_\w+/g) ?? [])
    assert.deepEqual(listed.sort(), families())
  })
})
