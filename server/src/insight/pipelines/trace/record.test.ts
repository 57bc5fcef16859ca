import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testDatabase } from '../../../../test/fixtures/database.ts'
import type { RunLink } from '../links/graphs.ts'
import { noEffects } from '../run.ts'
import { readTimes } from '../store/recorded-runs.ts'
import { recordStatements } from './record.ts'

it('records a link that ran for entries of two partitions in one batch with each', async (t) => {
  const database = await testDatabase(t)
  const link = { id: 'link' } as RunLink
  const ran = [1, 2].map((part) => {
    const effects = Object.assign(noEffects(), { took: [{ link, us: part * 10 }] })
    return { part, effects, entry: { businessId: 'b', seq: 7 } }
  })
  await database.transaction((transaction) =>
    transaction.together(recordStatements(ran, { nowUs: () => 3 })),
  )
  for (const { part, effects } of ran) {
    const times = await readTimes(database, 'b', { part, seq: 7 })
    assert.deepEqual([...times], [['link', effects.took[0]?.us]])
  }
})
