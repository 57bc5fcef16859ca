import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { demoConnector } from '../../../dev/demo/plant.ts'
import { atEnd } from '../support/ends.ts'
import { startInstance } from '../support/instance-process.ts'
import { killableInstance } from '../support/killable.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')
const page = join(root, 'docs', 'using', 'second-day.md')
const cli = join(root, 'server', 'src', 'cli', 'index.ts')

it('docs/using/second-day.md: its commands work, copied as they stand', async (t) => {
  const { settings, open } = await killableInstance(t)
  const folder = settings.MILLRACE_DATA ?? ''
  const platform = await open()
  const { id } = await platform.accounts.createBusiness({ name: 'Demo' })
  await platform.provisioning.connectors.create(id, { ...demoConnector, id: 'demo' })
  await platform.close()
  const instance = await startInstance(settings)
  atEnd(t, () => instance.stop())
  await mkdir(join(folder, '.millrace'))
  await writeFile(
    join(folder, '.millrace', 'demo.json'),
    JSON.stringify({ deviceHttp: instance.httpUrl }),
  )
  const blocks = (await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```/gms)
  const script = [...blocks].map(([, block]) => block).join('\n')
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const { stdout } = await run(
    'bash',
    ['-ec', script.replaceAll('npx millrace', `"${process.execPath}" "${cli}"`)],
    { cwd: folder, env: { ...process.env, ...settings, PATH }, timeout: 120_000 },
  )
  const pump = 'pump-\\d+'
  assert.match(stdout, new RegExp(`^${pump} is locked; .*\nlocked 403\n`))
  assert.match(stdout, new RegExp(`\n${pump} is unlocked\n 204\n`))
  assert.match(stdout, /\n1 ordered to activate again\nunknown_credential 401\n 204\n/)
  const rotated = ` may get a new credential with its old one until \\S+\n 204\n 204\n`
  assert.match(stdout, new RegExp(`\n${pump}${rotated}unknown_credential 401\n`))
  assert.match(stdout, new RegExp(`\n${pump} is removed\nunknown_credential 401\n$`))
})
