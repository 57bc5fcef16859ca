import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'
import { numericItem } from './formats.ts'
import { checkValue, parseResources, parseSetValues, type Resource } from './resource.ts'

const number = (...allowed: string[]): Resource => ({
  alias: 'a',
  format: 'number',
  allowed,
  settable: true,
})
const good = (resource: Resource, text: string) =>
  assert.equal(checkValue(resource, text), undefined, text)
const bad = (resource: Resource, text: string, says: RegExp) =>
  assert.match(checkValue(resource, text) ?? 'accepted', says, text.slice(0, 40))

describe('a value of format number', () => {
  it('is a finite decimal number, kept as typed', () => {
    for (const text of [
      '0',
      '-0',
      '0.0',
      '21.50',
      '1e3',
      '1E+05',
      '-2.5e-3',
      '007',
      '+1',
      '.5',
      '5.',
      '-.5',
    ]) {
      good(number(), text)
    }
    const others = [
      '',
      ' ',
      '1 1',
      '+',
      '.',
      '+-1',
      '1,5',
      '0x10',
      'NaN',
      'nan',
      'Infinity',
      '-inf',
    ]
    for (const text of [...others, '1e', '1e400', '-1e400', '1_000', '--1', 'true', '١']) {
      bad(number(), text, /must be a number/)
    }
  })

  it('is refused with why it is none', () => {
    const refused: [text: string, says: string][] = [
      ['', 'must be a number: it is empty'],
      [' \t', 'must be a number: it is empty'],
      ['NaN', 'must be a number: nan is none'],
      ['-nan', 'must be a number: nan is none'],
      ['+Infinity', 'must be a number: it is not finite'],
      ['inf', 'must be a number: it is not finite'],
      ['1e400', 'must be a number: it is not finite'],
      ['1,5', 'must be a number: it needs a decimal point, not a comma'],
      ['1,5,2', 'must be a number'],
      ['nano', 'must be a number'],
      ['12 V', 'must be a number'],
    ]
    for (const [text, says] of refused) assert.equal(checkValue(number(), text), says, text)
  })

  it('keeps to a range, both ends in it', () => {
    const nine = number('9-11')
    for (const text of ['9', '10.5', '11', '11.0', '9e0']) good(nine, text)
    for (const text of ['8.999', '11.001', '-9', '91']) bad(nine, text, /allowed/)
    for (const text of ['-5', '-1', '-1.5']) good(number('-5--1'), text)
    for (const text of ['-5.01', '-0.99', '1', '5']) bad(number('-5--1'), text, /allowed/)
    good(number('-0.5-0.5'), '0')
    bad(number('-0.5-0.5'), '0.51', /allowed/)
  })

  it('keeps to literals, by what they mean', () => {
    const some = number('1', '2.5', '7-9')
    for (const text of ['1', '1.0', '2.50', '8']) good(some, text)
    for (const text of ['2', '6.9', '-1']) bad(some, text, /allowed/)
  })
})

describe('a value of another format', () => {
  const truth: Resource = { alias: 'a', format: 'boolean', allowed: [], settable: true }
  const text: Resource = { alias: 'a', format: 'string', allowed: [], settable: true }

  it('boolean: true, false, 1, 0', () => {
    for (const one of ['true', 'false', '1', '0']) good(truth, one)
    for (const one of ['True', 'yes', '', '2', 'on', '1.0']) bad(truth, one, /true, false/)
    good({ ...truth, allowed: ['1'] }, 'true')
    bad({ ...truth, allowed: ['1'] }, 'false', /allowed/)
  })

  it('string: any text without NUL, or a literal', () => {
    for (const one of ['', 'a\nb', '🙂', '../', '{"001":1}']) good(text, one)
    bad(text, 'a\0', /NUL/)
    bad(text, '\ud83d', /well-formed/)
    good({ ...text, allowed: ['9-11'] }, '9-11')
    bad({ ...text, allowed: ['9-11'] }, '10', /allowed/)
  })

  it('has at most a mebibyte of UTF-8', () => {
    good(text, 'a'.repeat(limits.resourceValueBytesMax))
    bad(text, 'a'.repeat(limits.resourceValueBytesMax + 1), /bytes/)
    good(text, 'é'.repeat(limits.resourceValueBytesMax / 2))
    bad(text, 'é'.repeat(limits.resourceValueBytesMax / 2 + 1), /bytes/)
  })
})

describe('an allowed item', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

  it('reads back any range that is written', () => {
    fc.assert(
      fc.property(finite, finite, (one, other) => {
        const [from, to] = one <= other ? [one, other] : [other, one]
        const item = `${from}-${to}`
        assert.deepEqual(numericItem(item), { from: Number(`${from}`), to: Number(`${to}`) })
        if (from < to) assert.equal(numericItem(`${to}-${from}`), undefined)
      }),
    )
  })

  it('admits exactly what lies in its range', () => {
    const whole = fc.integer({ min: -50, max: 50 })
    fc.assert(
      fc.property(whole, whole, whole, (one, other, value) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const refusal = checkValue(number(`${from}-${to}`), `${value}`)
        assert.equal(refusal === undefined, from <= value && value <= to)
      }),
    )
  })

  it('is refused where it is neither a number nor a range', () => {
    const others = ['', '-', '9-', '-9-', '11-9', '9..11', '9–11', 'a', '1-2-3', ' 9-11']
    for (const one of [...others, '1e999', '1e999-5', '5-1e999', '-1e999-5']) {
      assert.equal(numericItem(one), undefined, one)
    }
    assert.deepEqual(numericItem('1e-5'), { from: 0.00001, to: 0.00001 })
    assert.deepEqual(numericItem('9-9'), { from: 9, to: 9 })
    assert.deepEqual(numericItem('-1--1'), { from: -1, to: -1 })
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void numericItem(text)))
  })
})

describe('resources', () => {
  const parse = (input: unknown) => parseResources(input, new Map())
  const one = (definition: unknown) => () => parse({ a: definition })

  it('are defined by alias, in order', () => {
    const resources = parse({
      temperature: { format: 'number', unit: '°C' },
      set_point: { format: 'number', allowed: ['9-11'], settable: true, initial: '9', sync: true },
    })
    assert.deepEqual(
      [...resources],
      [
        [
          'temperature',
          { alias: 'temperature', format: 'number', unit: '°C', allowed: [], settable: false },
        ],
        [
          'set_point',
          {
            alias: 'set_point',
            format: 'number',
            allowed: ['9-11'],
            settable: true,
            initial: '9',
            sync: true,
          },
        ],
      ],
    )
  })

  it('change one by one: named ones anew, null ones away, others as they were', () => {
    const before = parse({ a: { format: 'string', settable: true }, b: { format: 'string' } })
    const after = parseResources(
      { a: { format: 'number' }, b: null, c: { format: 'string' } },
      before,
    )
    assert.deepEqual([...after.keys()], ['a', 'c'])
    assert.deepEqual(after.get('a'), { alias: 'a', format: 'number', allowed: [], settable: false })
    assert.deepEqual([...before.keys()], ['a', 'b'])
  })

  it('refuse every bad field by its name', () => {
    const refused: [() => unknown, RegExp][] = [
      [() => parse(null), /resources must be an object/],
      [() => parse([]), /resources must be an object/],
      [() => parse({ 'a.b': { format: 'string' } }), /"\." or "\$"/],
      [() => parse({ a$: { format: 'string' } }), /"\." or "\$"/],
      [() => parse({ '': { format: 'string' } }), /alias must not be empty/],
      [() => parse({ 'a\0': { format: 'string' } }), /control/],
      [
        () => parse({ ['a'.repeat(provisioningLimits.aliasCharsMax + 1)]: { format: 'string' } }),
        /at most 100/,
      ],
      [one('number'), /resources.a must be an object/],
      [one({}), /format must be one of/],
      [one({ format: 'integer' }), /format must be one of/],
      [one({ format: 'string', unit: 3 }), /unit must be a string/],
      [one({ format: 'string', unit: 'x'.repeat(1e6) }), /at most 1000/],
      [one({ format: 'string', allowed: 'a' }), /allowed must be an array/],
      [
        one({ format: 'string', allowed: [null] }),
        /allowed\[0\] must be a string, a number or a boolean/,
      ],
      [one({ format: 'string', allowed: Array(101).fill('a') }), /at most 100/],
      [one({ format: 'number', allowed: ['11-9'] }), /ranges such as/],
      [one({ format: 'boolean', allowed: ['yes'] }), /true, false/],
      [one({ format: 'string', settable: 'yes' }), /settable must be true or false/],
      [one({ format: 'number', settable: true, initial: [] }), /initial must be a string/],
      [one({ format: 'number', settable: true, initial: 'x' }), /must be a number/],
      [
        one({ format: 'number', settable: true, allowed: ['9-11'], initial: '8' }),
        /allowed values/,
      ],
      [one({ format: 'string', sync: 1 }), /sync must be true or false/],
      [one({ format: 'string', colour: 1 }), /no field "colour"/],
      [one({ format: 'string', alias: 'b' }), /same as its key/],
    ]
    for (const [act, says] of refused)
      assert.throws(act, { code: 'invalid_argument', message: says })
  })

  it('are bounded in number and in bytes', () => {
    const many = (count: number, definition: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`r${at}`, definition]))
    assert.equal(parse(many(limits.resourcesMax, { format: 'string' })).size, limits.resourcesMax)
    assert.throws(() => parse(many(limits.resourcesMax + 1, { format: 'string' })), {
      message: /at most 200/,
    })
    const large = { format: 'string', allowed: ['x'.repeat(1000)] }
    assert.throws(() => parse(many(100, large)), { message: /65536 bytes/ })
  })
})

describe('values that the cloud sets', () => {
  const resources = parseResources(
    {
      bob: { format: 'number', settable: true, allowed: ['9-11'] },
      name: { format: 'string', settable: true },
      t: { format: 'number' },
    },
    new Map(),
  )
  it('are texts, numbers or booleans, and kept as texts', () => {
    assert.deepEqual(parseSetValues(resources, { bob: 9 }), { bob: '9' })
    assert.deepEqual(parseSetValues(resources, { bob: '9.0', name: true }), {
      bob: '9.0',
      name: 'true',
    })
  })
  it('are refused, each for its reason', () => {
    const refused: [unknown, string, RegExp][] = [
      [{ t: '1' }, 'not_settable', /^Value is not settable$/],
      [{ nobody: '1' }, 'not_settable', /Value is not settable/],
      [{ bob: '8' }, 'value_refused', /bob must be one of the allowed/],
      [{ bob: 'x' }, 'value_refused', /bob must be a number/],
      [{ name: 'a\0' }, 'value_refused', /NUL/],
      [{ bob: null }, 'invalid_argument', /bob/],
      [{ bob: { a: 1 } }, 'invalid_argument', /bob/],
      [{}, 'invalid_argument', /value/],
      [[], 'invalid_argument', /object/],
      ['x', 'invalid_argument', /object/],
      [JSON.parse('{"__proto__":"x"}'), 'not_settable', /^Value is not settable$/],
    ]
    for (const [input, code, says] of refused) {
      assert.throws(() => parseSetValues(resources, input), { code, message: says })
    }
  })
})
