import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { testDatabase } from '../../../../test/fixtures/database.ts'
import { atEnd } from '../../../../test/fixtures/ends.ts'

const insert = 'insert into database_lock (id) values ($1) returning id'
const count = 'select count(*) as count from database_lock where id >= 100'

/** A writer, and how many of its rows (100 and above) are there. */
async function fixture(t: TestContext) {
  const database = await testDatabase(t)
  const writer = database.writer()
  atEnd(t, () => writer.close())
  const stored = async () => (await database.one<{ count: number }>(count))?.count
  return { writer, stored }
}

test('a commit answers the rows of each statement, with the types of the others', async (t) => {
  const { writer, stored } = await fixture(t)
  for (const id of [100, 102]) {
    const rows = await writer.commit([
      { text: insert, values: [id] },
      { text: "select 7::bigint as big, null::text as none, 'a' as text", values: [] },
      { text: 'update database_lock set id = id where id = 0', values: [] },
      { text: insert, values: [id + 1] },
    ])
    assert.deepEqual(rows, [[{ id }], [{ big: 7, none: null, text: 'a' }], [], [{ id: id + 1 }]])
  }
  assert.equal(await stored(), 4)
})

test('a statement that fails leaves nothing, and the next commit works', async (t) => {
  const { writer, stored } = await fixture(t)
  const twice = { text: insert, values: [100] }
  const late = { text: 'select 1 as one', values: [] }
  // On a new connection the texts are prepared on the way: some before the fault, some never.
  await assert.rejects(writer.commit([twice, twice, late]), { code: '23505' })
  assert.equal(await stored(), 0)
  assert.deepEqual(await writer.commit([twice, late]), [[{ id: 100 }], [{ one: 1 }]])
  await assert.rejects(writer.commit([twice, late]), { code: '23505' })
  await assert.rejects(writer.commit([{ text: 'select no_such', values: [] }]), { code: '42703' })
  assert.deepEqual(await writer.commit([late, late]), [[{ one: 1 }], [{ one: 1 }]])
  assert.equal(await stored(), 1)
})
