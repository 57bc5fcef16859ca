import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { testDatabase } from '../../test/fixtures/database.ts'
import { atEnd } from '../../test/fixtures/ends.ts'
import { labelledBody, labelOf } from '../../test/fixtures/entries.ts'
import { openEventLog } from '../../test/fixtures/eventlog/open.ts'
import type { Database } from '../database/index.ts'
import { limits, systemClock } from '../kernel/index.ts'
import type { Consumer, LoggedEntry } from './index.ts'

type AcrossOptions = {
  /** A step of the test's in `prepare`. */
  readonly step?: ((labels: readonly string[]) => Promise<unknown> | undefined) | undefined
  readonly databaseOf?: ((database: Database) => Database) | undefined
}

/** A log whose consumer takes entries of several partitions in one batch. */
async function openAcross(t: TestContext, { step, databaseOf }: AcrossOptions) {
  const database = await testDatabase(t)
  const log = openEventLog({ database: databaseOf?.(database) ?? database, clock: systemClock() })
  atEnd(t, () => log.close())
  /** Identities by their partition. */
  const identities = new Map<number, string>()
  for (let at = 0; identities.size < limits.logPartitions; at += 1) {
    identities.set(log.partOf('c', `d${at}`), `d${at}`)
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
      const labels = entries.map((entry: LoggedEntry) => labelOf(entry) ?? '')
      await step?.(labels)
      return labels
    },
    async apply(_, labels) {
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

/** Resolves once readers have taken what was appended: none of them waits for the database. */
async function atRest(database: Database): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) {
    await new Promise(setImmediate)
    const { inUse, waiting } = database.connections().main
    if (inUse + waiting > 0) turns = 0
  }
}

/**
 * The same with as many batches under way as may be, until `goOn`: entries that are appended
 * meanwhile wait for the next batch, those of all partitions together.
 */
async function openHeld(t: TestContext, { step, databaseOf }: AcrossOptions = {}) {
  const gate = Promise.withResolvers<void>()
  let held = 0
  const all = Promise.withResolvers<void>()
  const across = await openAcross(t, {
    databaseOf,
    step: (labels) => {
      if (!labels.some((label) => label.startsWith('held'))) return step?.(labels)
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
  const goOn = async () => {
    await atRest(across.database)
    gate.resolve()
    await across.reading.caughtUp()
  }
  const applied = () => across.applied.filter(([first]) => !first?.startsWith('held'))
  return Object.assign({}, across, { goOn, applied })
}

const [first, second, third] = [
  limits.consumerBatchesMax,
  limits.consumerBatchesMax + 1,
  limits.consumerBatchesMax + 2,
]

describe('a batch of several partitions', () => {
  it('has what came while others ran, that of each partition in its order', async (t) => {
    const { append, goOn, applied, faults } = await openHeld(t)
    await append(first, 'a1')
    await append(second, 'b1')
    await append(first, 'a2')
    await append(third, 'c1')
    await goOn()
    const labels = applied().flat()
    assert.deepEqual(labels.toSorted(), ['a1', 'a2', 'b1', 'c1'])
    assert.ok(labels.indexOf('a1') < labels.indexOf('a2'), labels.join())
    // A partition may be read after the others, and its second entry after its first.
    const [batch = []] = applied()
    const together = ['a1', 'b1', 'c1'].filter((label) => batch.includes(label))
    assert.ok(together.length > 1, batch.join())
    assert.deepEqual(await faults(), [])
  })

  it('that fails is run apart: only the entry at fault is set down', async (t) => {
    const { append, goOn, applied, faults, database } = await openHeld(t, {
      step: async (labels) => {
        if (labels.includes('bad')) throw new Error('no')
      },
    })
    await append(first, 'a1')
    await append(second, 'bad')
    await append(third, 'c1')
    await append(second, 'b2')
    await goOn()
    assert.deepEqual(applied().flat().sort(), ['a1', 'b2', 'c1'])
    const failures = await database.rows('select part, reason from eventlog_failure')
    assert.deepEqual(failures, [{ part: second, reason: 'Error: no' }])
    assert.deepEqual(await faults(), [])
  })

  it('leaves what another process has passed meanwhile, and has the others once', async (t) => {
    let passed = false
    const { append, goOn, applied, faults, database, log } = await openHeld(t, {
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
    await append(first, 'a1')
    await append(second, 'b1')
    await append(third, 'c1')
    await append(second, 'b2')
    await goOn()
    assert.deepEqual(applied().flat().sort(), ['a1', 'b2', 'c1'])
    assert.deepEqual(await faults(), [])
  })

  it('whose COMMIT has no answer is done once', async (t) => {
    let losing = 0
    const databaseOf = (database: Database): Database =>
      Object.assign({}, database, {
        async transaction<Result>(work: Parameters<typeof database.transaction<Result>>[0]) {
          const result = await database.transaction(work)
          losing -= 1
          if (losing !== 0) return result
          throw Object.assign(new Error('away'), { code: 'ECONNRESET' })
        },
      })
    const { append, goOn, applied, faults } = await openHeld(t, {
      databaseOf,
      step: async (labels) => {
        if (labels.includes('a1')) losing = 1
      },
    })
    await append(first, 'a1')
    await append(second, 'b1')
    await goOn()
    assert.deepEqual(
      applied().map((labels) => labels.toSorted()),
      [['a1', 'b1']],
    )
    assert.deepEqual(await faults(), [])
  })
})
