import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { limits } from '../../src/kernel/index.ts'
import { mqttFleet, until } from '../support/mqtt-fleet.ts'
import { type TestPlatform, testPlatform } from '../support/platform.ts'
import { stallLog } from '../support/stall.ts'
import { suiteContext } from '../support/suite.ts'

describe('device API over MQTT: write', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  const { newOne, speak, state, line, writes } = mqttFleet(() => millrace)
  before(async () => {
    millrace = await testPlatform(suite)
  })

  it('publish to $resource/<alias>', async (t) => {
    const device = await newOne()
    const { write } = await speak(t, device)
    await write('$resource/temperature', '21.50')
    assert.equal((await state(device)).temperature?.reported, '21.50')
  })

  it('is taken with QoS 0', async (t) => {
    const device = await newOne()
    const { client } = await speak(t, device)
    await client.publishAsync('$resource/a', 'at most once')
    await until(async () => (await state(device)).a?.reported === 'at most once')
  })

  it('QoS 2 is refused: the connection ends, and a line says so', async (t) => {
    const device = await newOne()
    const { client, closed } = await speak(t, device)
    client.publish('$resource/a', 'exactly once', { qos: 2 }, () => {})
    await closed
    assert.match((await line(device.identity, 'refusal'))?.message ?? '', /QoS 2/)
    assert.equal((await state(device)).a, undefined)
  })

  it('messages of one device are written in their order', async (t) => {
    const device = await newOne()
    const { write } = await speak(t, device)
    const numbers = Array.from({ length: 500 }, (_, at) => `${at}`)
    await Promise.all(numbers.map((n) => write('$resource/b', n)))
    assert.equal((await state(device)).b?.reported, '499')
    const written = (await writes(device)).map(({ payload }) => payload)
    assert.deepEqual(
      written.map((points) => (points as { values: { b: string } }[])[0]?.values.b),
      numbers,
    )
  })

  it('a value that breaks its resource ends the connection, and nothing is kept', async (t) => {
    const device = await newOne()
    const { client, closed } = await speak(t, device)
    client.publish('$resource/temperature', 'warm', { qos: 1 }, () => {})
    await closed
    assert.equal((await line(device.identity, 'refusal'))?.code, 'value_refused')
    assert.equal((await state(device)).temperature, undefined)
  })

  it('an unknown alias is acknowledged, logged, and not stored', async (t) => {
    const device = await newOne()
    const { write } = await speak(t, device)
    await write('$resource/nobody/knows', '1')
    assert.deepEqual((await writes(device))[0]?.unknown, ['nobody/knows'])
  })

  it('a value has at most 1 MiB', async (t) => {
    const device = await newOne()
    const { client, write, closed } = await speak(t, device)
    const most = 'x'.repeat(limits.resourceValueBytesMax)
    await write('$resource/a', most)
    assert.equal((await state(device)).a?.reported?.length, limits.resourceValueBytesMax)
    client.publish('$resource/a', `${most}x`, { qos: 1 }, () => {})
    await closed
    assert.equal((await line(device.identity, 'refusal'))?.code, 'too_large')
  })

  it('is acknowledged after the commit, not before', async (t) => {
    const device = await newOne()
    const { write } = await speak(t, device)
    const stall = await stallLog(millrace.platform.database)
    let acknowledged = false
    const published = write('$resource/a', 'durable').then(() => {
      acknowledged = true
    })
    await stall.waitedFor()
    assert.equal(acknowledged, false)
    assert.equal((await state(device)).a, undefined)
    await stall.release()
    await published
    assert.equal((await state(device)).a?.reported, 'durable')
  })

  it('is not acknowledged where too much waits: the connection ends', async (t) => {
    const device = await newOne()
    const { client, closed } = await speak(t, device)
    const { eventlog, database } = millrace.platform
    const stall = await stallLog(database)
    const { id: connectorId, businessId } = millrace.connector
    const { identity } = device
    const entry = { businessId, connectorId, identity, kind: 'write', at: 1 } as const
    const body = JSON.stringify({ ip: '', protocol: 'test', payload: [] })
    const waiting = Array.from(
      { length: limits.pendingMessagesMax + limits.flushMessagesMax },
      () => eventlog.append({ ...entry, body }).catch(() => {}),
    )
    let acknowledged = false
    client.publish('$resource/a', 'one too many', { qos: 1 }, (error) => {
      acknowledged = error === undefined || error === null
    })
    await closed
    assert.equal(acknowledged, false)
    await stall.release()
    await Promise.all(waiting)
    assert.equal((await line(device.identity, 'refusal'))?.code, 'overloaded')
  })

  it('the ledger adds up after all of it', async () => {
    assert.deepEqual((await millrace.platform.eventlog.ledger.verify()).faults, [])
  })
})
