import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LruMap } from './lru-map.ts'

const oldestFirst = <Value extends {}>(map: LruMap<string, Value>) => [...map.rvalues()]

test('past its size it removes the entry that was used least recently', () => {
  const map = new LruMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  assert.equal(map.get('a'), 1)
  map.set('c', 3)
  assert.deepEqual([map.peek('a'), map.peek('b'), map.peek('c')], [1, undefined, 3])
  map.set('d', 4)
  assert.deepEqual(oldestFirst(map), [3, 4], 'a look is no use')
})

test('entries that are deleted make room, and are not reported', () => {
  const evicted: string[] = []
  const map = new LruMap<string, number>(3, { onEvicted: (_, key) => evicted.push(key) })
  for (const [at, key] of ['a', 'b', 'c'].entries()) map.set(key, at)
  map.deleteWhere((value) => value < 2)
  map.set('d', 3)
  map.set('d', 4)
  map.set('e', 5)
  assert.deepEqual([oldestFirst(map), evicted], [[2, 4, 5], []])
  map.set('f', 6)
  assert.deepEqual([oldestFirst(map), evicted], [[4, 5, 6], ['c']])
})

test('sizes of values count; the new entry stays, whatever its size', () => {
  const map = new LruMap<string, string>(5, { sizeOf: (text) => text.length })
  map.set('a', 'xx')
  map.set('b', 'xxx')
  map.set('a', 'x')
  map.set('c', 'x')
  assert.deepEqual(oldestFirst(map), ['xxx', 'x', 'x'], 'a replaced value counts once')
  map.set('d', 'xxxxxxxx')
  assert.deepEqual(oldestFirst(map), ['xxxxxxxx'])
  map.set('e', 'x')
  assert.deepEqual(oldestFirst(map), ['x'])
})
