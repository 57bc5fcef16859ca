import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { waitMsMax } from '../../../test/fixtures/bounds.ts'
import { testDatabase, testEngine } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { labelledBody, readLabel } from '../../../test/fixtures/entries.ts'
import { openEventLog } from '../../../test/fixtures/eventlog/open.ts'
import type { Database } from '../../foundation/database/index.ts'
import { limits, systemClock } from '../../foundation/kernel/index.ts'
import type { Consumer, EventLog, LoggedEntry } from './index.ts'
import { eventlogLimits } from './limits.ts'

const clock = systemClock()

function openLog(t: TestContext, database: Database): EventLog {
  const log = openEventLog({ database, clock })
  atEnd(t, () => log.close())
  return log
}

async function append(log: EventLog, ...labels: readonly string[]): Promise<void> {
  for (const label of labels) {
    // The device lies in a partition that its process keeps when it shares them with another.
    const device = { businessId: 'b', connectorId: 'c', identity: 'e' }
    await log.append({ ...device, kind: 'write', at: 1, body: labelledBody(label) })
  }
}

/** A consumer that remembers what it applied, after a step of the test's in `prepare`. */
function makeConsumer(step: (entries: readonly LoggedEntry[]) => Promise<unknown> | undefined) {
  const applied: (string | undefined)[] = []
  const consumer: Consumer<readonly LoggedEntry[]> = {
    name: 'one',
    async prepare(entries) {
      await step(entries)
      return entries
    },
    async apply(_, entries) {
      applied.push(...entries.map(readLabel))
      return []
    },
  }
  return { applied, consumer }
}

/** A database whose partitions are neither leased nor given back from `begins` to `ends`. */
function leasesHeld(database: Database, begins: Promise<void>, ends: Promise<void>): Database {
  let isHeld = false
  void begins.then(() => {
    isHeld = true
  })
  return {
    ...database,
    async rows(text, values) {
      if (isHeld && text.includes('eventlog_lease')) await ends
      return database.rows(text, values)
    },
  }
}

/** On the embedded engine the second log takes the partitions, as a start after a kill does. */
const leased = testEngine === 'external' && 'a process keeps its partitions while it runs'

describe('a reader of the log', () => {
  it('leaves what another one has passed meanwhile', { skip: leased }, async (t) => {
    const database = await testDatabase(t)
    const asked = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    // The process that is passed takes no share of the partitions meanwhile.
    const log = openLog(t, leasesHeld(database, asked.promise, goOn.promise))
    const other = openLog(t, database)
    const slow = makeConsumer((entries) => {
      asked.resolve()
      return entries[0] && readLabel(entries[0]) === '1' ? goOn.promise : undefined
    })
    const committed: (string | undefined)[] = []
    await append(log, '1', '2')
    const reading = log.consume({
      ...slow.consumer,
      committed: (entries) => void committed.push(...entries.map(readLabel)),
    })
    await asked.promise
    const quick = makeConsumer(() => undefined)
    const others = other.consume(quick.consumer)
    await others.caughtUp()
    await others.stop()
    await append(log, '3')
    goOn.resolve()
    await reading.caughtUp()
    assert.deepEqual(quick.applied, ['1', '2'])
    assert.deepEqual([slow.applied, committed], [['3'], ['3']])
    assert.deepEqual((await log.ledger.verify()).faults, [])
  })

  it('tries a batch for ever while the database is away, and sets nothing down', async (t) => {
    const database = await testDatabase(t)
    const log = openLog(t, database)
    let tries = 0
    const { applied, consumer } = makeConsumer(async () => {
      tries += 1
      if (tries > eventlogLimits.consumerTriesMax + 2) return
      throw Object.assign(new Error('away'), { code: 'ECONNRESET' })
    })
    await append(log, '1')
    await log.consume({ ...consumer, batchMax: 1 }).caughtUp()
    assert.deepEqual(applied, ['1'])
    assert.deepEqual(await database.rows('select reason from eventlog_failure'), [])
  })

  it('says that a batch failed whose COMMIT has no answer, and goes on behind it', async (t) => {
    const database = await testDatabase(t)
    let isLost = true
    const losing: Database = Object.assign({}, database, {
      async transaction<Result>(work: Parameters<typeof database.transaction<Result>>[0]) {
        const result = await database.transaction(work)
        if (!isLost) return result
        isLost = false
        throw Object.assign(new Error('away'), { code: 'ECONNRESET' })
      },
    })
    const log = openLog(t, losing)
    const { applied, consumer } = makeConsumer(() => undefined)
    const failed: (string | undefined)[] = []
    const committed: (string | undefined)[] = []
    await append(log, '1')
    const reading = log.consume({
      ...consumer,
      committed: (entries) => void committed.push(...entries.map(readLabel)),
      failed: (entries) => void failed.push(...entries.map(readLabel)),
    })
    await reading.caughtUp()
    await append(log, '2')
    await reading.caughtUp()
    assert.deepEqual(applied, ['1', '2'])
    assert.deepEqual([failed, committed], [['1'], ['2']])
    assert.deepEqual((await log.ledger.verify()).faults, [])
  })

  it(`tries an entry ${eventlogLimits.consumerTriesMax} times before it is set down`, async (t) => {
    const database = await testDatabase(t)
    const log = openLog(t, database)
    let tries = 0
    const { applied, consumer } = makeConsumer(async ([entry]) => {
      const label = entry && readLabel(entry)
      if (label === 'good') return
      tries += 1
      // The last try of the first entry is good: the second one has as many of its own.
      if (label === 'late' && tries === eventlogLimits.consumerTriesMax) return
      throw new Error('not yet')
    })
    await append(log, 'late', 'bad', 'good')
    await log.consume({ ...consumer, batchMax: 1 }).caughtUp()
    assert.deepEqual(applied, ['late', 'good'])
    assert.equal(tries, eventlogLimits.consumerTriesMax * 2)
    const failures = await database.rows('select reason from eventlog_failure')
    assert.deepEqual(failures, [{ reason: 'Error: not yet' }])
  })

  it('asks for the numbers of all partitions at once where there are no entries', async (t) => {
    const database = await testDatabase(t)
    let looks = 0
    let reads = 0
    const counted: Database = {
      ...database,
      rows(text, values) {
        if (text.includes('from eventlog_partition order by part')) looks += 1
        if (text.includes('from eventlog_entry where part')) reads += 1
        return database.rows(text, values)
      },
    }
    const reading = openLog(t, counted).consume(makeConsumer(() => undefined).consumer)
    const since = performance.now()
    while (looks < 3) {
      assert.ok(performance.now() - since < waitMsMax)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const pauses = (performance.now() - since) / eventlogLimits.consumerPollMs
    assert.ok(looks <= pauses + 2, `${looks} in ${pauses} pauses`)
    assert.ok(reads <= 2 * limits.logPartitions, `${reads} reads of partitions`)
    await reading.stop()
  })
})
