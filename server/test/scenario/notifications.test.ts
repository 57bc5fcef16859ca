import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { demoSettings, startDemo } from '../support/demo.ts'
import { pastePage, root } from '../support/page.ts'

it('docs/using/notifications.md: its commands work, copied as they stand', async (t) => {
  const own = { MILLRACE_LOG: 'silent' }
  const settings: Readonly<Record<string, string>> = { ...(await demoSettings(t)), ...own }
  const { demo, stop } = await startDemo(t, settings)
  const folder = dirname(settings.MILLRACE_DATA ?? '')
  // The reader's folder is the repository, with its packages.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = await pastePage('notifications.md', { folder, settings })
  assert.equal(demo.solutions.alerts, 'weatheralerts')
  assert.match(stdout, /"body":"It is [\d.]+ °C there\."/)
  assert.match(stdout, /"title":"seattle-\d is critical"/)
  assert.match(stdout, /"binding_type":"apn"/)
  assert.match(stdout, /"dry_run":true/)
  assert.match(stdout, /"total":2/)
  assert.match(stdout, /"encoding":"UCS-2"/)
  const sink = /^\S+Z {2}sms {2}\+15551234567 {2}(NT[0-9a-f]{32})\n {2}(\{.*too hot.*\})$/m.exec(
    stdout,
  )
  assert.ok(sink, stdout)
  const sms = { To: '+15551234567', From: '+15550009999', Body: 'It is too hot: 95 °C' }
  assert.deepEqual(JSON.parse(sink[2] ?? ''), sms)
  assert.match(stdout, /"apns-priority":"10".* \{"pump":7,"aps":\{"alert":\{"title":"Pump 7",/)
  assert.match(stdout, new RegExp(`^${sink[1]}  \\S+  2 sent  Pump 7: It is too hot`, 'm'))
  assert.match(stdout, /^BS[0-9a-f]{32} {2}sms {2}\+15551234567 {2}sent$/m)
  assert.match(stdout, /^ {2}\S+Z {2}answer {2}shown in the local sink$/m)
  assert.match(
    stdout,
    /^apn {2}sink\nfcm {2}sink\ngcm {2}sink\nsms {2}sink\nvendor-messenger {2}sink$/m,
  )
  assert.match(stdout, /^ann is reached by apn\nbob is reached by sms\ncid is reached by sms$/m)
  assert.match(stdout, /^sent NT[0-9a-f]{32}$/m)
  assert.match(stdout, /"To":"\+15557654321",.*"Body":"All is well"/)
  assert.match(
    stdout,
    /^line 2: BindingType must be one of [^\n]*\n2 bindings: 1 added,.* 1 failed$/m,
  )
  assert.equal(await stop(), 0)
})
