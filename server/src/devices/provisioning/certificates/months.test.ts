import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonths } from './months.ts'

test('months are calendar months, and a day that is not there is the last that is', () => {
  for (const [start, months, end] of [
    ['2026-01-31T10:20:30.456Z', 1, '2026-02-28T10:20:30.456Z'],
    ['2028-01-31T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 12, '2029-02-28T12:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 48, '2032-02-29T12:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 2, '2027-02-28T23:59:59.999Z'],
    ['2026-11-30T00:00:00.000Z', 1, '2026-12-30T00:00:00.000Z'],
    ['2026-08-31T00:00:00.000Z', 13, '2027-09-30T00:00:00.000Z'],
    ['2026-05-15T00:00:00.000Z', 240, '2046-05-15T00:00:00.000Z'],
    ['1999-12-31T00:00:00.000Z', 0, '1999-12-31T00:00:00.000Z'],
  ] as const) {
    assert.equal(new Date(addMonths(Date.parse(start), months)).toISOString(), end)
  }
})
