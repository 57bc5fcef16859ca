import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { atEnd } from '../../../test/fixtures/ends.ts'
import {
  type BegunJob,
  type JobsFixtureOptions,
  openJobs,
} from '../../../test/fixtures/jobs/fixture.ts'
import type { Database, Transaction } from '../../foundation/database/index.ts'
import type { NewJob } from './job.ts'

const done = { kind: 'done' } as const

const of = (key: string, input: string): NewJob<string> => {
  return { businessId: 'b', tenant: 'pump', key, input }
}

const gate = () => Promise.withResolvers<void>()

const listInputs = (begun: readonly BegunJob[]) => begun.map(({ job }) => job.input)

/** A queue that knows that none of its tenant waits. */
async function openDrained(t: TestContext, over: JobsFixtureOptions = {}) {
  const fixture = await openJobs(t, over)
  const { jobs, add, begun, rows, until, queue, database } = fixture
  /** Runs a job that is claimed: then none of its tenant waits. */
  const drain = async (count: number) => {
    await add({ input: 'first' })
    ;(await begun(count)).at(-1)?.end(done)
    await until('it is gone', async () => (await rows()).length === 0)
  }
  jobs.start()
  await drain(1)
  const begin = async (...given: readonly NewJob<string>[]) => {
    const begins = await database.transaction(async (transaction) => {
      const stored = await queue.begin(transaction, given)
      await transaction.together(stored.statements)
      return stored
    })
    begins.committed()
  }
  const states = async () => (await rows()).map(({ input, state }) => `${input} ${state}`)
  return Object.assign(fixture, { begin, drain, states })
}

/** Claims that wait, from `hold` to `goOn`, before they read anything. */
function heldClaims() {
  const began = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  let holds = false
  const wrapDatabase = (database: Database): Database =>
    Object.assign({}, database, {
      transaction: (work: Parameters<Database['transaction']>[0]) =>
        database.transaction(async (transaction) => {
          const { rows } = transaction
          const held: Pick<Transaction, 'rows'> = {
            async rows(text, values) {
              if (holds && text.includes('from jobs_tenant')) {
                began.resolve()
                await open.promise
              }
              return rows(text, values)
            },
          }
          return work(Object.assign({}, transaction, held))
        }),
    })
  const hold = () => {
    holds = true
  }
  return { wrapDatabase, hold, begun: began.promise, goOn: open.resolve }
}

describe('jobs that begin at their commit', () => {
  it('run without being claimed, those of a key one after the other', async (t) => {
    const { begin, begun, states, until, counts } = await openDrained(t)
    await begin(of('k', '1'), of('k', '2'), of('l', 'other'))
    assert.deepEqual(await states(), ['1 running', '2 running', 'other running'])
    const [, one, other] = await begun(3)
    assert.deepEqual([one?.job.input, other?.job.input], ['1', 'other'])
    assert.equal(one?.job.attempts, 0)
    one?.end(done)
    const [, , , two] = await begun(4)
    assert.equal(two?.job.input, '2')
    for (const { end } of [two, other].filter((it) => it !== undefined)) end(done)
    await until('they are gone', async () => (await states()).length === 0)
    assert.deepEqual(await counts(), [4, 4, 0, 0])
  })

  it('wait behind another job of their key, and run when that has ended', async (t) => {
    const { begin, begun, states, rows } = await openDrained(t)
    await begin(of('k', '1'), of('l', 'other'))
    const [, one] = await begun(3)
    await begin(of('k', '2'))
    assert.deepEqual(await states(), ['1 running', 'other running', '2 waiting'])
    assert.deepEqual(
      (await rows()).map(({ attempts }) => attempts),
      [1, 1, 0],
    )
    one?.end(done)
    // The other one still runs, and nothing else is added.
    const [, , , two] = await begun(4)
    assert.equal(two?.job.input, '2')
  })

  it('wait if another transaction stores one of their key at the same time', async (t) => {
    const { begun, states, until, queue, database } = await openDrained(t)
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const committed = Promise.withResolvers<void>()
    const storing = both.map(async ({ resolve }, at) => {
      const begins = await database.transaction(async (transaction: Transaction) => {
        if (at === 1) await both[0].promise
        // The ledger counts them in parts, of which a transaction holds its own.
        const job = Object.assign(of('k', String(at)), { part: at })
        const stored = await queue.begin(transaction, [job])
        await transaction.together(stored.statements)
        resolve()
        // Neither commits before both are stored, and the one behind commits last.
        await (at === 0 ? both[1].promise : committed.promise)
        return stored
      })
      committed.resolve()
      begins.committed()
    })
    await Promise.all(storing)
    const [, first] = await begun(2)
    assert.equal(first?.job.input, '0')
    assert.deepEqual(await states(), ['0 running', '1 waiting'])
    first?.end(done)
    const [, , second] = await begun(3)
    second?.end(done)
    await until('they are gone', async () => (await states()).length === 0)
  })

  it('do not wait for a claim of jobs whose key is busy', async (t) => {
    const claims = heldClaims()
    const fixture = await openDrained(t, { wrapDatabase: claims.wrapDatabase })
    atEnd(t, claims.goOn)
    const { begin, begun, states, until, counts } = fixture
    await begin(of('k', '1'))
    const [, one] = await begun(2)
    claims.hold()
    await begin(of('k', '2'))
    await claims.begun
    await begin(of('l', 'other'))
    assert.deepEqual(await states(), ['1 running', '2 waiting', 'other running'])
    const [, , other] = await begun(3)
    assert.equal(other?.job.input, 'other')
    claims.goOn()
    one?.end(done)
    const [, , , two] = await begun(4)
    assert.equal(two?.job.input, '2')
    for (const { end } of [other, two].filter((it) => it !== undefined)) end(done)
    await until('they are gone', async () => (await states()).length === 0)
    assert.deepEqual(await counts(), [4, 4, 0, 0])
  })

  it('leave their room to others if the transaction fails', async (t) => {
    const { begin, begun, drain, states, queue, database, counts } = await openDrained(t)
    for (let time = 0; time < 20; time += 1) {
      const failing = database.transaction(async (transaction) => {
        const { failed } = await queue.begin(transaction, [of('k', 'never')])
        failed()
        throw new Error('no')
      })
      await assert.rejects(failing, /no/)
    }
    // Room that was not left would be missing here; what had none is no longer drained.
    await drain(2)
    await begin(of('k', '1'))
    assert.deepEqual(await states(), ['1 running'])
    assert.equal((await begun(3))[2]?.job.input, '1')
    assert.deepEqual(await counts(), [3, 2, 0, 1])
  })
})

describe('jobs that begin at their commit beside others of their key', () => {
  for (const [what, isEarlier] of [
    ['one that waits and is stored later', false],
    ['one that waits and was stored before', true],
  ] as const) {
    it(`run alone in their key if ${what} commits meanwhile`, async (t) => {
      const { begun, rows, queue, database, until } = await openDrained(t)
      const [stored, waits, commits] = [gate(), gate(), gate()]
      const enqueue = (transaction: Transaction, job: NewJob<string>) =>
        queue.enqueue(transaction, [Object.assign(job, { part: 1 })])
      const waiting = database.transaction(async (transaction) => {
        if (!isEarlier) await stored.promise
        await enqueue(transaction, of('k', 'waits'))
        waits.resolve()
        await stored.promise
      })
      const beginning = database.transaction(async (transaction) => {
        if (isEarlier) await waits.promise
        const begins = await queue.begin(transaction, [Object.assign(of('k', 'runs'), { part: 0 })])
        stored.resolve()
        if (!isEarlier) await commits.promise
        await transaction.together(begins.statements)
        return begins
      })
      if (isEarlier) (await beginning).committed()
      await waiting
      // A claim that takes it would take the one that waits before it, too.
      await database.transaction((transaction) => enqueue(transaction, of('l', 'later')))
      queue.wake()
      await until('it runs', async () => (await begun(2)).some(({ job }) => job.key === 'l'))
      commits.resolve()
      if (!isEarlier) (await beginning).committed()
      const [, ...two] = await begun(3)
      assert.deepEqual(two.map(({ job }) => job.input).sort(), ['later', 'runs'])
      for (const { end } of two) end(done)
      const [, , , last] = await begun(4)
      last?.end(done)
      assert.equal(last?.job.input, 'waits')
      await until('they are gone', async () => (await rows()).length === 0)
    })
  }

  it('wait for one that its caller runs, from its storing to its end', async (t) => {
    const { begun, queue, database } = await openDrained(t)
    const [stored, commits] = [gate(), gate()]
    const enqueue = (job: NewJob<string>) =>
      database.transaction((transaction) => queue.enqueue(transaction, [{ ...job, part: 1 }]))
    const storing = database.transaction(async (transaction) => {
      const runs = { ...of('k', 'runs'), part: 0, first: { kind: 'running' } } as const
      const [job] = await queue.enqueue(transaction, [runs])
      stored.resolve()
      await commits.promise
      return job ?? assert.fail()
    })
    await stored.promise
    await enqueue(of('k', 'waits'))
    await enqueue(of('l', 'later'))
    queue.wake()
    // A claim that takes the later one would take the one that waits before it, too.
    await begun(2)
    commits.resolve()
    const job = await storing
    await enqueue(of('m', 'last'))
    queue.wake()
    assert.deepEqual(listInputs(await begun(3)), ['first', 'later', 'last'])
    await queue.settle(job, done)
    assert.deepEqual(listInputs(await begun(4)), ['first', 'later', 'last', 'waits'])
  })
})
