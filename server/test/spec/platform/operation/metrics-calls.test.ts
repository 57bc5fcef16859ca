import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPlatform } from '../../../fixtures/platform.ts'

test('calls of scripts are counted by their outcome, and their CPU', async (t) => {
  const metrics = { host: '127.0.0.1', port: 0 }
  const millrace = await testPlatform(t, { own: 'has a metrics listener', config: { metrics } })
  const { businessId, metricsUrl, platform } = millrace
  const { solutions, scripts, api } = platform.scripting
  await solutions.create(businessId, { id: 'counted', name: 'counted' })
  const put = (name: string, source: string) =>
    scripts.put(businessId, 'counted', { kind: 'handler', name }, source)
  await put('timer_timer', 'for i = 1, 100000 do end')
  await put('timer_other', 'error("no")')
  const call = { businessId, solutionId: 'counted', service: 'timer', argument: {} }
  for (const event of ['timer', 'timer', 'other']) await api.run({ ...call, event })
  const text = await (await fetch(`${metricsUrl}/metrics`)).text()
  const count = (outcome: string) =>
    new RegExp(`_calls_duration_seconds_count\\{of="script",outcome="${outcome}"\\} (\\d+)`).exec(
      text,
    )?.[1]
  assert.deepEqual([count('returned'), count('failed')], ['2', '1'])
  assert.match(text, /^millrace_script_cpu_seconds_total 0\.\d+$/m)
  assert.equal(text.includes('counted"'), false)
})
