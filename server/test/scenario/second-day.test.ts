import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pastePage, readersInstance, withDemoConnector } from '../support/page.ts'

it('docs/using/second-day.md: its commands work, copied as they stand', async (t) => {
  const { folder, settings } = await readersInstance(t, withDemoConnector)
  const { stdout } = await pastePage('second-day.md', { folder, settings })
  const pump = 'pump-\\d+'
  assert.match(stdout, new RegExp(`^${pump} is locked; .*\nlocked 403\n`))
  assert.match(stdout, new RegExp(`\n${pump} is unlocked\nWhere .* say --reprovision\n 204\n`))
  assert.match(stdout, /\n1 ordered to activate again\nunknown_credential 401\n 204\n/)
  const rotated = ` may get a new credential with its old one until \\S+\n 204\n 204\n`
  assert.match(stdout, new RegExp(`\n${pump}${rotated}unknown_credential 401\n`))
  assert.match(stdout, /\ndata_out +\S+ {2}- {2}is to be \{"004":true\}\ndata_out=\S+ 200\n/)
  assert.match(stdout, /\nsite=lab\nfloor=2\nsite=lab\n/)
  assert.match(stdout, new RegExp(`\n${pump} is removed\nunknown_credential 401\n$`))
})
