import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCache, type PublishedValues } from './cache.ts'

type Given = {
  readonly entriesMax?: number
  readonly published?: PublishedValues<{ key: string }>
}

function setUp({ entriesMax = 2, published }: Given = {}) {
  const asked: string[] = []
  const answers = new Map<string, PromiseWithResolvers<{ key: string } | undefined>>()
  const elapsedMs = () => clock.ms
  const clock = { ms: 0, nowMs: () => clock.ms, nowUs: () => clock.ms * 1_000, elapsedMs }
  const cache = createCache<{ key: string }>({
    entriesMax,
    keepMs: 100,
    clock,
    ...(published !== undefined && { published }),
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

describe('a cache of values whose changes are published', () => {
  it('answers at once for longer while they are read, and no longer if they are not', async () => {
    const read = { since: 0, now: true, changedAtMs: -1 }
    const published = {
      keepMs: 1_000,
      areRead: (sinceMs: number) => read.now && sinceMs >= read.since,
      changedAtMs: () => read.changedAtMs,
    }
    const { cache, load, clock } = setUp({ published })
    await load('a')
    clock.ms = 999
    assert.deepEqual(cache.get('a'), { key: 'a' })
    for (const [part, value] of [
      ['now', false],
      ['since', 1],
      ['changedAtMs', 0],
    ] as const) {
      const before = { ...read }
      Object.assign(read, { [part]: value })
      assert.ok(cache.get('a') instanceof Promise, part)
      Object.assign(read, before)
    }
    clock.ms = 1_000
    assert.ok(cache.get('a') instanceof Promise)
  })
})

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
