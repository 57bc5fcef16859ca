import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { quoteNumbers } from './quote-numbers.ts'

describe('numbers as they were typed', () => {
  it('are strings in exactly so many brackets', () => {
    const text = '[1, {"a": 21.50, "b": [-3, {"c": 4}], "1": "2"}]'
    assert.equal(quoteNumbers(text, 2), '[1, {"a": "21.50", "b": [-3, {"c": 4}], "1": "2"}]')
    assert.equal(quoteNumbers(text, 3), '[1, {"a": 21.50, "b": ["-3", {"c": 4}], "1": "2"}]')
  })

  it('are found beside strings that look like brackets, quotes and numbers', () => {
    const text = String.raw`{"a\"}": 1e+05, "\\": -0.0, "{[": "5", "": 12345678901234567890}`
    const parsed = JSON.parse(quoteNumbers(text, 1))
    assert.deepEqual(parsed, {
      'a"}': '1e+05',
      '\\': '-0.0',
      '{[': '5',
      '': '12345678901234567890',
    })
  })

  it('what is no JSON stays none', () => {
    for (const part of ['01', '1.', '.5', '-', '+1', '1e', '1-2', '1 2', '1"a"', '"a"1', '1.2.3']) {
      const text = `{"a":${part}}`
      assert.throws(() => JSON.parse(text), SyntaxError)
      assert.throws(() => JSON.parse(quoteNumbers(text, 1)), SyntaxError, text)
    }
    assert.throws(() => quoteNumbers('{1 : 2}', 1), SyntaxError)
  })

  it('nothing else changes, whatever the JSON', () => {
    const quoted = (value: unknown, depth: number): unknown => {
      if (typeof value === 'number') return depth === 2 ? JSON.stringify(value) : value
      if (typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return value.map((one) => quoted(one, depth + 1))
      const entries = Object.entries(value).map(([key, one]) => [key, quoted(one, depth + 1)])
      return Object.fromEntries(entries)
    }
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, 2), (text, indent) => {
        const value: unknown = JSON.parse(text)
        const typed = JSON.stringify(value, undefined, indent)
        assert.deepEqual(JSON.parse(quoteNumbers(typed, 2)), quoted(value, 0))
      }),
    )
  })
})
