import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { testAddress } from '../../../test/support/database.ts'
import { atEnd } from '../../../test/support/ends.ts'
import { openDatabase } from '../../database/index.ts'
import { createLogger, Fault, limits } from '../../kernel/index.ts'
import { createQuotas } from './quotas.ts'

/** Two counters over two pools of one database, as two processes have them. */
async function twoProcesses(t: TestContext, iso = '2026-03-31T23:59:59.000Z') {
  const address = await testAddress(t)
  const time = { ms: Date.parse(iso) }
  const clock = { nowMs: () => time.ms, nowUs: () => time.ms * 1_000 }
  const open = async () => {
    const database = await openDatabase({
      ...address,
      owner: false,
      logger: createLogger('silent'),
    })
    atEnd(t, () => database.close())
    return createQuotas({ database, clock })
  }
  return { a: await open(), b: await open(), time, id: randomUUID() }
}

/** How many of so many calls at once pass, and what the others are told. */
async function together(count: number, take: (index: number) => Promise<void>) {
  const ends = await Promise.allSettled(Array.from({ length: count }, (_, index) => take(index)))
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Fault] : []))
  return { passed: count - refused.length, refused }
}

describe('quotas of subscribers', () => {
  it('200 calls at once with a quota of 100: exactly 100 pass', async (t) => {
    const { a, id } = await twoProcesses(t)
    await a.write('exposed', id, { calls_daily: 100 })
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

  it('the same from two processes, in many rounds', async (t) => {
    const { a, b, id } = await twoProcesses(t)
    await a.write('exposed', id, { calls_daily: 300 })
    let all = 0
    for (let round = 0; round < 10; round += 1) {
      const { passed } = await together(50, (index) => (index % 2 === 0 ? a : b).take(id))
      all += passed
    }
    assert.equal(all, 300)
    assert.equal((await b.read([id])).get(id)?.day_calls, 300)
  })

  it('several subscriptions in one go are counted apart', async (t) => {
    const { a, b } = await twoProcesses(t)
    const ids = Array.from({ length: 8 }, () => randomUUID())
    for (const [index, id] of ids.entries()) await a.write('exposed', id, { calls_daily: index })
    const { passed } = await together(8 * 20, (index) =>
      (index % 3 === 0 ? a : b).take(ids[index % 8] ?? ''),
    )
    assert.equal(passed, 0 + 1 + 2 + 3 + 4 + 5 + 6 + 7)
  })

  it('a day ends at midnight UTC, and so does a month; the later one is named', async (t) => {
    const { a, time, id } = await twoProcesses(t)
    await a.write('exposed', id, { calls_daily: 2, calls_monthly: 3 })
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

  it('a process whose clock is behind counts on in the day that began', async (t) => {
    const { a, time, id } = await twoProcesses(t, '2026-04-01T00:00:00Z')
    await a.write('exposed', id, { calls_daily: 2 })
    assert.equal((await together(1, () => a.take(id))).passed, 1)
    time.ms -= 1
    assert.equal((await together(2, () => a.take(id))).passed, 1)
  })

  it('no default limit exists; one that is set holds, one taken away no more', async (t) => {
    const { a, b, id } = await twoProcesses(t)
    assert.equal((await together(500, () => a.take(id))).passed, 500)
    assert.equal((await together(1, () => b.take(id))).passed, 1)
    await a.write('exposed', id, { calls_monthly: 0 })
    assert.equal((await together(5, () => a.take(id))).passed, 0)
    const untilMs = Date.now() + limits.quotaCacheMs + 5_000
    while ((await together(1, () => b.take(id))).passed === 1) assert.ok(Date.now() < untilMs)
    await a.write('exposed', id, {})
    assert.equal((await together(5, () => a.take(id))).passed, 5)
    await a.forget(id)
    assert.equal((await a.read([id])).size, 0)
  })

  it('a quota that changes keeps what was called', async (t) => {
    const { a, id } = await twoProcesses(t)
    await a.write('exposed', id, { calls_daily: 5 })
    assert.equal((await together(3, () => a.take(id))).passed, 3)
    await a.write('exposed', id, { calls_daily: 4 })
    assert.equal((await together(3, () => a.take(id))).passed, 1)
  })
})
