import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfHistory, type JsonValue, readHistoryAsked, readInsight } from '../protocol.ts'

const dayUs = 86_400_000_000
const plain = { limit: undefined, spanUs: undefined, fromInlets: true, fromOutlets: false }

const asked: readonly [JsonValue, constants: object, expected: object | undefined][] = [
  [null, {}, undefined],
  [false, {}, undefined],
  [true, {}, plain],
  [{}, {}, plain],
  [{ limit: { value: 1 } }, {}, { ...plain, limit: 1 }],
  [{ limit: '3' }, {}, { ...plain, limit: 3 }],
  [{ limit: { constant: 'n' } }, { n: 4 }, { ...plain, limit: 4 }],
  [{ limit: { constant: 'n' } }, {}, plain],
  [{ limit: { value: 0 } }, {}, plain],
  [{ limit: { value: 1.5 } }, {}, plain],
  [{ relative_start: { value: '-1d' } }, {}, { ...plain, spanUs: dayUs }],
  [{ relative_start: { template: '-{{days}}d' } }, { days: 2 }, { ...plain, spanUs: 2 * dayUs }],
  [{ relative_start: { template: '-{{ n }}{{u}}' } }, { n: 3, u: 'ms' }, { ...plain, spanUs: 3e3 }],
  [{ relative_start: { constant: 'back' } }, { back: '90s' }, { ...plain, spanUs: 9e7 }],
  [{ relative_start: { template: '-{{days}}d' } }, {}, plain],
  [{ relative_start: { value: 'yesterday' } }, {}, plain],
  [{ include_from: { value: 'outlets' } }, {}, { ...plain, fromInlets: false, fromOutlets: true }],
  [{ include_from: ['inlets', 'outlets'] }, {}, { ...plain, fromOutlets: true }],
  [{ include_from: { value: ['Outlet', 'inlet'] } }, {}, { ...plain, fromOutlets: true }],
  [{ include_from: { value: 'everywhere' } }, {}, plain],
]

for (const [history, constants, expected] of asked) {
  test(`${JSON.stringify(history)} with ${JSON.stringify(constants)}`, () => {
    deepEqual(readHistoryAsked(history, constants as Record<string, unknown>), expected)
  })
}

test('what cannot be read of a history is named, what constants set is not', () => {
  const history = {
    limit: { value: 'many' },
    relative_start: { template: '-{{days}}{{unit}}' },
    include_from: { value: [] },
    aggregate: { constant: 'days' },
  }
  deepEqual(faultsOfHistory(history, ['days']), [
    'history.aggregate is not known',
    'history.limit is {"value":"many"}, which cannot be read; it is left out',
    'history.relative_start names "unit", which is no constant',
    'history.include_from is {"value":[]}, which cannot be read; it is left out',
  ])
  const read = readInsight({ id: 'f', name: 'F', description: '', type: 'rule', history })
  deepEqual(read.error === undefined && read.complaints.length, 5)
})
