import assert from 'node:assert/strict'
import { it } from 'node:test'
import { atEnd } from '../../test/fixtures/ends.ts'
import { openJobs, textQueue } from '../../test/fixtures/jobs/fixture.ts'
import { createLogger, limits, systemClock, systemRandom } from '../kernel/index.ts'
import { Jobs } from './jobs.ts'

const failure = { step: 'run', reason: 'it broke', detail: { status: 500 } }
const done = { kind: 'done' } as const

it('lets a hundred jobs of one tenant hold up no other', async (t) => {
  const { jobs, add, begun } = await openJobs(t, { claimedMax: 4 })
  const many = Array.from({ length: 99 }, (_, at) => ({ input: `pump ${at}` }))
  await add(...many, { input: 'zebra', tenant: 'zebra', businessId: 'c' })
  jobs.start()
  const first = await begun(4)
  assert.equal(first.filter(({ job }) => job.tenant === 'zebra').length, 1)
  // From here on each end makes room for one: of the two, each has its turn.
  await add(...many.map(({ input }) => ({ input, tenant: 'zebra', businessId: 'c' })))
  for (let at = 0; at < 20; at += 1) (await begun(at + 1))[at]?.end(done)
  const after = (await begun(24)).slice(4)
  const zebras = after.filter(({ job }) => job.tenant === 'zebra').length
  assert.ok(zebras >= 8 && zebras <= 12, `${zebras} of 20`)
})

it('claims no more of a tenant than its capacity, until that grows', async (t) => {
  let allowed = 3
  const inputs: string[] = []
  const { jobs, queue, add, until } = await openJobs(t, {
    capacity: () => allowed - inputs.length,
    run: async ({ input }) => {
      inputs.push(input)
      return done
    },
  })
  await add(...['1', '2', '3', '4', '5'].map((input) => ({ input })))
  jobs.start()
  await until('three began', () => inputs.length === 3)
  allowed = 4
  queue.wake()
  await until('four began', () => inputs.length === 4)
  assert.deepEqual(inputs, ['1', '2', '3', '4'])
})

it('lets one process at a time have the jobs of a tenant in an exclusive queue', async (t) => {
  const { jobs, database, queue, eventlog, until, rows } = await openJobs(t, {
    exclusive: true,
    run: async ({ tenant, input }) => {
      runs.push([tenant, 'one', input])
      return done
    },
  })
  const runs: string[][] = []
  const random = systemRandom
  const logger = createLogger('silent')
  const other = new Jobs({ database, eventlog, clock: systemClock(), random, logger })
  atEnd(t, () => other.close())
  const otherQueue = other.queue(
    textQueue(
      async ({ tenant, input }) => {
        runs.push([tenant, 'other', input])
        return done
      },
      { exclusive: true },
    ),
  )
  jobs.start()
  other.start()
  for (let round = 0; round < 30; round += 1) {
    await database.transaction((transaction) =>
      queue.enqueue(
        transaction,
        ['pump', 'zebra'].map((tenant) => ({ businessId: 'b', tenant, input: `${round}` })),
      ),
    )
    queue.wake()
    otherQueue.wake()
    await until('they are done', async () => (await rows()).length === 0)
  }
  for (const tenant of ['pump', 'zebra']) {
    const owners = runs.filter(([of]) => of === tenant).map(([, owner]) => owner)
    assert.deepEqual([owners.length, new Set(owners).size], [30, 1])
  }
})

it('makes dead letters of what comes when too many wait', async (t) => {
  const { add, rows, counts, queue } = await openJobs(t, { waitingMax: 2 })
  await add({ input: '1' }, { input: '2' })
  await add({ input: '3' }, { input: 'other', tenant: 'zebra' })
  const states = (await rows()).map(({ input, state }) => [input, state])
  assert.deepEqual(states.slice(2), [
    ['3', 'dead'],
    ['other', 'waiting'],
  ])
  assert.deepEqual(await counts(), [4, 0, 1, 3])
  assert.deepEqual(
    [await queue.isBehind('pump', 2), await queue.isBehind('pump', 3)],
    [true, false],
  )
})

it('removes all of a tenant, and counts what was not done as failed', async (t) => {
  const { database, queue, add, rows, counts } = await openJobs(t)
  await add({ input: '1' }, { input: '2', first: { kind: 'dead', failure } }, { input: '3' })
  await database.transaction((transaction) => queue.removeTenant(transaction, 'other', 'pump'))
  assert.equal((await rows()).length, 3, 'another business has no such tenant')
  await database.transaction((transaction) => queue.removeTenant(transaction, 'b', 'pump'))
  assert.deepEqual([(await rows()).length, await counts()], [0, [3, 0, 3, 0]])
})

it('reads what a claimed batch needs before it runs, and puts it off if that fails', async (t) => {
  const seen: unknown[] = []
  let failing = true
  const { jobs, add, begun, clock, rows, until } = await openJobs(t, {
    exclusive: true,
    async claimed(tenant, batch, { acquired }) {
      seen.push([tenant, batch.map(({ input }) => input), acquired])
      if (failing) throw new Error('away')
    },
  })
  await add({ input: '1' }, { input: '2' })
  jobs.start()
  const areWaiting = async () => (await rows()).every(({ state }) => state === 'waiting')
  await until('they were put off', async () => seen.length === 1 && (await areWaiting()))
  assert.deepEqual(
    (await rows()).map(({ attempts }) => attempts),
    [0, 0],
  )
  failing = false
  clock.advance(limits.jobPollMs * 1_000)
  await begun(2)
  assert.deepEqual(seen, [
    ['pump', ['1', '2'], true],
    ['pump', ['1', '2'], false],
  ])
})

it('claims what failed, and has no key, behind what is due', async (t) => {
  const { jobs, add, begun, clock, rows, until } = await openJobs(t, {
    tenantRunsMax: 1,
    tenantClaimMax: 1,
  })
  await add({ input: 'fails' }, { input: 'other' })
  jobs.start()
  const [fails] = await begun(1)
  fails?.end({ kind: 'retry', failure, atUs: clock.nowUs() })
  const [, other] = await begun(2)
  assert.equal(other?.job.input, 'other')
  other?.end(done)
  assert.equal((await begun(3))[2]?.job.input, 'fails')
  await until('one is left', async () => (await rows()).length === 1)
})
