import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from '../support/ends.ts'
import { startInstance } from '../support/instance-process.ts'
import { killableInstance } from '../support/killable.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')
const page = join(root, 'docs', 'using', 'endpoints.md')
const cli = join(root, 'server', 'src', 'cli', 'index.ts')

it('docs/using/endpoints.md: its commands work, copied as they stand', async (t) => {
  const { settings, open } = await killableInstance(t)
  const folder = settings.MILLRACE_DATA ?? ''
  const platform = await open()
  await platform.accounts.createBusiness({ name: 'Demo' })
  await platform.close()
  const instance = await startInstance(settings)
  atEnd(t, () => instance.stop())
  await mkdir(join(folder, '.millrace'))
  const demo = JSON.stringify({ deviceHttp: instance.httpUrl })
  await writeFile(join(folder, '.millrace', 'demo.json'), demo)
  for (const dir of ['examples', 'insight-sdk']) {
    await symlink(join(root, dir), join(folder, dir))
  }

  const blocks = (await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```/gms)
  const script = [...blocks].map(([, block]) => block).join('\n')
  const node = process.execPath
  const PATH = [dirname(node), process.env.PATH].join(delimiter)
  const { stdout } = await run(
    'bash',
    ['-ec', script.replaceAll('npx millrace', `"${node}" "${cli}"`).replaceAll('npx node', node)],
    { cwd: folder, env: { ...process.env, ...settings, PATH }, timeout: 120_000 },
  )
  assert.match(stdout, /^added {5}endpoint GET \/hello\/\{name\}$/m)
  assert.match(stdout, /"hello":"world"/)
  assert.match(stdout, /HTTP\/1\.1 201 Created\r\n/)
  assert.match(stdout, /^Location: \/notes\r$/m)
  assert.equal(stdout.match(/<h1>oil the pump<\/h1>/g)?.length, 2)
  assert.match(stdout, /^Content-Security-Policy: sandbox\r$/m)
  assert.match(stdout, /"code":"unknown_credential"/)
  assert.match(stdout, /token:[a-z0-9]+/)
  assert.match(stdout, /^Access-Control-Allow-Origin: https:\/\/app\.example\.com\r$/m)
  assert.match(stdout, /^\d{2} checks, 0 failed$/m)
  assert.match(stdout, /\n[a-z][a-z0-9]{15}\n$/)
})
