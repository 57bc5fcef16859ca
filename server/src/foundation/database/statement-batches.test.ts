import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import type { Database, Statement, Transaction } from './index.ts'

async function marked(t: Parameters<typeof testDatabase>[0]) {
  const database = await testDatabase(t)
  await database.run('create table mark (id bigint primary key)')
  atEnd(t, () => database.run('drop table mark cascade'))
  const ids = async () =>
    (await database.rows<{ id: number }>('select id from mark order by id')).map(({ id }) => id)
  return { database, ids }
}

const add = (id: number): Statement => {
  return { text: 'insert into mark (id) values ($1) returning id', values: [id] }
}
const addAll = {
  text: 'insert into mark (id) select * from unnest($1::bigint[])',
  values: ['{8,9}'],
}
const raised = (code: string): Statement => {
  const text = `do $$ begin raise exception 'test' using errcode = '${code}'; end $$`
  return { text, values: [] }
}

describe('statements of a transaction that are sent in one write', () => {
  it('have an answer each, and see what those before them did', async (t) => {
    const { database, ids } = await marked(t)
    const count = { text: 'select count(*) as n from mark', values: [] }
    const answers = await database.transaction((held) => held.together([add(1), addAll, count]))
    assert.deepEqual(answers, [
      { rows: [{ id: 1 }], count: 1 },
      { rows: [], count: 2 },
      { rows: [{ n: 3 }], count: 1 },
    ])
    assert.deepEqual(await database.transaction((held) => held.together([])), [])
    assert.deepEqual(await ids(), [1, 8, 9])
  })

  it('keep nothing if one fails, and throw the error of the first that did', async (t) => {
    const { database, ids } = await marked(t)
    const work = (held: Transaction) => held.together([add(1), add(1), raised('P0001'), add(2)])
    for (let round = 0; round < 2; round += 1) {
      await assert.rejects(database.transaction(work), { code: '23505' })
    }
    await database.transaction((held) => held.together([add(1), add(2)]))
    assert.deepEqual(await ids(), [1, 2])
  })
})

describe('the last statements of a transaction', () => {
  it('are committed with it, and nothing follows them', async (t) => {
    const { database, ids } = await marked(t)
    let seen: readonly number[] = []
    await database.transaction(async (held) => {
      await held.run(add(1).text, [1])
      await held.finish([add(2)])
      seen = await ids()
      await assert.rejects(held.run(add(3).text, [3]), /has ended/)
      await turn()
    })
    assert.deepEqual(
      [seen, await ids()],
      [
        [1, 2],
        [1, 2],
      ],
    )
  })

  it('keep nothing if one of them fails', async (t) => {
    const { database, ids } = await marked(t)
    const work = async (held: Transaction) => {
      await held.run(add(1).text, [1])
      await held.finish([add(2), add(2)])
    }
    await assert.rejects(database.transaction(work), { code: '23505' })
    assert.deepEqual(await ids(), [])
  })

  it('run again from the beginning after a lost race', async (t) => {
    const { database, ids } = await marked(t)
    let tries = 0
    await database.transaction(async (held) => {
      tries += 1
      await held.run(add(tries).text, [tries])
      await held.finish(tries < 3 ? [raised('40001')] : [add(10)])
    })
    assert.deepEqual(await ids(), [3, 10])
  })

  it('are committed in a scope that may be cancelled, too', async (t) => {
    const { database, ids } = await marked(t)
    const { signal } = new AbortController()
    const work = (of: Database) => of.transaction((held) => held.finish([add(1)]))
    await database.within(signal, () => work(database))
    assert.deepEqual(await ids(), [1])
  })

  it('of a part of a joined transaction are committed with the whole', async (t) => {
    const { database, ids } = await marked(t)
    const thrown = new Error('no')
    const work = (fails: boolean) => async () => {
      await database.transaction(async (held) => {
        await held.together([add(1), add(2)])
        await held.finish([add(3)])
      })
      if (fails) throw thrown
    }
    await assert.rejects(database.joined(work(true)), (error) => error === thrown)
    assert.deepEqual(await ids(), [])
    await database.joined(work(false))
    assert.deepEqual(await ids(), [1, 2, 3])
  })
})
