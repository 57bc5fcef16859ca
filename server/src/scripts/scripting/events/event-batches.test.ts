import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Queryable } from '../../../foundation/database/index.ts'
import type { JobOutcome, PendingKey } from '../../../log/jobs/index.ts'
import { EventBatch, placeAfter } from './event-batches.ts'
import type { PlannedEvent } from './planned-events.ts'

const solutionId = 'pump'

/** Events of devices, numbered from 1, of which some have jobs. */
function makeBatch(keys: readonly string[], pending: readonly PendingKey[] = []) {
  const planned = keys.map((key, at) => {
    const call = { solutionId, service: 'device2' }
    return { id: String(at), key, seq: at + 1, call } as PlannedEvent
  })
  const outcomes = keys.map(() => Promise.withResolvers<JobOutcome>())
  const deliveries = {
    pendingTenants: async () => new Set(pending.map(({ tenant }) => tenant)),
    pendingKeys: async () => [...pending],
  }
  const run = ({ seq }: PlannedEvent) => outcomes[seq - 1]?.promise ?? assert.fail()
  return EventBatch.of(planned, run, deliveries, {} as Queryable).then((batch) => ({
    batch,
    async end(seq: number, outcome: JobOutcome) {
      const one = batch.runs[seq - 1]
      const ended = one?.start()
      outcomes[seq - 1]?.resolve(outcome)
      await ended
    },
  }))
}

const seqs = (runs: EventBatch['runs']) => runs.map(({ event }) => event.seq)
const done = { kind: 'done' } as const

describe('a batch of events', () => {
  it('leaves in the log what was not begun, and remembers what was handled beyond it', async () => {
    const { batch, end } = await makeBatch(['one', 'two', 'one', 'three', 'two'])
    await end(1, done)
    batch.runs[3]?.start()
    await end(5, done)
    const left = batch.close()
    assert.deepEqual(seqs(left), [2, 3])
    assert.deepEqual(batch.toJobs().length, 3)
    const place = placeAfter(batch.runs, left, 9)
    assert.deepEqual(place, { position: 1, skipped: ['4/device2', '5/device2'] })
    assert.deepEqual(placeAfter(batch.runs, [], 9), { position: 9, skipped: [] })
  })

  it('does not begin what has an earlier event of its device among the jobs', async () => {
    const pending = [{ tenant: solutionId, key: 'one', isLong: false }]
    const { batch } = await makeBatch(['one', 'two'], pending)
    assert.deepEqual(seqs(batch.ready), [2])
    assert.deepEqual(seqs(batch.close()), [1, 2])
    assert.deepEqual([batch.toJobs(), batch.hasMoved], [[], false])
  })

  it('makes jobs of what has to wait for long: behind a retry, or a call that hangs', async () => {
    const pending = [{ tenant: solutionId, key: 'one', isLong: true }]
    const { batch, end } = await makeBatch(['one', 'two', 'two', 'three'], pending)
    const failure = { step: 'handler', reason: 'no' }
    await end(2, { kind: 'retry', failure, atUs: 1 })
    assert.deepEqual(seqs(batch.close()), [4])
    assert.deepEqual(
      batch.toJobs().map(({ id }) => id),
      ['0', '1', '2'],
    )
    assert.ok(batch.hasMoved)
  })
})
