import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { notificationLimits } from '../../../../src/scripts/services/notification/index.ts'
import {
  type Answer,
  addresses,
  type NotificationFixture,
  notificationFixture,
  serviceSid,
} from '../../../fixtures/notification.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const sid = /^[0-9a-zA-Z]{34}$/
const rfc2822 = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/

let fixture: NotificationFixture

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await notificationFixture(suite)
})

const prepare = async () => {
  for (;;) {
    const { bindings } = await fixture.call('listBinding', { PageSize: 100 })
    if (bindings.length === 0) return
    for (const one of bindings) await fixture.call('deleteBinding', { BindingSid: one.sid })
  }
}

const sids = (list: Answer) => list.bindings.map((one: Answer) => one.sid)

const list = (args: Record<string, Answer> = {}) => fixture.call('listBinding', args)

const bad: [string, string, Record<string, Answer>, RegExp][] = [
  ['no ServiceSid', 'apn', { ServiceSid: '' }, /^ServiceSid is missing/],
  ['a ServiceSid of 33', 'apn', { ServiceSid: 'a'.repeat(33) }, /^ServiceSid must be 34/],
  ['a ServiceSid with a sign', 'apn', { ServiceSid: '-'.repeat(34) }, /^ServiceSid must be 34/],
  ['another type', 'apn', { BindingType: 'smoke' }, /^BindingType must be one of apn, fcm/],
  ['no type', 'apn', { BindingType: '' }, /^BindingType must be one of/],
  ['no address', 'apn', { Address: '' }, /^Address is missing/],
  ['no endpoint', 'apn', { Endpoint: '' }, /^Endpoint is missing/],
  ['no identity', 'apn', { Identity: '' }, /^Identity is missing/],
  ['no text as identity', 'apn', { Identity: true }, /^Identity must be a string/],
  ['an apn token with a path', 'apn', { Address: '../x' }, /^Address of apn/],
  ['an fcm token with spaces', 'fcm', { Address: 'a b' }, /^Address of fcm/],
  ['a gcm token with a line', 'gcm', { Address: 'a\nb' }, /^Address of gcm/],
  ['a number that is not E.164', 'sms', { Address: '01715551234' }, /^Address of sms/],
  ['a number that is too long', 'sms', { Address: '+1234567890123456' }, /^Address of sms/],
  ['a name for the messenger', 'vendor-messenger', { Address: 'ann' }, /^Address of vendor-mess/],
  ['a credential for sms', 'sms', { CredentialSid: 'C'.repeat(34) }, /^CredentialSid is for apn/],
  ['a short credential', 'apn', { CredentialSid: 'CR1' }, /^CredentialSid must be 34/],
  ['a version for sms', 'sms', { NotificationProtocolVersion: '3' }, /^NotificationProtocolV/],
  ['version 2', 'fcm', { NotificationProtocolVersion: '2' }, /must be 3/],
  ['21 tags', 'apn', { Tag: manyTags(21) }, /^Tag has at most 20 items/],
  ['a text of too many', 'apn', { Tag: 'a,'.repeat(limits.jsonValuesMax) }, /^Tag has at most 20/],
  ['an implicit tag', 'apn', { Tag: 'all' }, /^Tag may not be all/],
  ["a channel's tag", 'apn', { Tag: 'sms' }, /^Tag may not be sms/],
  ['a tag with a comma', 'apn', { Tag: ['a,b'] }, /^Tag may not hold a comma/],
  ['an empty tag', 'apn', { Tag: 'a,,b' }, /^Tag is missing/],
]

describe('notification: bindings that are created', () => {
  shareInstance()

  beforeEach(prepare)

  test('createBinding answers a binding with every field of the table', async () => {
    const CredentialSid = `CR${'1'.repeat(32)}`
    const made = await fixture.bind('apn', { Tag: 'beta, vip', Endpoint: 'app-1', CredentialSid })
    const { date_created, date_updated, ...rest } = made
    assert.match(made.sid, sid)
    assert.match(made.account_sid, sid)
    assert.match(date_created, rfc2822)
    assert.equal(date_updated, date_created)
    assert.ok(Math.abs(Date.parse(date_created) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      sid: made.sid,
      url: `https://notify.localhost/v1/Services/${serviceSid}/Bindings/${made.sid}`,
      tags: 'beta,vip',
      address: addresses.apn,
      endpoint: 'app-1',
      identity: 'ann',
      account_sid: made.account_sid,
      service_sid: serviceSid,
      binding_type: 'apn',
      credential_sid: CredentialSid,
      notification_protocol_version: '3',
    })
    assert.deepEqual(await fixture.call('getBinding', { BindingSid: made.sid }), made)
    assert.deepEqual((await list()).bindings, [made])
  })

  for (const channel of ['apn', 'fcm', 'gcm', 'sms', 'vendor-messenger'] as const) {
    test(`BindingType ${channel}: its address, and the default protocol version`, async () => {
      const made = await fixture.bind(channel)
      const push = channel === 'apn' || channel === 'fcm' || channel === 'gcm'
      assert.equal(made.address, addresses[channel])
      assert.equal(made.notification_protocol_version, push ? '3' : '')
      assert.equal(made.credential_sid, '')
    })
  }

  test('a messenger address is an id or an E.164 number', async () => {
    assert.equal(
      (await fixture.bind('vendor-messenger', { Address: '+4930123' })).address,
      '+4930123',
    )
  })

  for (const [what, channel, args, error] of bad) {
    test(`createBinding is rejected with ${what}, and nothing is stored`, async () => {
      const answer = await fixture.bind(channel as 'apn', args)
      fixture.refused(answer, 400, error)
      assert.deepEqual((await list()).bindings, [])
    })
  }

  test('20 tags are taken: as a text, a list, or the JSON of one', async () => {
    const tags = manyTags(20)
    for (const Tag of [tags, tags.split(','), JSON.stringify(tags.split(','))]) {
      assert.equal((await fixture.bind('apn', { Tag })).tags, tags)
    }
  })

  test('a binding again for the same endpoint replaces it', async () => {
    const first = await fixture.bind('apn', { Endpoint: 'phone', Tag: 'old' })
    const second = await fixture.bind('sms', { Endpoint: 'phone', Identity: 'bob', Tag: 'new' })
    assert.notEqual(second.sid, first.sid)
    assert.deepEqual((await list()).bindings, [second])
    fixture.refused(await fixture.call('getBinding', { BindingSid: first.sid }), 404, /no binding/)
    const ServiceSid = 'IS00000000000000000000000000000002'
    const elsewhere = await fixture.bind('apn', { Endpoint: 'phone', ServiceSid })
    assert.deepEqual(sids(await list()), [second.sid])
    assert.deepEqual(sids(await list({ ServiceSid })), [elsewhere.sid])
    assert.equal(
      await fixture.call('deleteBinding', { ServiceSid, BindingSid: elsewhere.sid }),
      undefined,
    )
  })
})

describe('notification: bindings that are deleted, and those of others', () => {
  shareInstance()

  beforeEach(prepare)

  test('deleteBinding is nil, and the second time an error object', async () => {
    const { sid } = await fixture.bind('apn')
    assert.equal(await fixture.call('deleteBinding', { BindingSid: sid }), undefined)
    for (const operation of ['deleteBinding', 'getBinding']) {
      fixture.refused(await fixture.call(operation, { BindingSid: sid }), 404, /has no binding BS/)
      fixture.refused(
        await fixture.call(operation, { BindingSid: 'x' }),
        400,
        /^BindingSid must be/,
      )
      fixture.refused(await fixture.call(operation), 400, /^BindingSid is missing/)
    }
  })

  test('bindings of another solution, or another service, are not there', async () => {
    const { sid } = await fixture.bind('apn')
    await fixture.solution('other')
    const ServiceSid = 'IS00000000000000000000000000000009'
    for (const operation of ['getBinding', 'deleteBinding']) {
      fixture.refused(
        await fixture.call(operation, { BindingSid: sid }, 'other'),
        404,
        /no binding/,
      )
      fixture.refused(
        await fixture.call(operation, { BindingSid: sid, ServiceSid }),
        404,
        /no binding/,
      )
    }
    assert.deepEqual((await fixture.call('listBinding', {}, 'other')).bindings, [])
    assert.equal((await fixture.call('getBinding', { BindingSid: sid })).sid, sid)
  })

  test('Twilionotify and Notification name the same service', async () => {
    const { sid } = await fixture.bind('apn')
    const source = (name: string) =>
      `return ${name}.getBinding{ServiceSid = "${serviceSid}", BindingSid = "${sid}"}.sid`
    for (const name of ['Twilionotify', 'Notification', 'twilionotify', 'notification']) {
      assert.equal(await fixture.run('pump', source(name)), sid)
    }
  })
})

describe('notification: lists of bindings', () => {
  shareInstance()

  beforeEach(prepare)

  test('listBinding: any of the identities, all of the tags', async () => {
    const ann = await fixture.bind('apn', { Identity: 'ann', Tag: 'a,b' })
    const bob = await fixture.bind('fcm', { Identity: 'bob', Tag: 'b' })
    const cid = await fixture.bind('sms', { Identity: 'cid' })
    const all = [ann.sid, bob.sid, cid.sid]
    assert.deepEqual(sids(await list()), all)
    assert.deepEqual(sids(await list({ Identity: 'ann,cid' })), [ann.sid, cid.sid])
    assert.deepEqual(sids(await list({ Identity: ['bob'] })), [bob.sid])
    assert.deepEqual(sids(await list({ Identity: 'nobody' })), [])
    assert.deepEqual(sids(await list({ Tag: 'b' })), [ann.sid, bob.sid])
    assert.deepEqual(sids(await list({ Tag: 'a,b' })), [ann.sid])
    assert.deepEqual(sids(await list({ Tag: 'a', Identity: 'bob' })), [])
  })

  test('listBinding: the implicit tags all, apn, fcm, gcm, sms, vendor-messenger', async () => {
    const channels = ['apn', 'fcm', 'gcm', 'sms', 'vendor-messenger'] as const
    const made: Answer[] = []
    for (const channel of channels) made.push(await fixture.bind(channel, { Tag: 'x' }))
    assert.deepEqual(sids(await list({ Tag: 'all' })), sids({ bindings: made }))
    for (const [index, channel] of channels.entries()) {
      assert.deepEqual(sids(await list({ Tag: `x,${channel}` })), [made[index].sid])
    }
    assert.deepEqual(sids(await list({ Tag: 'apn,sms' })), [])
    assert.equal(made[0].tags, 'x')
  })

  test('listBinding: StartDate and EndDate are days of UTC, inclusive', async () => {
    const { sid, date_created } = await fixture.bind('apn')
    const day = (days: number) =>
      new Date(Date.parse(date_created) + days * 86_400_000).toISOString().slice(0, 10)
    const rows: [Record<string, string>, string[]][] = [
      [{ StartDate: day(0), EndDate: day(0) }, [sid]],
      [{ StartDate: day(-1) }, [sid]],
      [{ EndDate: day(1) }, [sid]],
      [{ StartDate: day(1) }, []],
      [{ EndDate: day(-1) }, []],
    ]
    for (const [args, found] of rows) assert.deepEqual(sids(await list(args)), found)
    for (const StartDate of ['today', '2026-13-01', '2026-02-30', '2026-1-1']) {
      fixture.refused(await list({ StartDate }), 400, /^StartDate must be a day: YYYY-MM-DD/)
    }
    fixture.refused(await list({ EndDate: 5 }), 400, /^EndDate must be a day/)
  })

  test('the list wrapper: pages from zero, and their URLs', async () => {
    for (let count = 0; count < 5; count += 1) await fixture.bind('apn', { Tag: 'x y' })
    const root = `https://notify.localhost/v1/Services/${serviceSid}/Bindings`
    const url = `${root}?Tag=x+y&PageSize=2&Page=`
    const pages = []
    for (const Page of [0, 1, 2]) pages.push(await list({ Tag: 'x y', PageSize: 2, Page }))
    assert.deepEqual(
      pages.map(({ meta }) => meta),
      [
        ...[0, 1].map((page) => ({
          key: 'bindings',
          url: `${url}${page}`,
          page,
          page_size: 2,
          next_page_url: `${url}${page + 1}`,
          first_page_url: `${url}0`,
          previous_page_url: page === 0 ? '' : `${url}${page - 1}`,
        })),
        {
          key: 'bindings',
          url: `${url}2`,
          page: 2,
          page_size: 1,
          next_page_url: '',
          first_page_url: `${url}0`,
          previous_page_url: `${url}1`,
        },
      ],
    )
    assert.equal(new Set(pages.flatMap(sids)).size, 5)
    fixture.refused(
      await list({ PageSize: notificationLimits.notificationPageMax + 1 }),
      400,
      /^PageSize must/,
    )
    fixture.refused(await list({ PageSize: 0 }), 400, /^PageSize must be at least 1/)
    fixture.refused(await list({ Page: -1 }), 400, /^Page must be a whole number/)
  })

  test('listBinding takes 20 identities and 20 tags, and no more', async () => {
    assert.deepEqual((await list({ Tag: manyTags(20), Identity: manyTags(20) })).bindings, [])
    fixture.refused(await list({ Tag: manyTags(21) }), 400, /^Tag has at most 20/)
    fixture.refused(await list({ Identity: manyTags(21) }), 400, /^Identity has at most 20/)
  })
})

function manyTags(count: number): string {
  return Array.from({ length: count }, (_, index) => `t${index}`).join(',')
}
