import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../limits.ts'
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

test('YAML has a limit of indicators, which JSON and prose do not have', () => {
  const { yamlIndicatorsMax } = limits
  const keys = (times: number) => Array.from({ length: times }, (_, at) => `a${at}: 1\n`).join('')
  const whole = { ...most, valuesMax: 100_000 }
  assert.equal(Object.keys(parseYaml(keys(yamlIndicatorsMax), whole) as object).length, 12_000)
  const tooMany = /has more than 12000 indicators of YAML: write it as JSON/
  const shapes = [keys(yamlIndicatorsMax + 1), '- 1\n'.repeat(yamlIndicatorsMax + 1)]
  for (const text of shapes) assert.throws(() => parseYaml(text, whole), tooMany)
  const list = Array.from({ length: yamlIndicatorsMax + 1 }, (_, at) => at)
  assert.deepEqual(parseYaml(JSON.stringify(list), whole), list)
  refuses('%A 1\n'.repeat(yamlIndicatorsMax + 1), tooMany)
  const prose = 'word-by-word '.repeat(yamlIndicatorsMax)
  assert.deepEqual(parseYaml(`a: ${prose}`, whole), { a: prose.trim() })
})

test('YAML has a limit of lines, which JSON does not have', () => {
  const lines = (times: number) => '\n'.repeat(times)
  assert.deepEqual(parseYaml(`a: 1${lines(100_000)}`, most), { a: 1 })
  refuses(`a: 1${lines(100_001)}`, /has more than 100000 lines of YAML: write it as JSON/)
  assert.deepEqual(parseYaml(`{"a": 1}${lines(100_001)}`, most), { a: 1 })
})
