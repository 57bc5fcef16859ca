import assert from 'node:assert/strict'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import {
  backUpDatabase,
  type Database,
  databaseLimits,
  openDatabase,
  restoreDatabase,
} from '../../../../../src/foundation/database/index.ts'
import { createLogger } from '../../../../../src/foundation/kernel/index.ts'
import { emptyAddress } from '../../../../fixtures/database.ts'
import { atEnd } from '../../../../fixtures/ends.ts'
import { testFolder } from '../../../../fixtures/engine.ts'
import { testPlatform } from '../../../../fixtures/platform.ts'
import { newDevice } from '../../../../fixtures/wire/device.ts'

const logger = createLogger('silent')
const constraints = `
  select conrelid::regclass::text as of, conname as name, contype as type, convalidated as valid,
    pg_get_constraintdef(oid) as text
  from pg_constraint where connamespace = current_schema()::regnamespace order by 1, 2`
const indices = `
  select indrelid::regclass::text as of, indexrelid::regclass::text as name, indisvalid as valid,
    indisprimary as main, pg_get_indexdef(indexrelid) as text
  from pg_index where indrelid in (
    select oid from pg_class where relnamespace = current_schema()::regnamespace)
  order by 1, 2`

const readShape = async (database: Database) => ({
  constraints: await database.rows(constraints),
  indices: await database.rows(indices),
})

describe('a restore of large tables', () => {
  // Each table that has rows counts as a large one.
  before(() => Object.assign(databaseLimits, { backupPartBytes: 64 }))

  it('leaves them with their keys and indices, as the migrations make them', async (t) => {
    const { connector, httpUrl, platform, databaseUrl } = await testPlatform(t, {
      own: 'backs up the database',
    })
    const { database, assets, clock, config } = platform
    const device = await newDevice(httpUrl, connector.id, 'd')
    await device.write('temperature=1')
    await assets.ensurePartitions(clock.nowUs())
    const value = 'insert into assets_value (signal_key, ts, v) select n, $1, n from'
    await database.run(`${value} generate_series(1, 100) n`, [clock.nowUs()])
    const file = join(await testFolder(t), 'backup.tar')
    const from = { url: await databaseUrl(), dataDir: config.dataDir, owner: false, logger }
    await backUpDatabase(from, createWriteStream(file), { keys: [] })
    const to = Object.assign(await emptyAddress(t), { owner: false, logger })
    await restoreDatabase(to, createReadStream(file), {})
    const restored = await openDatabase(to)
    atEnd(t, () => restored.close())
    assert.deepEqual(await readShape(restored), await readShape(database))
    const twice = restored.run(
      'insert into assets_value (signal_key, ts, v) select signal_key, ts, v from assets_value',
    )
    await assert.rejects(twice, { code: '23505' })
  })
})
