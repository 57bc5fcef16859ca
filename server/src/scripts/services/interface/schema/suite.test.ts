import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Fault } from '../../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'
import { checkValue } from './check.ts'
import { formats } from './formats.ts'
import { schemaReader } from './parse.ts'

type Group = {
  description: string
  schema: unknown
  tests: { description: string; data: ScriptValue; valid: boolean }[]
}

/** JSON Schema's own suite, as Debian's package json-schema-test-suite installs it. */
const suite = '/usr/share/json-schema-test-suite/tests/draft6'
const files = [
  ...['additionalItems', 'additionalProperties', 'enum', 'exclusiveMaximum'],
  ...['exclusiveMinimum', 'items', 'maxItems', 'maxLength', 'maxProperties', 'maximum'],
  ...['minItems', 'minLength', 'minProperties', 'minimum', 'pattern', 'patternProperties'],
  ...['properties', 'required', 'type', 'uniqueItems', 'optional/format'],
]

describe('payload schema, draft 6 of JSON Schema', () => {
  const installed = existsSync(suite)
  for (const file of files) {
    const skip = installed ? false : 'json-schema-test-suite is not installed'
    it(file, { skip }, (t) => {
      const groups: Group[] = JSON.parse(readFileSync(join(suite, `${file}.json`), 'utf8'))
      let left = 0
      for (const { description, schema, tests } of groups) {
        const node = readable(schema)
        if (node === undefined) {
          left += 1
          continue
        }
        for (const test of tests) {
          const place = `${file}: ${description}: ${test.description}`
          assert.equal(passes(node, test.data), test.valid, place)
        }
      }
      t.diagnostic(`${groups.length - left} groups of ${groups.length}`)
      assert.ok(left < groups.length, 'no group can be run')
    })
  }
})

/** Undefined if a group uses what the spec does not list: other keywords, true and false. */
function readable(schema: unknown) {
  const { format } = schema as { format?: string }
  if (format !== undefined && !formats.has(format)) return undefined
  try {
    return schemaReader()('schema', schema)
  } catch (error) {
    assert.ok(error instanceof Fault)
    return undefined
  }
}

function passes(node: ReturnType<ReturnType<typeof schemaReader>>, value: ScriptValue): boolean {
  try {
    checkValue(node, 'value', value, { emptyTables: false })
    return true
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === 'invalid_argument', String(error))
    return false
  }
}
