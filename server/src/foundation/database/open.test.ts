import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { emptyAddress, testDatabase, testEngine } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { createLogger } from '../kernel/index.ts'
import { openDatabase } from './index.ts'

const logger = createLogger('silent')

describe('opening the database', () => {
  it('migrates it once; what was written is there when it is opened again', async (t) => {
    const address = await emptyAddress(t)
    const first = await openDatabase({ ...address, owner: false, logger })
    const migrations = 'select name, checksum from database_migration order by name'
    const recorded = await first.rows<{ name: string; checksum: string }>(migrations)
    const sql = await readFile(new URL('migrations/0201_database.sql', import.meta.url))
    const checksum = createHash('sha256').update(sql).digest('hex')
    assert.deepEqual(recorded[0], { name: '0201_database.sql', checksum })
    await first.run('create table kept (n bigint not null)')
    await first.run('insert into kept (n) values ($1)', [7])
    await first.close()
    const second = await openDatabase({ ...address, owner: false, logger })
    atEnd(t, () => second.close())
    assert.deepEqual(await second.one('select n from kept'), { n: 7 })
    assert.deepEqual(await second.rows(migrations), recorded)
  })

  it('refuses a server that answers a COMMIT before it is on the disk', async (t) => {
    const address = await emptyAddress(t)
    const first = await openDatabase({ ...address, owner: false, logger })
    const setTo = (value: string) =>
      `do $$ begin execute 'alter database ' || quote_ident(current_database()) ||
        ' set synchronous_commit = ${value}'; end $$`
    await first.run(setTo('off'))
    await first.close()
    await assert.rejects(openDatabase({ ...address, owner: false, logger }), {
      code: 'database_not_durable',
      message: /synchronous_commit is off \(set by: database\)/,
    })
  })

  it('migrates it once when many open it at once', async (t) => {
    const address = await emptyAddress(t)
    const opened = await Promise.all(
      Array.from({ length: 6 }, () => openDatabase({ ...address, owner: false, logger })),
    )
    for (const database of opened) atEnd(t, () => database.close())
    const counts = await Promise.all(
      opened.map((one) => one.one('select count(*) as count from database_migration')),
    )
    assert.equal(new Set(counts.map((count) => JSON.stringify(count))).size, 1)
  })

  it('has the name of its engine', async (t) => {
    assert.equal((await testDatabase(t)).engine, testEngine)
  })

  it('rejects where no server answers', async (t) => {
    const { dataDir } = await emptyAddress(t)
    const url = 'postgres://nobody@127.0.0.1:1/nothing'
    await assert.rejects(openDatabase({ url, dataDir, owner: false, logger }), /ECONNREFUSED/)
  })
})
