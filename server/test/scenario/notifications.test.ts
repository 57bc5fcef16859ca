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
const page = join(root, 'docs', 'using', 'notifications.md')
const cli = join(root, 'server', 'src', 'cli', 'index.ts')

it('docs/using/notifications.md: its commands work, copied as they stand', async (t) => {
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

  const blocks = (await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```/gms)
  const script = [...blocks].map(([, block]) => block).join('\n')
  const node = process.execPath
  const PATH = [dirname(node), process.env.PATH].join(delimiter)
  const { stdout } = await run(
    'bash',
    ['-ec', script.replaceAll('npx millrace', `"${node}" "${cli}"`)],
    { cwd: folder, env: { ...process.env, ...settings, PATH }, timeout: 120_000 },
  )
  assert.match(stdout, /"binding_type":"apn"/)
  assert.match(stdout, /"dry_run":true/)
  assert.match(stdout, /"total":2/)
  assert.match(stdout, /"encoding":"UCS-2"/)
  const sink = /^\S+Z {2}sms {2}\+15551234567 {2}(NT[0-9a-f]{32})\n {2}(\{.*\})$/m.exec(stdout)
  assert.ok(sink, stdout)
  const sms = { To: '+15551234567', From: '+15550009999', Body: 'It is too hot: 95 °C' }
  assert.deepEqual(JSON.parse(sink[2] ?? ''), sms)
  assert.match(stdout, /"apns-priority":"10".* \{"pump":7,"aps":\{"alert":\{"title":"Pump 7",/)
  assert.match(stdout, new RegExp(`^${sink[1]}  \\S+  2 sent  Pump 7: It is too hot`, 'm'))
  assert.match(stdout, /^BS[0-9a-f]{32} {2}sms {2}\+15551234567 {2}sent$/m)
  assert.match(stdout, /^ {2}\S+Z {2}answer {2}shown in the local sink$/m)
})
