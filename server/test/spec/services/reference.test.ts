import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { referencePages } from '../../../../dev/reference/pages.ts'

const root = join(import.meta.dirname, '../../../..')

const pages = await referencePages()

describe('the reference: pages that are generated from schemas', () => {
  for (const [path, text] of pages) {
    test(`${path} is up to date`, () => {
      assert.equal(readFileSync(join(root, path), 'utf8'), text, 'run npm run reference')
    })
  }
})
