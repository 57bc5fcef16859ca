import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { pastePage, readersInstance, root, withDemoConnector } from '../support/page.ts'

it('docs/using/developing-solutions.md: its commands work, copied as they stand', async (t) => {
  const { folder, settings } = await readersInstance(t, withDemoConnector)
  const { stdout } = await pastePage('developing-solutions.md', { folder, settings })
  assert.match(stdout, /^result {2}"Welcome, Countess Ada"$/m)
  assert.match(stdout, /^the solution door is new$/m)
  assert.match(
    stdout,
    /^[\d:.]+ {2}returned {2}user_enters .* 1 service call\n {4}info {2}guest 1$/m,
  )
  assert.match(stdout, /^[\d:.]+ {2}failed {2}user_enters .*\n {4}info {2}guest 2\n/m)
  assert.match(stdout, /^not pushed: what was there before runs on$/m)
  // What the page shows of an error is what is shown.
  const page = await readFile(join(root, 'docs', 'using', 'developing-solutions.md'), 'utf8')
  const [shown = ''] = /^ {8}modules\/names\.lua:3[\s\S]*?(?=\n\n)/m.exec(page) ?? []
  assert.ok(stdout.includes(shown.replaceAll(/^ {4}/gm, '')), `${shown} is shown`)
  assert.match(stdout, /^ {2}failed {3}test_who_has_no_title_is_called_by_name /m)
  assert.match(stdout, /^2 passed, 1 failed, in /m)
  assert.match(stdout, /^1 passed, 0 failed, in /m)
  assert.match(stdout, /^ {2}ok {7}test_a_door_that_does_not_count_is_heard /m)
  assert.match(stdout, /^4 passed, 0 failed, in /m)
})
