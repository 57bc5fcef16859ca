import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  readInsightsFilter,
  readLifecycleEvent,
  readProcessRequest,
  readStatus,
} from '../protocol.ts'

const s = { ts: 1, value: 2, origin: 'o', generated: 'g' }
const args = { function_id: 'f', constants: { a: 1 } }

test('a filter is read; a missing group_id means none', () => {
  deepEqual(readInsightsFilter({ group_id: 'g', limit: 0, offset: 3 }), {
    value: { group_id: 'g', limit: 0, offset: 3 },
  })
  deepEqual(readInsightsFilter({ limit: null }), { value: { group_id: '' } })
})

for (const filter of [[], { group_id: 1 }, { limit: -1 }, { limit: 1.5 }, { offset: '1' }]) {
  test(`the filter ${JSON.stringify(filter)} is refused`, () => {
    equal(typeof readInsightsFilter(filter).error, 'string')
  })
}

test('a lifecycle event is create or delete, and names a linkage', () => {
  deepEqual(readLifecycleEvent({ event: 'create', id: 'l', args }), {
    value: { event: 'create', id: 'l', args },
  })
  equal(readLifecycleEvent({ event: 'update', id: 'l' }).error?.startsWith('event is'), true)
  equal(readLifecycleEvent({ event: 'delete' }).error, 'id is missing')
})

test('a process request keeps the unknown fields of its data', () => {
  const read = readProcessRequest({ id: 'l', data: [{ ...s, future: 1 }], args })
  deepEqual(read, { value: { id: 'l', data: [{ ...s, future: 1 }], args } })
})

test('an empty group_id is no group', () => {
  const read = readProcessRequest({ id: 'l', data: [], args: { ...args, group_id: '' } })
  deepEqual(read, { value: { id: 'l', data: [], args } })
})

test('history is kept; points that cannot be read are left out', () => {
  const history = { x: [{ ts: 1, value: 2 }, { ts: 'soon' }], y: 'z' }
  const read = readProcessRequest({ id: 'l', data: [], args, history })
  deepEqual(read.error === undefined && read.value.history, { x: [{ ts: 1, value: 2 }], y: [] })
})

for (const [what, request] of [
  ['without an id', { data: [], args }],
  ['without data', { id: 'l', args }],
  ['without args', { id: 'l', data: [] }],
  ['without a function_id', { id: 'l', data: [], args: {} }],
  ['with a signal without a time', { id: 'l', data: [{ ...s, ts: undefined }], args }],
  ['with constants in an array', { id: 'l', data: [], args: { ...args, constants: [] } }],
] as const) {
  test(`a process request ${what} is refused`, () => {
    equal(typeof readProcessRequest(request).error, 'string')
  })
}

test('a status is a level from 0 to 4, with a type, a category and a value', () => {
  const status = { level: 3, type: 'high', category: 'heat', value: 21.5 }
  deepEqual(readStatus(status), { value: status, complaints: [] })
  deepEqual(readStatus(4), {
    value: { level: 4 },
    complaints: ['the status is a bare number, taken as level'],
  })
  equal(readStatus({ level: 5 }).error, 'level is 5, not one of 0 to 4')
  equal(readStatus('bad').error, 'the status is a string, not an object')
})
