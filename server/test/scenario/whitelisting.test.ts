import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { parseCsv } from '../support/csv.ts'
import { pastePage, readersInstance, withDemoConnector, writeDemoFile } from '../support/page.ts'

it('docs/using/whitelisting.md: its commands work, copied as they stand', async (t) => {
  let token = ''
  const { folder, settings, instance } = await readersInstance(t, async (platform, id) => {
    await withDemoConnector(platform, id)
    const named = { name: 'x', role: 'Administrator' } as const
    token = (await platform.accounts.createToken(id, named)).token
  })
  const api = `${instance.httpUrl}/api:1`
  await writeDemoFile(folder, { api, token, connector: { id: 'demo' } })
  const { stdout: printed } = await pastePage('whitelisting.md', {
    ...{ folder, settings, goesOn: true },
  })
  const answer = parseCsv(await readFile(join(folder, 'answer.csv'), 'utf8'))
  assert.deepEqual(
    answer.map((row) => row[2]),
    ['status', 'unchanged', 'unchanged', 'unchanged', 'failed'],
  )
  assert.match(printed, /^4 rows: 3 added, 0 changed, 0 unchanged, 1 failed; dry run/m)
  assert.match(printed, /^4 rows: 3 added, 0 changed, 0 unchanged, 1 failed$/m)
  assert.match(printed, /\{"total":4,"added":0,"changed":0,"unchanged":3,"failed":1\}/)
  assert.match(printed, /"windows":\[\{"identity":"pump-0001"/)
  assert.match(printed, /\{"extended":2,/)
  assert.match(printed, /1 extended, until 20/)
  assert.match(printed, /^pump-0002 {2}whitelisted .*group=north$/m)
  assert.match(printed, /^pump-0003 is removed$/m)
})
