import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import {
  createLogger,
  limits,
  systemClock,
  systemRandom,
} from '../../../../src/foundation/kernel/index.ts'
import { createMail, mailLimits, parseSmtpUrl } from '../../../../src/foundation/mail/index.ts'
import { readConfig } from '../../../../src/platform/config/index.ts'
import { refused } from '../../../fixtures/accounts.ts'
import { testDatabase } from '../../../fixtures/database.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { smtpPeer } from '../../../fixtures/peers/smtp.ts'
import { testPlatform } from '../../../fixtures/platform.ts'

type Test = Parameters<typeof testDatabase>[0]

const hello = { to: ['ann@example.com'], subject: 'Hello', text: 'Good morning.' }

async function makeMail(t: Test, url?: string) {
  const database = await testDatabase(t)
  const mail = createMail({
    database,
    clock: systemClock(),
    random: systemRandom,
    logger: createLogger('silent'),
    from: 'Millrace <millrace@example.com>',
    smtp: url === undefined ? undefined : parseSmtpUrl(url),
  })
  atEnd(t, () => mail.close())
  return mail
}

describe('mail over SMTP', () => {
  it('reaches the server with its sender, recipients and both bodies', async (t) => {
    const peer = await smtpPeer(t)
    const mail = await makeMail(t, `smtp://me:p%40ss@127.0.0.1:${peer.port}`)
    assert.equal(mail.isSent, true)
    const to = ['ann@example.com', 'Tim <tim@example.com>']
    await mail.send('b', { ...hello, to, subject: 'Grüße', html: '<b>Good morning.</b>' })
    const [received] = peer.received
    assert.match(received?.from ?? '', /<millrace@example\.com>/)
    assert.deepEqual(
      received?.to.map((line) => /<(.*)>/.exec(line)?.[1]),
      ['ann@example.com', 'tim@example.com'],
    )
    assert.equal(received?.auth, '\0me\0p@ss')
    assert.match(received?.data ?? '', /^From: Millrace <millrace@example\.com>/m)
    assert.match(received?.data ?? '', /text\/plain[\s\S]*text\/html/)
    assert.deepEqual(await mail.list(), [], 'nothing is kept that a server took')
  })

  it('has the sender of the instance, and a Reply-To of one that is not allowed', async (t) => {
    const peer = await smtpPeer(t)
    const mail = await makeMail(t, `smtp://127.0.0.1:${peer.port}`)
    await mail.send('b', { ...hello, from: 'Tim <tim@other.example>' })
    const { from, data } = peer.received[0] ?? assert.fail()
    assert.match(from, /<millrace@example\.com>/)
    assert.match(data, /^From: Millrace <millrace@example\.com>/m)
    assert.match(data, /^Reply-To: Tim <tim@other\.example>/m)
  })

  it('is refused with the words of the server, and nothing is kept', async (t) => {
    const peer = await smtpPeer(t)
    const mail = await makeMail(t, `smtp://127.0.0.1:${peer.port}`)
    peer.refusal = '550 no such user here'
    await assert.rejects(mail.send('b', hello), refused('mail_failed'))
    await assert.rejects(mail.send('b', hello), /no such user here/)
    assert.equal(peer.received.length, 0)
  })

  it('fails within its time if the server says nothing or is not there', async (t) => {
    const before = limits.mailMsMax
    atEnd(t, () => Object.assign(limits, { mailMsMax: before }))
    Object.assign(limits, { mailMsMax: 300 })
    const peer = await smtpPeer(t)
    peer.silent = true
    const mail = await makeMail(t, `smtp://127.0.0.1:${peer.port}`)
    await assert.rejects(mail.send(null, hello), refused('mail_failed'))
    const nobody = await makeMail(t, 'smtp://127.0.0.1:1')
    await assert.rejects(nobody.send(null, hello), refused('mail_failed'))
  })
})

describe('mail without a server', () => {
  it('is kept for the operator, who lists and reads it', async (t) => {
    const { platform, httpUrl, businessId, operator } = await testPlatform(t)
    await platform.mail.send(businessId, hello)
    const ask = (path: string, authorization: string) =>
      fetch(`${httpUrl}/api:1${path}`, { headers: { authorization } })
    type Listed = { mails: { id: string; business_id: string }[] }
    const { mails } = (await (await ask('/mails', operator)).json()) as Listed
    const [mail, ...more] = mails.filter((listed) => listed.business_id === businessId)
    assert.deepEqual(more, [])
    const one = await ask(`/mails/${mail?.id}`, operator)
    const { id: _id, created_at: _at, ...rest } = (await one.json()) as Record<string, unknown>
    const from = 'Millrace <millrace@localhost>'
    assert.deepEqual(rest, { ...hello, business_id: businessId, from, reply_to: null, html: null })
    assert.equal((await ask('/mails/none', operator)).status, 404)
  })

  it('keeps the last of them only', async (t) => {
    const before = mailLimits.mailsStoredMax
    atEnd(t, () => Object.assign(mailLimits, { mailsStoredMax: before }))
    Object.assign(mailLimits, { mailsStoredMax: 3 })
    const mail = await makeMail(t)
    for (const subject of ['1', '2', '3', '4', '5']) await mail.send(null, { ...hello, subject })
    assert.equal((await mail.list()).length, 3)
  })
})

describe('a mail that is none', () => {
  it('is refused with a sentence, whatever it holds', async (t) => {
    const mail = await makeMail(t)
    const wrong = [
      { ...hello, to: [] },
      { ...hello, to: ['ann'] },
      { ...hello, to: ['ann@example.com\r\nBcc: all@example.com'] },
      { ...hello, to: ['ann@example.com, tim@example.com'] },
      { ...hello, to: Array.from({ length: limits.mailRecipientsMax + 1 }, () => 'a@b') },
      { ...hello, subject: 'Hello\r\nBcc: all@example.com' },
      { ...hello, subject: 'x'.repeat(mailLimits.mailSubjectCharsMax + 1) },
      { ...hello, from: 'Ann <ann@example.com>\r\nX: y' },
      { ...hello, text: '' },
    ]
    for (const one of wrong) {
      await assert.rejects(mail.send('b', one), refused('invalid_argument'), JSON.stringify(one))
    }
    const large = 'x'.repeat(mailLimits.mailBodyBytesMax + 1)
    await assert.rejects(mail.send('b', { ...hello, text: large }), refused('too_large'))
    assert.deepEqual(await mail.list(), [])
  })

  it('a server is named by an SMTP URL, and a wrong one is not repeated', () => {
    assert.equal(readConfig({ MILLRACE_SMTP_URL: 'smtps://h' }, '/').smtp?.port, 465)
    for (const url of ['http://h', 'smtp://', 'smtp://h/x', 'me:secret@h']) {
      const read = () => readConfig({ MILLRACE_SMTP_URL: url }, '/')
      assert.throws(read, (error: Error) => !error.message.includes('secret'), url)
    }
  })
})
