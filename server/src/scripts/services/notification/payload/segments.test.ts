import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countSegments } from './segments.ts'

describe('segments of an SMS', () => {
  const rows: [string, string, number, number][] = [
    ['160 letters of GSM-7', 'a'.repeat(160), 160, 1],
    ['161 letters of GSM-7', 'a'.repeat(161), 161, 2],
    ['306 letters of GSM-7', 'a'.repeat(306), 306, 2],
    ['307 letters of GSM-7', 'a'.repeat(307), 307, 3],
    ['80 letters of two septets', '€'.repeat(80), 160, 1],
    ['81 letters of two septets', '€'.repeat(81), 162, 2],
    ['a letter of two septets is not cut in two', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 306, 3],
    ['70 letters of UCS-2', 'ж'.repeat(70), 70, 1],
    ['71 letters of UCS-2', 'ж'.repeat(71), 71, 2],
    ['134 letters of UCS-2', 'ж'.repeat(134), 134, 2],
    ['a surrogate pair is not cut in two', `${'ж'.repeat(66)}😀${'ж'.repeat(66)}`, 134, 3],
  ]
  for (const [what, text, units, segments] of rows) {
    test(what, () => {
      const encoding = /[ж😀]/u.test(text) ? 'UCS-2' : 'GSM-7'
      assert.deepEqual(countSegments(text), { encoding, units, segments })
    })
  }
})
