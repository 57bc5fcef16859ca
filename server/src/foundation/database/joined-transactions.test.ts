import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { detached } from '../kernel/index.ts'
import { type Database, isDuplicate } from './index.ts'

async function marked(t: Parameters<typeof testDatabase>[0]): Promise<Database> {
  const database = await testDatabase(t)
  await database.run('create table mark (id bigint primary key)')
  atEnd(t, () => database.run('drop table mark cascade'))
  return database
}

const mark = 'insert into mark (id) values ($1)'

async function marks(database: Database): Promise<number[]> {
  const rows = await database.rows<{ id: number }>('select id from mark order by id')
  return rows.map(({ id }) => id)
}

describe('a joined transaction', () => {
  it('keeps what its statements and its transactions wrote, at once', async (t) => {
    const database = await marked(t)
    let seen: number[] = []
    await database.joined(async (transaction) => {
      await transaction.run(mark, [1])
      await database.run(mark, [2])
      await database.transaction((inner) => inner.run(mark, [3]))
      assert.deepEqual(await marks(database), [1, 2, 3])
      seen = await detached(() => marks(database))
    })
    assert.deepEqual(seen, [], 'others see nothing before the commit')
    assert.deepEqual(await marks(database), [1, 2, 3])
  })

  it('keeps nothing where it throws, whatever its transactions did', async (t) => {
    const database = await marked(t)
    const thrown = new Error('no')
    const work = database.joined(async () => {
      await database.transaction((inner) => inner.run(mark, [1]))
      throw thrown
    })
    await assert.rejects(work, (error) => error === thrown)
    assert.deepEqual(await marks(database), [])
  })

  it('goes on after a part that failed, of which nothing is kept', async (t) => {
    const database = await marked(t)
    await database.joined(async () => {
      await database.run(mark, [1])
      await assert.rejects(database.run(mark, [1]), isDuplicate)
      const failing = database.transaction(async (inner) => {
        await inner.run(mark, [2])
        await database.transaction((deeper) => deeper.run(mark, [3]))
        await inner.run(mark, [1])
      })
      await assert.rejects(failing, isDuplicate)
      await database.run(mark, [4])
    })
    assert.deepEqual(await marks(database), [1, 4])
  })

  it('takes parts that are asked for side by side one after the other', async (t) => {
    const database = await marked(t)
    await database.joined(async () => {
      const parts = [1, 2, 2, 3].map((id) =>
        database.transaction(async (inner) => {
          await inner.run(mark, [id])
          await inner.run(mark, [id + 10])
        }),
      )
      const settled = await Promise.allSettled(parts)
      assert.deepEqual(
        settled.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
      )
    })
    assert.deepEqual(await marks(database), [1, 2, 3, 11, 12, 13])
  })

  it('is over for what it left behind', async (t) => {
    const database = await marked(t)
    const go = Promise.withResolvers<void>()
    let late: Promise<unknown> = Promise.resolve()
    await database.joined(async () => {
      late = go.promise.then(() => database.run(mark, [5]))
    })
    go.resolve()
    await late
    assert.deepEqual(await marks(database), [5])
  })
})
