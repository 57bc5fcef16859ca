import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { lineKinds } from '../../../../src/log/activity/index.ts'

const reference = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'reference')

describe('the types of lines of the activity logs', () => {
  const pages = { connector: 'connector-log.md', solution: 'solutions.md' } as const
  for (const [owner, page] of Object.entries(pages) as [keyof typeof pages, string][]) {
    it(`are in ${page}, each with its meaning`, async () => {
      const text = await readFile(join(reference, page), 'utf8')
      const [, table = ''] =
        /^\| `type` \| what happened \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(text) ?? []
      const kinds = Object.entries(lineKinds[owner])
      assert.equal(table, kinds.map(([kind, meaning]) => `| \`${kind}\` | ${meaning} |\n`).join(''))
    })
  }
})
