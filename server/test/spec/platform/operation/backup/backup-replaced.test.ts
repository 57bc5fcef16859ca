import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import {
  backUpDatabase,
  openDatabase,
  restoreDatabase,
} from '../../../../../src/foundation/database/index.ts'
import { createLogger } from '../../../../../src/foundation/kernel/index.ts'
import { replacedDatabase } from '../../../../fixtures/database/replaced.ts'
import { emptyAddress } from '../../../../fixtures/database.ts'

const logger = createLogger('silent')

/** A backup by the version before the baseline, of a database with a row. */
async function oldBackup(t: TestContext, last?: string): Promise<Buffer> {
  const { config, client } = await replacedDatabase(t, last)
  await client.query("insert into keystore_solution (solution_id, keys) values ('s', 7)")
  const output = new PassThrough()
  const read = buffer(output)
  const from = { url: config.databaseUrl, dataDir: config.dataDir, owner: false, logger }
  await backUpDatabase(from, output, { keys: [] })
  return read
}

describe('a backup of before the baseline', () => {
  it('is restored, and opens', async (t) => {
    const backup = await oldBackup(t)
    const options = { ...(await emptyAddress(t)), owner: false, logger }
    await restoreDatabase(options, Readable.from([backup]), {})
    const database = await openDatabase(options)
    const keys = await database.rows('select solution_id, keys::float8 from keystore_solution')
    const first = 'select min(name) as name from database_migration'
    const record = await database.one(first)
    await database.close()
    assert.deepEqual(keys, [{ solution_id: 's', keys: 7 }])
    assert.deepEqual(record, { name: '0201_database.sql' })
    const again = restoreDatabase(options, Readable.from([backup]), {})
    await assert.rejects(again, { code: 'database_not_empty' })
  })

  it('is refused if it is of an earlier version, and the commit to start is named', async (t) => {
    const backup = await oldBackup(t, '0105_assets.sql')
    const options = { ...(await emptyAddress(t)), owner: false, logger }
    await assert.rejects(restoreDatabase(options, Readable.from([backup]), {}), {
      code: 'database_version',
      detail:
        /without 0109_provisioning\.sql.*commit 20515092.*A backup is restored by that version/,
    })
  })
})
