import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { notificationLimits } from '../../../../src/scripts/services/notification/index.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import {
  type BindingRow,
  type BindingsFixture,
  bindingsFixture,
  exportedBinding as exported,
  exportedBindings as many,
} from '../../../fixtures/wire/bindings.ts'

let fixture: BindingsFixture

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await bindingsFixture(suite)
})

describe('notification: an import of bindings: what is stored, and what is not taken', () => {
  shareInstance()

  test('sid, tags, identity, address, type, endpoint and dates stay', async () => {
    const id = await fixture.solution()
    const rows = [
      exported(1, { tags: ['a', 'b'], endpoint: 'ann-phone' }),
      exported(2, { binding_type: 'facebook-messenger', address: '1234567890' }),
      exported(3, {
        binding_type: 'apn',
        address: 'ab'.repeat(32),
        credential_sid: 'CR'.padEnd(34, '1'),
        notification_protocol_version: '3',
      }),
      exported(4, { date_created: 'Sat, 02 Mar 2019 10:00:00 +0000', sid: undefined }),
      exported(5, { date_created: '2999-01-01T00:00:00Z', date_updated: null }),
    ]
    const taken = await fixture.post(id, { bindings: rows })
    assert.deepEqual(taken, {
      status: 200,
      json: { added: 5, changed: 0, unchanged: 0, failed: [] },
    })
    const found = await fixture.listBindings(id)
    const names = ['sid', 'identity', 'address', 'binding_type', 'tags', 'credential_sid']
    const dates = ['date_created', 'date_updated', 'notification_protocol_version']
    const pickValues = (row: BindingRow | undefined, fields: string[]) =>
      fields.map((name) => row?.[name])
    for (const n of [0, 1, 2]) {
      assert.deepEqual(
        pickValues(found[n], [...names, ...dates]),
        pickValues(rows[n], [...names, ...dates]),
      )
    }
    assert.equal(found[0]?.endpoint, 'ann-phone')
    assert.match(String(found[1]?.endpoint), /^vendor-messenger:[0-9a-f]{32}$/)
    assert.match(String(found[3]?.sid), /^BS[0-9a-f]{32}$/)
    assert.equal(found[3]?.date_created, '2019-03-02T10:00:00Z')
    assert.ok(Date.parse(String(found[4]?.date_created)) <= Date.now() + 600_000)
  })

  test('again is no duplicate, changes follow, and what is newer here stays', async () => {
    const id = await fixture.solution()
    const counts = async (bindings: BindingRow[]) => {
      const { added, changed, unchanged, failed } = (await fixture.post(id, { bindings })).json
      assert.deepEqual(failed, [])
      return [added, changed, unchanged]
    }
    const rows = many(10, 3)
    assert.deepEqual(await counts(rows), [3, 0, 0])
    assert.deepEqual(await counts(rows), [0, 0, 3])
    const moved = exported(10, { tags: ['moved'], date_updated: '2021-01-01T00:00:00Z' })
    assert.deepEqual(await counts([moved]), [0, 1, 0])
    const older = exported(10, { tags: ['older'], date_updated: '2020-12-31T00:00:00Z' })
    assert.deepEqual(await counts([older]), [0, 0, 1])
    const twice = [exported(20, { tags: ['first'] }), exported(20, { tags: ['last'] })]
    assert.deepEqual(await counts(twice), [1, 0, 1])
    const found = await fixture.listBindings(id)
    assert.deepEqual(
      found.map(({ tags }) => tags),
      [['moved'], ['alerts'], ['alerts'], ['last']],
    )
  })

  test('a sid that another binding has is not taken from it', async () => {
    const id = await fixture.solution()
    await fixture.post(id, { bindings: [exported(1)] })
    const other = exported(2, { sid: exported(1).sid })
    assert.equal((await fixture.post(id, { bindings: [other] })).json.added, 1)
    const [first, second] = await fixture.listBindings(id)
    assert.equal(first?.sid, other.sid)
    assert.notEqual(second?.sid, other.sid)
  })

  test('bad rows are named with their reasons, good ones land', async () => {
    const id = await fixture.solution()
    const bad: [BindingRow | string, RegExp][] = [
      [exported(1, { address: '555' }), /^Address of sms must be/],
      [exported(1, { binding_type: 'alexa' }), /^BindingType must be/],
      [exported(1, { identity: '' }), /^Identity is missing/],
      [exported(1, { service_sid: null }), /^ServiceSid is missing/],
      [exported(1, { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }), /^Tag has at most/],
      [exported(1, { tags: ['sms'] }), /^Tag may not be sms/],
      [exported(1, { date_created: 'yesterday' }), /^date_created is no date/],
      [
        exported(1, { binding_type: 'apn', address: 'ab', notification_protocol_version: '2' }),
        /3/,
      ],
      ['no object', /^the row is no JSON object/],
    ]
    const bindings = [...bad.map(([row]) => row), exported(2)]
    const { json } = await fixture.post(id, { bindings })
    const failed = json.failed as { row: number; reason: string }[]
    assert.deepEqual(
      failed.map(({ row }) => row),
      bad.map((_, n) => n),
    )
    for (const [n, [, reason]] of bad.entries()) assert.match(failed[n]?.reason ?? '', reason)
    assert.equal((await fixture.listBindings(id)).length, 1)
  })
})

describe('notification: an import of bindings by the management API', () => {
  shareInstance()

  test('with another service, dry, and within its limits', async () => {
    const id = await fixture.solution()
    const [row] = many(1, 1)
    const other = `IS${'3'.repeat(32)}`
    const dry = await fixture.post(id, { bindings: [row], dry_run: true })
    assert.deepEqual(dry.json, { added: 1, changed: 0, unchanged: 0, failed: [] })
    assert.deepEqual(await fixture.listBindings(id), [])
    assert.equal((await fixture.post(id, { bindings: [row], service_sid: other })).json.added, 1)
    assert.deepEqual(await fixture.listBindings(id), [])
    const wrong: [unknown, RegExp][] = [
      [{ bindings: 'x' }, /^bindings must be a list/],
      [{ bindings: many(1, notificationLimits.notificationImportBatchMax + 1) }, /at most 500/],
      [{ bindings: [], dry_run: 'yes' }, /^dry_run must be/],
      [{ bindings: [], service_sid: 'x' }, /^ServiceSid must be 34/],
    ]
    for (const [body, message] of wrong) {
      const { status, json } = await fixture.post(id, body)
      assert.equal(status, 400)
      assert.match(String(json.message), message)
    }
  })
})
