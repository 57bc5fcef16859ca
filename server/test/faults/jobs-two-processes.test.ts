import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { openDatabase } from '../../src/foundation/database/index.ts'
import { createLogger, systemClock, systemRandom } from '../../src/foundation/kernel/index.ts'
import { createChanges } from '../../src/log/changes/index.ts'
import { Jobs } from '../../src/log/jobs/index.ts'
import { waitMsMax } from '../fixtures/bounds.ts'
import { type TestAddress, testAddress, testEngine } from '../fixtures/database.ts'
import { atEnd } from '../fixtures/ends.ts'
import { openEventLog } from '../fixtures/eventlog/open.ts'
import { textQueue } from '../fixtures/jobs/fixture.ts'

const script = join(import.meta.dirname, '../fixtures/jobs/process.ts')

type JobsProcess = {
  readonly child: ChildProcess
  /** The inputs of the jobs that it began. */
  readonly begun: string[]
}

it('takes over the jobs of a process that was killed, each key in its order', async (t) => {
  const address = await testAddress(t)
  const { database, queue, jobs, begun, verify } = await openJobs(t, address)
  const inputs = ['hang 1', 'hang 2', 'after 1', 'after 2']
  await database.transaction((transaction) =>
    queue.enqueue(
      transaction,
      inputs.map((input) => ({ businessId: 'b', tenant: 'pump', input, key: input.slice(-1) })),
    ),
  )
  // The embedded engine has one process at a time, which takes all that an earlier one has left.
  const isAlone = testEngine === 'embedded'
  const other = startProcess(t, address)
  await until('the other has begun', async () => other.begun.length === 2)
  if (!isAlone) jobs.start()
  assert.deepEqual(other.begun.sort(), ['hang 1', 'hang 2'])
  other.child.kill('SIGKILL')
  await once(other.child, 'exit')
  if (isAlone) jobs.start()
  await until('all have ended here', async () => (await verify()).pending === 0)
  for (const key of ['1', '2']) {
    const own = begun.filter((input) => input.endsWith(key))
    assert.deepEqual(own, [`hang ${key}`, `after ${key}`])
  }
  assert.deepEqual(await verify(), { taken: 4, done: 4, failed: 0, pending: 0, faults: [] })
})

it('shares jobs with another process, each run once and each key in its order', {
  skip: testEngine === 'embedded' && 'the embedded engine has one process',
}, async (t) => {
  const address = await testAddress(t)
  const { database, queue, jobs, begun, verify } = await openJobs(t, address)
  jobs.start()
  const other = startProcess(t, address)
  const all: string[] = []
  for (let round = 0; round < 40; round += 1) {
    const inputs = ['a', 'b', 'c', 'd'].map((key) => `${key} ${round}`)
    all.push(...inputs)
    await database.transaction((transaction) =>
      queue.enqueue(
        transaction,
        inputs.map((input) => ({
          businessId: 'b',
          tenant: `tenant ${round % 3}`,
          input,
          key: input.slice(0, 1),
        })),
      ),
    )
    queue.wake()
  }
  await until('all have ended', async () => (await verify()).pending === 0)
  assert.deepEqual([...begun, ...other.begun].sort(), all.sort())
  assert.equal((await verify()).done, all.length)
})

async function openJobs(t: TestContext, address: TestAddress) {
  const logger = createLogger('silent')
  const database = await openDatabase({ owner: false, logger, ...address })
  atEnd(t, () => database.close())
  const clock = systemClock()
  const eventlog = openEventLog({ database, clock, logger })
  atEnd(t, () => eventlog.close())
  const changes = createChanges({ database, logger })
  const jobs = new Jobs({ database, changes, eventlog, clock, random: systemRandom, logger })
  atEnd(t, () => jobs.close())
  const begun: string[] = []
  const queue = jobs.queue(
    textQueue(
      async ({ input }) => {
        begun.push(input)
        return { kind: 'done' }
      },
      { waitingMax: 1_000 },
    ),
  )
  async function verify() {
    const { faults, stages } = await eventlog.ledger.verify()
    const own = stages.find(({ stage }) => stage === 'texts') ?? assert.fail()
    const { taken, done, failed, pending } = own
    return { taken, done, failed, pending, faults }
  }
  return { database, queue, jobs, begun, verify }
}

function startProcess(t: TestContext, address: TestAddress): JobsProcess {
  const child = fork(script, [JSON.stringify(address)], { execArgv: [] })
  atEnd(t, () => child.kill('SIGKILL'))
  const begun: string[] = []
  child.on('message', (input) => begun.push(String(input)))
  return { child, begun }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + waitMsMax
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`it never came to this: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
