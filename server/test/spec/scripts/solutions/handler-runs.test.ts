import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { until } from '../../../fixtures/interface.ts'
import {
  type Answered,
  assertFault,
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const scripts = {
  'user_double.lua': 'print("level " .. event.level) return event.level * 2',
  'user_bytes.lua': 'return {text = "a", bytes = "\\255"}',
  'user_nothing.lua': 'print(type(event))',
  'user_spins.lua': 'while true do end',
  'user_refuses.lua': 'error{type = "QueryError", error = "no", status = 404}',
}

let fixture: SolutionsFixture
const onScripts = sharedBySuites(async (suite) => {
  fixture = await solutionsFixture(suite)
  assertStatus(await fixture.push(scripts), 200)
})

describe('POST /solution/<id>/run', () => {
  onScripts()

  const run = (event: string, argument?: unknown): Promise<Answered> =>
    fixture.pump('POST', '/run', { service: 'user', event, argument })

  it('answers what the handler returned, when the log has all its lines', async () => {
    const { status, json } = await run('double', { level: 21 })
    const { tracking_id: trackingId, ...end } = json
    assert.deepEqual({ status, end }, { status: 200, end: { outcome: 'returned', result: 42 } })
    const { lines } = (await fixture.pump('GET', `/logs?tracking_id=${trackingId}`)).json
    assert.deepEqual(
      lines.map(({ type, text }: { type: string; text: string }) => [type, text]),
      [
        ['call', 'The call ended.'],
        ['log', 'level 21'],
      ],
    )
  })

  it('has null for nothing, and bytes in base64', async () => {
    const none = (await run('nothing')).json
    assert.deepEqual([none.outcome, none.result], ['returned', null])
    const { result } = (await run('bytes')).json
    assert.deepEqual(result, { text: 'a', bytes: { base64: '/w==' } })
  })

  it('answers the error of a handler that failed, or is not there, as its outcome', async () => {
    const rows = [
      ['double', 500, /^user_double\.lua:1: attempt to/],
      ['refuses', 404, /^no$/],
      ['none', 404, /handle_user_none/],
    ] as const
    for (const [event, wanted, message] of rows) {
      const { status, json } = await run(event, {})
      assert.deepEqual([status, json.outcome, json.error.status], [200, 'failed', wanted], event)
      assert.equal(json.error.type, wanted < 500 ? 'QueryError' : 'ServerError')
      assert.match(json.error.error, message)
      assert.equal('limit' in json || 'result' in json, false)
    }
  })

  it('is stopped by the limits of the solution', async () => {
    const spun = (await run('spins')).json
    assert.deepEqual([spun.outcome, spun.limit, spun.error.status], ['stopped', 'cpu', 504])
    assertStatus(await fixture.pump('PATCH', '', { limits: { value_bytes: 50 } }), 200)
    const large = (await run('double', 'x'.repeat(100))).json
    assert.deepEqual([large.outcome, large.limit, large.error.status], ['stopped', 'value', 413])
    assertStatus(await fixture.pump('PATCH', '', { limits: { value_bytes: null } }), 200)
  })

  it('refuses what names no handler', async () => {
    const rows: [unknown, RegExp][] = [
      [{ event: 'double' }, /^service must be given/],
      [{ service: 'user' }, /^event must be given/],
      [{ service: 'us er', event: 'double' }, /^service must match/],
      [{ service: '', event: 'double' }, /^service must match/],
      [{ service: 'user', event: 'do_ble' }, /^event must match/],
      [{ service: 'u'.repeat(limits.scriptNameCharsMax + 1), event: 'double' }, /^service must/],
    ]
    for (const [body, message] of rows) {
      assertFault(await fixture.pump('POST', '/run', body), 'invalid_argument', message)
    }
    assertFault(await fixture.pump('POST', '/run', '[]'), 'malformed_request')
    const text = JSON.stringify({ service: 'user', event: 'double', argument: 'x'.repeat(2 ** 20) })
    assertFault(await fixture.pump('POST', '/run', text), 'too_large')
  })
})

describe('POST /solution/<id>/failures/<id>/run', () => {
  onScripts()

  let id = ''
  before(async () => {
    const { api } = fixture.millrace.platform.scripting
    const where = { businessId: fixture.businessId, solutionId: 'pump' }
    const argument = { level: 'high', raw: Buffer.from([255]) }
    await api.deliveries.add([{ ...where, service: 'user', event: 'double', argument }])
    const found = await until(
      async () => (await fixture.pump('GET', '/failures')).json.failures,
      ({ length }) => length > 0,
    )
    id = found[0].id
  })

  it('runs the handler with the stored argument, and the event stays failed', async () => {
    const failed = (await fixture.pump('POST', `/failures/${id}/run`)).json
    assert.equal(failed.outcome, 'failed')
    assert.match(failed.error.error, /attempt to perform arithmetic|attempt to mul/)
    assertStatus(await fixture.push({ 'user_double.lua': 'return event.level .. #event.raw' }), 200)
    const { tracking_id: _, ...end } = (await fixture.pump('POST', `/failures/${id}/run`)).json
    assert.deepEqual(end, { outcome: 'returned', result: 'high1' })
    assertStatus(await fixture.pump('GET', `/failures/${id}`), 200)
  })

  it('refuses an id of none', async () => {
    for (const other of ['nothing', 'A-b', '%00']) {
      assertFault(await fixture.pump('POST', `/failures/${other}/run`), 'not_found')
    }
  })
})
