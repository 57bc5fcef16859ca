import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { deviceApiLimits } from '../../../../src/devices/device-api/index.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { mqttFleet } from '../../../fixtures/wire/mqtt-fleet.ts'

describe('device API over MQTT: what the cloud sets', () => {
  const suite = suiteContext()
  let millrace: OwnPlatform
  const { newOne, connect, state, set } = mqttFleet(() => millrace)
  before(async () => {
    millrace = await testPlatform(suite, { movesClock: true })
  })

  it('is pushed to $resource/<alias>/<µs> without a subscription', async (t) => {
    const device = await newOne()
    const { receive } = await connect(t, device)
    await set(device, { a: 'on' })
    const { timestamp } = (await state(device)).a ?? {}
    const { text } = await receive(({ topic }) => topic === `$resource/a/${timestamp}`)
    assert.equal(text, 'on')
  })

  it('every value of it, in its order', async (t) => {
    const device = await newOne()
    const { receive, messages } = await connect(t, device)
    const values = Array.from({ length: 50 }, (_, at) => `${at}`)
    for (const value of values) await set(device, { a: value })
    await receive(({ text }) => text === '49')
    assert.deepEqual(
      messages.map(({ text }) => text),
      values,
    )
  })

  it('while the device is away is pushed when it connects', async (t) => {
    const device = await newOne()
    await set(device, { a: 'first' })
    await set(device, { a: 'last', b: 'too' })
    const { receive, messages } = await connect(t, device)
    await receive(({ text }) => text === 'last')
    await receive(({ text }) => text === 'too')
    assert.equal(messages.length, 2)
  })

  for (const stamped of [true, false]) {
    it(`is acknowledged by publishing it back${stamped ? ', with its stamp' : ''}`, async (t) => {
      const device = await newOne()
      await set(device, { a: 'on' })
      const { write, receive, end } = await connect(t, device)
      const { topic, text } = await receive(() => true)
      assert.equal((await state(device)).a?.reported, null)
      await write(stamped ? topic : '$resource/a', text)
      const { reported, set: wanted } = (await state(device)).a ?? {}
      assert.deepEqual([reported, wanted], ['on', 'on'])
      await end()
      const again = await connect(t, device)
      await set(device, { b: 'only this' })
      await again.receive(({ text }) => text === 'only this')
      assert.equal(again.messages.length, 1)
    })
  }

  it('a late acknowledgement with its stamp does not undo what was set since', async (t) => {
    const device = await newOne()
    const { write, receive } = await connect(t, device)
    await set(device, { a: 'old' })
    const { topic } = await receive(({ text }) => text === 'old')
    await set(device, { a: 'new' })
    await write(topic, 'old')
    const { reported, set: wanted } = (await state(device)).a ?? {}
    assert.deepEqual([reported, wanted], ['old', 'new'])
  })

  it('by another process is found at a ping', async (t) => {
    const device = await newOne()
    await set(device, { b: 'there at the first look' })
    const { client, receive } = await connect(t, device)
    await receive(() => true)
    await millrace.platform.database.run(
      `insert into provisioning_value (connector_id, identity, alias, set_value, set_at, pending)
       values ($1, $2, 'a', 'from elsewhere', 5, true)`,
      [millrace.connector.id, device.identity],
    )
    millrace.clock.advance(deviceApiLimits.mqttCatchUpMsMin)
    client.sendPing()
    assert.equal((await receive(({ text }) => text === 'from elsewhere')).topic, '$resource/a/5')
  })

  it('reaches every connection of the device, and no other device', async (t) => {
    const [device, other] = [await newOne(), await newOne()]
    const [one, two] = [await connect(t, device), await connect(t, device)]
    const third = await connect(t, other)
    await set(device, { a: 'for one' })
    await set(other, { a: 'for the other' })
    await one.receive(({ text }) => text === 'for one')
    await two.receive(({ text }) => text === 'for one')
    await third.receive(({ text }) => text === 'for the other')
    assert.equal(one.messages.length + two.messages.length + third.messages.length, 3)
  })

  it('the ledger adds up after all of it', async () => {
    assert.deepEqual((await millrace.platform.eventlog.ledger.verify()).faults, [])
  })
})
