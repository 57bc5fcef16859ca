import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { labelledBody, readLabel } from '../../../test/fixtures/entries.ts'
import { openEventLog } from '../../../test/fixtures/eventlog/open.ts'
import { suiteContext } from '../../../test/fixtures/suite.ts'
import type { Database } from '../../foundation/database/index.ts'
import { Fault, limits, systemClock } from '../../foundation/kernel/index.ts'
import { partitionFor } from './encoded-entry.ts'
import type { Entry, EventLog } from './index.ts'

const msPerHour = 3_600_000

/** The partition of the three entries of connector `c` and device `d`, of which one failed. */
const part = partitionFor('c', 'd', limits.logPartitions)
const jobsPart = 2

function makeEntry(identity: string, label: string): Entry {
  const body = labelledBody(label)
  return { businessId: 'b', connectorId: 'c', identity, kind: 'write', at: 1, body }
}

const ledgerUpdate = (stage: string, sums: string) =>
  `update eventlog_ledger set ${sums} where stage = '${stage}'`
const cursor = (by: number) =>
  `update eventlog_cursor set position = position + ${by}
   where consumer = 'reads' and part = ${part}`
const partition = (by: number) =>
  `update eventlog_partition set next = next + ${by} where part = ${part}`
const expired = (by: number) =>
  `update eventlog_expired set up_to = up_to + ${by} where part = ${part}`

const cases: [what: string, change: string, back: string, faults: string[]][] = [
  [
    'an entry of the log that was not counted as taken',
    `${ledgerUpdate('log', 'taken = taken - 1')} and part = ${part}`,
    `${ledgerUpdate('log', 'taken = taken + 1')} and part = ${part}`,
    [`log, partition ${part}: 3 numbers given, 2 entries counted`],
  ],
  [
    'an entry of the log that was not counted as done',
    `${ledgerUpdate('log', 'done = done - 1')} and part = ${part}`,
    `${ledgerUpdate('log', 'done = done + 1')} and part = ${part}`,
    [`log, partition ${part}: 3 numbers given, 3 entries counted`],
  ],
  [
    'a number that was given to no entry',
    partition(1),
    partition(-1),
    [
      `log, partition ${part}: 4 numbers given, 3 entries counted`,
      `log, partition ${part}: 4 numbers given, 3 entries there and 0 expired`,
    ],
  ],
  [
    'an entry that expired and is still there',
    expired(1),
    expired(-1),
    [
      `log, partition ${part}: 3 numbers given, 3 entries there and 1 expired`,
      `log, partition ${part}: the oldest entry is 1, it should be 2`,
    ],
  ],
  [
    'a reader that went past the end of the log',
    cursor(1),
    cursor(-1),
    [
      `reads, partition ${part}: stands at 4, but the log ends at 3`,
      `reads, partition ${part}: stands at 4, but 2 done and 1 failed are counted`,
    ],
  ],
  [
    'a reader that stands behind what it counted',
    cursor(-1),
    cursor(1),
    [`reads, partition ${part}: stands at 2, but 2 done and 1 failed are counted`],
  ],
  [
    'a failure of a reader that was counted and not set down',
    ledgerUpdate('reads', 'failed = failed + 1, done = done - 1'),
    ledgerUpdate('reads', 'failed = failed - 1, done = done + 1'),
    [`reads, partition ${part}: 2 failed are counted, 1 are set down`],
  ],
  [
    'a job that ended twice',
    ledgerUpdate('jobs', 'done = done + 1'),
    ledgerUpdate('jobs', 'done = done - 1'),
    [
      `jobs, partition ${jobsPart}: 9 taken, but 5 done, 2 failed and 3 waiting`,
      `jobs, partition ${jobsPart}: 7 ended are counted, but 5 are there and 1 settled`,
    ],
  ],
  [
    'a job that was lost',
    ledgerUpdate('jobs', 'failed = failed - 1'),
    ledgerUpdate('jobs', 'failed = failed + 1'),
    [
      `jobs, partition ${jobsPart}: 9 taken, but 4 done, 1 failed and 3 waiting`,
      `jobs, partition ${jobsPart}: 5 ended are counted, but 5 are there and 1 settled`,
    ],
  ],
  [
    'a job that ended and of which the row is gone',
    ledgerUpdate('jobs', 'settled = settled - 1'),
    ledgerUpdate('jobs', 'settled = settled + 1'),
    [`jobs, partition ${jobsPart}: 6 ended are counted, but 5 are there and 0 settled`],
  ],
]

describe('the proof that nothing was lost', () => {
  const suite = suiteContext()
  let database: Database
  let log: EventLog
  const waiting = new Map<number, number>()

  before(async () => {
    database = await testDatabase(suite)
    log = openEventLog({ database, clock: systemClock() })
    atEnd(suite, () => log.close())
    for (const label of ['1', '2', '3']) await log.append(makeEntry('d', label))
    const reading = log.consume({
      name: 'reads',
      batchMax: 10,
      async prepare(entries) {
        if (entries.some((entry) => readLabel(entry) === '2'))
          throw new Fault('invalid_argument', 'two')
        return entries
      },
      apply: async () => [],
    })
    await reading.caughtUp()
    await reading.stop()
    const counts = { taken: 9, done: 4, failed: 2, settled: 1 }
    await database.transaction((transaction) =>
      log.countStage(transaction, 'jobs', jobsPart, counts),
    )
    waiting.set(jobsPart, 3)
    const kept = { of: 'all', count: async () => new Map([[jobsPart, 5]]) } as const
    log.ledger.addStage({ stage: 'jobs', pending: async () => waiting, kept })
  })

  /** Returns the faults that the ledger finds while the change is in place. */
  async function faultsWhile(change: string, back: string): Promise<readonly string[]> {
    await database.run(change)
    const { faults } = await log.ledger.verify()
    await database.run(back)
    return faults
  }

  it('has the sums of every stage, and what waits', async () => {
    const { stages, faults } = await log.ledger.verify()
    assert.deepEqual(faults, [])
    assert.deepEqual(stages, [
      { stage: 'jobs', taken: 9, done: 4, failed: 2, pending: 3 },
      { stage: 'log', taken: 3, done: 3, failed: 0, pending: 0 },
      { stage: 'reads', taken: 3, done: 2, failed: 1, pending: 0 },
    ])
  })

  it('counts what a reader has not yet passed as pending', async () => {
    const position = await log.append(makeEntry('behind', '4'))
    const { stages, faults } = await log.ledger.verify()
    assert.deepEqual(faults, [])
    const reads = stages.find(({ stage }) => stage === 'reads')
    assert.deepEqual(reads, { stage: 'reads', taken: 4, done: 2, failed: 1, pending: 1 })
    assert.notEqual(position.part, part, 'the other cases count on it')
  })

  it('counts by hour, the newest first', async () => {
    const hourMs = Math.floor(Date.now() / msPerHour) * msPerHour
    const hours = await log.ledger.hours(10)
    const sums = (stage: string) => {
      const rows = hours.filter((row) => row.stage === stage)
      assert.ok(
        rows.every(
          ({ hour }) => hourMs - hour / 1_000 <= msPerHour && hour % (msPerHour * 1_000) === 0,
        ),
      )
      return rows.reduce((sum, { taken, done, failed }) => sum + taken + done + failed, 0)
    }
    assert.deepEqual([sums('jobs'), sums('log')], [15, 8])
    assert.equal((await log.ledger.hours(1)).length, 1)
  })

  for (const [what, change, back, faults] of cases) {
    it(`names ${what}`, async () => {
      assert.deepEqual(await faultsWhile(change, back), faults)
      assert.deepEqual((await log.ledger.verify()).faults, [], 'all adds up again')
    })
  }

  it('names what waits where nothing was ever counted', async () => {
    waiting.set(0, 1).set(limits.logPartitions - 1, 2)
    const { faults } = await log.ledger.verify()
    waiting.delete(0)
    waiting.delete(limits.logPartitions - 1)
    assert.deepEqual(faults, [
      'jobs, partition 0: 0 taken, but 0 done, 0 failed and 1 waiting',
      `jobs, partition ${limits.logPartitions - 1}: 0 taken, but 0 done, 0 failed and 2 waiting`,
    ])
  })
})
