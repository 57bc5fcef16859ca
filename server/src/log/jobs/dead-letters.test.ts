import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openJobs } from '../../../test/fixtures/jobs/fixture.ts'

const failure = { step: 'call', reason: 'no such handler', detail: { status: 404 } }
const dead = { kind: 'dead', failure } as const

it('shows what failed with its step, reason and input, newest first, by pages', async (t) => {
  const { add, queue, clock } = await openJobs(t)
  for (const input of ['1', '2', '3']) {
    clock.advance(1)
    await add({ input, id: `d${input}`, first: dead })
  }
  const { deadLetters } = queue
  const first = await deadLetters.list('b', 'pump', { limit: 2 })
  assert.deepEqual(
    first.jobs.map(({ input }) => input),
    ['3', '2'],
  )
  const last = await deadLetters.list('b', 'pump', { limit: 2, before: first.before })
  assert.deepEqual([last.jobs.map(({ input }) => input), last.before], [['1'], undefined])
  const shown = await deadLetters.get('b', 'pump', 'd1')
  assert.deepEqual([shown.failure, shown.attempts, shown.input], [failure, 1, '1'])
  assert.equal((await deadLetters.list('b', 'pump', { step: 'other' })).jobs.length, 0)
  assert.equal((await deadLetters.list('b', 'pump', { key: 'other' })).jobs.length, 0)
  assert.equal((await deadLetters.list('other', 'pump')).jobs.length, 0)
  await assert.rejects(deadLetters.get('other', 'pump', 'd1'), { code: 'not_found' })
})

it('runs one again with a corrected input, counted anew', async (t) => {
  const { add, jobs, queue, begun, rows, until, counts } = await openJobs(t)
  await add({ input: 'wrong', id: 'd', first: dead })
  assert.deepEqual(await counts(), [1, 0, 1, 0])
  await queue.deadLetters.correct('b', 'pump', 'd', 'better')
  assert.equal((await queue.deadLetters.get('b', 'pump', 'd')).input, 'better')
  assert.equal((await rows())[0]?.state, 'dead')
  jobs.start()
  await queue.deadLetters.retry('b', 'pump', 'd', { input: 'right' })
  const [one] = await begun(1)
  assert.deepEqual([one?.job.input, one?.job.attempts], ['right', 0])
  one?.end({ kind: 'done' })
  await until('it is gone', async () => (await rows()).length === 0)
  assert.deepEqual(await counts(), [2, 1, 1, 0])
  await assert.rejects(queue.deadLetters.retry('b', 'pump', 'd'), { code: 'not_found' })
  await assert.rejects(queue.deadLetters.correct('b', 'pump', 'd', ''), { code: 'not_found' })
})

it('runs all of a tenant again, in the order in which they failed', async (t) => {
  const { add, jobs, queue, begun, clock } = await openJobs(t, { tenantRunsMax: 1 })
  for (const input of ['1', '2']) {
    clock.advance(1)
    await add({ input, first: dead })
  }
  await add({ input: 'other', tenant: 'zebra', first: dead })
  assert.equal(await queue.deadLetters.retryAll('b', 'pump'), 2)
  jobs.start()
  const [one] = await begun(1)
  one?.end({ kind: 'done' })
  const [, two] = await begun(2)
  assert.deepEqual([one?.job.input, two?.job.input], ['1', '2'])
})

it('discards one or all', async (t) => {
  const { add, queue, rows, counts } = await openJobs(t)
  await add(...['1', '2', '3'].map((input) => ({ input, id: input, first: dead })))
  await queue.deadLetters.discard('b', 'pump', '2')
  await assert.rejects(queue.deadLetters.discard('b', 'pump', '2'), { code: 'not_found' })
  assert.equal(await queue.deadLetters.discardAll('other', 'pump'), 0)
  assert.equal(await queue.deadLetters.discardAll('b', 'pump'), 2)
  assert.deepEqual([await rows(), await counts()], [[], [3, 0, 3, 0]])
})

it('is published when it dies as it is added, because too many wait, and later', async (t) => {
  const published: string[] = []
  const { add, queue, changes, database, jobs, begun, until } = await openJobs(t, { waitingMax: 1 })
  changes.onChange(({ businessId }) => published.push(businessId))
  const of = (businessId: string) => ({ businessId, tenant: businessId, input: '1' })
  await add({ ...of('one'), first: dead })
  await queue.add([{ ...of('two'), first: dead }])
  const begin = async () => {
    const given = [{ ...of('three'), first: dead }]
    return database.transaction((transaction) => queue.begin(transaction, given))
  }
  const { committed } = await begin()
  committed()
  await add(of('four'))
  await add(of('four'))
  assert.deepEqual(published, ['one', 'two', 'three', 'four'])
  jobs.start()
  const [first] = await begun(1)
  first?.end({ kind: 'dead', failure: { step: 'run', reason: 'it broke' } })
  await until('the fifth', () => published.length === 5)
})

it('keeps the newest of each tenant, for so many hours', async (t) => {
  const { add, jobs, rows, clock, counts } = await openJobs(t, { deadMax: 2, deadHours: 1 })
  for (const input of ['old', '1', '2', '3']) {
    await add({ input, first: dead })
    clock.advance(input === 'old' ? 3_600_000_000 : 1)
  }
  await add({ input: 'other', tenant: 'zebra', first: dead })
  await jobs.sweep()
  assert.deepEqual(
    (await rows()).map(({ input }) => input),
    ['2', '3', 'other'],
  )
  assert.deepEqual(await counts(), [5, 0, 5, 0])
})

it('is missed by the ledger if its row goes, and not if its tenant or business does', async (t) => {
  const { add, database, eventlog, jobs, queue, counts } = await openJobs(t)
  await add({ businessId: 'gone', tenant: 'gone', input: 'dead', first: dead })
  for await (const _ of jobs.removeBusiness('gone'));
  for (const tenant of ['pump', 'zebra']) {
    await add({ tenant, input: 'dead', first: dead }, { tenant, input: 'waits' })
  }
  await database.transaction((transaction) => queue.removeTenant(transaction, 'b', 'zebra'))
  assert.deepEqual(await counts(), [5, 0, 4, 1])
  await database.run("delete from jobs_job where state = 'dead'")
  const { faults } = await eventlog.ledger.verify()
  assert.match(faults.join(), /^texts, partition \d+: .* failed are counted, but 0 are there and/)
})
