import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from '../../../../src/foundation/kernel/index.ts'
import type { View } from '../../../../src/people/groups/index.ts'
import { until } from '../../../fixtures/interface.ts'
import {
  type Answer,
  type NotificationFixture,
  notificationFixture,
  serviceSid,
} from '../../../fixtures/notification.ts'
import { fedAsset } from '../../../fixtures/pipelines/fleets.ts'
import { unique } from '../../../fixtures/platform.ts'
import { assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'

let fixture: NotificationFixture
const onInstance = sharedBySuites(async (suite) => {
  fixture = await notificationFixture(suite)
})

/** A device whose asset has a rule on its temperature, and an action that hangs on it. */
async function acting(functionId: string, constants: Readonly<Record<string, Json>>) {
  const { platform, view } = fixture.millrace
  const identity = unique('acting')
  const { device, asset, signalId: heat } = await fedAsset(fixture.millrace, identity)
  const link = (of: string, more: Readonly<Record<string, Json>>, signalId = '') =>
    platform.pipelines.links.create(view, {
      assetId: asset.id,
      moduleId: 'builtin',
      functionId: of,
      constants: more as never,
      inlets: [{ signalId }],
    })
  const rule = await link('threshold', { warning: 20, critical: 30 }, heat)
  const action = await link(functionId, constants, rule.outlets[0])
  return { device, identity, asset, rule, action }
}

const write = async (device: TestDevice, ...values: readonly number[]) => {
  for (const value of values) assert.equal((await device.write(`temperature=${value}`)).status, 204)
}

/** The notification of the solution that fits. */
const notified = async (fits: (one: Answer) => boolean): Promise<Answer> => {
  const list = async () => (await fixture.pump('GET', '/notifications')).json.notifications
  return (await until(list, (all) => all.some(fits))).find(fits)
}

describe('built-in actions', () => {
  onInstance()

  it('set a resource of the device at a change of level, and at no other value', async () => {
    const { platform, businessId, connector } = fixture.millrace
    const { device, identity } = await acting('set_resource', { alias: 'b', value: 'is {level}' })
    await write(device, 10, 25, 26)
    const state = () => platform.provisioning.state(businessId, connector.id, identity)
    const seen = await until(state, (values) => JSON.stringify(values).includes('is 2'))
    assert.ok(seen)
    await write(device, 35)
    await until(state, (values) => JSON.stringify(values).includes('is 3'))
  })

  it('call a handler of a solution, with the status and its asset', async () => {
    const script = 'log.info(event.asset.name .. " level " .. event.status.level)'
    assertStatus(await fixture.push({ 'pipeline_status.lua': script }), 200)
    const { device, asset } = await acting('call_solution', { solution: 'pump' })
    await write(device, 25)
    await until(
      async () => (await fixture.pump('GET', '/logs?text=level')).json.lines as { text: string }[],
      (lines) => lines.some(({ text }) => text === `${asset.name} level 2`),
    )
  })

  it('that cannot act are failed calls with their request, which are made again', async () => {
    const { platform, view } = fixture.millrace
    const { device, action } = await acting('call_solution', { solution: 'pump', event: 'none' })
    await write(device, 25)
    const failed = () => platform.pipelines.failedCalls.list(view, {})
    const { calls } = await until(failed, (found) =>
      found.calls.some(({ linkId }) => linkId === action.id),
    )
    const call = calls.find(({ linkId }) => linkId === action.id)
    assert.match(call?.error.reason ?? '', /handle_pipeline_none/)
    assert.ok(call?.request !== null && call !== undefined && 'data' in call.request)
    assert.equal((call.request.data[0]?.value as { level: number }).level, 2)
    const { faults } = await platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
  })

  it('set resources of those devices only that their author sees', async () => {
    const { platform, businessId, view: all, connector, httpUrl } = fixture.millrace
    const [root] = await platform.groups.list(all)
    const hall = await platform.groups.create(all, { name: 'Hall', parentId: root?.id ?? '' })
    const makeAsset = async (identity: string, groupId: string) => {
      await newDevice(httpUrl, connector.id, identity)
      const device = { connectorId: connector.id, identity }
      return platform.assets.create(all, { name: identity, device, groupId })
    }
    await makeAsset('hall-2', hall.id)
    await makeAsset('yard-1', root?.id ?? '')
    const { asset, rule } = await acting('set_resource', { alias: 'b' })
    await platform.assets.update(all, asset.id, { groupId: hall.id })
    const view = { businessId, groups: [hall.id] }
    const link = (by: View, identity: string) =>
      platform.pipelines.links.create(by, {
        assetId: asset.id,
        moduleId: 'builtin',
        functionId: 'set_resource',
        constants: { alias: 'b', connector: connector.id, identity },
        inlets: [{ signalId: rule.outlets[0] ?? '' }],
      })
    const refusal = { code: 'not_found', message: /no such device among your assets/ }
    await assert.rejects(link(view, 'yard-1'), refusal)
    await assert.rejects(link(view, 'nowhere'), refusal)
    const own = await link(view, 'hall-2')
    const { id, constants } = await link(all, 'yard-1')
    await platform.pipelines.links.update(view, id, { name: 'As it was', constants })
    const change = { constants: { ...own.constants, identity: 'yard-1' } }
    await assert.rejects(platform.pipelines.links.update(view, own.id, change), refusal)
  })

  it('reach no solution and no device of another business, and say what is missing', async () => {
    const { platform, view } = fixture.millrace
    const { id: other } = await platform.accounts.createBusiness({ name: 'Other' })
    const theirs = unique('theirs')
    await platform.scripting.solutions.create(other, { id: theirs, name: 'Theirs' })
    const { device, action } = await acting('call_solution', { solution: theirs })
    await write(device, 25)
    const { calls } = await until(
      () => platform.pipelines.failedCalls.list(view, {}),
      (found) => found.calls.some(({ linkId }) => linkId === action.id),
    )
    const call = calls.find(({ linkId }) => linkId === action.id)
    assert.match(call?.error.reason ?? '', /solution/)
    for (const [functionId, constants, message] of [
      ['call_solution', {}, /"solution" is missing/],
      ['call_solution', { solution: 'pump', event: 'a_b' }, /letters and digits/],
      ['send_notification', { solution: 'pump', service: 'x' }, /"identities" is missing/],
      ['set_resource', { alias: 'b', connector: 'x' }, /connector and the identity/],
    ] as const) {
      await assert.rejects(acting(functionId, constants), { code: 'invalid_argument', message })
    }
  })
})

describe('notifications of built-in actions', () => {
  onInstance()

  it('are sent to people', async () => {
    await fixture.bind('apn', { Endpoint: 'eve-1', Identity: 'eve' })
    const { device } = await acting('send_notification', {
      solution: 'pump',
      service: serviceSid,
      identities: ['eve'],
      title: 'Pump',
      body: 'It has {value}, level {level}',
    })
    await write(device, 31)
    await until(
      async () =>
        (await fixture.pump('GET', '/notifications')).json.notifications as { body: string }[],
      (all) => all.some(({ body }) => body === 'It has 31, level 3'),
    )
  })

  it('of SMS have the sender that the link names; without one it is refused', async () => {
    await fixture.bind('sms', { Endpoint: 'ida-1', Identity: 'ida' })
    const constants = { solution: 'pump', service: serviceSid, identities: ['ida'] }
    const message = /^from is missing in Sms, and the service has no messaging service/
    await assert.rejects(acting('send_notification', constants), { message })
    await acting('send_notification', { ...constants, solution: 'later1' })
    const from = '+15550009999'
    const { device } = await acting('send_notification', { ...constants, from })
    await write(device, 31)
    const sms = await notified((one) => one.identities?.includes('ida'))
    const [arrived] = await fixture.arrived(sms.sid)
    assert.equal(arrived.body.From, from)
  })

  it('reach people whose channels can be reached, if others cannot', async () => {
    const constants = { solution: 'pump', service: serviceSid, identities: ['joe'] }
    await fixture.bind('apn', { Endpoint: 'joe-1', Identity: 'joe' })
    const { device } = await acting('send_notification', constants)
    await fixture.bind('sms', { Endpoint: 'joe-2', Identity: 'joe' })
    await write(device, 31)
    const { sid } = await notified((one) => one.identities?.includes('joe'))
    const { states, deliveries } = await fixture.settled(sid)
    assert.deepEqual([states.sent, states.failed], [1, 1], JSON.stringify(states))
    assert.match(JSON.stringify(deliveries), /from is missing in Sms/)
  })
})
