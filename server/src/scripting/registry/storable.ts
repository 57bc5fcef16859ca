import { type Fields, invalidField, objectField } from '../../kernel/index.ts'

// JSON.stringify escapes a NUL and half of a pair in this spelling, and no other text.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** An object that can be stored as JSON: not too large, and of texts that a database takes. */
export function storableField(field: string, value: unknown, bytesMax: number): Fields {
  const fields = objectField(field, value)
  const text = JSON.stringify(fields)
  if (Buffer.byteLength(text) > bytesMax)
    throw invalidField(field, `has more than ${bytesMax} bytes`)
  if (unstorable.test(text))
    throw invalidField(field, 'holds a NUL, or Unicode that is not well-formed')
  return fields
}
