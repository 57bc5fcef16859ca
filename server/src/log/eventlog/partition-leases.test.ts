import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { comes } from '../../../test/fixtures/demo.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { labelledBody, readLabel } from '../../../test/fixtures/entries.ts'
import { openEventLog } from '../../../test/fixtures/eventlog/open.ts'
import type { Database } from '../../foundation/database/index.ts'
import { limits, systemClock } from '../../foundation/kernel/index.ts'
import type { Consumer, Entry, EventLog, LoggedEntry } from './index.ts'

const parts = Array.from({ length: limits.logPartitions }, (_, part) => part)

function makeEntry(identity: string, label: string): Entry {
  const device = { businessId: 'b', connectorId: 'c', identity }
  return { ...device, kind: 'write', at: 1, body: labelledBody(label) }
}

type Read = Consumer<readonly LoggedEntry[]>

/** A log that reads, and what it has read. */
function openReading(t: TestContext, database: Database, more: Partial<Read> = {}) {
  const log = openEventLog({ database, clock: systemClock() })
  atEnd(t, () => log.close())
  const seen: (string | undefined)[] = []
  const reading = log.consume<readonly LoggedEntry[]>({
    name: 'one',
    prepare: async (entries) => entries,
    async apply(_, entries) {
      seen.push(...entries.map(readLabel))
      return []
    },
    ...more,
  })
  return { log, reading, seen }
}

const held = ({ epochFor }: EventLog) => parts.filter((part) => epochFor(part) !== undefined)

function hold(...counts: (readonly [EventLog, number])[]): Promise<true> {
  return comes(async () => counts.every(([log, count]) => held(log).length === count) || undefined)
}

describe('the partitions of processes that read one log', () => {
  it('are all of one that is alone, and an equal share each of several', async (t) => {
    const database = await testDatabase(t)
    const one = openReading(t, database)
    await hold([one.log, parts.length])
    const two = openReading(t, database)
    await hold([one.log, parts.length / 2], [two.log, parts.length / 2])
    assert.equal(new Set([...held(one.log), ...held(two.log)]).size, parts.length)
    const devices = Array.from({ length: 50 }, (_, at) => `d${at}`)
    for (const log of [one.log, two.log]) {
      await Promise.all(devices.map((device) => log.append(makeEntry(device, device))))
    }
    await Promise.all([one.reading.caughtUp(), two.reading.caughtUp()])
    assert.deepEqual([...one.seen, ...two.seen].sort(), [...devices, ...devices].sort())
    assert.ok(one.seen.length > 0 && two.seen.length > 0)
    assert.deepEqual((await one.log.ledger.verify()).faults, [])
    await two.log.close()
    await hold([one.log, parts.length])
  })

  it('stay where they are until their batches have ended', async (t) => {
    const database = await testDatabase(t)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let began = 0
    const one = openReading(t, database, {
      async prepare(entries) {
        began += 1
        await released
        return entries
      },
    })
    for (let at = 0; at < 200; at += 1) await one.log.append(makeEntry(`d${at}`, `${at}`))
    await comes(async () => began > parts.length / 2 || undefined)
    const two = openReading(t, database)
    await comes(async () => held(one.log).length === parts.length / 2 || undefined)
    release()
    await hold([one.log, parts.length / 2], [two.log, parts.length / 2])
    await two.reading.caughtUp()
    await one.reading.caughtUp()
    assert.equal(new Set([...one.seen, ...two.seen]).size, 200)
    assert.equal(one.seen.length + two.seen.length, 200, 'none was handled twice')
  })
})
