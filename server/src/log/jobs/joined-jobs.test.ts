import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type JobsFixtureOptions, openJobs } from '../../../test/fixtures/jobs/fixture.ts'
import type { Job, JobOutcome } from './job.ts'

const failure = { step: 'run', reason: 'it broke' }

/** Three jobs of a key, run together with the outcomes that are given; the last one stays. */
async function openTogether(
  t: TestContext,
  outcomes: readonly JobOutcome<string, string>[],
  over: JobsFixtureOptions = {},
) {
  const ran: string[][] = []
  const results: (readonly [string, unknown])[] = []
  const runTogether = async (jobs: readonly Job<string>[]) => {
    ran.push(jobs.map(({ input }) => input))
    const outcome = outcomes[ran.length - 1] ?? outcomes.at(-1) ?? assert.fail()
    return { count: jobs.length, outcome }
  }
  const settled: JobsFixtureOptions['settled'] = async (_, ended) => {
    for (const { job, outcome } of ended) {
      if ('result' in outcome) results.push([job.input, outcome.result])
    }
  }
  const fixture = await openJobs(t, Object.assign({ runTogether, settled }, over))
  await fixture.add({ input: '1', key: 'k' }, { input: '2', key: 'k' }, { input: '3', key: 'k' })
  fixture.jobs.start()
  return Object.assign(fixture, { ran, results })
}

describe('jobs of one key that wait one behind the other', () => {
  it('run as one, and their outcome is written once', async (t) => {
    const outcome = { kind: 'done', result: 'all' } as const
    const { ran, results, rows, until, counts } = await openTogether(t, [outcome])
    await until('they are gone', async () => (await rows()).length === 0)
    assert.deepEqual([ran, results], [[['1', '2', '3']], [['1', 'all']]])
    assert.deepEqual(await counts(), [3, 3, 0, 0])
  })

  it('become the first of them, if that is tried again for all', async (t) => {
    const again = { kind: 'retry', failure, atUs: 0, input: '1+2+3' } as const
    const { ran, rows, begun, until, counts } = await openTogether(t, [again])
    const [last] = await begun(1)
    assert.deepEqual([ran, last?.job.input, last?.job.attempts], [[['1', '2', '3']], '1+2+3', 1])
    assert.deepEqual(await counts(), [3, 2, 0, 1])
    last?.end({ kind: 'done' })
    await until('it is gone', async () => (await rows()).length === 0)
    assert.deepEqual(await counts(), [3, 3, 0, 0])
  })

  it('are one dead letter, if that has what came of all', async (t) => {
    const dead = { kind: 'dead', failure, input: '1+2+3' } as const
    const { rows, until, counts } = await openTogether(t, [dead])
    await until('one is left', async () => (await rows()).length === 1)
    assert.deepEqual(
      (await rows()).map(({ state, input }) => [state, input]),
      [['dead', '1+2+3']],
    )
    assert.deepEqual(await counts(), [3, 2, 1, 0])
  })

  it('wait as they are, if the first is put off', async (t) => {
    const untilUs = (Date.now() + 3_600_000) * 1_000
    const { ran, rows, until, counts } = await openTogether(t, [{ kind: 'snooze', untilUs }])
    const waiting = async () => (await rows()).every(({ state }) => state === 'waiting')
    await until('they wait', async () => ran.length === 1 && (await waiting()))
    assert.deepEqual(
      (await rows()).map(({ input, due_at: dueAt }) => [input, dueAt === untilUs]),
      [
        ['1', true],
        ['2', false],
        ['3', false],
      ],
    )
    assert.deepEqual(await counts(), [3, 0, 0, 3])
  })

  it('are all there, if what their outcome causes cannot be written', async (t) => {
    const settled = () => Promise.reject(new Error('no such table'))
    const retry = { attemptsMax: 3, firstMs: 3_600_000, maxMs: 3_600_000 }
    const { ran, rows, until } = await openTogether(t, [{ kind: 'done' }], { settled, retry })
    const waiting = async () => (await rows()).every(({ state }) => state === 'waiting')
    await until('they wait', async () => ran.length === 1 && (await waiting()))
    assert.deepEqual(
      (await rows()).map(({ input, attempts }) => [input, attempts]),
      [
        ['1', 1],
        ['2', 0],
        ['3', 0],
      ],
    )
  })

  it('wait again, if one of them belongs to another process by then', async (t) => {
    const gate = Promise.withResolvers<void>()
    const { database, add, jobs, rows, until, counts } = await openJobs(t, {
      async runTogether(all) {
        const text = `update jobs_job set owner = 'other' where input = '"2"'`
        await database.run(text)
        gate.resolve()
        return { count: all.length, outcome: { kind: 'done' } }
      },
    })
    await add({ input: '1', key: 'k' }, { input: '2', key: 'k' }, { input: '3', key: 'k' })
    jobs.start()
    await gate.promise
    const states = async () => (await rows()).map(({ input, state }) => `${input} ${state}`)
    const expected = ['1 waiting', '2 running', '3 waiting']
    await until('the others wait', async () => `${await states()}` === `${expected}`)
    assert.deepEqual(await counts(), [3, 0, 0, 3])
    await database.run("delete from jobs_job where owner = 'other'")
    await until('the others run when it has ended', async () => (await rows()).length === 0)
  })
})
