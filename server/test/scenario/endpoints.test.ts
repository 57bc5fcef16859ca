import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { pastePage, readersInstance, root } from '../support/page.ts'

it('docs/using/endpoints.md: its commands work, copied as they stand', async (t) => {
  const { folder, settings } = await readersInstance(t)
  for (const dir of ['examples', 'insight-sdk']) {
    await symlink(join(root, dir), join(folder, dir))
  }
  const { stdout } = await pastePage('endpoints.md', { folder, settings })
  assert.match(stdout, /^added {5}endpoint GET \/hello\/\{name\}$/m)
  assert.match(stdout, /"hello":"world"/)
  assert.match(stdout, /HTTP\/1\.1 201 Created\r\n/)
  assert.match(stdout, /^Location: \/notes\r$/m)
  assert.equal(stdout.match(/<h1>oil the pump<\/h1>/g)?.length, 2)
  assert.match(stdout, /^Content-Security-Policy: sandbox\r$/m)
  assert.match(stdout, /"code":"unknown_credential"/)
  assert.match(stdout, /token:[a-z0-9]+/)
  assert.match(stdout, /^Access-Control-Allow-Origin: https:\/\/app\.example\.com\r$/m)
  assert.match(stdout, /^\{"told":1\}\{"joined":"hall"\}$/m)
  assert.match(stdout, /^\{"said":"oil the pump"\}$/m)
  assert.match(stdout, /^\d{2} checks, 0 failed$/m)
  assert.match(stdout, /\n[a-z][a-z0-9]{15}\n$/)
})
