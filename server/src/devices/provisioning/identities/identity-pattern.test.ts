import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { toLikePattern } from './identity-pattern.ts'

describe('a pattern of identities', () => {
  it('matches what a regular expression matches, for its simple part', () => {
    const rows: [string, string][] = [
      ['abc', '%abc%'],
      ['^abc', 'abc%'],
      ['abc$', '%abc'],
      ['^abc$', 'abc'],
      ['^a.c.*d.+$', 'a_c%d_%'],
      ['', '%%'],
      ['100%', '%100\\%%'],
      ['a_b', '%a\\_b%'],
      ['1\\.5\\$$', '%1.5$'],
      ['1\\$', '%1$%'],
      ['a\\\\$', '%a\\\\'],
    ]
    for (const [pattern, like] of rows) assert.equal(toLikePattern(pattern), like, pattern)
  })

  it('has no operator that can run away', () => {
    const others = ['(a+)+$', 'a*', '[ab]', 'a|b', 'a{2}', '(?=a)', 'a?', '\\d', 'a^b', 'a$b', '\\']
    for (const pattern of [...others, '*', '.?', '\\.*', 'a\0', 'a'.repeat(10_000)]) {
      assert.throws(
        () => toLikePattern(pattern),
        { code: 'invalid_argument' },
        pattern.slice(0, 20),
      )
    }
  })

  it('takes any escaped text literally', () => {
    const special = /[\\^$.*+?()[\]{}|]/g
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{0,40}$/), (text) => {
        const like = toLikePattern(`^${text.replace(special, '\\$&')}$`)
        assert.equal(like.replace(/\\([\\%_])/g, '$1'), text)
      }),
    )
  })
})
