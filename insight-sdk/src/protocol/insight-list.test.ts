import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { readInsightList } from '../protocol.ts'

const f = { id: 'f', name: 'F', description: '', type: 'rule' }
const taken = { ...f, constants: [], inlets: [], outlets: [] }

test('a list is read with its total and count', () => {
  const read = readInsightList({ total: 9, count: 1, insights: [f] })
  deepEqual(read, { value: { total: 9, count: 1, insights: [taken] }, complaints: [] })
})

test('a missing total and count are counted', () => {
  const read = readInsightList({ insights: [f] })
  deepEqual(read, {
    value: { total: 1, count: 1, insights: [taken] },
    complaints: ['list: total is missing, taken as 1', 'list: count is missing, taken as 1'],
  })
})

test('a function that cannot be read does not take the others with it', () => {
  const read = readInsightList({ total: 3, count: 3, insights: [{}, f, f] })
  deepEqual(read, {
    value: { total: 3, count: 3, insights: [taken] },
    complaints: [
      'function 0: the function has no id; it is left out',
      'function "f" is listed twice; the first is taken',
    ],
  })
})

test('a bare array is taken as the insights', () => {
  const read = readInsightList([f])
  deepEqual(read.error === undefined && read.value.insights, [taken])
})

test('no list at all is an error', () => {
  equal(readInsightList({}).error, 'insights is missing, not an array')
  equal(readInsightList('<p>').error, 'the list of functions is HTML or XML, not an object')
})
