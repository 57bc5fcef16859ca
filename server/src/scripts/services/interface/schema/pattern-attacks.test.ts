import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Fault } from '../../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'
import { checkValue } from './check.ts'
import { schemaReader } from './parse.ts'

/** The value, or the sentence of the refusal. */
function look(schema: unknown, value: ScriptValue): unknown {
  try {
    return checkValue(schemaReader()('schema', schema), 'event', value)
  } catch (error) {
    assert.ok(error instanceof Fault)
    return error.detail
  }
}

/** Patterns that make a backtracking engine run for years, with the text for it. */
const attacks: readonly [pattern: string, text: string][] = [
  ['^(a+)+$', `${'a'.repeat(4_000)}!`],
  ['^([a-zA-Z]+)*$', `${'a'.repeat(4_000)}!`],
  ['^(a|aa)+$', `${'a'.repeat(4_000)}!`],
  ['^(a|a?)+$', `${'a'.repeat(4_000)}!`],
  ['^(.*a){12}$', `${'a'.repeat(1_000)}!`],
  ['(x+x+)+y', 'x'.repeat(4_000)],
  ['^(\\w+\\s?)*$', `${'word '.repeat(800)}!`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(4_000)],
  ['\\s+$', `${' '.repeat(20_000)}x`],
  ['^([0-9]+)*[a-z]$', '1'.repeat(4_000)],
  ['[ab]*a[ab]{100}c', `${'ab'.repeat(400)}`],
]

describe('payload schema, patterns of tenants never block', () => {
  for (const [pattern, text] of attacks) {
    it(`${pattern} ends within its steps`, () => {
      const sentence = look({ pattern }, text)
      assert.match(String(sentence), /\(pattern\)$|takes more than 100000 steps to be checked$/)
    })
  }

  const refused: [string, string, RegExp][] = [
    ['look-ahead', '(?=a)b', /linear time/],
    ['look-behind', '(?<=a)b', /linear time/],
    ['negative look-behind', '(?<!a)b', /linear time/],
    ['a back-reference', '(a)\\1', /linear time/],
    ['a named back-reference', '(?<n>a)\\k<n>', /refer back/],
    ['an unclosed group', '(a', /linear time/],
    ['repeats of repeats', '((a{30}){30}){30}', /linear time/],
    ['too many states', '(?:a{500}b{400})', /901 states|90\d states|states as a pattern/],
    ['too long a text', 'a'.repeat(257), /at most 256 characters$/],
  ]
  for (const [name, pattern, says] of refused) {
    it(`refuses ${name}`, () => {
      assert.match(String(look({ pattern }, 'a')), says)
      assert.match(String(look({ patternProperties: { [pattern]: {} } }, {})), says)
    })
  }

  it('adds up what all matches of one payload cost', () => {
    const schema = { items: { pattern: '^[a-z]{1,200}$' } }
    assert.deepEqual(look(schema, ['abc']), ['abc'])
    const many = Array.from({ length: 1_000 }, () => 'abc')
    assert.match(String(look(schema, many)), /takes more than 100000 steps to be checked$/)
  })

  it('adds up the checks of many schemas on many values', () => {
    const pattern = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`k${at}|a`, {}]))
    const value = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`a${at}`, 1]))
    assert.match(
      String(look({ patternProperties: pattern }, value)),
      /^event takes more than 100000 steps/,
    )
  })

  it('accepts the syntax that JavaScript alone has', () => {
    assert.equal(look({ pattern: '^\\u0041\\/[\\w-]+$' }, 'A/b-c'), 'A/b-c')
    assert.equal(look({ pattern: '^\\p{L}+$' }, 'é'), 'é')
  })
})
