import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Json } from '../../../../../src/foundation/kernel/index.ts'
import { type RunCommand, runsCommands } from '../../../../fixtures/commands/command-line.ts'
import { until } from '../../../../fixtures/interface.ts'
import {
  type NotificationFixture,
  notificationFixture,
  serviceSid,
} from '../../../../fixtures/notification.ts'
import { fedAsset } from '../../../../fixtures/pipelines/fleets.ts'
import { type Answered, assertStatus } from '../../../../fixtures/solutions.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'

type Step = Readonly<Record<string, unknown>> & { readonly kind: string }

const scripts = {
  'device2_event.lua': 'return 1',
  'asset_status.lua': 'return 1',
  'pipeline_status.lua': 'return 1',
}

describe('the trace of a value through scripts and notifications', () => {
  const context = suiteContext()
  let fixture: NotificationFixture
  let run: RunCommand
  let signalId = ''
  let ts = 0

  before(async () => {
    fixture = await notificationFixture(context)
    const { platform, view, connector } = fixture.millrace
    run = runsCommands(fixture.millrace)
    const service = { 'services/device2.yaml': `service: ${connector.id}\n` }
    assertStatus(await fixture.push({ ...scripts, ...service }), 200)
    await fixture.bind('apn', { Endpoint: 'eve-1', Identity: 'eve' })
    const { device, asset, ...fed } = await fedAsset(fixture.millrace, 'traced')
    signalId = fed.signalId
    const link = (functionId: string, constants: Record<string, Json>, inlet: string) =>
      platform.pipelines.links.create(view, {
        assetId: asset.id,
        moduleId: 'builtin',
        functionId,
        name: functionId,
        constants: constants as never,
        inlets: [{ signalId: inlet }],
      })
    const rule = await link('threshold', { warning: 20 }, signalId)
    const status = rule.outlets[0] ?? ''
    await link('call_solution', { solution: 'pump' }, status)
    const to = { solution: 'pump', service: serviceSid, identities: ['eve'], title: 'Hot' }
    await link('send_notification', to, status)
    assert.equal((await device.write('temperature=25')).status, 204)
    const [value] = await until(
      () => platform.assets.history(view, signalId),
      ({ length }) => length === 1,
    )
    ts = value?.ts ?? 0
  })

  const trace = (): Promise<Answered> => fixture.ask('GET', `/trace?signal=${signalId}&ts=${ts}`)
  const whole = () =>
    until(trace, ({ json }) => {
      const steps = json.steps as Step[]
      const calls = steps.filter(({ kind }) => kind === 'script_call')
      return calls.length === 3 && steps.some(({ states }) => (states as { sent: number })?.sent)
    })

  it('has each call of a script: of the write, of the status, and of the action', async () => {
    const steps = (await whole()).json.steps as Step[]
    const calls = steps.filter(({ kind }) => kind === 'script_call')
    assert.deepEqual(
      calls.map(({ cause, solution, handler, failed }) => [cause, solution, handler, failed]),
      [
        ['write', 'pump', 'handle_device2_event', false],
        ['status', 'pump', 'handle_asset_status', false],
        ['action', 'pump', 'handle_pipeline_status', false],
      ],
    )
    for (const { tracking_id, duration_us } of calls) {
      assert.ok(Number.isInteger(duration_us))
      const { lines } = (await fixture.pump('GET', `/logs?tracking_id=${tracking_id}`)).json
      assert.ok(lines.length > 0, 'its lines in the log of the solution')
    }
  })

  it('has the notification with its deliveries', async () => {
    const steps = (await whole()).json.steps as Step[]
    const sent = steps.filter(({ kind }) => kind === 'notification')
    assert.deepEqual(
      sent.map(({ name, solution }) => [name, solution]),
      [['send_notification', 'pump']],
    )
    const { json } = await fixture.pump('GET', `/notifications/${sent[0]?.sid}`)
    assert.deepEqual([json.title, json.states], ['Hot', sent[0]?.states])
  })

  it('is shown by the command, with the durations', async () => {
    await whole()
    const { stdout, stderr } = await run('trace', signalId, String(ts))
    assert.equal(stderr, '')
    assert.equal((await run('trace', signalId, '--ts', String(ts))).stdout, stdout)
    const below = String(ts % 1_000).padStart(3, '0')
    const iso = new Date(Math.floor(ts / 1_000)).toISOString().replace('Z', `${below}Z`)
    assert.equal((await run('trace', signalId, iso)).stdout, stdout, 'as GraphQL shows the time')
    assert.equal((await run('trace', signalId)).stdout, stdout, 'it is the newest value')
    const wrong = await run('trace', signalId, 'yesterday-ish')
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /--ts is a time, such as 2026-01-31T08:00Z/)
    assert.match(stdout, /function "threshold" in [\d.]+ (?:µs|ms): "t" 25 .* gives .*"level":2/)
    assert.match(
      stdout,
      /call of "call_solution" in [\d.]+ ms, try 1, requests 0, tracking id \w+\n/,
    )
    assert.match(stdout, /handle_asset_status of pump, called by the status, ended in [\d.]+ /)
    assert.match(stdout, /notification \w+ of pump by "send_notification": 1 sent\n/)
  })
})
