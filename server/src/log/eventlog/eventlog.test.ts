import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { labelledBody, readLabel } from '../../../test/fixtures/entries.ts'
import { openEventLog } from '../../../test/fixtures/eventlog/open.ts'
import type { Database } from '../../foundation/database/index.ts'
import { createLogger, Fault, limits, systemClock } from '../../foundation/kernel/index.ts'
import { type Changes, createChanges } from '../changes/index.ts'
import { createPostgresqlLog, type Entry, type EventLog, type LoggedEntry } from './index.ts'
import { expire, type RetentionOptions } from './retention.ts'

async function openLog(t: TestContext, database: Database, changes?: Changes): Promise<EventLog> {
  const log = openEventLog({ database, changes, clock: systemClock() })
  atEnd(t, () => log.close())
  return log
}

function entry(identity: string, label: string, at = 1): Entry {
  const body = labelledBody(label)
  return { businessId: 'b', connectorId: 'c', identity, kind: 'write', at, body }
}

/** A consumer that collects its entries, and throws for those that `refuse` returns a text for. */
function collector(
  name: string,
  refuse: (entry: LoggedEntry) => string | undefined = () => undefined,
) {
  const seen: LoggedEntry[] = []
  return {
    seen,
    consumer: {
      name,
      batchMax: 7,
      async prepare(entries: readonly LoggedEntry[]) {
        for (const one of entries) {
          const reason = refuse(one)
          if (reason !== undefined) throw new Fault('invalid_argument', reason)
        }
        return entries
      },
      async apply(_: unknown, prepared: readonly LoggedEntry[]) {
        seen.push(...prepared)
        return []
      },
    },
  }
}

describe('the event log', () => {
  it('keeps what it acknowledged, numbered without gaps', async (t) => {
    const database = await testDatabase(t)
    const log = await openLog(t, database)
    const places = await Promise.all(
      Array.from({ length: 500 }, (_, at) => log.append(entry(`d${at % 10}`, `${at}`))),
    )
    for (let part = 0; part < limits.logPartitions; part += 1) {
      const seqs = places.filter((place) => place.part === part).map((place) => place.seq)
      assert.deepEqual(
        seqs.sort((a, b) => a - b),
        seqs.map((_, at) => at + 1),
      )
    }
    const [row] = await database.rows<{ count: number }>(
      'select count(*) as count from eventlog_entry',
    )
    assert.equal(row?.count, 500)
  })

  it('gives each consumer the entries of a device in the order in which they came', async (t) => {
    const log = await openLog(t, await testDatabase(t))
    const one = collector('one')
    const two = collector('two')
    const running = [log.consume(one.consumer), log.consume(two.consumer)]
    await Promise.all(
      Array.from({ length: 300 }, (_, at) => log.append(entry(`d${at % 5}`, `${at}`))),
    )
    await Promise.all(running.map((each) => each.caughtUp()))
    for (const { seen } of [one, two]) {
      assert.equal(seen.length, 300)
      for (let device = 0; device < 5; device += 1) {
        const bodies = seen
          .filter((e) => e.identity === `d${device}`)
          .map((e) => Number(readLabel(e)))
        assert.deepEqual(
          bodies,
          [...bodies].sort((a, b) => a - b),
        )
      }
    }
  })

  it('goes on after a restart where the consumer stood', async (t) => {
    const database = await testDatabase(t)
    const log = await openLog(t, database)
    const before = collector('one')
    const running = log.consume(before.consumer)
    await log.append(entry('d', '1'))
    await running.caughtUp()
    await running.stop()
    await log.append(entry('d', '2'))
    const after = collector('one')
    await (await openLog(t, database)).consume(after.consumer).caughtUp()
    assert.deepEqual(before.seen.map(readLabel), ['1'])
    assert.deepEqual(after.seen.map(readLabel), ['2'])
  })

  it('sets down the one entry that cannot be dealt with, and deals with the others', async (t) => {
    const database = await testDatabase(t)
    const log = await openLog(t, database)
    await Promise.all(Array.from({ length: 20 }, (_, at) => log.append(entry('d', `${at}`))))
    const { consumer, seen } = collector('one', (e) =>
      readLabel(e) === '13' ? 'thirteen' : undefined,
    )
    await log.consume(consumer).caughtUp()
    assert.equal(seen.length, 19)
    const failures = await database.rows<{ reason: string }>('select reason from eventlog_failure')
    assert.deepEqual(failures, [{ reason: 'thirteen' }])
    const verdict = await log.ledger.verify()
    assert.deepEqual(verdict.faults, [])
    assert.deepEqual(verdict.stages, [
      { stage: 'log', taken: 20, done: 20, failed: 0, pending: 0 },
      { stage: 'one', taken: 20, done: 19, failed: 1, pending: 0 },
    ])
  })

  it('hands each consumer what was committed, and nothing that was undone', async (t) => {
    const log = await openLog(t, await testDatabase(t))
    const { consumer, seen } = collector('one')
    const committed: (string | undefined)[] = []
    let away = true
    const running = log.consume({
      ...consumer,
      async apply(transaction, prepared) {
        await consumer.apply(transaction, prepared)
        if (away) throw new Error('undone')
        return []
      },
      committed: (entries) => void committed.push(...entries.map(readLabel)),
    })
    await log.append(entry('d', '1'))
    const deadline = AbortSignal.timeout(20_000)
    while (seen.length === 0) await setTimeout(5, undefined, { signal: deadline })
    assert.deepEqual(committed, [])
    away = false
    await log.append(entry('d', '2'))
    await running.caughtUp()
    await running.stop()
    assert.deepEqual(committed, ['1', '2'])
  })

  it('sets down an error that is no fault in the words of the error', async (t) => {
    const database = await testDatabase(t)
    const log = await openLog(t, database)
    await log.append(entry('d', '1'))
    const { consumer } = collector('one')
    const prepare = async () => {
      throw new TypeError('no such thing')
    }
    await log.consume({ ...consumer, prepare }).caughtUp()
    const failures = await database.rows('select reason from eventlog_failure')
    assert.deepEqual(failures, [{ reason: 'TypeError: no such thing' }])
  })
})

describe('an append to the log', () => {
  it('refuses one entry that the database cannot hold, not those beside it', async (t) => {
    const log = await openLog(t, await testDatabase(t))
    const results = await Promise.allSettled(
      ['1', 'a\u0000b', '3'].map((identity) => log.append(entry(identity, 'x'))),
    )
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual((await log.ledger.verify()).faults, [])
  })

  it('answers overloaded before memory grows', async (t) => {
    const log = await openLog(t, await testDatabase(t))
    const tries = Array.from({ length: limits.pendingMessagesMax + 10 }, () =>
      log.append(entry('d', 'x')).then(
        () => 'kept',
        (error: Fault) => error.code,
      ),
    )
    const results = await Promise.all(tries)
    assert.ok(results.includes('overloaded'))
    assert.ok(results.filter((one) => one === 'kept').length >= limits.pendingMessagesMax)
  })

  it('answers overloaded by bytes too, and takes what fits again', async (t) => {
    const log = await openLog(t, await testDatabase(t))
    const label = 'x'.repeat(2 ** 20)
    const fit = Math.floor(limits.pendingBytesMax / (label.length + 200))
    const tries = Array.from({ length: fit + 3 }, () =>
      log.append(entry('d', label)).then(
        () => 'kept',
        (error: Fault) => error.code,
      ),
    )
    const results = await Promise.all(tries)
    // The first one goes at once; the rest wait for it.
    const kept = results.filter((one) => one === 'kept').length
    assert.deepEqual(new Set(results), new Set(['kept', 'overloaded']))
    assert.ok(kept >= fit && kept <= fit + 2, `${kept} of ${fit}`)
    assert.ok((await log.append(entry('d', label))).seq > 0)
    assert.deepEqual((await log.ledger.verify()).faults, [])
  })

  it('says an entry inside a transaction of the caller, or not at all', async (t) => {
    const database = await testDatabase(t)
    const log = await openLog(t, database)
    await database.transaction((transaction) => log.appendIn(transaction, [entry('d', 'kept')]))
    const undone = database.transaction(async (transaction) => {
      await log.appendIn(transaction, [entry('d', 'undone')])
      throw new Error('changed my mind')
    })
    await assert.rejects(undone, /changed my mind/)
    const { consumer, seen } = collector('one')
    await log.consume(consumer).caughtUp()
    assert.deepEqual(seen.map(readLabel), ['kept'])
    assert.deepEqual((await log.ledger.verify()).faults, [])
  })
})

function makeRetention(database: Database): RetentionOptions {
  const clock = systemClock()
  const store = createPostgresqlLog({
    database,
    clock,
    partitionCount: limits.logPartitions,
    effects: () => [],
  })
  return { database, store, clock, consumers: () => ['one'], lowestPositions: [] }
}

describe('entries that are removed or lost', () => {
  it('finds an entry that vanished, and one that was counted twice', async (t) => {
    const database = await testDatabase(t)
    const log = await openLog(t, database)
    await log.append(entry('d', '1'))
    await log.append(entry('d', '2'))
    await log.append(entry('d', '3'))
    await database.run('delete from eventlog_entry where seq = 2')
    await database.run("update eventlog_ledger set done = done + 1 where stage = 'log'")
    const { faults } = await log.ledger.verify()
    assert.match(faults.join('\n'), /3 numbers given, 2 entries there and 0 expired/)
    assert.equal(faults.length, 2)
  })

  it('removes what is old once every consumer has passed it, and still adds up', async (t) => {
    const database = await testDatabase(t)
    const log = await openLog(t, database)
    const nowUs = systemClock().nowUs()
    const old = nowUs - (limits.logRetentionHours + 1) * 3_600_000_000
    await log.append(entry('d', 'old', old))
    await log.append(entry('d', 'new', nowUs))
    const options = makeRetention(database)
    assert.equal(await expire(options, limits.logRetentionHours), 0, 'nobody has read it yet')
    await log.consume(collector('one').consumer).caughtUp()
    assert.equal(await expire(options, limits.logRetentionHours), 1)
    assert.deepEqual((await log.ledger.verify()).faults, [])
  })

  it('removes nothing too early for a clock that was wrong for a while', async (t) => {
    const database = await testDatabase(t)
    const log = await openLog(t, database)
    const nowUs = systemClock().nowUs()
    const hourUs = 3_600_000_000
    const old = nowUs - (limits.logRetentionHours + 1) * hourUs
    const years = 10 * 365 * 24 * hourUs
    await log.append(entry('d', 'ahead', nowUs + years))
    await log.append(entry('d', 'old', old))
    await log.append(entry('d', 'new', nowUs))
    await log.append(entry('d', 'behind', nowUs - years))
    await log.append(entry('d', 'ahead', nowUs + years))
    await log.consume(collector('one').consumer).caughtUp()
    const options = makeRetention(database)
    assert.equal(await expire(options, limits.logRetentionHours), 2)
    const left = await database.rows<{ label: string }>(
      "select body::json ->> 'connection' as label from eventlog_entry order by seq",
    )
    assert.deepEqual(
      left.map(({ label }) => label),
      ['new', 'behind', 'ahead'],
    )
    assert.deepEqual((await log.ledger.verify()).faults, [])
  })
})

describe('watchers of the log', () => {
  it('are sent the connectors of what a transaction has added, at its commit', async (t) => {
    const database = await testDatabase(t)
    const log = await openLog(t, database)
    const named: string[] = []
    log.onAppended((connectorIds) => void named.push(...connectorIds))
    await database.transaction(async (transaction) => {
      await log.appendIn(transaction, [entry('d', 'kept')])
      assert.deepEqual(named, [])
    })
    assert.deepEqual(named, ['c'])
  })

  it('are sent the businesses of entries that a consumer failed with', async (t) => {
    const database = await testDatabase(t)
    const changes = createChanges({ database, logger: createLogger('silent') })
    const log = await openLog(t, database, changes)
    const failed: string[] = []
    changes.onChange(({ businessId }) => failed.push(businessId))
    for (const label of ['good', 'bad']) await log.append(entry('d', label))
    const { consumer } = collector('one', (one) => (readLabel(one) === 'bad' ? 'bad' : undefined))
    await log.consume(consumer).caughtUp()
    assert.deepEqual(failed, ['b'])
  })

  it('notifies the watchers of a device, and no others', async (t) => {
    const log = await openLog(t, await testDatabase(t))
    const received: string[] = []
    const stop = log.watch('c', 'd', (one) => one && received.push('d'))
    log.watch('c', 'other', (one) => one && received.push('other'))
    await log.append(entry('d', '1'))
    stop()
    await log.append(entry('d', '2'))
    assert.deepEqual(received, ['d'])
  })
})
