import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCache } from './cache.ts'

function setUp(entriesMax = 2) {
  const asked: string[] = []
  const answers = new Map<string, PromiseWithResolvers<{ key: string } | undefined>>()
  const elapsedMs = () => clock.ms
  const clock = { ms: 0, nowMs: () => clock.ms, nowUs: () => clock.ms * 1_000, elapsedMs }
  const cache = createCache<{ key: string }>({
    entriesMax,
    keepMs: 100,
    clock,
    load(key) {
      asked.push(key)
      const answer = Promise.withResolvers<{ key: string } | undefined>()
      answers.set(key, answer)
      return answer.promise
    },
  })
  const load = async (key: string) => {
    const value = cache.get(key)
    answers.get(key)?.resolve({ key })
    return value
  }
  return { asked, answers, clock, cache, load }
}

describe('a cache', () => {
  it('answers at once until its time is up', async () => {
    const { cache, load, clock } = setUp()
    await load('a')
    clock.ms = 99
    assert.deepEqual(cache.get('a'), { key: 'a' })
    clock.ms = 100
    assert.ok(cache.get('a') instanceof Promise)
  })

  it('reads once for all that wait', async () => {
    const { cache, load, asked } = setUp()
    const first = cache.get('a')
    assert.equal(cache.get('a'), first)
    await load('a')
    assert.deepEqual(asked, ['a'])
  })

  it('drops what was not used for the longest', async () => {
    const { cache, load } = setUp()
    await load('a')
    await load('b')
    cache.get('a')
    await load('c')
    assert.deepEqual(cache.get('a'), { key: 'a' })
    assert.ok(cache.get('b') instanceof Promise)
  })

  it('does not cache an unknown key, nor a failure', async () => {
    const { cache, answers, asked } = setUp()
    const nobody = cache.get('a')
    answers.get('a')?.resolve(undefined)
    assert.equal(await nobody, undefined)
    const failing = cache.get('a')
    answers.get('a')?.reject(new Error('away'))
    await assert.rejects(async () => failing, /away/)
    assert.ok(cache.get('a') instanceof Promise)
    assert.deepEqual(asked, ['a', 'a', 'a'])
  })

  it('never keeps what was being read while it was removed', async () => {
    const { cache, answers, load } = setUp()
    const early = cache.get('a')
    const answer = answers.get('a')
    cache.evict('a')
    answer?.resolve({ key: 'stale' })
    assert.deepEqual(await early, { key: 'stale' })
    assert.ok(cache.get('a') instanceof Promise)
    await load('a')
    assert.deepEqual(cache.get('a'), { key: 'a' })
  })
})
