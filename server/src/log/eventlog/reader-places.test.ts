import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { labelledBody, readLabel } from '../../../test/fixtures/entries.ts'
import { openEventLog } from '../../../test/fixtures/eventlog/open.ts'
import type { Database } from '../../foundation/database/index.ts'
import { limits, systemClock } from '../../foundation/kernel/index.ts'
import type { Consumer, Entry, EventLog, LoggedEntry } from './index.ts'
import { eventlogLimits } from './limits.ts'

function makeEntry(label: string): Entry {
  const device = { businessId: 'b', connectorId: 'c', identity: 'd' }
  return { ...device, kind: 'write', at: 1, body: labelledBody(label) }
}

/** A consumer that has effects for entries with these labels alone. */
function makeConsumer(labels: readonly string[]) {
  const prepared: (string | undefined)[] = []
  const applied: (string | undefined)[] = []
  const consumer: Consumer<readonly LoggedEntry[]> = {
    name: 'one',
    async prepare(entries) {
      prepared.push(...entries.map(readLabel))
      return entries.filter((entry) => labels.includes(readLabel(entry) ?? ''))
    },
    isEmpty: (effects) => effects.length === 0,
    async apply(_, effects) {
      applied.push(...effects.map(readLabel))
      return []
    },
  }
  return { prepared, applied, consumer }
}

async function openLog(t: TestContext): Promise<{ log: EventLog; database: Database }> {
  const database = await testDatabase(t)
  const log = openEventLog({ database, clock: systemClock() })
  atEnd(t, () => log.close())
  return { log, database }
}

/** The sum of the consumer's places in all partitions, as the table has it. */
async function placeIn(database: Database): Promise<number> {
  const row = await database.one<{ sum: number }>(
    'select coalesce(sum(position), 0)::bigint as sum from eventlog_cursor',
  )
  return row?.sum ?? 0
}

describe('the place of a consumer whose batches have no effects', () => {
  it('is stored for who waits, and each entry is counted', async (t) => {
    const { log, database } = await openLog(t)
    const { applied, consumer } = makeConsumer([])
    const reading = log.consume(consumer)
    for (const label of ['1', '2', '3']) await log.append(makeEntry(label))
    await reading.caughtUp()
    assert.deepEqual(applied, [])
    assert.equal(await placeIn(database), 3)
    const { stages, faults } = await log.ledger.verify()
    assert.deepEqual(faults, [])
    const counted = stages.find(({ stage }) => stage === 'one')
    assert.deepEqual(counted, { stage: 'one', taken: 3, done: 3, failed: 0, pending: 0 })
  })

  it('is stored when the consumer stops', async (t) => {
    const { log, database } = await openLog(t)
    const { prepared, consumer } = makeConsumer([])
    const reading = log.consume(consumer)
    await log.append(makeEntry('1'))
    while (prepared.length === 0) await new Promise(setImmediate)
    await reading.stop()
    assert.equal(await placeIn(database), 1)
    assert.deepEqual((await log.ledger.verify()).faults, [])
  })

  it('is stored with the next effect, in its transaction', async (t) => {
    const { log, database } = await openLog(t)
    const { applied, consumer } = makeConsumer(['3'])
    const reading = log.consume({ ...consumer, batchMax: 1 })
    for (const label of ['1', '2', '3', '4']) await log.append(makeEntry(label))
    await reading.caughtUp()
    assert.deepEqual(applied, ['3'])
    assert.equal(await placeIn(database), 4)
    assert.deepEqual((await log.ledger.verify()).faults, [])
  })
})

describe('what a consumer reads', () => {
  it('comes from memory where this process appended it', async (t) => {
    const database = await testDatabase(t)
    let reads = 0
    const counted: Database = {
      ...database,
      rows(text, values) {
        if (text.includes('from eventlog_entry where part')) reads += 1
        return database.rows(text, values)
      },
    }
    const log = openEventLog({ database: counted, clock: systemClock() })
    atEnd(t, () => log.close())
    const { applied, consumer } = makeConsumer(['1', '2', '3', '4', '5'])
    const reading = log.consume(consumer)
    await reading.caughtUp()
    const before = reads
    const since = performance.now()
    for (const label of ['1', '2', '3', '4', '5']) await log.append(makeEntry(label))
    while (applied.length < 5) await new Promise(setImmediate)
    // There is one more, once it listens to other processes.
    const polls = (performance.now() - since) / eventlogLimits.consumerPollMs + 2
    assert.deepEqual(applied, ['1', '2', '3', '4', '5'])
    assert.ok(reads - before <= limits.logPartitions * polls, `${reads - before} reads`)
  })

  it('has what a transaction appended in between, in order', async (t) => {
    const { log, database } = await openLog(t)
    const labels = ['1', '2', '3', '4', '5']
    const { applied, consumer } = makeConsumer(labels)
    const reading = log.consume(consumer)
    await log.append(makeEntry('1'))
    await database.transaction((transaction) => log.appendIn(transaction, [makeEntry('2')]))
    await log.append(makeEntry('3'))
    await database.transaction((transaction) => log.appendIn(transaction, [makeEntry('4')]))
    await log.append(makeEntry('5'))
    await reading.caughtUp()
    assert.deepEqual(applied, labels)
  })
})
