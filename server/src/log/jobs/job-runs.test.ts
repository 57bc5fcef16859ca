import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setLimits } from '../../../test/fixtures/bounds.ts'
import { openJobs } from '../../../test/fixtures/jobs/fixture.ts'
import { jobLimits } from './limits.ts'

const failure = { step: 'run', reason: 'it broke', detail: { status: 500 } }
const done = { kind: 'done' } as const

it('runs a job that was committed, counts it, and keeps nothing of it', async (t) => {
  const { jobs, add, begun, rows, until, counts } = await openJobs(t)
  await add({ input: 'one', id: 'first' })
  jobs.start()
  const [one] = await begun(1)
  const { id, tenant, businessId, input, attempts, key } = one?.job ?? assert.fail()
  assert.deepEqual(
    [id, tenant, businessId, input, attempts, key],
    ['first', 'pump', 'b', 'one', 0, null],
  )
  assert.deepEqual(await counts(), [1, 0, 0, 1])
  one?.end(done)
  await until('it is gone', async () => (await rows()).length === 0)
  assert.deepEqual(await counts(), [1, 1, 0, 0])
})

it('stores nothing of a transaction that is rolled back', async (t) => {
  const { database, queue, rows, counts } = await openJobs(t)
  const failing = database.transaction(async (transaction) => {
    await queue.enqueue(transaction, [{ businessId: 'b', tenant: 'pump', input: 'one' }])
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  assert.deepEqual([await rows(), await counts()], [[], [0, 0, 0, 0]])
})

it('is carried by a batch of statements, too', async (t) => {
  const { database, jobs, queue, begun, counts } = await openJobs(t)
  const writer = database.writer()
  await writer.commit(queue.statements([{ businessId: 'b', tenant: 'pump', input: 'one' }]))
  await writer.close()
  jobs.start()
  const [one] = await begun(1)
  assert.equal(one?.job.input, 'one')
  assert.deepEqual(await counts(), [1, 0, 0, 1])
})

it('begins the next of a key when the outcome of the one before is stored', async (t) => {
  const { jobs, add, begun, rows, until } = await openJobs(t)
  await add({ input: '1', key: 'k' }, { input: '2', key: 'k' }, { input: 'other', key: 'l' })
  jobs.start()
  const [first, other] = await begun(2)
  assert.deepEqual([first?.job.input, other?.job.input], ['1', 'other'])
  await add({ input: '3', key: 'k' }, { input: 'free' })
  const [, , free] = await begun(3)
  assert.equal(free?.job.input, 'free', 'the one behind the key is passed over')
  first?.end(done)
  const [, , , second] = await begun(4)
  assert.equal(second?.job.input, '2')
  assert.ok((await rows()).every(({ input }) => input !== '1'))
  second?.end({ kind: 'dead', failure })
  for (const { end } of [other, free].filter((one) => one !== undefined)) end(done)
  const [, , , , third] = await begun(5)
  assert.equal(third?.job.input, '3', 'a dead one holds up no other')
  third?.end(done)
  await until('the dead one is left', async () => (await rows()).length === 1)
})

it('leaves all of a key where the first has to wait: no attempt of the others', async (t) => {
  const { jobs, add, begun, rows, until, clock } = await openJobs(t)
  await add({ input: '1', key: 'k' }, { input: '2', key: 'k' })
  jobs.start()
  const [first] = await begun(1)
  const atUs = clock.nowUs() + 60_000_000
  first?.end({ kind: 'retry', failure, atUs })
  const waiting = async () => (await rows()).every(({ state }) => state === 'waiting')
  await until('both wait', waiting)
  assert.deepEqual(
    (await rows()).map(({ attempts, due_at: dueAt }) => [attempts, dueAt === atUs]),
    [
      [1, true],
      [0, false],
    ],
  )
  clock.advance(60_000_000)
  const [, again] = await begun(2)
  assert.deepEqual([again?.job.input, again?.job.attempts], ['1', 1])
})

it('doubles the pause after each attempt, and makes a dead letter of the last', async (t) => {
  const retry = { attemptsMax: 4, firstMs: 1_000, maxMs: 3_500 }
  const { jobs, add, begun, rows, until, clock, counts } = await openJobs(t, { retry })
  await add({ input: 'one' })
  jobs.start()
  for (const [at, pauseUs] of [1_000_000, 2_000_000, 3_500_000].entries()) {
    const job = (await begun(at + 1))[at]
    if (at === 0) job?.fail(new Error('thrown'))
    else job?.end({ kind: 'retry', failure })
    const dueUs = clock.nowUs() + pauseUs
    await until('it waits', async () => (await rows())[0]?.due_at === dueUs)
    clock.advance(pauseUs - 1)
    assert.equal((await begun(at + 1)).length, at + 1)
    clock.advance(1)
  }
  const last = (await begun(4))[3]
  last?.end({ kind: 'retry', failure })
  await until('it is dead', async () => (await rows())[0]?.state === 'dead')
  assert.equal((await rows())[0]?.attempts, 4)
  assert.deepEqual(await counts(), [1, 0, 1, 0])
})

it('counts no attempt of what could not begin', async (t) => {
  const { jobs, add, begun, rows, until, clock } = await openJobs(t)
  await add({ input: 'one' })
  jobs.start()
  const [one] = await begun(1)
  one?.end({ kind: 'snooze', untilUs: clock.nowUs() + 1_000_000 })
  await until('it waits', async () => (await rows())[0]?.state === 'waiting')
  assert.equal((await rows())[0]?.attempts, 0)
  clock.advance(1_000_000)
  const [, again] = await begun(2)
  assert.equal(again?.job.attempts, 0)
})

it('runs a delayed job at its time, and no sooner', async (t) => {
  const { jobs, add, begun, clock } = await openJobs(t)
  await add({ input: 'later', dueAtUs: clock.nowUs() + 1_000 }, { input: 'now' })
  jobs.start()
  const [now] = await begun(1)
  assert.equal(now?.job.input, 'now')
  clock.advance(999)
  await add({ input: 'other' })
  assert.equal((await begun(2))[1]?.job.input, 'other')
  clock.advance(1)
  assert.equal((await begun(3))[2]?.job.input, 'later')
})

it('drops a job without a reason, and counts it as failed', async (t) => {
  const { jobs, add, begun, rows, until, counts } = await openJobs(t)
  await add({ input: 'one' })
  jobs.start()
  const [one] = await begun(1)
  one?.end({ kind: 'cancelled' })
  await until('it is gone', async () => (await rows()).length === 0)
  assert.deepEqual(await counts(), [1, 0, 1, 0])
})

it('stores jobs with the outcome of a first attempt of the caller', async (t) => {
  const { database, queue, rows, counts, clock } = await openJobs(t)
  const untilUs = clock.nowUs() + 5_000_000
  const firsts = [
    { kind: 'done' },
    { kind: 'dead', failure },
    { kind: 'retry', failure, atUs: untilUs },
    { kind: 'snooze', untilUs },
    { kind: 'running' },
  ] as const
  const given = firsts.map((first) => {
    return { businessId: 'b', tenant: 'pump', input: first.kind, first }
  })
  const stored = await database.transaction((transaction) => queue.enqueue(transaction, given))
  assert.deepEqual(
    (await rows()).map(({ input, state, attempts }) => [input, state, attempts]),
    [
      ['dead', 'dead', 1],
      ['retry', 'waiting', 1],
      ['snooze', 'waiting', 0],
      ['running', 'running', 1],
    ],
  )
  assert.deepEqual(await counts(), [5, 1, 1, 3])
  await queue.settle(stored.at(-1) ?? assert.fail(), { kind: 'done' })
  assert.deepEqual([(await rows()).length, await counts()], [3, [5, 2, 1, 2]])
})

it('writes what outcomes cause in the transaction that ends the jobs', async (t) => {
  const seen: (readonly string[])[] = []
  const { jobs, add, begun, rows, until, counts } = await openJobs(t, {
    async settled(transaction, ended) {
      seen.push(ended.map(({ job }) => job.input))
      if (ended.some(({ job }) => job.input === 'broken')) throw new Error('no such place')
      for (const { job } of ended) {
        await transaction.run('insert into database_lock (id) values ($1)', [Number(job.input)])
      }
    },
  })
  await add({ input: '11' }, { input: 'broken' }, { input: '12' })
  jobs.start()
  for (const { end } of await begun(3)) end(done)
  await until('the broken one is dead', async () => {
    const left = await rows()
    return left.length === 1 && left[0]?.state === 'dead'
  })
  assert.deepEqual(await counts(), [3, 2, 1, 0])
  assert.ok(seen.length > 0)
})

it('keeps the delay of jobs that a clock ahead of time has stamped', async (t) => {
  setLimits(t, { jobRenewMs: 10 }, jobLimits)
  const { jobs, add, begun, clock, until, rows } = await openJobs(t)
  const aheadUs = 3_600_000_000
  clock.advance(aheadUs)
  await add({ input: 'at once' }, { input: 'later', dueAtUs: clock.nowUs() + 10_000_000 })
  clock.advance(-aheadUs)
  jobs.start()
  assert.equal((await begun(1))[0]?.job.input, 'at once')
  await until('it is stamped anew', async () => {
    const later = (await rows()).find(({ input }) => input === 'later')
    return later?.due_at === clock.nowUs() + 10_000_000
  })
})

it('releases what a stop cuts off, and begins nothing more', async (t) => {
  const { jobs, add, begun, rows } = await openJobs(t)
  await add({ input: 'cut off', key: 'k' }, { input: 'behind it', key: 'k' })
  jobs.start()
  const [one] = await begun(1)
  const stopping = jobs.stop()
  assert.equal(one?.signal.aborted, true)
  one?.end({ kind: 'released' })
  await stopping
  await jobs.close()
  assert.deepEqual(
    (await rows()).map(({ state, attempts }) => [state, attempts]),
    [
      ['waiting', 0],
      ['waiting', 0],
    ],
  )
})

it('writes outcomes when the database is back, each once', async (t) => {
  let failing = 0
  const { jobs, add, begun, rows, until, counts } = await openJobs(t, {
    wrapDatabase: (database) =>
      Object.assign({}, database, {
        transaction: (work: Parameters<typeof database.transaction>[0]) => {
          failing -= 1
          return failing >= 0 ? Promise.reject(new Error('away')) : database.transaction(work)
        },
      }),
  })
  await add({ input: 'done' }, { input: 'fails' })
  jobs.start()
  const all = await begun(2)
  failing = 2
  for (const { job, end } of all) end(job.input === 'done' ? done : { kind: 'dead', failure })
  await until('both ended', async () => {
    const left = await rows()
    return left.length === 1 && left[0]?.state === 'dead'
  })
  assert.deepEqual(await counts(), [2, 1, 1, 0])
})
