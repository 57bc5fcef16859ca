import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, systemClock } from '../clock.ts'
import { Fault } from '../errors.ts'
import { createFailureLimiter, RateLimiter } from './rate-limiter.ts'

function clockAt(time: { ms: number }): Clock {
  return { ...systemClock(), elapsedMs: () => time.ms }
}

test('a key may so often in a window that begins with its first time', () => {
  const time = { ms: 5 }
  const limiter = new RateLimiter(clockAt(time), 10)
  const rate = { count: 2, windowMs: 100 }
  assert.deepEqual([limiter.take('a', rate), limiter.take('a', rate)], [0, 0])
  time.ms = 104
  assert.deepEqual([limiter.take('a', rate), limiter.peek('a', rate)], [1, 1])
  assert.equal(limiter.take('b', rate), 0, 'another key has a window of its own')
  time.ms = 105
  assert.equal(limiter.peek('a', rate), 0)
  assert.deepEqual([limiter.take('a', rate), limiter.take('a', rate)], [0, 0])
  assert.equal(limiter.take('a', rate), 100)
})

test('a peek counts nothing', () => {
  const limiter = new RateLimiter(clockAt({ ms: 0 }), 10)
  const rate = { count: 1, windowMs: 100 }
  assert.deepEqual([limiter.peek('a', rate), limiter.peek('a', rate)], [0, 0])
  assert.deepEqual([limiter.take('a', rate), limiter.take('a', rate)], [0, 100])
})

test('past the most keys the one used least recently begins anew', () => {
  const limiter = new RateLimiter(clockAt({ ms: 0 }), 2)
  const rate = { count: 1, windowMs: 100 }
  for (const key of ['a', 'b']) limiter.take(key, rate)
  assert.equal(limiter.take('a', rate), 100)
  limiter.take('c', rate)
  assert.deepEqual([limiter.peek('a', rate), limiter.peek('b', rate)], [100, 0])
})

function failureLimiter(time: { ms: number }, reached: string[]) {
  return createFailureLimiter({
    clock: clockAt(time),
    failuresMax: 2,
    keysMax: 10,
    refusal: () => new Fault('too_many_requests'),
    onReached: (key) => reached.push(key),
  })
}

test('after so many failures no check of the key runs for a minute', async () => {
  const time = { ms: 0 }
  const reached: string[] = []
  const limit = failureLimiter(time, reached)
  const fails = async () => false
  assert.equal(await limit('a', fails), false)
  assert.equal(await limit('a', async () => true), true, 'a success is no failure')
  assert.equal(await limit('a', fails), false)
  assert.deepEqual(reached, ['a'])
  time.ms = 59_999
  await assert.rejects(
    limit('a', async () => true),
    { code: 'too_many_requests' },
  )
  assert.equal(await limit('b', fails), false)
  time.ms = 60_000
  assert.equal(await limit('a', async () => true), true)
  assert.deepEqual(reached, ['a'])
})

test('attempts that run count as failed; one that throws is none', async () => {
  const limit = failureLimiter({ ms: 0 }, [])
  const gate = Promise.withResolvers<boolean>()
  const first = limit('a', () => gate.promise)
  const second = limit('a', () => Promise.reject(new Error('away')))
  await assert.rejects(
    limit('a', async () => true),
    { code: 'too_many_requests' },
  )
  await assert.rejects(second, /away/)
  gate.resolve(true)
  assert.equal(await first, true)
  assert.equal(await limit('a', async () => false), false)
  assert.equal(await limit('a', async () => true), true)
})
