import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openJobs } from '../../../test/fixtures/jobs/fixture.ts'

const failure = { step: 'run', reason: 'it broke', detail: { status: 500 } }
const done = { kind: 'done' } as const

it('lets a hundred jobs of one tenant hold up no other', async (t) => {
  const { jobs, add, begun } = await openJobs(t, { claimedMax: 4 })
  const many = Array.from({ length: 99 }, (_, at) => ({ input: `pump ${at}` }))
  await add(...many, { input: 'zebra', tenant: 'zebra', businessId: 'c' })
  jobs.start()
  const first = await begun(4)
  assert.equal(first.filter(({ job }) => job.tenant === 'zebra').length, 1)
  // From here on each end makes room for one, which is claimed before the next: each has its turn.
  await add(...many.map(({ input }) => ({ input, tenant: 'zebra', businessId: 'c' })))
  for (let at = 0; at < 20; at += 1) {
    ;(await begun(at + 4))[at]?.end(done)
    await begun(at + 5)
  }
  const after = (await begun(24)).slice(4)
  const zebras = after.filter(({ job }) => job.tenant === 'zebra').length
  assert.equal(zebras, 10)
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
