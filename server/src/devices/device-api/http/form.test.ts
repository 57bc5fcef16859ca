import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { parseForm } from './form.ts'

it('a body with too many pairs is scanned no further than its limit', () => {
  const pairsMax = 100
  for (const pair of ['a&', '&', '%41=%41&']) {
    const body = Buffer.from(pair.repeat(100_000))
    const looks = mock.method(body, 'indexOf').mock
    assert.throws(() => parseForm(body, pairsMax), { code: 'too_large' })
    assert.equal(looks.callCount(), pairsMax + 1, pair)
  }
})

it('NULs and line ends behind the last value are dropped, and no others', () => {
  const parse = (text: string) => parseForm(Buffer.from(text), 10)
  assert.deepEqual(parse('a=1\r\n\0\0'), [{ key: 'a', value: '1' }])
  assert.deepEqual(parse('a=\n1&b=2\n'), [
    { key: 'a', value: '\n1' },
    { key: 'b', value: '2' },
  ])
  assert.deepEqual(parse('\r\n'), [])
  assert.throws(() => parse('a=\0b'), { code: 'malformed_request' })
})

it('plus signs become blanks without a replacement for each', (t) => {
  const replaced = t.mock.method(String.prototype, 'replaceAll').mock
  const [pair] = parseForm(Buffer.from(`a+b=%C3%A9${'+'.repeat(1_000)}c`), 1)
  assert.deepEqual(pair, { key: 'a+b', value: `é${' '.repeat(1_000)}c` })
  assert.equal(replaced.callCount(), 0)
})
