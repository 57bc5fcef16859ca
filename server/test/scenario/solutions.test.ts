import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { demoConnector } from '../../../dev/demo/plant.ts'
import { atEnd } from '../support/ends.ts'
import { startInstance } from '../support/instance-process.ts'
import { killableInstance } from '../support/killable.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')
const page = join(root, 'docs', 'using', 'solutions.md')
const cli = join(root, 'server', 'src', 'cli', 'index.ts')

it('docs/using/solutions.md: its commands work, copied as they stand', async (t) => {
  const { settings, open } = await killableInstance(t)
  const folder = settings.MILLRACE_DATA ?? ''
  const platform = await open()
  const { id } = await platform.accounts.createBusiness({ name: 'Demo' })
  await platform.provisioning.connectors.create(id, { ...demoConnector, id: 'demo' })
  await platform.close()
  const instance = await startInstance(settings)
  atEnd(t, () => instance.stop())
  await mkdir(join(folder, '.millrace'))
  const demo = JSON.stringify({ deviceHttp: instance.httpUrl })
  await writeFile(join(folder, '.millrace', 'demo.json'), demo)
  await symlink(join(root, 'examples'), join(folder, 'examples'))

  const blocks = (await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```/gms)
  const script = [...blocks].map(([, block]) => block).join('\n')
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const { stdout } = await run(
    'bash',
    ['-ec', script.replaceAll('npx millrace', `"${process.execPath}" "${cli}"`)],
    { cwd: folder, env: { ...process.env, ...settings, PATH }, timeout: 120_000 },
  )
  assert.match(stdout, /^added {5}handler device2_event$/m)
  assert.match(stdout, /^added {5}service interface$/m)
  assert.match(stdout, /^added {5}module pumps\.levels$/m)
  assert.match(stdout, / info {3}handle_device2_event {2}pump-\d+ is at 7\.5$/m)
  assert.match(stdout, / warn {3}handle_pumps_alarm {2}pump-\d+ was at 9\.5, and is at 9\.5$/m)
  assert.match(stdout, / 1 tries {2}device2_event {2}500 device2_event\.lua:8: .*compare/m)
  assert.match(stdout, /^changed {3}module pumps\.levels$/m)
  assert.match(stdout, /^1 will be handled again$/m)
  assert.match(stdout, / info {3}handle_device2_event {2}pump-\d+ is at 9\.25$/m)
})
