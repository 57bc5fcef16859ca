import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../../test/fixtures/database.ts'
import { until } from '../../../../test/fixtures/engine.ts'
import { createBatcher } from '../../kernel/index.ts'
import type { Database } from '../index.ts'

const sleep = "select pg_sleep(60) as slept, 'cancel-test' as mark"

const sleeping = (database: Database) =>
  database.one<{ count: number }>(
    `select count(*) as count from pg_stat_activity
     where state = 'active' and query like '%cancel-test%' and pid <> pg_backend_pid()`,
  )

async function untilSleeping(database: Database, count: number): Promise<void> {
  await until(async () => (await sleeping(database))?.count === count)
}

describe('work within a signal', () => {
  it('ends with it: the statement does not run on in the server', async (t) => {
    const database = await testDatabase(t)
    const controller = new AbortController()
    const asked = database.within(controller.signal, () => database.rows(sleep))
    await untilSleeping(database, 1)
    const reason = new Error('the time is up')
    controller.abort(reason)
    await assert.rejects(asked, (error) => error === reason)
    await untilSleeping(database, 0)
  })

  it('leaves the statements of others alone', async (t) => {
    const database = await testDatabase(t)
    const controller = new AbortController()
    const other = database.rows('select pg_sleep(0.5)')
    const asked = database.within(controller.signal, () => database.rows(sleep))
    await untilSleeping(database, 1)
    controller.abort(new Error('over'))
    await assert.rejects(asked)
    assert.equal((await other).length, 1)
    assert.deepEqual(await database.rows('select 1 as n'), [{ n: 1 }])
  })

  it('asks nothing more after it', async (t) => {
    const database = await testDatabase(t)
    const reason = new Error('over')
    await database.within(AbortSignal.abort(reason), async () => {
      const isReason = (error: unknown) => error === reason
      await assert.rejects(database.rows('select 1'), isReason)
      await assert.rejects(
        database.transaction(async () => undefined),
        isReason,
      )
    })
  })

  it('rolls back its transaction, also between two statements', async (t) => {
    const database = await testDatabase(t)
    await database.run('create table mark (id integer primary key)')
    const controller = new AbortController()
    const insert = 'insert into mark (id) values (1)'
    const during = database.within(controller.signal, () =>
      database.transaction(async (transaction) => {
        await transaction.run(insert)
        await transaction.rows(sleep)
      }),
    )
    await untilSleeping(database, 1)
    controller.abort(new Error('over'))
    await assert.rejects(during)
    const next = new AbortController()
    const between = database.within(next.signal, () =>
      database.transaction(async (transaction) => {
        await transaction.run(insert)
        next.abort(new Error('over'))
      }),
    )
    await assert.rejects(between, /over/)
    assert.deepEqual(await database.rows('select id from mark'), [])
    // Nothing holds the row.
    assert.equal(await database.run(insert), 1)
  })

  it('does not end what others wait for as well', async (t) => {
    const database = await testDatabase(t)
    const gate = Promise.withResolvers<void>()
    const batcher = createBatcher<number, number>({
      batchMax: 10,
      waitingMax: 10,
      async run(items) {
        await gate.promise
        await database.rows('select 1')
        return items.map((value) => ({ value }))
      },
    })
    const controller = new AbortController()
    const first = database.within(controller.signal, () => batcher.add(1))
    const second = batcher.add(2)
    controller.abort(new Error('over'))
    gate.resolve()
    assert.deepEqual(await Promise.all([first, second]), [1, 2])
  })
})
