import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Platform } from '../../src/platform/platform.ts'
import { isLongForm, numbersAfter, waitMsMax } from '../fixtures/bounds.ts'
import { testEngine } from '../fixtures/database.ts'
import { askEndpoint } from '../fixtures/endpoints.ts'
import { atEnd } from '../fixtures/ends.ts'
import { countCalls, countDevice, countNotifications } from '../fixtures/processes/group/count.ts'
import { type ProcessGroup, processGroup } from '../fixtures/processes/group/group.ts'
import { type Notifier, startGroupLoad } from '../fixtures/processes/group/load.ts'
import { groupWorld } from '../fixtures/processes/group/world.ts'

/**
 * Three processes on one database under load: some are killed at a random moment and start again,
 * again and again; then all is counted. More rounds, or those of a seed:
 * `node server/test/faults/kill-processes.test.ts 100 1234`.
 */
const [rounds = isLongForm ? 16 : 3, seed = Math.floor(Math.random() * 1e9)] =
  numbersAfter('kill-processes.test.ts')
const roles = ['device,worker,api', 'device,worker', 'worker,api']
/** The number of processes that are killed at the same time in each round, in turns. */
const countOf = [1, 3, 1, 2]
const overHttp = 6
const devices = 9
const pollMs = 100
const skip = testEngine === 'embedded' && 'the embedded engine has one process'

const title = `loses and doubles nothing in ${rounds} rounds of kills of three processes`
it(`${title}, seed ${seed}`, { skip }, async (t) => {
  const { shared, fake, writers } = await groupWorld(t, devices)
  const group = await processGroup(shared, roles)
  await bind(group)
  const notifier: Notifier = { acknowledged: new Map(), next: 1 }
  const [http, mqtt] = [writers.slice(0, overHttp), writers.slice(overHttp)]
  const load = startGroupLoad(t, group, { http, mqtt, notifier })
  try {
    await killInRounds(t, group)
  } finally {
    await load.stop()
  }
  const platform = await shared.open({ owner: false })
  atEnd(t, () => platform.close())
  await allCounted(platform)
  assert.deepEqual(await group.stop(), [0, 0, 0])
  const stored = await Promise.all(writers.map((writer) => countDevice(platform, writer)))
  const notifications = await countNotifications(platform, notifier)
  assert.ok(notifier.acknowledged.size > rounds, `${notifier.acknowledged.size} notifications`)
  const { calls, repeated } = countCalls(fake)
  const failures = await platform.scripting.failures.list(shared.businessId, 'pump', { limit: 1 })
  assert.deepEqual(failures.deliveries, [])
  for (const { identity, acknowledged } of writers) {
    assert.ok(acknowledged.length > rounds, `${identity}: ${acknowledged.length} acknowledged`)
  }
  const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)
  t.diagnostic(
    `${sum(stored)} writes stored, ${sum(writers.map((one) => one.acknowledged.length))} of them ` +
      `acknowledged; ${calls} calls of the module, ${repeated} repeated; ` +
      `${notifications} notifications, ${notifier.acknowledged.size} of them acknowledged`,
  )
})

async function bind(group: ProcessGroup): Promise<void> {
  const { process: one } = group.any('api') ?? assert.fail()
  const answer = await askEndpoint(one.httpUrl, '/bind', { method: 'POST', host: 'pump.localhost' })
  assert.deepEqual([answer.status, answer.text], [200, ''])
}

async function killInRounds(t: TestContext, group: ProcessGroup): Promise<void> {
  const random = makeRandom(seed)
  for (let round = 0; round < rounds; round += 1) {
    await pause(300 + random() * 1_200)
    const count = countOf[round % countOf.length] ?? 1
    const first = Math.floor(random() * group.size)
    const those = Array.from({ length: count }, (_, at) => (first + at) % group.size)
    t.diagnostic(`round ${round}: kill -9 of ${those.map((at) => roles[at]).join(' and ')}`)
    await Promise.all(those.map((at) => group.kill(at)))
    await pause(random() * 800)
    await Promise.all(those.map((at) => group.start(at)))
  }
  await pause(300)
}

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function makeRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Nothing waits anywhere, and work goes on until then; the ledger adds up at each moment. */
async function allCounted({ eventlog }: Platform): Promise<void> {
  let end = performance.now() + waitMsMax
  let before = 0
  for (;;) {
    const { faults, stages } = await eventlog.ledger.verify()
    assert.deepEqual(faults, [])
    const waiting = stages.filter(({ pending }) => pending > 0)
    if (waiting.length === 0) {
      assert.deepEqual(
        stages.filter(({ failed }) => failed > 0),
        [],
      )
      return
    }
    const done = stages.reduce((sum, stage) => sum + stage.done, 0)
    if (done > before) end = performance.now() + waitMsMax
    before = done
    assert.ok(performance.now() < end, JSON.stringify(waiting))
    await pause(pollMs)
  }
}
