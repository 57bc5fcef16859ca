import { deepEqual, match } from 'node:assert/strict'
import { test } from 'node:test'
import { checkModule, serve } from '@millrace/insight-sdk'
import { insightModule } from './module.ts'

test('the module meets every row of the protocol', async (t) => {
  const served = await serve(insightModule)
  t.after(() => served.close())
  const { checks } = await checkModule(served.url)
  deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  )
})

test('a value is multiplied by the factor', async (t) => {
  const served = await serve(insightModule)
  t.after(() => served.close())
  const data = [{ ts: 1_700_000_000_000_000, value: 21, origin: 'a', generated: 'a' }]
  const args = { function_id: 'scale', constants: { factor: 3 } }
  const body = JSON.stringify({ id: 'link-1', data, args })
  const answer = await fetch(`${served.url}/process`, { method: 'POST', body })
  match(await answer.text(), /"value":63/)
})
