import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pastePage, readersInstance } from '../support/page.ts'

it('docs/using/notifications.md: its commands work, copied as they stand', async (t) => {
  const { folder, settings } = await readersInstance(t)
  const { stdout } = await pastePage('notifications.md', { folder, settings })
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
