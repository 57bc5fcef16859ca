import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { pastePage, readersInstance } from '../support/page.ts'

it('docs/using/interface-clients.md: its commands work, copied as they stand', async (t) => {
  const { folder, settings } = await readersInstance(t)
  // As at the root of the repository.
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  const { stdout, stderr } = await pastePage('interface-clients.md', { folder, settings })
  assert.match(stdout, /^filling\n409 The tank is too small\.$/m)
  assert.match(stdout, /^added {5}module clients\.tanks$/m)
  assert.match(stdout, /^operation fill: parameters\.by is required now {2}garden$/m)
  assert.match(stdout, /^it would break somebody$/m)
  assert.match(stderr, /breaks subscribers: .*parameters\.by is required now \(garden\)/)
  assert.match(stdout, /^refused\n(?:.*\n)*changed {3}service interface$/m)
})
