import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatcher, type Outcome } from './batcher.ts'

test('what comes together is one batch; what comes meanwhile is the next, in order', async () => {
  const seen: (readonly number[])[] = []
  const batches = createBatcher<number, number>({
    batchMax: 3,
    waitingMax: 10,
    async run(items) {
      seen.push(items)
      await new Promise((resolve) => setImmediate(resolve))
      return items.map((item) => ({ value: item * 2 }))
    },
  })
  const first = [1, 2, 3, 4].map((item) => batches.add(item))
  await first[0]
  const second = [5, 6].map((item) => batches.add(item))
  assert.deepEqual(await Promise.all([...first, ...second]), [2, 4, 6, 8, 10, 12])
  assert.deepEqual(seen[0], [1, 2, 3])
  assert.ok(seen.length < 6)
  assert.deepEqual(seen.flat(), [1, 2, 3, 4, 5, 6])
})

test('an error of one item is its own, one of the batch is that of all', async () => {
  let broken = false
  const batches = createBatcher<number, string>({
    batchMax: 10,
    waitingMax: 10,
    async run(items) {
      if (broken) throw new Error('all')
      return items.map(
        (item): Outcome<string> =>
          item === 2 ? { error: new Error('two') } : { value: `${item}` },
      )
    },
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batches.add(item)))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  broken = true
  await assert.rejects(batches.add(1), /all/)
  broken = false
  assert.equal(await batches.add(4), '4')
})

test('past the most that may wait it rejects at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const batches = createBatcher<number, number>({
    batchMax: 1,
    waitingMax: 2,
    async run(items) {
      await promise
      return items.map((value) => ({ value }))
    },
  })
  const waiting = [batches.add(1), batches.add(2)]
  await assert.rejects(batches.add(3), { code: 'overloaded', retryAfterS: 1 })
  resolve()
  assert.deepEqual(await Promise.all(waiting), [1, 2])
})

test('batches and waits are bounded by a size too; a larger item goes alone', async () => {
  const seen: (readonly number[])[] = []
  const batches = createBatcher<number, number>({
    batchMax: 9,
    waitingMax: 9,
    sizes: { of: (item) => item, batchMax: 5, waitingMax: 12 },
    async run(items) {
      seen.push(items)
      return items.map((value) => ({ value }))
    },
  })
  const waiting = [2, 3, 6, 1].map((item) => batches.add(item))
  await assert.rejects(batches.add(1), { code: 'overloaded' })
  await Promise.all(waiting)
  await batches.idle()
  assert.deepEqual(seen, [[2, 3], [6], [1]])
  assert.equal(await batches.add(12), 12)
})
