import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../limits.ts'
import { checkJson, checkJsonInParts, jsonBounds } from './json.ts'

const { jsonPartCharsMax: part, jsonValuesMax } = limits
const partsOf = (text: string) => [...checkJsonInParts(text, jsonBounds())].length

describe('a text of JSON is checked in parts', () => {
  const texts: Readonly<Record<string, string>> = {
    blanks: ' '.repeat(5 * part),
    'escaped quotes in one text': `"${'\\"'.repeat(2.5 * part)}"`,
    'backslashes in texts': `[${`"${'\\\\'.repeat(part / 2 - 4)}",`.repeat(5)}1]`,
  }
  for (const [what, text] of Object.entries(texts)) {
    test(`${what}: each part is short`, () => assert.ok(partsOf(text) >= 2, `${partsOf(text)}`))
  }

  test('a short one is a single part', () => assert.equal(partsOf('{"a": "b\\"c"}'), 0))

  test('escaped quotes and backslashes end no text, and others do', () => {
    const commas = ','.repeat(jsonValuesMax + 1)
    for (const text of [`"\\"${commas}"`, `["\\\\\\"${commas}"]`, `{"\\\\":"${commas}"}`]) {
      assert.doesNotThrow(() => checkJson(text), text.slice(0, 10))
    }
    for (const text of [`["\\\\"${commas}]`, `["\\"\\\\"${commas}]`]) {
      assert.throws(() => checkJson(text), { code: 'too_large' }, text.slice(0, 10))
    }
  })
})
