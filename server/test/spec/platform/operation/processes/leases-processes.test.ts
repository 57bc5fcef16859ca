import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '../../../../../src/foundation/kernel/index.ts'
import { testEngine } from '../../../../fixtures/database.ts'
import { sharedInstance } from '../../../../fixtures/processes/two-processes.ts'

const skip = testEngine === 'embedded' && 'the embedded engine has one process'
const movedMsMax = 5_000
const givenBackMsMax = 1_500
const pollMs = 20
const waitMsMax = 20_000
const parts = limits.logPartitions

/** An instance, and how many partitions each of its processes has, the most first. */
async function leased(t: TestContext) {
  const shared = await sharedInstance(t)
  const client = await shared.connect()
  const counts = async (): Promise<number[]> => {
    const { rows } = await client.query(
      `select count(*)::int as count from eventlog_lease
       where leased_until > extract(epoch from clock_timestamp()) * 1000000
       group by owner order by count desc`,
    )
    return rows.map(({ count }) => count)
  }
  /** @returns how many milliseconds it took. */
  async function comesTo(...wanted: number[]): Promise<number> {
    const since = performance.now()
    for (;;) {
      const now = await counts()
      const ms = performance.now() - since
      if (now.join() === wanted.join()) return ms
      assert.ok(ms < waitMsMax, `${now} in place of ${wanted}`)
      await pause(pollMs)
    }
  }
  return { shared, comesTo }
}

it('partitions of a process that was killed move within 5 s, each once', { skip }, async (t) => {
  const { shared, comesTo } = await leased(t)
  const one = await shared.start('worker')
  await comesTo(parts)
  const two = await shared.start()
  await comesTo(parts / 2, parts / 2)
  // It has no role in reading, and so no share.
  await shared.start('device,api')
  const device = await shared.device(two, 'device')
  await one.kill()
  assert.equal((await device.at(two).write('n=1')).status, 204)
  const ms = await comesTo(parts)
  assert.ok(ms <= movedMsMax, `${ms} ms`)
})

it('a process that stops gives its partitions back at once', { skip }, async (t) => {
  const { shared, comesTo } = await leased(t)
  await shared.start()
  const two = await shared.start('worker')
  await comesTo(parts / 2, parts / 2)
  two.signal('SIGTERM')
  assert.equal(await two.ended, 0)
  const ms = await comesTo(parts)
  assert.ok(ms <= givenBackMsMax, `${ms} ms`)
})

it('a database keeps the number of partitions that was chosen for it', { skip }, async (t) => {
  const { shared } = await leased(t)
  const other = { MILLRACE_LIMIT_LOG_PARTITIONS: String(2 * parts) }
  const one = await shared.start('device,worker,api', other)
  const device = await shared.device(one, 'device')
  for (let n = 1; n <= 20; n += 1) await device.at(one).write(`n=${n}`)
  const client = await shared.connect()
  const { rows } = await client.query('select count(*)::int as count from eventlog_partition')
  assert.deepEqual(rows, [{ count: parts }])
})
