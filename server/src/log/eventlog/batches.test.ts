import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { labelledBody, readLabel } from '../../../test/fixtures/entries.ts'
import { openEventLog } from '../../../test/fixtures/eventlog/open.ts'
import type { Database, Transaction } from '../../foundation/database/index.ts'
import { limits, systemClock } from '../../foundation/kernel/index.ts'
import { Batches, type PartOfBatch } from './batches.ts'
import type { Consumer, LoggedEntry } from './index.ts'

type AcrossOptions = {
  /** A step of the test's in `prepare`. */
  readonly step?: ((labels: readonly string[]) => Promise<unknown> | undefined) | undefined
  /** The same in `apply`. */
  readonly effect?: ((labels: readonly string[], transaction: Transaction) => void) | undefined
  readonly watchDatabase?: ((database: Database) => Database) | undefined
}

/** A log whose consumer takes entries of several partitions in one batch. */
async function openAcross(t: TestContext, { step, effect, watchDatabase }: AcrossOptions) {
  const database = await testDatabase(t)
  const log = openEventLog({
    database: watchDatabase?.(database) ?? database,
    clock: systemClock(),
  })
  atEnd(t, () => log.close())
  /** Identities by their partition. */
  const identities = new Map<number, string>()
  for (let at = 0; identities.size < limits.logPartitions; at += 1) {
    identities.set(log.partitionFor('c', `d${at}`), `d${at}`)
  }
  const applied: (readonly string[])[] = []
  // Until a reader has its partition, it takes what is appended after a pause.
  const acquired = new Set<number>()
  const areRead = Promise.withResolvers<void>()
  const consumer: Consumer<readonly string[]> = {
    name: 'one',
    acrossPartitions: true,
    batchMax: 4,
    async acquired(part) {
      if (acquired.add(part).size === limits.logPartitions) areRead.resolve()
    },
    async prepare(entries) {
      const labels = entries.map((entry: LoggedEntry) => readLabel(entry) ?? '')
      await step?.(labels)
      return labels
    },
    async apply(transaction, labels) {
      effect?.(labels, transaction)
      applied.push(labels)
      return []
    },
  }
  const reading = log.consume(consumer)
  await areRead.promise
  const append = (part: number, label: string) => {
    const device = { businessId: 'b', connectorId: 'c', identity: identities.get(part) ?? '' }
    return log.append({ ...device, kind: 'write', at: 1, body: labelledBody(label) })
  }
  const faults = async () => (await log.ledger.verify()).faults
  return { database, log, reading, append, applied, faults }
}

/** Returns a function that resolves once a reader waits for a batch with the entry of a label. */
function watchJoins(t: TestContext) {
  const joins = new Map<string, PromiseWithResolvers<void>>()
  const joinFor = (label: string) => {
    const known = joins.get(label) ?? Promise.withResolvers<void>()
    joins.set(label, known)
    return known
  }
  const { join } = Batches.prototype
  t.mock.method(Batches.prototype, 'join', function (this: Batches<unknown>, own: PartOfBatch) {
    const outcome = join.call(this, own)
    for (const entry of own.entries) joinFor(readLabel(entry) ?? '').resolve()
    return outcome
  })
  return (label: string) => joinFor(label).promise
}

/**
 * The same with as many batches under way as may be, until `goOn`: entries that `appendJoined` has
 * appended meanwhile are the next batch, those of all partitions together.
 */
async function openHeld(t: TestContext, options: AcrossOptions = {}) {
  const gate = Promise.withResolvers<void>()
  let held = 0
  const all = Promise.withResolvers<void>()
  const joined = watchJoins(t)
  const across = await openAcross(t, {
    ...options,
    step: (labels) => {
      if (!labels.some((label) => label.startsWith('held'))) return options.step?.(labels)
      held += labels.length
      if (held === limits.consumerBatchesMax) all.resolve()
      return gate.promise
    },
  })
  atEnd(t, gate.resolve)
  for (let part = 0; part < limits.consumerBatchesMax; part += 1) {
    await across.append(part, `held ${part}`)
  }
  await all.promise
  const appendJoined = async (part: number, label: string) => {
    await across.append(part, label)
    await joined(label)
  }
  const goOn = async () => {
    gate.resolve()
    await across.reading.caughtUp()
  }
  const applied = () => across.applied.filter(([first]) => !first?.startsWith('held'))
  return { ...across, appendJoined, goOn, applied }
}

const [first, second, third] = [
  limits.consumerBatchesMax,
  limits.consumerBatchesMax + 1,
  limits.consumerBatchesMax + 2,
]

describe('a batch of several partitions', () => {
  it('has what came while others ran, that of each partition in its order', async (t) => {
    const { append, appendJoined, goOn, applied, faults } = await openHeld(t)
    await appendJoined(first, 'a1')
    await appendJoined(second, 'b1')
    await append(first, 'a2')
    await appendJoined(third, 'c1')
    await goOn()
    assert.deepEqual(applied(), [['a1', 'b1', 'c1'], ['a2']])
    assert.deepEqual(await faults(), [])
  })

  it('that fails is run apart: only the entry at fault is set down', async (t) => {
    const { append, appendJoined, goOn, applied, faults, database } = await openHeld(t, {
      step: async (labels) => {
        if (labels.includes('bad')) throw new Error('no')
      },
    })
    await appendJoined(first, 'a1')
    await appendJoined(second, 'bad')
    await appendJoined(third, 'c1')
    await append(second, 'b2')
    await goOn()
    assert.deepEqual(applied().flat().sort(), ['a1', 'b2', 'c1'])
    const failures = await database.rows('select part, reason from eventlog_failure')
    assert.deepEqual(failures, [{ part: second, reason: 'Error: no' }])
    assert.deepEqual(await faults(), [])
  })

  it('leaves what another process has passed meanwhile, and has the others once', async (t) => {
    let passed = false
    const { append, appendJoined, goOn, applied, faults, database, log } = await openHeld(t, {
      step: async (labels) => {
        if (passed || !labels.includes('b1')) return
        passed = true
        await database.transaction(async (transaction) => {
          const text = `update eventlog_cursor set position = position + 1
            where consumer = 'one' and part = $1`
          assert.equal(await transaction.run(text, [second]), 1)
          await log.countStage(transaction, 'one', second, { taken: 1, done: 1, failed: 0 })
        })
      },
    })
    await appendJoined(first, 'a1')
    await appendJoined(second, 'b1')
    await appendJoined(third, 'c1')
    await append(second, 'b2')
    await goOn()
    assert.deepEqual(applied().flat().sort(), ['a1', 'b2', 'c1'])
    assert.deepEqual(await faults(), [])
  })

  it('whose COMMIT has no answer is done once', async (t) => {
    const losing = new Set<Transaction>()
    const watchDatabase = (database: Database): Database => ({
      ...database,
      async transaction<Result>(work: (transaction: Transaction) => Promise<Result>) {
        let own: Transaction | undefined
        const result = await database.transaction((transaction) => {
          own = transaction
          return work(transaction)
        })
        if (own === undefined || !losing.has(own)) return result
        throw Object.assign(new Error('away'), { code: 'ECONNRESET' })
      },
    })
    const { appendJoined, goOn, applied, faults } = await openHeld(t, {
      watchDatabase,
      effect: (labels, transaction) => void (labels.includes('a1') && losing.add(transaction)),
    })
    await appendJoined(first, 'a1')
    await appendJoined(second, 'b1')
    await goOn()
    assert.deepEqual(applied(), [['a1', 'b1']])
    assert.equal(losing.size, 1)
    assert.deepEqual(await faults(), [])
  })
})
