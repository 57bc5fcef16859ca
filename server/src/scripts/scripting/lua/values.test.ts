import { strict as assert } from 'node:assert'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openLua, runEnd, runResult } from '../../../../test/fixtures/lua.ts'
import type { ScriptValue } from '../runtime/value.ts'

/** As a structured clone gives it: our objects have no prototype, which deepEqual would see. */
function plain(value: ScriptValue): unknown {
  return structuredClone(value)
}

const echo = openLua({ source: 'return a' })

describe('what goes in comes out', () => {
  const values: Readonly<Record<string, ScriptValue>> = {
    'a text': 'hello',
    'an empty text': '',
    'a text with a NUL': 'a\0b',
    'a text with letters of two, three and four bytes': 'é € 𐍈 😀',
    'a long text': 'ü'.repeat(100_000),
    'a number': 1.5,
    'a large whole number': Number.MAX_SAFE_INTEGER,
    'a large negative number': Number.MIN_SAFE_INTEGER,
    'a number beyond whole numbers': 1e300,
    'minus zero': -0,
    infinity: Number.POSITIVE_INFINITY,
    'not a number': Number.NaN,
    true: true,
    false: false,
    nothing: undefined,
    'an empty list': [],
    'an empty object': {},
    'empty ones in a list': [{}, [], {}],
    'a list with a null within': [1, null, 3],
    'a list with a null at its end': [1, null, null],
    'a list of nulls': [null],
    'keys that look like numbers': { '1': 'a', '2': 'b' },
    'a key that is empty': { '': 1 },
    'keys that a prototype has': { constructor: 1, toString: 'x', hasOwnProperty: false },
    'bytes that are not text': Uint8Array.of(0xff, 0xfe, 0, 1, 0x80),
    'all bytes': Uint8Array.from({ length: 256 }, (_, byte) => byte),
  }
  for (const [name, value] of Object.entries(values)) {
    test(name, () => {
      assert.deepEqual(plain(echo.value(value)), value)
    })
  }

  test('a null alone, and as a field, is nothing', () => {
    assert.equal(echo.value(null), undefined)
    assert.deepEqual(plain(echo.value({ a: null, b: 1, c: undefined })), { b: 1 })
  })

  test('a lone surrogate becomes U+FFFD', () => {
    assert.equal(echo.value('a\ud800b'), 'a\ufffdb')
    assert.equal(runResult(`return from_json('"\\\\ud800"')`), '\ufffd')
  })

  test('bytes that are a text come as one', () => {
    assert.equal(echo.value(Uint8Array.of(0x68, 0x69)), 'hi')
  })

  test('any value at all', () => {
    const { value } = fc.letrec<{ value: ScriptValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.boolean(),
        fc.double({ noNaN: false }),
        fc.maxSafeInteger(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('__proto__', 'constructor', '', '\0'),
        fc.array(fc.oneof(tie('value'), fc.constant(null)), { maxLength: 8 }),
        fc.dictionary(
          fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '1', 'toString')),
          tie('value'),
          { noNullPrototype: true, maxKeys: 8 },
        ),
      ),
    }))
    fc.assert(
      fc.property(value, (given) => {
        assert.deepEqual(plain(echo.value(given)), plain(given))
      }),
      { numRuns: 200 },
    )
  })

  test('any bytes that are not text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const given = Uint8Array.of(0xff, ...bytes)
        assert.deepEqual(echo.value(given), given)
      }),
    )
  })

  test('JSON that a script writes and reads', () => {
    const round = openLua({ source: 'return (from_json(to_json(a)))' })
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (given) => {
        const text = JSON.stringify(given, (key, value) =>
          value === null && key !== '' && Number.isNaN(Number(key)) ? undefined : value,
        )
        assert.deepEqual(plain(round.value(JSON.parse(text))), withoutNulls(JSON.parse(text)))
      }),
    )
  })
})

/** Nulls of maps are nothing in Lua; those of lists stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => (item === null ? null : withoutNulls(item)))
  }
  if (value === null || value === undefined) return undefined
  if (Object.is(value, -0)) return 0
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) =>
      field === null ? [] : [[key, withoutNulls(field)]],
    ),
  )
}

describe('what a script makes', () => {
  const made: Readonly<Record<string, readonly [source: string, value: unknown]>> = {
    'an empty table is an object': ['return {}', {}],
    'an empty table that is marked is a list': ["return setmetatable({}, {__type = 'slice'})", []],
    'a list': ["return {1, 'b', true}", [1, 'b', true]],
    'a list that was filled from behind': [
      'local t = {} for i = 5, 1, -1 do t[i] = i end return t',
      [1, 2, 3, 4, 5],
    ],
    'a list that was emptied stays one': [
      "local t = from_json('[1,2]') table.remove(t) table.remove(t) return t",
      [],
    ],
    'a list that was given stays one with a hole': [
      "local t = from_json('[1,2,3]') t[2] = nil return t",
      [1, null, 3],
    ],
    'a sparse table is an object': ['return {[1] = 1, [3] = 3}', { '1': 1, '3': 3 }],
    'a mixed table is an object': ['return {1, 2, x = 3}', { '1': 1, '2': 2, x: 3 }],
    'keys of fractions and booleans are texts': [
      'return {[1.5] = 1, [true] = 2}',
      { '1.5': 1, true: 2 },
    ],
    'keys below one are texts': ['return {[0] = 0, [-1] = 1}', { '0': 0, '-1': 1 }],
    'a whole float is a whole number': ['return 10 / 2', 5],
    'json.null in a table': ['return {json.null, a = json.null}', { '1': null, a: null }],
    'a timestamp keeps its digits': [
      'return {t = 1487021046160363, s = tostring(1487021046160363)}',
      { t: 1487021046160363, s: '1487021046160363' },
    ],
    'the largest integer is near': ['return math.maxinteger', 2 ** 63],
    bytes: ['return "\\255\\0"', Uint8Array.of(255, 0)],
    'the first of several results': ['return 1, 2', 1],
    'no result': ['', undefined],
  }
  for (const [name, [source, value]] of Object.entries(made)) {
    test(name, () => {
      assert.deepEqual(plain(runResult(source)), value)
    })
  }

  test('a key is only ever a key', () => {
    const value = runResult(`return {['__proto__'] = {polluted = true}}`) as Record<string, unknown>
    assert.equal(Object.getPrototypeOf(value), null)
    assert.deepEqual(Object.keys(value), ['__proto__'])
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
    const given = JSON.parse('{"__proto__": {"polluted": 1}}') as ScriptValue
    assert.deepEqual(plain(echo.value(given)), plain(given))
    assert.equal(runResult(`return to_json({['__proto__'] = 1})`), '{"__proto__":1}')
  })

  test('a function, a coroutine or a table as a key cannot leave', () => {
    for (const what of ['print', 'coroutine.create(print)', '{[{}] = 1}', '{a = print}']) {
      const ended = runEnd(`return ${what}`)
      assert.equal(ended.kind, 'failed', what)
      assert('error' in ended && ended.error.status === 500)
      assert.match(
        ended.error.error,
        /^the result holds a (function|coroutine|key that is not a string)$/,
      )
    }
  })
})

describe('values have a size', () => {
  const large: Readonly<Record<string, readonly [source: string, text: RegExp]>> = {
    'a list of two million': [
      'local t = {} for i = 1, 2e6 do t[i] = i end return t',
      /more than 50000 values/,
    ],
    'a text of 30 MB': ['return ("x"):rep(30000000)', /more than 1048576 bytes/],
    'many texts that are one': [
      'local s, t = ("x"):rep(1000), {} for i = 1, 2000 do t[i] = s end return t',
      /more than 1048576 bytes/,
    ],
    'a table that holds itself': ['local t = {} t.t = t return t', /tables more than 64 deep/],
    'two tables that hold each other': [
      'local a, b = {}, {} a[1] = b b[1] = a return a',
      /more than 64 deep/,
    ],
    'a table of depth 65': [
      'local t = 1 for i = 1, 65 do t = {t} end return t',
      /more than 64 deep/,
    ],
  }
  for (const [name, [source, text]] of Object.entries(large)) {
    test(`${name}: the call ends, the machine goes on`, () => {
      // The size ends the call, however slow the machine is.
      const limits = { memoryBytesMax: 256 * 1024 * 1024, cpuMsMax: 60_000 }
      const lua = openLua({ source: `if a then return a end ${source}`, limits })
      const ended = lua.end()
      assert('limit' in ended && ended.limit === 'value', JSON.stringify(ended).slice(0, 300))
      assert.equal(ended.error.status, 413)
      assert.equal(ended.error.type, 'QueryError')
      assert.match(ended.error.error, /^limit value: the result holds /)
      assert.match(ended.error.error, text)
      assert(!lua.machine.dead)
      assert.equal(lua.value(7), 7)
    })
  }

  test('a table of depth 64 passes', () => {
    assert.equal(
      JSON.stringify(runResult('local t = 1 for i = 1, 64 do t = {t} end return t')).length,
      129,
    )
  })

  test('an argument that is too large never arrives', () => {
    const ended = echo.end(['x'.repeat(2_000_000)])
    assert('limit' in ended && ended.limit === 'value')
    assert.match(ended.error.error, /^limit value: the arguments hold more than 1048576 bytes$/)
    assert.equal(echo.value(1), 1)
  })

  test('of a service, arguments and answers that are too large are errors to the script', () => {
    const options = { services: ['http'] }
    const lua = openLua({ ...options, source: 'return Http.post(a and ("x"):rep(2e6) or {})' })
    const arguments_ = lua.end([true], { answer: () => assert.fail('it was asked') })
    assert.equal(arguments_.kind, 'returned')
    assert.deepEqual(plain('value' in arguments_ ? arguments_.value : null), {
      type: 'QueryError',
      error: 'the arguments hold more than 1048576 bytes',
      status: 413,
    })
    const answer = lua.end([], { answer: () => 'x'.repeat(2_000_000) })
    assert.deepEqual(plain('value' in answer ? answer.value : null), {
      type: 'QueryError',
      error: 'the answer holds more than 1048576 bytes',
      status: 413,
    })
    const strange = openLua({ ...options, source: 'return Http.post(print)' }).end()
    assert.equal('value' in strange && (strange.value as { status: number }).status, 400)
  })
})
