import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { readFolder } from '@millrace/cli/folder'
import { checkModule } from '@millrace/insight-sdk'
import { endpointsFixture } from '../../../fixtures/endpoints.ts'
import { assertStatus } from '../../../fixtures/solutions.ts'

const folder = join(import.meta.dirname, '../../../../../examples/solution-insight')

it('a solution serves an insight module that meets the protocol', async (t) => {
  const fixture = await endpointsFixture(t)
  const files = await readFolder(folder)
  assertStatus(await fixture.pump('POST', '/push', { files }), 200)
  const url = `${fixture.millrace.httpUrl}/solution/pump`
  const { checks } = await checkModule(url)
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  )
  assert.ok(checks.length > 15, `${checks.length} checks`)

  const added = await fixture.ask('POST', '/modules', { name: 'Thermal', url })
  assertStatus(added, 201)
  const { modules } = fixture.millrace.platform.pipelines
  const functions = await modules.functions(fixture.businessId, added.json.id)
  assert.deepEqual(functions.map(({ id }) => id).sort(), ['fahrenheit', 'too_hot'])

  const process = await fixture.shared('/process', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      id: 'link',
      data: [{ ts: 1, value: 100, origin: 'c.d.data_in.001', generated: 'x', ttl: 7 }],
      args: { function_id: 'fahrenheit', constants: {} },
    }),
  })
  assert.equal(process.json[0][0].value, 212)
})
