import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  openDatabase,
  type Queryable,
  type Statement,
} from '../../../../src/foundation/database/index.ts'
import { createLogger } from '../../../../src/foundation/kernel/index.ts'
import { readBy, testAddress } from '../../../fixtures/database.ts'
import { provisioningFixture } from '../../../fixtures/provisioning.ts'

const devices = 20_000
const tagged = 40

async function* bytes() {
  yield Buffer.from('0123456789')
}

/** A connector with many devices, of which a few have a tag, and two campaigns of tags. */
async function fleet(t: TestContext) {
  const asked: Statement[] = []
  const logger = createLogger('silent')
  const database = await openDatabase({ ...(await testAddress(t)), owner: false, logger })
  const rows: Queryable['rows'] = (text, values) => {
    asked.push({ text, values: values ?? [] })
    return database.rows(text, values)
  }
  const { business, provisioning, connector } = await provisioningFixture(t, {
    own: 'counts the rows that a statement reads',
    database: { ...database, rows },
  })
  const { id } = await connector()
  await database.run(
    `insert into provisioning_identity (connector_id, identity, locked, tags, created_at)
     select $1, 'd' || n, false, case when n <= $3::int
       then '[{"name": "site", "value": "north"}]' else '[]' end::jsonb, n
     from generate_series(1, $2::int) as n`,
    [id, devices, tagged],
  )
  await provisioning.contents.put(business, id, 'firmware', {}, bytes())
  for (const tag of [{ name: 'site' }, { name: 'site', value: 'south' }]) {
    await provisioning.campaigns.create(business, id, { content: 'firmware', tag })
  }
  await database.run('analyze')
  asked.length = 0
  return { database, asked, list: () => provisioning.campaigns.list(business, id) }
}

describe('the devices of campaigns', () => {
  it('are counted in one statement, which reads those of the tag', async (t) => {
    const { database, asked, list } = await fleet(t)
    const counts = (await list()).map((one) => one.devices)
    assert.deepEqual(counts.sort(), [0, tagged])
    const counting = asked.filter(({ text }) => text.includes('provisioning_identity'))
    assert.equal(counting.length, 1)
    const read = await readBy(database, counting[0] as Statement)
    assert.ok(read < devices / 50, `${read} rows are read`)
  })
})
