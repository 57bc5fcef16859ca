import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openJobs } from '../../../test/fixtures/jobs/fixture.ts'
import type { Database } from '../../foundation/database/index.ts'

const done = { kind: 'done' } as const

const makeJob = (input: string) => ({ businessId: 'b', tenant: 'pump', input })

/** A database of whose writers each COMMIT is answered by an error, as long as `lost` is true. */
function withLostAnswers(state: { lost: boolean }) {
  return (database: Database): Database =>
    Object.assign({}, database, {
      writer() {
        const writer = database.writer()
        return {
          close: () => writer.close(),
          async commit(statements: Parameters<typeof writer.commit>[0]) {
            const rows = await writer.commit(statements)
            if (state.lost) throw new Error('the connection was lost')
            return rows
          },
        }
      },
    })
}

describe('jobs that are added', () => {
  it('run at their commit where none of their tenant waits, and end as others do', async (t) => {
    const { jobs, queue, begun, add, until, counts } = await openJobs(t)
    jobs.start()
    await add({ input: 'first' })
    const [first = assert.fail()] = await begun(1)
    first.end(done)
    await until('it is gone', async () => (await counts())[3] === 0)
    await Promise.all([queue.add([makeJob('a')]), queue.add([makeJob('b'), makeJob('c')])])
    const all = await begun(4)
    const inputs = all.slice(1).map(({ job }) => job.input)
    assert.deepEqual(inputs, ['a', 'b', 'c'])
    for (const { job, end } of all.slice(1)) {
      assert.equal(job.attempts, 0)
      end(done)
    }
    await until('all are counted', async () => (await counts())[1] === 4)
    assert.deepEqual(await counts(), [4, 4, 0, 0])
  })

  it('wait behind those that wait already', async (t) => {
    const { jobs, queue, begun, rows, until, counts } = await openJobs(t, { tenantRunsMax: 1 })
    await queue.add(['a', 'b', 'c'].map(makeJob))
    jobs.start()
    const [a = assert.fail()] = await begun(1)
    assert.equal(a.job.input, 'a')
    await queue.add([makeJob('d')])
    assert.equal((await rows()).at(-1)?.state, 'waiting')
    for (let at = 0; at < 4; at += 1) (await begun(at + 1))[at]?.end(done)
    const inputs = (await begun(4)).map(({ job }) => job.input)
    assert.deepEqual(inputs, ['a', 'b', 'c', 'd'])
    await until('all are counted', async () => (await counts())[1] === 4)
  })

  it('run once if the answer to their COMMIT was lost', async (t) => {
    const state = { lost: false }
    const wrapDatabase = withLostAnswers(state)
    const { jobs, queue, begun, add, until, counts } = await openJobs(t, { wrapDatabase })
    jobs.start()
    await add({ input: 'first' })
    ;(await begun(1))[0]?.end(done)
    await until('it is gone', async () => (await counts())[3] === 0)
    state.lost = true
    await assert.rejects(queue.add([makeJob('a')]), /connection was lost/)
    const [, a] = await begun(2)
    assert.equal(a?.job.input, 'a')
    a?.end(done)
    await until('it is counted', async () => (await counts())[1] === 2)
    assert.deepEqual(await counts(), [2, 2, 0, 0])
  })
})
