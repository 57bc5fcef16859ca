import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { connectionLost, type Database, type Statement, type Writer } from './index.ts'

async function fixture(t: TestContext): Promise<{ database: Database; writer: Writer }> {
  const database = await testDatabase(t)
  await database.run('create table mark (id bigint primary key)')
  atEnd(t, () => database.run('drop table mark cascade'))
  const writer = database.writer()
  atEnd(t, () => writer.close())
  return { database, writer }
}

const mark = (id: number): Statement => ({
  text: 'insert into mark (id) values ($1) returning id',
  values: [id],
})
const ids = { text: 'select id from mark order by id', values: [] }
const ownPid = { text: 'select pg_backend_pid() as pid', values: [] }

async function readPid(writer: Writer): Promise<number> {
  const [rows] = await writer.commit([ownPid])
  return Number(rows?.[0]?.pid)
}

describe('a writer', () => {
  it('commits statements together and gives the rows of each', async (t) => {
    const { database, writer } = await fixture(t)
    assert.deepEqual(await writer.commit([mark(1), mark(2), ids]), [
      [{ id: 1 }],
      [{ id: 2 }],
      [{ id: 1 }, { id: 2 }],
    ])
    assert.deepEqual(await writer.commit([]), [])
    assert.deepEqual(await database.rows(ids.text), [{ id: 1 }, { id: 2 }])
  })

  it('stores nothing if a statement fails, and throws the first error', async (t) => {
    const { database, writer } = await fixture(t)
    const bad = { text: 'select $1::int / 0 as n', values: [1] }
    await assert.rejects(writer.commit([mark(1), bad, mark(1), mark(2)]), { code: '22012' })
    assert.deepEqual(await database.rows(ids.text), [])
    await writer.commit([mark(3)])
    assert.deepEqual(await database.rows(ids.text), [{ id: 3 }], 'the next one is unharmed')
  })

  it('stores nothing if only the commit fails, and throws its error', async (t) => {
    const { database, writer } = await fixture(t)
    await database.run(
      'create table late (id bigint references mark (id) deferrable initially deferred)',
    )
    const late = { text: 'insert into late (id) values ($1)', values: [99] }
    await assert.rejects(writer.commit([mark(1), late]), { code: '23503' })
    assert.deepEqual(await database.rows(ids.text), [])
  })

  it('fails with a statement that cannot be prepared, again and again', async (t) => {
    const { writer } = await fixture(t)
    const bad = { text: 'select from nowhere', values: [] }
    for (let tries = 0; tries < 2; tries += 1) {
      await assert.rejects(writer.commit([bad]), { code: '42P01' })
    }
    assert.deepEqual(await writer.commit([mark(1)]), [[{ id: 1 }]])
  })

  it('connects anew after its connection was cut while it was idle', async (t) => {
    const { database, writer } = await fixture(t)
    const before = await readPid(writer)
    await database.run('select pg_terminate_backend($1)', [before])
    const after = await firstThatAnswers(writer)
    assert.notEqual(after, before)
    await writer.commit([mark(1)])
    assert.deepEqual(await database.rows(ids.text), [{ id: 1 }])
  })

  it('rejects where its connection is cut under way, and connects anew', async (t) => {
    const { database, writer } = await fixture(t)
    const cut = { text: 'select pg_terminate_backend(pg_backend_pid())', values: [] }
    await assert.rejects(writer.commit([mark(1), cut, mark(2)]), (error) => connectionLost(error))
    assert.deepEqual(await database.rows(ids.text), [])
    await firstThatAnswers(writer)
    await writer.commit([mark(3)])
    assert.deepEqual(await database.rows(ids.text), [{ id: 3 }])
  })

  it('can be closed before it was used, and twice', async (t) => {
    const { writer } = await fixture(t)
    await writer.close()
    await writer.commit([mark(1)])
    await writer.close()
    await writer.close()
  })
})

/** A cut shows at the latest in the next commit, which then rejects as one that lost it. */
async function firstThatAnswers(writer: Writer): Promise<number> {
  try {
    return await readPid(writer)
  } catch (error) {
    assert(connectionLost(error), String(error))
    return readPid(writer)
  }
}
