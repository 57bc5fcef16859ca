import { strict as assert } from 'node:assert'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { timedLists, topicsFor } from '../../../../../console/app/ui/updates/topics.ts'

const folder = join(import.meta.dirname, '../../../../../console/app')

/** The first parts of the keys of all queries of the console. */
async function keysOfQueries(): Promise<string[]> {
  const keys = new Set<string>()
  for await (const path of glob('**/*.{ts,tsx}', { cwd: folder })) {
    const text = await readFile(join(folder, path), 'utf8')
    const named = text.matchAll(
      /\b(?:(?:(?:queryKey|key): |useLive\(\s*)\[|useRead\()\s*'([a-z-]+)'/g,
    )
    for (const [, key] of named) keys.add(key ?? '')
  }
  return [...keys].sort()
}

describe('the lists of the console', () => {
  it('are read on changes of their topics, or by a timer for a reason', async () => {
    const keys = await keysOfQueries()
    const timed = keys.filter((key) => topicsFor([key]).length === 0)
    assert.ok(timed.length < keys.length)
    assert.deepEqual(timed, Object.keys(timedLists).sort())
  })
})
