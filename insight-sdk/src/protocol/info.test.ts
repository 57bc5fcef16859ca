import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { readInfo } from '../protocol.ts'

test('an info as the protocol has it is read without a complaint', () => {
  const info = {
    group_id_required: true,
    name: 'Vibration',
    description: '**bold**',
    wants_lifecycle_events: true,
    translations: { de: { name: 'Schwingung', description: 'fett' } },
  }
  deepEqual(readInfo(info), { value: info, complaints: [] })
})

test('a missing group_id_required means false, and is complained about', () => {
  deepEqual(readInfo({}), {
    value: { group_id_required: false },
    complaints: ['info: group_id_required is missing, taken as false'],
  })
})

test('fields of the wrong type are left out, a boolean in a string is taken', () => {
  const read = readInfo({ group_id_required: 'true', name: 7, translations: [], extra: 1 })
  deepEqual(read, {
    value: { group_id_required: true },
    complaints: [
      'info: fields that the protocol does not know: ["extra"]',
      'info: group_id_required is the string "true", taken as a boolean',
      'info: name is a number, not a string; it is left out',
      'info: translations is an array, not an object; it is left out',
    ],
  })
})

for (const [what, json] of [
  ['HTML', '<html></html>'],
  ['null', null],
  ['an array', []],
  ['missing', undefined],
] as const) {
  test(`an info that is ${what} is an error`, () => {
    equal(readInfo(json).error?.startsWith(`the info is ${what}`), true)
  })
}
