import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { atEnd } from '../support/ends.ts'
import { pastePage, writeDemoFile } from '../support/page.ts'
import { testPlatform } from '../support/platform.ts'

it('docs/using/devices.md: its commands work, copied as they stand', async (t) => {
  const millrace = await testPlatform(t)
  const folder = await mkdtemp(join(tmpdir(), 'millrace-page-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  await writeDemoFile(folder, { api: `${millrace.httpUrl}/api:1`, token: millrace.token })
  await symlink(dirname(millrace.caFile), join(folder, '.millrace', 'tls'))
  const { port } = new URL(millrace.tlsUrl)
  const replaced = { ':8443/': `:${port}/` }
  const { stdout } = await pastePage('devices.md', { folder, replaced })

  const entries = await millrace.platform.database.rows<{ what: string }>(
    `select connector_id || ' ' || identity || ' ' || kind as what from eventlog_entry
     order by at`,
  )
  assert.deepEqual(
    entries.map(({ what }) => what),
    ['meters-t meter-1', 'meters-p meter-2', 'meters-c meter-3', 'meters-t meter-3'].flatMap(
      (who) => [`${who} provisioned`, `${who} write`],
    ),
  )
  const codes = stdout.split('\n').filter((line) => /^[a-z_]*\d{3}$/.test(line))
  assert.deepEqual(codes, ['204', '204', '204', '204', '204', 'unknown_credential401'])
  assert.match(stdout, /"type":"refusal".*"message":"The request carries no credential\."/)
  assert.match(stdout, /"type":"write".*"message":"Wrote level=3\."/)
})
