import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { notificationLimits } from '../../../../src/scripts/services/notification/index.ts'
import { askEndpoint } from '../../../fixtures/endpoints.ts'
import { until } from '../../../fixtures/interface.ts'
import {
  type Answer,
  type NotificationFixture,
  notificationFixture,
  serviceSid,
} from '../../../fixtures/notification.ts'
import {
  account,
  askRest,
  type RestAnswer,
  type RestAsk,
} from '../../../fixtures/peers/notify-rest.ts'
import { assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const bindings = `/v1/Services/${serviceSid}/Bindings`
const notifications = `/v1/Services/${serviceSid}/Notifications`

function assertRefused(answer: RestAnswer, status: number, code: number, message: RegExp): void {
  assert.deepEqual(
    { ...answer.json, message: '' },
    { code, message: '', more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  )
  assert.equal(answer.status, status)
  assert.match(answer.json.message, message)
  assert.match(String(answer.headers['content-type']), /^application\/json/)
}

let fixture: NotificationFixture

let configuration: string

const ask = (path: string, how?: RestAsk) => askRest(fixture.millrace.httpUrl, path, how)

const bind = (form: RestAsk['form']) => ask(bindings, { method: 'POST', form: form ?? {} })

const send = (form: NonNullable<RestAsk['form']>) => ask(notifications, { method: 'POST', form })

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await notificationFixture(suite)
  const body = { AccountSid: account.sid, AuthToken: account.token }
  configuration = await fixture.subscribe('pump', 'notification', body)
  for (let n = 0; n < 4; n += 1) {
    const form = { Identity: 'bob', BindingType: 'sms', Address: `+1555200000${n}`, Tag: 'list' }
    assert.equal((await bind(form)).status, 201)
  }
})

const wrong: [what: string, form: RestAsk['form'], message: RegExp][] = [
  ['no Identity', { BindingType: 'sms', Address: '+15551234567' }, /^Identity is missing/],
  ['another field', { Colour: 'red' }, /^there is no argument Colour/],
  ['a field twice', { Identity: ['a', 'b'] }, /^Identity is given more than once/],
]

const unsent: [what: string, form: Record<string, string | string[]>, message: RegExp][] = [
  ['nobody to reach', { Body: 'b' }, /^Identity or Tag is missing/],
  ['a ToBinding that is none', { ToBinding: 'x', Body: 'b' }, /^ToBinding must be JSON/],
  ['ToBinding beside Tag', { Tag: 'all', ToBinding: toSms(1), Body: 'b' }, /^ToBinding stands/],
  ['a Segment', { Tag: 'all', Body: 'b', Segment: 's' }, /^Segment is not served/],
]

describe('notification: the legacy REST API: bindings over the wire', () => {
  shareInstance()

  test('a list has absolute URLs of its neighbours, null where there is none', async () => {
    const { httpUrl } = fixture.millrace
    const { status, json, headers } = await ask(`${bindings}?Tag=list&PageSize=2&Page=0`)
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-store')
    assert.deepEqual(Object.keys(json).sort(), ['bindings', 'meta'])
    const { next_page_url: next, ...meta } = json.meta
    const first = `${httpUrl}${bindings}?Tag=list&PageSize=2&Page=0`
    assert.deepEqual(meta, {
      page: 0,
      page_size: 2,
      first_page_url: first,
      previous_page_url: null,
      url: first,
      key: 'bindings',
    })
    assert.ok(next.startsWith(`${httpUrl}${bindings}?Tag=list&PageSize=2&Page=1&PageToken=PA`))
    assert.match(json.bindings[0].date_created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const behind = await ask(`${bindings}?Tag=list&PageSize=2&Page=1`)
    assert.equal(behind.json.bindings.length, 2)
    assert.equal(behind.json.meta.previous_page_url === null, false)
    assert.equal((await ask(`${bindings}?Tag=nobody`)).json.meta.next_page_url, null)
  })

  test('who registers again without an Endpoint has one binding', async () => {
    const form = { Identity: 'eve', BindingType: 'sms', Address: '+15554440001', Tag: ['a', 'b'] }
    const first = await bind(form)
    assert.equal(first.status, 201)
    const second = await bind(form)
    assert.equal(second.status, 201)
    const { json } = await ask(`${bindings}?Identity=eve`)
    assert.equal(json.bindings.length, 1)
    assert.equal(json.bindings[0].sid, second.json.sid)
    assert.deepEqual(json.bindings[0].tags, ['a', 'b'])
  })

  test('the messenger has the name that clients use', async () => {
    const form = { Identity: 'fay', BindingType: 'facebook-messenger', Address: '1234567890' }
    const made = await bind(form)
    assert.deepEqual([made.status, made.json.binding_type], [201, 'facebook-messenger'])
    const { json } = await ask(`${bindings}?Tag=facebook-messenger`)
    assert.deepEqual(
      json.bindings.map((one: Answer) => one.sid),
      [made.json.sid],
    )
    await ask(`${bindings}/${made.json.sid}`, { method: 'DELETE' })
  })

  test('a removal is 204 without a body', async () => {
    const { json } = await bind({ Identity: 'g', BindingType: 'sms', Address: '+15554440002' })
    const removed = await ask(`${bindings}/${json.sid}`, { method: 'DELETE' })
    assert.deepEqual([removed.status, removed.json], [204, undefined])
  })

  for (const [what, form, message] of wrong) {
    test(`a binding is refused with 400: ${what}`, async () => {
      assertRefused(await bind(form), 400, 20001, message)
    })
  }

  test('a page has at most 1000 bindings, and a token that nobody gave is refused', async () => {
    assert.equal(notificationLimits.notificationRestPageMax, 1_000)
    assert.equal((await ask(`${bindings}?PageSize=1000`)).status, 200)
    assertRefused(await ask(`${bindings}?PageSize=1001`), 400, 20001, /^PageSize must be/)
    assertRefused(await ask(`${bindings}?PageSize=0`), 400, 20001, /^PageSize must be/)
    assertRefused(await ask(`${bindings}?PageToken=x`), 400, 20001, /^PageToken is none/)
    assertRefused(await ask(`${bindings}?StartDate=x`), 400, 20001, /^StartDate must be/)
    assertRefused(await ask(`${bindings}?Colour=red`), 400, 20001, /^there is no argument/)
  })
})

describe('notification: the legacy REST API: what is refused over the wire', () => {
  shareInstance()

  for (const [what, form, message] of unsent) {
    test(`a notification is refused, and nothing is sent: ${what}`, async () => {
      const before = (await fixture.pump('GET', '/notifications')).json.notifications.length
      assertRefused(await send(form), 400, 20001, message)
      const after = (await fixture.pump('GET', '/notifications')).json.notifications.length
      assert.equal(after, before)
    })
  }

  test('what is not there, or not asked so, is 404, 405, 413, 415', async () => {
    const none = await ask(`${bindings}/BS${'0'.repeat(32)}`)
    assertRefused(none, 404, 20404, /^The service has no binding/)
    assertRefused(await ask(`${notifications}/NT1`), 404, 20404, /was not found$/)
    assertRefused(await ask(`/v1/Services/${serviceSid}`), 404, 20404, /was not found$/)
    assertRefused(await ask('/v1/Services/x/Bindings'), 404, 20404, /was not found$/)
    const put = await ask(bindings, { method: 'PUT', form: {} })
    assertRefused(put, 405, 20004, /./)
    assert.equal(put.headers.allow, 'GET, HEAD, POST')
    assert.equal((await ask(bindings, { method: 'HEAD' })).status, 200)
    const headers = { 'Content-Type': 'application/json' }
    const json = await ask(bindings, { method: 'POST', form: '{}', headers })
    assertRefused(json, 415, 20001, /x-www-form-urlencoded/)
    const large = `Body=${'x'.repeat(notificationLimits.notificationRestBytesMax)}`
    const refused = await ask(notifications, { method: 'POST', form: large })
    assertRefused(refused, 413, 20001, /at most 1048576 bytes/)
    const fields = 'Tag=a&'.repeat(notificationLimits.notificationRestFieldsMax + 1)
    assertRefused(await send(fields), 400, 20001, /at most 10100 fields/)
  })
})

describe('notification: who may call the legacy REST API', () => {
  shareInstance()

  test('the account of the configuration, and nobody else', async () => {
    const none = await ask(bindings, { auth: null })
    assertRefused(none, 401, 20003, /^Authenticate$/)
    assert.match(String(none.headers['www-authenticate']), /^Basic /)
    const wrong = [
      { sid: account.sid, token: 'wrong' },
      { sid: `AC${'8'.repeat(32)}`, token: account.token },
      { sid: account.sid, token: '' },
      { sid: 'x', token: account.token },
    ]
    for (const auth of wrong) {
      assertRefused(await ask(bindings, { auth }), 401, 20003, /^Authenticate$/)
    }
    const bearer = await ask(bindings, { headers: { Authorization: 'Bearer x' } })
    assertRefused(bearer, 401, 20003, /^Authenticate$/)
  })

  test('an account without a token opens nothing', async () => {
    const AccountSid = `AC${'6'.repeat(32)}`
    await fixture.solution('tokenless')
    await fixture.subscribe('tokenless', 'notification', { AccountSid })
    const auth = { sid: AccountSid, token: '' }
    assertRefused(await ask(bindings, { auth }), 401, 20003, /^Authenticate$/)
  })

  test('a changed token counts at once', async () => {
    const change = (AuthToken: string) =>
      fixture.pump('PUT', `/serviceconfig/${configuration}`, { AuthToken })
    assertStatus(await change('another-token'), 200)
    assert.equal((await ask(bindings)).status, 401)
    assert.equal(
      (await ask(bindings, { auth: { ...account, token: 'another-token' } })).status,
      200,
    )
    assertStatus(await change(account.token), 200)
    assert.equal((await ask(bindings)).status, 200)
  })

  test('somebody else who writes the same AccountSid down sees nothing', async () => {
    const otherOwner = await fixture.otherOwner()
    await fixture.solution('thief', otherOwner)
    const body = { AccountSid: account.sid, AuthToken: 'of-the-thief' }
    await fixture.subscribe('thief', 'notification', body, otherOwner)
    const auth = { sid: account.sid, token: 'of-the-thief' }
    const { json } = await ask(bindings, { auth })
    assert.deepEqual(json.bindings, [])
    assert.notEqual((await ask(bindings)).json.bindings.length, 0)
  })

  test('two solutions with one account say which service is whose', async () => {
    const AccountSid = `AC${'5'.repeat(32)}`
    const both = { AccountSid, AuthToken: 'of-both' }
    const auth = { sid: AccountSid, token: 'of-both' }
    const other = `IS${'9'.repeat(32)}`
    const at = (sid: string) => ask(`/v1/Services/${sid}/Bindings`, { auth })
    await fixture.solution('east')
    await fixture.solution('west')
    await fixture.subscribe('east', 'notification', both)
    const west = await fixture.subscribe('west', 'twilionotify', both)
    assertRefused(await at(serviceSid), 404, 20404, /^Several solutions have this account/)
    const named = { ServiceSid: other }
    assertStatus(await fixture.ask('PUT', `/solution/west/serviceconfig/${west}`, named), 200)
    const form = { Identity: 'w', BindingType: 'sms', Address: '+15555550001' }
    const path = `/v1/Services/${other}/Bindings`
    assert.equal((await ask(path, { method: 'POST', form, auth })).status, 201)
    const seen = await fixture.call('listBinding', { ServiceSid: other }, 'west')
    assert.equal(seen.bindings.length, 1)
    assert.deepEqual((await at(serviceSid)).json.bindings, [])
  })
})

describe('notification: how often the legacy REST API may be called', () => {
  shareInstance()

  test('wrong tokens are looked at so often in a minute, and no more', async () => {
    const sid = `AC${'4'.repeat(32)}`
    const auth = { sid, token: 'guess' }
    for (let n = 0; n < notificationLimits.notificationRestFailuresPerMinuteMax; n += 1) {
      assert.equal((await ask(bindings, { auth })).status, 401)
    }
    const late = await ask(bindings, { auth })
    assertRefused(late, 429, 20429, /^Too many wrong tokens/)
    assert.equal(late.headers['retry-after'], '60')
    assert.equal((await ask(bindings)).status, 200)
  })

  test('what comes at once with the right token is no guessing', async () => {
    const count = 2 * notificationLimits.notificationRestFailuresPerMinuteMax
    const { database } = fixture.millrace.platform
    // No account can be looked up until all of them have come.
    const asks = await database.transaction(async (transaction) => {
      await transaction.run('lock table scripting_configuration in access exclusive mode')
      const begun = Array.from({ length: count }, () => ask(`${bindings}?PageSize=1`))
      assert.equal((await ask(bindings, { auth: null })).status, 401)
      return { begun }
    })
    const answers = await Promise.all(asks.begun)
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  })

  test('an account has so many requests under way, and no more', async () => {
    const { hostname, port } = new URL(fixture.millrace.httpUrl)
    const basic = Buffer.from(`${account.sid}:${account.token}`).toString('base64')
    const headers = {
      Authorization: `Basic ${basic}`,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': '10',
    }
    const options = { hostname, port, path: bindings, method: 'POST', headers, agent: false }
    const refused = Promise.withResolvers<IncomingMessage>()
    const open = Array.from({ length: notificationLimits.notificationRestRunsMax + 1 }, () => {
      const one = request(options, refused.resolve).on('error', () => {})
      one.flushHeaders()
      return one
    })
    assert.match(await text(await refused.promise), /Too many requests at once/)
    assertRefused(await ask(bindings), 429, 20429, /^Too many requests at once/)
    for (const one of open) one.destroy()
    await until(
      () => ask(bindings),
      ({ status }) => status === 200,
    )
  })
})

describe('notification: where the legacy REST API stands', () => {
  shareInstance()

  const at = (host: string, auth = account) => ask(bindings, { host, auth })
  test('at the root of notify.<domain>, and of hosts that are nobody else’s', async () => {
    const port = new URL(fixture.millrace.httpUrl).port
    const named = await at(`notify.localhost:${port}`)
    assert.equal(named.status, 200)
    const { url } = named.json.bindings[0]
    assert.ok(url.startsWith(`http://notify.localhost:${port}${bindings}/`), url)
    assert.equal((await at('notify.example.com')).status, 200)
    const { status, json } = await at(`pump.localhost:${port}`)
    assert.deepEqual([status, json.code], [404, 'not_found'])
  })

  test('over TLS, with a certificate of that host', async () => {
    const { tlsUrl, caFile } = fixture.millrace
    const basic = Buffer.from(`${account.sid}:${account.token}`).toString('base64')
    const tls = { ca: await readFile(caFile) }
    const headers = { Authorization: `Basic ${basic}` }
    const asked = { host: 'notify.localhost', headers, tls }
    const answer = await askEndpoint(tlsUrl, `${bindings}?PageSize=1`, asked)
    assert.equal(answer.status, 200)
    const { port } = new URL(tlsUrl)
    const root = `https://notify.localhost:${port}${bindings}`
    assert.ok(answer.json.meta.next_page_url.startsWith(root), answer.text)
  })
})

function toSms(last: number): string {
  return JSON.stringify({ binding_type: 'sms', address: `+1555333000${last}` })
}
