import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LruMap } from './lru-map.ts'

test('past its size it removes the entry that was used least recently', () => {
  const map = new LruMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  assert.equal(map.get('a'), 1)
  map.set('c', 3)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [1, undefined, 3])
  map.set('a', 4)
  map.set('d', 5)
  assert.deepEqual([...map.values()], [4, 5], 'a value that is written is used')
  assert.equal(map.count, 2)
})

test('a look without use, and an entry that is not there, change no order', () => {
  const map = new LruMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  assert.equal(map.peek('a'), 1)
  assert.equal(map.get('x'), undefined)
  map.set('c', 3)
  assert.deepEqual([...map.values()], [2, 3])
})

test('deleted entries make room', () => {
  const map = new LruMap<string, number>(3)
  for (const [at, key] of ['a', 'b', 'c'].entries()) map.set(key, at)
  assert.deepEqual([map.delete('a'), map.delete('a')], [true, false])
  map.deleteWhere((value) => value === 1)
  map.set('d', 3)
  map.set('e', 4)
  assert.deepEqual([...map.values()], [2, 3, 4])
  map.clear()
  assert.equal(map.count, 0)
  for (const [at, key] of ['a', 'b', 'c', 'd'].entries()) map.set(key, at)
  assert.deepEqual([...map.values()], [1, 2, 3])
})

test('sizes of values count; the new entry stays, whatever its size', () => {
  const map = new LruMap<string, string>(5, { sizeOf: (text) => text.length })
  map.set('a', 'xx')
  map.set('b', 'xxx')
  map.set('a', 'x')
  map.set('c', 'x')
  assert.deepEqual([...map.values()], ['xxx', 'x', 'x'], 'a replaced value counts once')
  map.set('d', 'xxxxxxxx')
  assert.deepEqual([...map.values()], ['xxxxxxxx'])
  map.set('e', 'x')
  assert.deepEqual([...map.values()], ['x'])
})

test('entries that must stay are passed over; what is evicted is reported', () => {
  const evicted: string[] = []
  const map = new LruMap<string, { busy: boolean }>(2, {
    canEvict: ({ busy }) => !busy,
    onEvicted: (_, key) => evicted.push(key),
  })
  map.set('a', { busy: true })
  map.set('b', { busy: false })
  map.set('c', { busy: true })
  assert.deepEqual(evicted, ['b'])
  map.set('d', { busy: true })
  assert.equal(map.count, 3, 'none of the others could be removed')
  map.delete('a')
  map.set('e', { busy: false })
  map.set('f', { busy: false })
  assert.deepEqual(evicted, ['b', 'e'])
})
