import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openJobs } from '../../test/fixtures/jobs/fixture.ts'

const done = { kind: 'done' } as const

it('cancels jobs that wait and that run, with the transaction of its caller', async (t) => {
  const settled: string[] = []
  const { database, jobs, queue, add, begun, rows, counts } = await openJobs(t, {
    tenantRunsMax: 1,
    tenantClaimMax: 1,
    async settled(_, ended) {
      settled.push(...ended.map(({ job }) => job.id))
    },
  })
  await add(
    { input: '1', id: 'running' },
    { input: '2', id: 'waiting' },
    { input: '3', id: 'kept' },
  )
  jobs.start()
  const [running] = await begun(1)
  const refs = ['running', 'waiting', 'unknown'].map((id) => ({ tenant: 'pump', id }))
  const failing = database.transaction(async (transaction) => {
    await queue.cancel(transaction, refs)
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  assert.deepEqual([(await rows()).length, await counts()], [3, [3, 0, 0, 3]])
  const cancelled = await database.transaction((transaction) => queue.cancel(transaction, refs))
  assert.deepEqual(cancelled.map(({ id }) => id).sort(), ['running', 'waiting'])
  assert.deepEqual(await counts(), [3, 0, 2, 1])
  running?.end(done)
  const [, kept] = await begun(2)
  assert.equal(kept?.job.id, 'kept')
  kept?.end(done)
  await jobs.close()
  assert.deepEqual([settled, await counts()], [['kept'], [3, 1, 2, 0]], 'no effect of a cancelled')
})

it('cancels no dead letter: only an operator discards it', async (t) => {
  const failure = { step: 'run', reason: 'it broke' }
  const { database, queue, add, rows, counts } = await openJobs(t)
  await add({ input: '1', id: 'd', first: { kind: 'dead', failure } })
  const refs = [{ tenant: 'pump', id: 'd' }]
  assert.deepEqual(await database.transaction((one) => queue.cancel(one, refs)), [])
  assert.deepEqual([(await rows()).length, await counts()], [1, [1, 0, 1, 0]])
})

it('reschedules jobs that wait, earlier and later; those that run are left', async (t) => {
  const { database, jobs, queue, add, begun, rows, clock } = await openJobs(t)
  const laterUs = clock.nowUs() + 60_000_000
  await add({ input: '1', id: 'late', dueAtUs: laterUs }, { input: '2', id: 'due' })
  const reschedule = (ids: readonly string[], dueAtUs: number) =>
    database.transaction((transaction) => {
      const refs = ids.map((id) => ({ tenant: 'pump', id }))
      return queue.reschedule(transaction, refs, dueAtUs)
    })
  assert.equal((await reschedule(['due'], laterUs)).length, 1)
  assert.equal((await reschedule(['late', 'unknown'], clock.nowUs())).length, 1)
  jobs.start()
  const [late] = await begun(1)
  assert.equal(late?.job.id, 'late')
  assert.deepEqual(await reschedule(['late'], laterUs), [])
  assert.deepEqual(
    (await rows()).map(({ id, state }) => [id, state]),
    [
      ['late', 'running'],
      ['due', 'waiting'],
    ],
  )
})

it('cancels only waiting jobs if the option is set', async (t) => {
  const { jobs, queue, database, add, begun, rows } = await openJobs(t, { tenantRunsMax: 1 })
  await add({ input: 'running', id: 'running' })
  jobs.start()
  await begun(1)
  await add({ input: 'waiting', id: 'waiting' })
  const refs = ['running', 'waiting'].map((id) => ({ tenant: 'pump', id }))
  const cancelled = await database.transaction((transaction) =>
    queue.cancel(transaction, refs, { waiting: true }),
  )
  assert.deepEqual(cancelled, [{ tenant: 'pump', id: 'waiting' }])
  assert.deepEqual(
    (await rows()).map(({ id }) => id),
    ['running'],
  )
})
