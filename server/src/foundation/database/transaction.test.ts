import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { limits } from '../kernel/index.ts'
import { type Database, lostRace, type Transaction } from './index.ts'

async function count(database: Database): Promise<number> {
  return (await database.one<{ n: number }>('select count(*) as n from mark'))?.n ?? -1
}

async function marked(t: Parameters<typeof testDatabase>[0]): Promise<Database> {
  const database = await testDatabase(t)
  await database.run('create table mark (id bigint primary key, n bigint not null default 0)')
  atEnd(t, () => database.run('drop table mark cascade'))
  return database
}

const mark = (transaction: Transaction, id: number) =>
  transaction.run('insert into mark (id) values ($1)', [id])

describe('a transaction', () => {
  it('keeps everything, and gives what its work gives', async (t) => {
    const database = await marked(t)
    const given = await database.transaction(async (transaction) => {
      await mark(transaction, 1)
      await mark(transaction, 2)
      return 'given'
    })
    assert.equal(given, 'given')
    assert.equal(await count(database), 2)
  })

  it('keeps nothing where its work throws, and throws the same', async (t) => {
    const database = await marked(t)
    const thrown = new Error('no')
    const work = async (transaction: Transaction) => {
      await mark(transaction, 1)
      throw thrown
    }
    await assert.rejects(database.transaction(work), (error) => error === thrown)
    assert.equal(await count(database), 0)
  })

  it('throws the error of a statement, without a second attempt', async (t) => {
    const database = await marked(t)
    let tries = 0
    const work = async (transaction: Transaction) => {
      tries += 1
      await mark(transaction, 1)
      await mark(transaction, 1)
    }
    await assert.rejects(database.transaction(work), { code: '23505' })
    assert.equal(tries, 1)
    assert.equal(await count(database), 0)
  })

  for (const code of ['40001', '40P01']) {
    it(`that lost a race (${code}) is run again, from its beginning`, async (t) => {
      const database = await marked(t)
      let tries = 0
      await database.transaction(async (transaction) => {
        tries += 1
        await mark(transaction, tries)
        if (tries < 3) await raise(transaction, code)
      })
      assert.equal(tries, 3)
      assert.deepEqual(await database.rows('select id from mark'), [{ id: 3 }])
    })
  }

  it('that always conflicts ends after its attempts, with the last error', async (t) => {
    const database = await marked(t)
    let tries = 0
    const work = async (transaction: Transaction) => {
      tries += 1
      await raise(transaction, '40001')
    }
    await assert.rejects(database.transaction(work), (error) => lostRace(error))
    assert.equal(tries, limits.transactionTriesMax)
    assert.equal(await count(database), 0)
  })

  it('and another one that read what both write: both are kept', async (t) => {
    const database = await marked(t)
    await database.run('insert into mark (id) values (1)')
    let tries = 0
    const bothRead = gate(2)
    const add = () =>
      database.transaction(async (transaction) => {
        tries += 1
        await transaction.run('set transaction isolation level repeatable read')
        const row = await transaction.one<{ n: number }>('select n from mark where id = 1')
        await bothRead()
        await transaction.run('update mark set n = $1 where id = 1', [(row?.n ?? 0) + 1])
      })
    await Promise.all([add(), add()])
    assert.equal(tries, 3)
    assert.deepEqual(await database.one('select n from mark'), { n: 2 })
  })

  it('whose connection is cut rejects, and the next one has another', async (t) => {
    const database = await marked(t)
    const work = async (transaction: Transaction) => {
      await mark(transaction, 1)
      await transaction.run('select pg_terminate_backend(pg_backend_pid())')
    }
    await assert.rejects(database.transaction(work), { code: 'database_unavailable' })
    assert.equal(await count(database), 0)
    await database.transaction((transaction) => mark(transaction, 2))
    assert.equal(await count(database), 1)
  })

  it('whose connection is cut between two statements rejects', async (t) => {
    const database = await marked(t)
    const work = async (transaction: Transaction) => {
      const own = await transaction.one<{ pid: number }>('select pg_backend_pid() as pid')
      await database.run('select pg_terminate_backend($1)', [own?.pid])
      await gone(database, own?.pid)
      await mark(transaction, 1)
    }
    await assert.rejects(database.transaction(work))
    assert.equal(await count(database), 0)
  })
})

async function raise(transaction: Transaction, code: string): Promise<void> {
  await transaction.run(`do $$ begin raise exception using errcode = '${code}'; end $$`)
}

async function gone(database: Database, pid: number | undefined): Promise<void> {
  const text = 'select count(*) as n from pg_stat_activity where pid = $1'
  for (let tries = 0; tries < 1_000; tries += 1) {
    if ((await database.one<{ n: number }>(text, [pid]))?.n === 0) return
  }
  throw new Error('the backend lives on')
}

/** Lets the first `places` callers through together, and everybody after them at once. */
function gate(places: number): () => Promise<void> {
  let waiting = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  return () => {
    waiting += 1
    if (waiting >= places) resolve()
    return promise
  }
}

describe('what the server sends', () => {
  it('a bigint is a number, alone and in an array', async (t) => {
    const database = await testDatabase(t)
    const row = await database.one(
      'select 9007199254740991::bigint as one, array[1, null]::bigint[] as many',
    )
    assert.deepEqual(row, { one: Number.MAX_SAFE_INTEGER, many: [1, null] })
  })

  it('a bigint above 2^53 is an error, not a rounded number', async (t) => {
    const database = await testDatabase(t)
    await assert.rejects(database.one('select 9007199254740993::bigint as n'), RangeError)
    assert.deepEqual(await database.one('select 1::bigint as n'), { n: 1 })
  })

  it('run counts the rows that were written', async (t) => {
    const database = await marked(t)
    assert.equal(await database.run('insert into mark (id) values (1), (2)'), 2)
    assert.equal(await database.run('delete from mark where id = 3'), 0)
  })
})
