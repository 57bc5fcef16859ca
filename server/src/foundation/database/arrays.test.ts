import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { suiteContext } from '../../../test/fixtures/suite.ts'
import { type Database, float8Array, int2Array, int8Array, textArray } from './index.ts'

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.array(fc.option(value), { maxLength: 50 })

/** PostgreSQL's text holds every character but NUL, and no half of a surrogate pair. */
const text = fc
  .string({ unit: fc.oneof(fc.constantFrom('"', '\\', '{', '}', ',', 'NULL', '\n'), fc.string()) })
  .filter((value) => !value.includes('\0') && value.isWellFormed())
const unicode = fc
  .string({ unit: 'binary' })
  .filter((value) => !value.includes('\0') && value.isWellFormed())

const whole = fc.maxSafeInteger()
const small = fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })
const real = fc.double()

describe('a binary array', () => {
  const t = suiteContext()
  let database: Promise<Database> | undefined
  const open = () => {
    database ??= testDatabase(t)
    return database
  }

  /** Returns the elements that `unnest` makes of an array, in their order. */
  async function readElements(type: string, array: Buffer): Promise<unknown[]> {
    const rows = await (await open()).rows<{ value: unknown }>(
      `select value from unnest($1::${type}[]) with ordinality as u (value, at) order by at`,
      [array],
    )
    return rows.map((row) => row.value)
  }

  async function holds<Value>(
    type: string,
    encode: (values: readonly (Value | null)[]) => Buffer,
    value: fc.Arbitrary<Value>,
  ): Promise<void> {
    await fc.assert(
      fc.asyncProperty(orNull(value), async (values) => {
        assert.deepEqual(await readElements(type, encode(values)), values)
      }),
    )
  }

  it('of whole numbers arrives as it was', () => holds('bigint', int8Array, whole))
  it('of small numbers arrives as it was', () => holds('smallint', int2Array, small))
  it('of numbers arrives as it was', () => holds('double precision', float8Array, real))
  it('of texts with the signs of the text format arrives as it was', () =>
    holds('text', textArray, text))
  it('of any characters arrives as it was', () => holds('text', textArray, unicode))

  it('may be empty, or of nulls alone', async () => {
    assert.deepEqual(await readElements('bigint', int8Array([])), [])
    assert.deepEqual(await readElements('double precision', float8Array([null, null])), [
      null,
      null,
    ])
    assert.deepEqual(await readElements('text', textArray([''])), [''])
  })

  it('keeps what is special among numbers', async () => {
    const values = [0, -0, Number.MAX_VALUE, Number.MIN_VALUE, Infinity, -Infinity, Number.NaN]
    assert.deepEqual(await readElements('double precision', float8Array(values)), values)
    const edges = [Number.MIN_SAFE_INTEGER, -1, 0, 1, Number.MAX_SAFE_INTEGER]
    assert.deepEqual(await readElements('bigint', int8Array(edges)), edges)
  })

  it('of a fraction is refused where whole numbers are meant', () => {
    assert.throws(() => int8Array([0.5]), RangeError)
  })
})
