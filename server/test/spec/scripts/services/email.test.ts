import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { mailLimits } from '../../../../src/foundation/mail/index.ts'
import { scriptMailLimits } from '../../../../src/scripts/services/email/index.ts'
import { interfaceFixture } from '../../../fixtures/interface.ts'
import { anotherProcess } from '../../../fixtures/rotation.ts'
import { serviceCalls, type Table } from '../../../fixtures/service-calls.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const [fixture, shareInstance] = sharedFixture((suite) =>
  interfaceFixture(suite, { movesClock: true }),
)

const { ask, refused } = serviceCalls('email', () => fixture)

const mail = { to: 'ann@example.com', subject: 'Hello', text: 'World' }

describe('email: mails of scripts', () => {
  shareInstance()

  test('send: to one address or to several, text and HTML; the sink has it', async () => {
    assert.deepEqual(await ask('send', mail), { status: 204 })
    const source = `
      return Email.send{to = {"a@example.com", "b@example.com"}, from = "Me <me@example.com>",
        subject = "Ünïcode", html = "<b>x</b>"}.error == nil`
    assert.equal(await fixture.run('pump', source), true)
    const [second, first] = await fixture.millrace.platform.mail.list()
    assert.deepEqual([first?.to, first?.subject, first?.text], [[mail.to], 'Hello', 'World'])
    assert.deepEqual(second?.to, ['a@example.com', 'b@example.com'])
    assert.deepEqual([second?.replyTo, second?.html], ['Me <me@example.com>', '<b>x</b>'])
    assert.deepEqual([second?.from, first?.replyTo], [first?.from, null])
    assert.equal(first?.businessId, fixture.businessId)
  })

  test('send: only a sender that the operator allows to the business is the sender', async () => {
    const { platform, httpUrl, operator: authorization } = fixture.millrace
    const path = `/businesses/${fixture.businessId}/mail-senders`
    const asOperator = (method: string, sender = '') =>
      fetch(`${httpUrl}/api:1${path}${sender}`, { method, headers: { authorization } })
    for (const sender of ['/ann@plant.example', '/%40mill.example']) {
      assert.equal((await asOperator('PUT', sender)).status, 204)
    }
    assert.equal((await asOperator('PUT', '/example.com')).status, 400)
    for (const [from, isSender] of [
      ['Ann <Ann@plant.example>', true],
      ['bob@mill.example', true],
      ['bob@plant.example', false],
      ['bob@sub.mill.example', false],
      ['a@mill.example <x@evil.example>', false],
    ] as const) {
      assert.deepEqual(await ask('send', { ...mail, from }), { status: 204 })
      const [last] = await platform.mail.list()
      assert.deepEqual([last?.from === from, last?.replyTo === from], [isSender, !isSender], from)
    }
    assert.equal((await asOperator('DELETE', '/ann@plant.example')).status, 204)
    assert.deepEqual(await (await asOperator('GET')).json(), { senders: ['@mill.example'] })
  })

  test('send: what would be another header, or no mail, is refused by name', async () => {
    const before = (await fixture.millrace.platform.mail.list()).length
    await refused('send', { ...mail, subject: 'a\r\nBcc: x@example.com' }, 400, /subject/)
    await refused('send', { ...mail, to: 'a@example.com\r\nBcc: x@y.z' }, 400, /to /)
    await refused('send', { ...mail, to: 'a@example.com, b@example.com' }, 400, /to /)
    await refused('send', { ...mail, from: 'x\ny@example.com' }, 400, /from/)
    await refused('send', { ...mail, to: [] }, 400, /to must/)
    await refused('send', { to: mail.to, subject: 'x' }, 400, /text or html/)
    await refused('send', { subject: 'x', text: 'y' }, 400, /to must be given/)
    await refused('send', { ...mail, attachments: [] }, 400, /no argument attachments/)
    const many = Array.from({ length: limits.mailRecipientsMax + 1 }, () => mail.to)
    await refused('send', { ...mail, to: many }, 400, /to must be/)
    const large = { ...mail, text: 'x'.repeat(mailLimits.mailBodyBytesMax + 1) }
    await refused('send', large, 413, /at most/)
    assert.equal((await fixture.millrace.platform.mail.list()).length, before)
  })

  test('the rate counts recipients of each solution by itself', async () => {
    const settings = { per_minute: scriptMailLimits.emailsPerMinute, per_day: limits.emailsPerDay }
    assert.deepEqual(await ask('getSettings'), {
      ...settings,
      recipients: limits.mailRecipientsMax,
    })
    fixture.millrace.clock.advance(60_000)
    const half = Array.from({ length: scriptMailLimits.emailsPerMinute / 2 }, () => mail.to)
    for (let at = 0; at < 2; at += 1) {
      assert.deepEqual(await ask('send', { ...mail, to: half }), { status: 204 })
    }
    await refused('send', mail, 429, /at most/)
    await fixture.solution('postman')
    const source = 'return Email.send{to = "a@example.com", subject = "x", text = "y"}.status'
    assert.equal(await fixture.run('postman', source), 204)
    fixture.millrace.clock.advance(60_000)
    assert.deepEqual(await ask('send', mail), { status: 204 })
  })

  test('the rate holds across processes, and a refused mail counts nothing', async (t) => {
    const other = await anotherProcess(t, fixture.millrace)
    fixture.millrace.clock.advance(60_000)
    const source = `
      local to = {}
      for at = 1, event do to[at] = "r" .. at .. "@example.com" end
      return Email.send{to = to, subject = "x", text = "y"}.status`
    await fixture.put('pump', 'mail_out', source)
    const sent = async ({ scripting }: Pick<typeof other, 'scripting'>, argument: number) => {
      const { businessId } = fixture
      const call = { businessId, solutionId: 'pump', service: 'mail', event: 'out', argument }
      return scripting.api.run(call)
    }
    const half = scriptMailLimits.emailsPerMinute / 2
    const { platform } = fixture.millrace
    const answers = [
      await sent(platform, half),
      await sent(other, half + 1),
      await sent(other, half),
      await sent(platform, 1),
    ]
    const statuses = answers.map((end) => (end.kind === 'returned' ? end.value : end))
    assert.deepEqual(statuses, [204, 429, 204, 429])
    await fixture.solution('mailer')
    await fixture.run('mailer', 'return Email.send{to = "a@b.c", subject = "x", text = "y"}.status')
    assert.equal((await fixture.ask('DELETE', '/solution/mailer?confirm=mailer')).status, 204)
    const rows = await platform.database.rows('select 1 from email_rate where solution_id = $1', [
      'mailer',
    ])
    assert.deepEqual(rows, [])
  })
})

describe('services of earlier generations', () => {
  shareInstance()

  test('a call is a 410 that names the successor, and no other operation is there', async () => {
    const source = `
      return {Timeseries.write{query = "temp,id=1 value=5"}, Twilio.postMessage{Body = "x"},
        Device.rpcCall{pid = "p", auth = {client_id = "c"}, calls = {{id = 1}}},
        murano.service_call("device", "constructor", {})}`
    const answers = (await fixture.run('pump', source)) as unknown as Table[]
    const seen = answers.map(({ status, error }) => [status, error])
    const wanted = [
      [410, /Tsdb/],
      [410, /Notification/],
      [410, /Device2/],
      [404, /no operation/],
    ]
    assert.equal(seen.length, wanted.length)
    for (const [at, [status, error]] of wanted.entries()) {
      assert.equal(seen[at]?.[0], status)
      assert.match(String(seen[at]?.[1]), error as RegExp)
    }
  })

  test('the names stay free: a connector can have the script key device', async () => {
    await fixture.solution('older')
    const { id } = fixture.millrace.connector
    await fixture.subscribe('older', id, { script_key: 'device' })
    const source = 'return Device.countIdentities().count >= 0'
    assert.equal(await fixture.run('older', source), true)
  })

  test('an empty configuration of twilio is accepted', async () => {
    await fixture.subscriber('texter', 'twilio', {})
    const source = 'return Twilio.listMessage().status'
    assert.equal(await fixture.run('texter', source), 410)
  })
})
