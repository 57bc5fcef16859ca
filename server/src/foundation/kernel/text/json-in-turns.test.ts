import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { setLimits } from '../../../../test/fixtures/bounds.ts'
import { limits } from '../limits.ts'
import { parseJsonInTurns } from './json-in-turns.ts'

/** Two numbers have fewer characters; many texts have more. */
const partChars = 64

const units = fc.array(fc.integer({ max: 0xffff, min: 0 }), { maxLength: 3 * partChars })
const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '', '1', '01', 'a'),
  fc.string({ maxLength: 2 * partChars }),
)
const texts = fc.oneof(
  units.map((all) => String.fromCharCode(...all)),
  fc.string({ unit: fc.constantFrom('\\', '"', '\n', '\u2028', '\ud83d', 'u', '0') }),
)
const escapedTexts = units.map((all) => {
  return `"${all.map((one) => `\\u${one.toString(16).padStart(4, '0')}`).join('')}"`
})
const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 40 })

/** Texts of JSON with any names, also the same twice, and blanks anywhere. */
const { json } = fc.letrec<{ json: string }>((tie) => {
  const padded = fc.tuple(blanks, tie('json'), blanks).map((parts) => parts.join(''))
  const name = names.map((one) => JSON.stringify(one))
  const field = fc.tuple(blanks, name, blanks, padded).map(([before, text, behind, value]) => {
    return `${before}${text}${behind}:${value}`
  })
  return {
    json: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.double(), fc.boolean(), fc.constant(null)).map((one) => JSON.stringify(one)),
      fc.constantFrom('-0', '1e400', '1E-7', '0.10'),
      texts.map((text) => JSON.stringify(text)),
      escapedTexts,
      fc.array(padded, { maxLength: 5 }).map((all) => `[${all.join()}]`),
      fc.array(field, { maxLength: 5 }).map((all) => `{${all.join()}}`),
    ),
  }
})

async function assertSame(text: string): Promise<void> {
  let expected: unknown
  try {
    expected = JSON.parse(text)
  } catch {
    return assert.rejects(parseJsonInTurns(text), SyntaxError)
  }
  const value = await parseJsonInTurns(text)
  assert.deepStrictEqual(value, expected)
  assert.equal(JSON.stringify(value), JSON.stringify(expected))
}

describe('a text that is parsed in parts', () => {
  test('has the value of JSON.parse', async (t) => {
    setLimits(t, { jsonPartCharsMax: partChars })
    await fc.assert(fc.asyncProperty(json, assertSame))
  })

  test('is refused where JSON.parse refuses it', async (t) => {
    setLimits(t, { jsonPartCharsMax: partChars })
    const change = fc.record({
      at: fc.nat(),
      gone: fc.integer({ min: 0, max: 2 }),
      come: fc.constantFrom('', '"', '\\', ',', ':', '[', ']', '{', '}', '0', '-', '\ufeff', '\0'),
    })
    const changed = fc.tuple(json, change).map(([text, { at, gone, come }]) => {
      const place = at % (text.length + 1)
      return `${text.slice(0, place)}${come}${text.slice(place + gone)}`
    })
    await fc.assert(fc.asyncProperty(changed, assertSame))
  })

  test('is refused past the bounds', async () => {
    const { jsonDepthMax, jsonFieldsMax, jsonPartCharsMax, jsonValuesMax } = limits
    const large = ' '.repeat(jsonPartCharsMax)
    const fields = Array.from({ length: jsonFieldsMax + 1 }, (_, at) => `"${at}":1`)
    const tooLarge = [
      `[${'1,'.repeat(jsonValuesMax)}1]`,
      `{${fields.join()}}`,
      `[${'1'.repeat(jsonPartCharsMax + 1)}]`,
    ]
    for (const text of tooLarge) {
      await assert.rejects(parseJsonInTurns(text + large), { code: 'too_large' })
    }
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}${large}`
    await parseJsonInTurns(nested(jsonDepthMax))
    await assert.rejects(parseJsonInTurns(nested(jsonDepthMax + 1)), /nested deeper than/)
  })
})

describe('others have their turns while a large text is parsed', () => {
  const { jsonPartCharsMax: part } = limits
  const large: Readonly<Record<string, string>> = {
    blanks: `${' '.repeat(5 * part)}1`,
    'a text of escaped quotes': `"${'\\"'.repeat(2.5 * part)}"`,
    'texts of backslashes': `[${`"${'\\\\'.repeat(part / 2)}",`.repeat(5)}1]`,
    'many values': `[${'{},'.repeat(5_000)}{}]${' '.repeat(part)}`,
  }
  for (const [what, text] of Object.entries(large)) {
    test(what, async () => {
      let turns = 0
      let parsing = true
      const count = () => {
        turns += 1
        if (parsing) setImmediate(count)
      }
      setImmediate(count)
      await parseJsonInTurns(text)
      parsing = false
      assert.ok(turns >= 5, `${turns} turns`)
    })
  }
})
