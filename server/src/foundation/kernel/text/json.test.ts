import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../limits.ts'
import { checkJson } from './json.ts'

test('escaped quotes and backslashes end no text, and others do', () => {
  const commas = ','.repeat(limits.jsonValuesMax + 1)
  for (const text of [`"\\"${commas}"`, `["\\\\\\"${commas}"]`, `{"\\\\":"${commas}"}`]) {
    assert.doesNotThrow(() => checkJson(text), text.slice(0, 10))
  }
  for (const text of [`["\\\\"${commas}]`, `["\\"\\\\"${commas}]`]) {
    assert.throws(() => checkJson(text), { code: 'too_large' }, text.slice(0, 10))
  }
})
