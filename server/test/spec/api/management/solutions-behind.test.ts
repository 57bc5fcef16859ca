import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { newId, systemRandom } from '../../../../src/foundation/kernel/index.ts'
import type { Entry } from '../../../../src/log/eventlog/index.ts'
import { labelledBody } from '../../../fixtures/entries.ts'
import { managementFixture } from '../../../fixtures/wire/management.ts'

test('a solution that is behind shows how many events of the business wait', async (t) => {
  const { ask, business, connector, eventlog, database } = await managementFixture(t)
  const id = `a${newId(systemRandom).toLowerCase()}`
  const body = { id, name: 'Slow' }
  assert.equal((await ask('POST', '/api:1/solution', { body })).statusCode, 201)
  const read = async () => (await ask('GET', `/api:1/solution/${id}`)).json().behind
  assert.equal(await read(), undefined)
  const own: Entry = {
    businessId: business.id,
    connectorId: connector.id,
    identity: 'a',
    kind: 'write',
    at: 1_800_000_000_000_000,
    body: labelledBody('a'),
  }
  const before = await eventlog.append({ ...own, at: own.at - 9 })
  for (const at of [own.at + 1, own.at, own.at + 2]) await eventlog.append({ ...own, at })
  await eventlog.append({ ...own, businessId: 'another', at: own.at - 5 })
  const { part, seq } = await eventlog.append({ ...own, at: own.at + 3 })
  await database.run(
    `insert into scripting_cursor (part, solution_id, business_id, position, until, skipped)
     values ($1, $2, $3, $4, $5, '[]')`,
    [part, id, business.id, before.seq, seq - 1],
  )
  const behind = { pending: 3, oldest_at: own.at }
  assert.deepEqual(await read(), behind)
  const { solutions } = (await ask('GET', '/api:1/solution')).json()
  assert.deepEqual(
    solutions.map((one: { behind?: object }) => one.behind),
    [behind],
  )
  await database.run('delete from scripting_cursor where solution_id = $1', [id])
})
