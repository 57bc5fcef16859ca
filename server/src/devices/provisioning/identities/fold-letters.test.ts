import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { testDatabase } from '../../../../test/fixtures/database.ts'
import { foldLetters, gramsOfPattern, splitGrams } from './fold-letters.ts'

test('letters are folded as far as any locale of PostgreSQL folds them', async (t) => {
  const database = await testDatabase(t)
  assert.equal(foldLetters('ΟΣ'), foldLetters('ΟΣΟ').slice(0, 2), 'one by one')
  const known = await database.rows<{ name: string }>(
    `select collname as name from pg_collation
     where collname in ('C', 'C.utf8', 'pg_c_utf8', 'und-x-icu', 'tr-x-icu', 'lt-x-icu')`,
  )
  assert(known.length > 1)
  for (const { name } of known) {
    const rows = await database.rows<{ letter: string; lower: string }>(
      `select letter, lower(letter collate "${name}") as lower
       from (select chr(n) as letter from generate_series(1, 1114111) as n
         where n not between 55296 and 57343) as letters
       where lower(letter collate "${name}") <> letter`,
    )
    assert(rows.length >= 26, name)
    const wrong = rows.filter(({ letter, lower }) => foldLetters(lower) !== foldLetters(letter))
    assert.deepEqual(wrong, [], name)
  }
})

test('a text is found by its threes, a shorter one by itself', () => {
  assert.deepEqual(splitGrams('PUMP'), ['pum', 'ump'])
  assert.deepEqual(splitGrams('aaaaa'), ['aaa'])
  assert.deepEqual(splitGrams('😀x'), ['😀x'])
  assert.deepEqual(splitGrams(''), [])
})

test('a pattern is found by the letters that it says', () => {
  assert.deepEqual(gramsOfPattern('%PUMP%x_'), ['pum', 'ump', 'x'])
  assert.deepEqual(gramsOfPattern('%a\\%b\\\\%'), ['a%b', '%b\\'])
  assert.deepEqual(gramsOfPattern('%_%'), [])
})
