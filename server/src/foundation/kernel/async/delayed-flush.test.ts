import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DelayedFlush } from '../index.ts'

it('writes once for all that is gathered within the delay', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let writes = 0
  const flush = new DelayedFlush(async () => {
    writes += 1
  }, 10)
  flush.schedule()
  flush.schedule()
  t.mock.timers.tick(9)
  await Promise.resolve()
  assert.equal(writes, 0)
  t.mock.timers.tick(1)
  await flush.flush()
  assert.equal(writes, 2)
})

it('writes one after the other', async () => {
  const first = Promise.withResolvers<void>()
  const events: string[] = []
  const flush = new DelayedFlush(async () => {
    events.push('begun')
    if (events.length === 1) await first.promise
    events.push('ended')
  }, 10)
  const both = Promise.all([flush.flush(), flush.flush()])
  await Promise.resolve()
  assert.deepEqual(events, ['begun'])
  first.resolve()
  await both
  assert.deepEqual(events, ['begun', 'ended', 'begun', 'ended'])
})

it('writes for the last time when it is closed, and sets no timer then', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let writes = 0
  const flush = new DelayedFlush(async () => {
    assert.equal(flush.closed, true)
    writes += 1
  }, 10)
  flush.schedule()
  await flush.close()
  flush.schedule()
  t.mock.timers.tick(20)
  await Promise.resolve()
  assert.equal(writes, 1)
})
