import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIso, toIso } from './iso.ts'

test('a time is written to the microsecond in UTC, and read in any zone', () => {
  const us = Date.UTC(2026, 0, 31, 12) * 1_000 + 123_456
  assert.equal(toIso(us), '2026-01-31T12:00:00.123456Z')
  assert.equal(toIso(-1), '1969-12-31T23:59:59.999999Z')
  for (const text of [
    '2026-01-31T12:00:00.123456Z',
    '2026-01-31T13:00:00.123456+01:00',
    '2026-01-31t07:30:00.1234567-0430',
  ]) {
    assert.equal(parseIso(text), us, text)
  }
  assert.equal(parseIso('2026-01-31T12:00Z'), us - 123_456)
})

test('a text without a zone, or of no time, is none', () => {
  for (const text of ['', 'yesterday', '2026-01-31', '2026-01-31T12:00:00', '2026-13-31T12:00Z']) {
    assert.equal(parseIso(text), undefined, text)
  }
})
