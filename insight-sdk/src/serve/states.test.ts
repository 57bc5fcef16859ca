import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { States } from './states.ts'

test('a linkage has a state of its own in each function', () => {
  const states = new States(10)
  states.of('f', 'a', () => ['first']).push('again')
  deepEqual(
    states.of('f', 'a', () => ['new']),
    ['first', 'again'],
  )
  deepEqual(
    states.of('g', 'a', () => ['new']),
    ['new'],
  )
})

test('the state of the linkage not used for longest is removed when there are too many', () => {
  const states = new States(2)
  for (const link of ['a', 'b', 'a', 'c']) states.of('f', link, () => ({ link }))
  equal(states.size, 2)
  equal(states.of('f', 'a', () => ({ link: 'new' })).link, 'a')
  equal(states.of('f', 'b', () => ({ link: 'new' })).link, 'new')
})

test('the states of a deleted linkage are removed from every function', () => {
  const states = new States(10)
  for (const id of ['f', 'g']) states.of(id, 'a', () => ({}))
  states.forget(['f', 'g'], 'a')
  equal(states.size, 0)
})
