import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseStamp } from './stamp.ts'

it('a stamp is in seconds or in microseconds, depending on its size', () => {
  const stamps: [string, number | undefined][] = [
    ['0', 0],
    ['1500000000', 1_500_000_000_000_000],
    ['1500000000.25', 1_500_000_000_250_000],
    ['99999999999', 99_999_999_999_000_000],
    ['100000000000', undefined],
    ['1500000000000', undefined],
    ['99999999999999', undefined],
    ['100000000000000', 100_000_000_000_000],
    ['1500000000000001', 1_500_000_000_000_001],
    ['9007199254740993', undefined],
    ['1500000000000001.5', undefined],
    ['-1', undefined],
    ['1e9', undefined],
    ['', undefined],
    [' 1', undefined],
  ]
  for (const [text, expected] of stamps) assert.equal(parseStamp(text), expected, text)
})
