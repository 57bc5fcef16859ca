import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'

test('a process with a parent ends after it has loaded all benches', async (t) => {
  const file = join(import.meta.dirname, 'benches.ts')
  const script = `const { readGoals } = await import(${JSON.stringify(file)}); await readGoals()`
  // A script that answers its parent would wait for its questions for ever.
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  t.after(() => child.kill())
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})
