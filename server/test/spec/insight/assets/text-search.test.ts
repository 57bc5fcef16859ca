import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '../../../../src/foundation/database/index.ts'
import { createLogger } from '../../../../src/foundation/kernel/index.ts'
import { assetsFixture } from '../../../fixtures/assets.ts'
import { emptyAddress, testDatabase } from '../../../fixtures/database.ts'
import { atEnd } from '../../../fixtures/ends.ts'

const collation = `select 1 as known from pg_collation where collname = 'und-x-icu'`

/** A database that has the letters of ICU, not those of C; undefined where the server has none. */
async function icuDatabase(t: TestContext) {
  const beside = await testDatabase(t)
  if ((await beside.one(collation)) === undefined) return undefined
  const address = await emptyAddress(t)
  await beside.run(`drop database if exists ${address.name}`)
  await beside.run(
    `create database ${address.name} template template0 locale_provider icu icu_locale 'und'`,
  )
  const database = await openDatabase({ ...address, owner: false, logger: createLogger('silent') })
  atEnd(t, () => database.close())
  return database
}

test('a text that is longer in lower case is found by its last letters', async (t) => {
  const database = await icuDatabase(t)
  if (database === undefined) return t.skip('the server has no ICU')
  const { assets, view: all } = await assetsFixture(t, {
    own: 'needs the letters of ICU',
    database,
  })
  const { id } = await assets.create(all, { name: 'DİZİ', description: 'İkinci pump' })
  for (const text of ['pump', 'ump', 'DİZİ', 'İkinci']) {
    const found = await assets.list(all, { text, limit: 10, offset: 0 })
    assert.deepEqual([text, found.map((asset) => asset.id)], [text, [id]])
  }
})
