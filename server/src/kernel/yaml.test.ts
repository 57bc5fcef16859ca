import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseYaml } from './yaml.ts'

const most = { aliasesMax: 2, valuesMax: 100, depthMax: 10 }
const refuses = (text: string, message: RegExp) =>
  assert.throws(() => parseYaml(text, most), message, text)

test('JSON and YAML are read, in flow style and behind a byte order mark, too', () => {
  const texts = [
    '{"a": [1, "x"]}',
    '{a: [1, x]}',
    'a: [1, x]',
    '\ufeff{a: [1, x]}',
    '\ufeffa: [1, x]',
  ]
  for (const text of texts) assert.deepEqual(parseYaml(text, most), { a: [1, 'x'] }, text)
  assert.deepEqual(parseYaml('[a, b]', most), ['a', 'b'])
  assert.deepEqual(parseYaml('{"<<": 1}', most), { '<<': 1 })
  refuses(`{"a": 1,}`, /cannot be read: .*JSON/)
  refuses('{a: [*x, *x, *x]}', /has more than 2 aliases/)
})

test('a merge key is named, wherever it stands', () => {
  refuses('base: &b {x: 1}\nmore:\n  <<: *b\n  y: 2\n', /has a merge key \(<<\)/)
  refuses('list:\n  - "<<": {a: 1}\n', /has a merge key \(<<\)/)
  assert.deepEqual(parseYaml('text: "a <<: b"\n', most), { text: 'a <<: b' })
})
