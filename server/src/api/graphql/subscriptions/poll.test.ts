import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { waitMsMax } from '../../../../test/fixtures/bounds.ts'
import { BoundedQueue, poll } from './poll.ts'

test('nothing is read while the reader is slow, and nothing is left out', async () => {
  const ending = new AbortController()
  let reads = 0
  const read = async () => {
    reads += 1
    return [reads * 10, reads * 10 + 1]
  }
  const events = poll(ending.signal, read)
  assert.equal((await events.next()).value, 10)
  assert.equal(reads, 1)
  assert.equal((await events.next()).value, 11)
  assert.equal(reads, 1)
  assert.equal((await events.next()).value, 20)
  assert.equal(reads, 2)
  ending.abort()
  assert.equal((await events.next()).done, true)
})

test('an end is seen at once, also while nothing comes', async () => {
  const ending = new AbortController()
  const events = poll(ending.signal, async () => [])
  const next = events.next()
  ending.abort()
  assert.equal((await next).done, true)
})

test('past its size a queue gives what it has, and then ends with a fault', async () => {
  const { signal } = new AbortController()
  const queue = new BoundedQueue<number>(3)
  queue.add([1, 2])
  queue.add([3, 4])
  assert.deepEqual(await queue.take(signal, waitMsMax), [1, 2])
  await assert.rejects(queue.take(signal, waitMsMax), { code: 'overloaded' })
})

test('who waits for a queue gets what comes, or nothing at the end', async () => {
  const ending = new AbortController()
  const queue = new BoundedQueue<number>(3)
  const first = queue.take(ending.signal, waitMsMax)
  queue.add([1])
  assert.deepEqual(await first, [1])
  const second = queue.take(ending.signal, waitMsMax)
  ending.abort()
  assert.deepEqual(await second, [])
})
