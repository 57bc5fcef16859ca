import { strict as assert } from 'node:assert'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import {
  backUpDatabase,
  type Database,
  openDatabase,
  restoreDatabase,
  type Statement,
  type Transaction,
} from '../../../../src/foundation/database/index.ts'
import { createLogger } from '../../../../src/foundation/kernel/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { emptyAddress, readBy, testAddress } from '../../../fixtures/database.ts'
import { testFolder } from '../../../fixtures/ends.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { provisioningFixture } from '../../../fixtures/provisioning.ts'

const logger = createLogger('silent')
const many = 20_000

/** Many devices of one business on two connectors, and as many of another; all are in the index. */
async function longFleet(t: TestContext) {
  const statements: Statement[] = []
  const database = await openDatabase({ ...(await testAddress(t)), owner: false, logger })
  const counted: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) => {
        const together: Transaction['together'] = (asked) => {
          statements.push(...asked)
          return transaction.together(asked)
        }
        return work({ ...transaction, together })
      }),
  }
  const fixture = await provisioningFixture(t, { own: 'fills the index', database: counted })
  const { other, business, provisioning } = fixture
  const own = [await fixture.connector(), await fixture.connector()]
  const foreign = await provisioning.connectors.create(other, { name: 'Other' })
  const small = await provisioning.connectors.create('b3', { name: 'Small' })
  await provisioning.identities.whitelist('b3', small.id, 'meter-small')
  await database.run(
    `insert into provisioning_identity (connector_id, identity, locked, tags, created_at, name)
     select ($1::text[])[1 + n % 4], 'meter-' || to_char(n * 7919 % 100003, 'fm000000'), false,
       '[]', n, case when n % 5000 = 0 then 'Kühler Ω' else '' end
     from generate_series(0, $2::int - 1) as n`,
    [[own[0]?.id, own[1]?.id, foreign.id, foreign.id], many],
  )
  await provisioning.searchTerms.fill()
  await database.run('analyze')
  return {
    ...fixture,
    /** Identities of the first connector that a pattern finds, by how many rows of the index. */
    async listed(identity: string) {
      statements.length = 0
      const { devices } = await provisioning.identities.list(business, own[0]?.id ?? '', {
        identity,
      })
      const [, statement] = statements
      if (statement === undefined) throw new Error('the index was not asked')
      return { found: devices.length, read: await readBy(database, statement) }
    },
    async search(business: string, text: string) {
      statements.length = 0
      const found = await provisioning.devices.list(wholeView(business), { text }, { limit: 20 })
      const [, statement] = statements
      if (statement === undefined) throw new Error('nothing was searched')
      return {
        found: found.map(({ identity }) => identity),
        read: await readBy(database, statement),
      }
    },
  }
}

test('a search reads few rows of however many devices', async (t) => {
  const { search, listed, business } = await longFleet(t)
  const few = many / 50
  const some = Object.entries({
    METER: 20,
    m: 20,
    'r-0': 20,
    'meter-000000': 1,
    'kühler Ω': 4,
    ü: 4,
  })
  const none = ['z', '%', '😀', 'nobody'].map((text) => [text, 0] as const)
  const asked = [...some, ...none].map(([text, count]) => [business, text, count] as const)
  for (const [of, text, count] of [...asked, ['b3', 'eter-', 1] as const]) {
    const { found, read } = await search(of, text)
    assert.equal(found.length, count, text)
    assert(read <= few, `${read} rows for ${found.length} of ${many} by ${text}`)
  }
  for (const [pattern, count] of Object.entries({ 'r-000000': 1, 'r-00000.$': 1, Nobody: 0 })) {
    const { found, read } = await listed(pattern)
    assert.equal(found > 0, count > 0, pattern)
    assert(read <= few, `${read} rows for ${found} of ${many} by ${pattern}`)
  }
})

test('a backup carries the index of letters', async (t) => {
  const [from, to] = [await testAddress(t), await emptyAddress(t)]
  const database = await openDatabase({ ...from, owner: false, logger })
  const { business, provisioning, connector } = await provisioningFixture(t, {
    own: 'is backed up',
    database,
  })
  const { id } = await connector()
  await provisioning.identities.whitelist(business, id, 'Pump')
  await provisioning.searchTerms.fill()
  await provisioning.identities.whitelist(business, id, 'pump behind')
  const folder = await testFolder(t)
  const file = join(folder, 'backup.tar')
  await backUpDatabase({ ...from, owner: false, logger }, createWriteStream(file), { keys: [] })
  await restoreDatabase({ ...to, owner: false, logger }, createReadStream(file), {})
  const restored = await openDatabase({ ...to, owner: false, logger })
  const other = await provisioningFixture(t, { own: 'is restored', database: restored })
  const found = async () => {
    const list = await other.provisioning.devices.list(wholeView(business), { text: 'PUM' })
    return list.map(({ identity }) => identity)
  }
  const both = ['Pump', 'pump behind']
  assert.deepEqual(await found(), both)
  await other.provisioning.searchTerms.fill()
  assert.deepEqual(await found(), both)
})

test('a running platform puts devices into the index', async (t) => {
  const { platform, connector } = await testPlatform(t)
  const { database, provisioning } = platform
  const { businessId } = connector
  await provisioning.identities.whitelist(businessId, connector.id, 'pump')
  const behind = 'select 1 from provisioning_identity where connector_id = $1 and not searchable'
  while ((await database.one(behind, [connector.id])) !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, provisioningLimits.deviceTermsEveryMs / 10))
  }
  const term = await database.one<{ letters: string }>(
    'select letters from provisioning_term where connector_id = $1',
    [connector.id],
  )
  assert.equal(term?.letters.trim(), 'pump')
})
