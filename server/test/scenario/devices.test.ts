import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from '../support/ends.ts'
import { testPlatform } from '../support/platform.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')
const page = join(root, 'docs', 'using', 'devices.md')

it('docs/using/devices.md: its commands work, copied as they stand', async (t) => {
  const millrace = await testPlatform(t)
  const folder = await mkdtemp(join(tmpdir(), 'millrace-page-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  const demo = { api: `${millrace.httpUrl}/api:1`, token: millrace.token }
  await mkdir(join(folder, '.millrace'))
  await writeFile(join(folder, '.millrace', 'demo.json'), JSON.stringify(demo))
  await symlink(dirname(millrace.caFile), join(folder, '.millrace', 'tls'))

  const blocks = (await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```/gms)
  const script = [...blocks].map(([, block]) => block).join('\n')
  const { port } = new URL(millrace.tlsUrl)
  const { stdout } = await run('bash', ['-c', script.replaceAll(':8443/', `:${port}/`)], {
    cwd: folder,
  })

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
