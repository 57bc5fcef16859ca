import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { waitMsMax } from '../../../../../test/fixtures/bounds.ts'
import { testAddress } from '../../../../../test/fixtures/database.ts'
import { atEnd } from '../../../../../test/fixtures/ends.ts'
import { sharedByProcess } from '../../../../../test/fixtures/suite.ts'
import { type Database, openDatabase } from '../../../../foundation/database/index.ts'
import { createLogger, Fault } from '../../../../foundation/kernel/index.ts'
import { callerKey } from './quota.ts'
import { createQuotas } from './quotas.ts'

const logger = createLogger('silent')

const twoPools = sharedByProcess(async (process) => {
  const address = await testAddress(process)
  const open = async () => {
    const database = await openDatabase({ ...address, owner: false, logger })
    atEnd(process, () => database.close())
    return database
  }
  return [await open(), await open()] as const
})

/** Two counters over two pools of one database, as two processes have them. */
async function twoProcesses(iso = '2026-03-31T23:59:59.000Z') {
  const [first, second] = await twoPools()
  const time = { ms: Date.parse(iso) }
  const clock = { nowMs: () => time.ms, nowUs: () => time.ms * 1_000, elapsedMs: () => time.ms }
  const open = (database: Database) => createQuotas({ database, clock })
  return { a: open(first), b: open(second), open, database: first, time, id: newCaller() }
}

const newCaller = () => {
  return { exposedId: randomUUID(), businessId: randomUUID(), callerId: randomUUID() }
}

/** A database, and what is done after each of its readings. */
function read(database: Database, then: () => void | Promise<void>): Database {
  return {
    ...database,
    async rows<Row>(text: string, values?: readonly unknown[]) {
      const rows = await database.rows<Row>(text, values)
      await then()
      return rows
    },
  }
}

/** Makes so many calls at once; returns the number that pass and the faults of the others. */
async function together(count: number, take: (index: number) => Promise<void>) {
  const ends = await Promise.allSettled(Array.from({ length: count }, (_, index) => take(index)))
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Fault] : []))
  return { passed: count - refused.length, refused }
}

describe('quotas of subscribers', () => {
  it('200 calls at once with a quota of 100: exactly 100 pass', async () => {
    const { a, id } = await twoProcesses()
    await a.write(id, { calls_daily: 100 })
    const { passed, refused } = await together(200, () => a.take(id))
    assert.equal(passed, 100)
    for (const fault of refused) {
      assert.ok(fault instanceof Fault)
      assert.equal(fault.status, 429)
      assert.equal(
        fault.detail,
        'The quota calls_daily of 100 calls is used up until 2026-04-01T00:00:00Z.',
      )
    }
  })

  it('the same from two processes, in many rounds', async () => {
    const { a, b, id } = await twoProcesses()
    await a.write(id, { calls_daily: 300 })
    let all = 0
    for (let round = 0; round < 10; round += 1) {
      const { passed } = await together(50, (index) => (index % 2 === 0 ? a : b).take(id))
      all += passed
    }
    assert.equal(all, 300)
    assert.equal((await b.read([id])).get(callerKey(id))?.day_calls, 300)
  })

  it('several subscriptions in one go are counted apart', async () => {
    const { a, b } = await twoProcesses()
    const ids = Array.from({ length: 8 }, newCaller)
    for (const [index, id] of ids.entries()) await a.write(id, { calls_daily: index })
    const { passed } = await together(8 * 20, (index) =>
      (index % 3 === 0 ? a : b).take(ids[index % 8] ?? newCaller()),
    )
    assert.equal(passed, 0 + 1 + 2 + 3 + 4 + 5 + 6 + 7)
  })

  it('a quota that is set while a call is counted holds for the next one', async () => {
    const { open, database, id } = await twoProcesses()
    const [counted, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const quotas = open(
      read(database, () => {
        counted.resolve()
        return goOn.promise
      }),
    )
    const first = quotas.take(id)
    await counted.promise
    await quotas.write(id, { calls_daily: 0 })
    goOn.resolve()
    await first
    assert.equal((await together(1, () => quotas.take(id))).passed, 0)
  })

  it('a quota that changes keeps what was called', async () => {
    const { a, id } = await twoProcesses()
    await a.write(id, { calls_daily: 5 })
    assert.equal((await together(3, () => a.take(id))).passed, 3)
    await a.write(id, { calls_daily: 4 })
    assert.equal((await together(3, () => a.take(id))).passed, 1)
  })
})

describe('the periods of quotas', () => {
  it('a day ends at midnight UTC, and so does a month; the later one is named', async () => {
    const { a, time, id } = await twoProcesses()
    await a.write(id, { calls_daily: 2, calls_monthly: 3 })
    assert.equal((await together(5, () => a.take(id))).passed, 2)
    time.ms += 999
    assert.equal((await together(1, () => a.take(id))).passed, 0)
    time.ms += 1
    assert.equal((await together(5, () => a.take(id))).passed, 2)
    time.ms += 24 * 3_600_000
    const { passed, refused } = await together(3, () => a.take(id))
    assert.equal(passed, 1)
    assert.match(refused[0]?.detail ?? '', /^The quota calls_monthly of 3 calls .*2026-05-01T/)
  })

  it('a process whose clock is behind counts on in the day that began', async () => {
    const { a, time, id } = await twoProcesses('2026-04-01T00:00:00Z')
    await a.write(id, { calls_daily: 2 })
    assert.equal((await together(1, () => a.take(id))).passed, 1)
    time.ms -= 1
    assert.equal((await together(2, () => a.take(id))).passed, 1)
  })

  for (const [step, ms] of [
    ['a day', 24 * 3_600_000],
    ['a month', 31 * 24 * 3_600_000],
    ['ten years', 3_650 * 24 * 3_600_000],
  ] as const) {
    it(`what is called while the clock is ${step} ahead counts in no later period`, async () => {
      const { a, b, time, id } = await twoProcesses('2026-03-15T12:00:00Z')
      const preset = { calls_daily: 2, calls_monthly: 50 }
      const other = newCaller()
      await a.write(id, { calls_daily: 2, calls_monthly: 50 })
      const used = async () => {
        const { day_calls, month_calls } = (await b.read([id])).get(callerKey(id)) ?? {}
        return [day_calls, month_calls]
      }
      time.ms += ms
      assert.equal((await together(3, () => a.take(id))).passed, 2)
      assert.equal((await together(3, () => a.take(other, preset))).passed, 2)
      time.ms -= ms
      assert.equal((await used())[0], 0)
      const { passed, refused } = await together(3, () => b.take(id))
      assert.equal(passed, 2)
      assert.match(refused[0]?.detail ?? '', /2026-03-16T00:00:00Z/)
      assert.equal((await together(3, () => b.take(other, preset))).passed, 2)
      time.ms += 24 * 3_600_000
      assert.equal((await together(3, () => a.take(id))).passed, 2, 'and the next day is another')
      assert.equal((await used())[0], 2)
    })
  }
})

describe('quotas that are not set, and the default', () => {
  it('no default limit exists; one that is set holds, one taken away no more', async () => {
    const { a, b, id } = await twoProcesses()
    assert.equal((await together(500, () => a.take(id))).passed, 500)
    assert.equal((await together(1, () => b.take(id))).passed, 1)
    await a.write(id, { calls_monthly: 0 })
    assert.equal((await together(5, () => a.take(id))).passed, 0)
    const untilMs = Date.now() + waitMsMax
    while ((await together(1, () => b.take(id))).passed === 1) assert.ok(Date.now() < untilMs)
    await a.write(id, {})
    assert.equal((await together(5, () => a.take(id))).passed, 5)
  })

  it('who has no quota is looked up now and then, not at each call', async () => {
    const { open, database, id } = await twoProcesses()
    let looks = 0
    const quotas = open(
      read(database, () => {
        looks += 1
      }),
    )
    await quotas.take(id)
    assert.equal(looks, 1)
    // A machine that is busy may take longer for one call than what was read holds.
    for (let calls = 1; looks === calls; calls += 1) {
      assert.ok(calls < 100, 'each call is looked up')
      await quotas.take(id)
    }
  })

  it('the default holds for who has no quota of its own, from two processes at once', async () => {
    const { a, b, id, time } = await twoProcesses()
    const preset = { calls_daily: 40, calls_monthly: 50 }
    const { passed, refused } = await together(100, (at) => (at % 2 ? a : b).take(id, preset))
    assert.equal(passed, 40)
    assert.match(refused[0]?.detail ?? '', /^The quota calls_daily of 40 calls/)
    await a.write(id, { calls_daily: 45 })
    assert.equal((await together(100, (at) => (at % 2 ? a : b).take(id, preset))).passed, 5)
    time.ms += 1_000
    assert.equal((await together(100, () => b.take(id, preset))).passed, 45)
    await a.write(id, {})
    assert.equal((await together(10, () => a.take(id, preset))).passed, 0)
    assert.equal((await together(10, () => a.take(id))).passed, 10)
  })

  it('callers without a quota of their own share the strictest of their business', async () => {
    const { a, b, id } = await twoProcesses()
    const of = (callerId: string) => ({ ...id, callerId, shares: true })
    const take = (calls: number, preset = {}) =>
      together(calls, (at) => (at % 2 ? a : b).take(of(`new${at % 3}`), preset))
    assert.equal((await take(12, { calls_daily: 9 })).passed, 9)
    await a.write(of('wide'), { calls_daily: 50 })
    await a.write(of('strict'), { calls_daily: 5 })
    await a.write(of('monthly'), { calls_monthly: 1 })
    await a.write({ ...of('none'), businessId: 'other' }, { calls_daily: 0 })
    assert.equal((await take(12)).passed, 5)
    assert.equal((await together(3, () => a.take(of('wide')))).passed, 3)
    const usages = await b.readShared([of('new1'), of('wide')])
    assert.deepEqual(
      [...usages.values()].map(({ callerId, day_calls }) => [callerId, day_calls]),
      [
        ['strict', 5],
        ['wide', 3],
      ],
    )
  })

  it('a caller without a quota of its own is removed after its month', async () => {
    const { a, id, time } = await twoProcesses()
    const preset = { calls_daily: 5 }
    await a.take(id, preset)
    await a.take({ ...id, callerId: 'own' }, preset)
    await a.write({ ...id, callerId: 'own' }, { calls_daily: 3 })
    time.ms += 1_000
    const fresh = { ...id, callerId: 'fresh' }
    await a.take(fresh, preset)
    const known = await a.read([id, fresh, { ...id, callerId: 'own' }])
    assert.deepEqual([...known.values()].map(({ callerId }) => callerId).sort(), ['fresh', 'own'])
  })
})
