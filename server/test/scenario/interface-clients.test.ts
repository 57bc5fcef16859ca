import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from '../support/ends.ts'
import { startInstance } from '../support/instance-process.ts'
import { killableInstance } from '../support/killable.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')
const page = join(root, 'docs', 'using', 'interface-clients.md')
const cli = join(root, 'server', 'src', 'cli', 'index.ts')

it('docs/using/interface-clients.md: its commands work, copied as they stand', async (t) => {
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
  // As at the root of the repository.
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')

  const blocks = (await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```/gms)
  const script = [...blocks].map(([, block]) => block).join('\n')
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const { stdout, stderr } = await run(
    'bash',
    ['-ec', script.replaceAll('npx millrace', `"${process.execPath}" "${cli}"`)],
    { cwd: folder, env: { ...process.env, ...settings, PATH }, timeout: 120_000 },
  )
  assert.match(stdout, /^filling\n409 The tank is too small\.$/m)
  assert.match(stdout, /^added {5}module clients\.tanks$/m)
  assert.match(stdout, /^operation fill: parameters\.by is required now {2}garden$/m)
  assert.match(stdout, /^it would break somebody$/m)
  assert.match(stderr, /breaks subscribers: .*parameters\.by is required now \(garden\)/)
  assert.match(stdout, /^refused\n(?:.*\n)*changed {3}service interface$/m)
})
