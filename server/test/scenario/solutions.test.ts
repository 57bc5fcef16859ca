import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { pastePage, readersInstance, root, withDemoConnector } from '../support/page.ts'

it('docs/using/solutions.md: its commands work, copied as they stand', async (t) => {
  const { folder, settings } = await readersInstance(t, withDemoConnector)
  await symlink(join(root, 'examples'), join(folder, 'examples'))
  const { stdout } = await pastePage('solutions.md', { folder, settings })
  assert.match(stdout, /^added {5}handler device2_event$/m)
  assert.match(stdout, /^added {5}service interface$/m)
  assert.match(stdout, /^added {5}module pumps\.levels$/m)
  assert.match(stdout, / info {3}handle_device2_event {2}pump-\d+ is at 7\.5$/m)
  assert.match(stdout, / warn {3}handle_pumps_alarm {2}pump-\d+ was at 9\.5, and is at 9\.5$/m)
  assert.match(stdout, / 1 try {2}device2_event {2}500 device2_event\.lua:8: .*compare/m)
  assert.match(stdout, /^changed {3}module pumps\.levels$/m)
  assert.match(stdout, /^1 will be handled again$/m)
  assert.match(stdout, / info {3}handle_device2_event {2}pump-\d+ is at 9\.25$/m)
})
