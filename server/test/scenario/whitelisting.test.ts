import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { demoConnector } from '../../../dev/demo/plant.ts'
import { parseCsv } from '../support/csv.ts'
import { atEnd } from '../support/ends.ts'
import { startInstance } from '../support/instance-process.ts'
import { killableInstance } from '../support/killable.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')
const page = join(root, 'docs', 'using', 'whitelisting.md')
const cli = join(root, 'server', 'src', 'cli', 'index.ts')

it('docs/using/whitelisting.md: its commands work, copied as they stand', async (t) => {
  const { settings, open } = await killableInstance(t)
  const folder = settings.MILLRACE_DATA ?? ''
  const platform = await open()
  const { id } = await platform.accounts.createBusiness({ name: 'Demo' })
  const { token } = await platform.accounts.createToken(id, { name: 'x', role: 'Administrator' })
  await platform.provisioning.connectors.create(id, { ...demoConnector, id: 'demo' })
  await platform.close()
  const instance = await startInstance(settings)
  atEnd(t, () => instance.stop())
  const demo = { api: `${instance.httpUrl}/api:1`, token, connector: { id: 'demo' } }
  await mkdir(join(folder, '.millrace'))
  await writeFile(join(folder, '.millrace', 'demo.json'), JSON.stringify(demo))

  const printed = await pasteAll(folder, settings)
  const answer = parseCsv(await readFile(join(folder, 'answer.csv'), 'utf8'))
  assert.deepEqual(
    answer.map((row) => row[2]),
    ['status', 'unchanged', 'unchanged', 'unchanged', 'failed'],
  )
  assert.match(printed, /^4 rows: 3 added, 0 changed, 0 unchanged, 1 failed; dry run/m)
  assert.match(printed, /^4 rows: 3 added, 0 changed, 0 unchanged, 1 failed$/m)
  assert.match(printed, /\{"total":4,"added":0,"changed":0,"unchanged":3,"failed":1\}/)
  assert.match(printed, /"windows":\[\{"identity":"pump-0001"/)
  assert.match(printed, /\{"extended":2,/)
  assert.match(printed, /1 extended, until 20/)
  assert.match(printed, /^pump-0002 {2}whitelisted .*group=north$/m)
  assert.match(printed, /^pump-0003 is removed$/m)
})

/** Everything that the page would have a person paste, one block after the other. */
async function pasteAll(folder: string, settings: Readonly<Record<string, string>>) {
  const blocks = (await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```/gms)
  const script = [...blocks].map(([, block]) => block).join('\n')
  const pasted = script.replaceAll('npx millrace', `"${process.execPath}" "${cli}"`)
  const { stdout } = await run('bash', ['-c', pasted], {
    cwd: folder,
    env: { ...process.env, ...settings },
  })
  return stdout
}
