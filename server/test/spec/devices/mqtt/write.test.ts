import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { stallLog } from '../../../fixtures/peers/stall.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { mqttFleet, until } from '../../../fixtures/wire/mqtt-fleet.ts'

let millrace: TestPlatform

const { newOne, connect, state, line, writes } = mqttFleet(() => millrace)

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { own: 'takes the ledger away' })
})

/** Messages that were acknowledged and counted as failed. */
async function failed(): Promise<number> {
  const { faults, stages } = await millrace.platform.eventlog.ledger.verify()
  assert.deepEqual(faults, [])
  return stages.find(({ stage }) => stage === 'mqtt')?.failed ?? 0
}

describe('device API over MQTT: a write', () => {
  shareInstance()

  it('publish to $resource/<alias>', async (t) => {
    const device = await newOne()
    const { write } = await connect(t, device)
    await write('$resource/temperature', '21.50')
    assert.equal((await state(device)).temperature?.reported, '21.50')
  })

  it('is taken with QoS 0', async (t) => {
    const device = await newOne()
    const { client } = await connect(t, device)
    await client.publishAsync('$resource/a', 'at most once')
    await until(async () => (await state(device)).a?.reported === 'at most once')
  })

  it('messages of one device are written in their order', async (t) => {
    const device = await newOne()
    const { write } = await connect(t, device)
    const numbers = Array.from({ length: 500 }, (_, at) => `${at}`)
    await Promise.all(numbers.map((n) => write('$resource/b', n)))
    assert.equal((await state(device)).b?.reported, '499')
    const written = (await writes(device)).map(({ payload }) => payload)
    assert.deepEqual(
      written.map((points) => (points as { values: { b: string } }[])[0]?.values.b),
      numbers,
    )
  })

  it('numbers are taken as firmware prints them, and stored without their blanks', async (t) => {
    const device = await newOne()
    const { write } = await connect(t, device)
    const printed = [' 21.5', '21.5 ', '+21.5', '.5', '5.', '-.5', '007', ' +1e3\r\n']
    for (const text of printed) {
      await write('$resource/temperature', text)
      assert.equal((await state(device)).temperature?.reported, text.trim())
      await write('$resource.batch', JSON.stringify([{ values: { temperature: text } }]))
      assert.equal((await device.write(`temperature=${encodeURIComponent(text)}`)).status, 204)
      assert.equal(
        (await device.read('temperature')).body,
        `temperature=${encodeURIComponent(text.trim())}`,
      )
    }
    await write('$resource/a', ' a text ')
    assert.equal((await state(device)).a?.reported, ' a text ')
  })
})

describe('device API over MQTT: a write that is refused', () => {
  shareInstance()

  it('QoS 2 is refused after its handshake: a line says so, and nothing is stored', async (t) => {
    const device = await newOne()
    const { client, write } = await connect(t, device)
    const before = await failed()
    // More than may be on their way at once, so each handshake has to have its end.
    const messages = Array.from({ length: 1_500 }, (_, at) => `exactly once ${at}`)
    await Promise.all(messages.map((text) => client.publishAsync('$resource/a', text, { qos: 2 })))
    await write('$resource/b', 'after it')
    assert.match((await line(device.identity, 'refusal'))?.message ?? '', /QoS 2/)
    const { a, b } = await state(device)
    assert.equal(a, undefined)
    assert.equal(b?.reported, 'after it')
    assert.equal(await failed(), before + messages.length)
  })

  it('what is refused for its content is acknowledged, logged and counted as failed', async (t) => {
    const large = 'x'.repeat(limits.mqttPublishBytesMax)
    const refused = [
      ['$resource/temperature', 'warm', 'value_refused', /temperature: must be a number/],
      ['$resource/temperature', 'nan', 'value_refused', /nan is none/],
      ['$resource/temperature', '', 'value_refused', /it is empty/],
      ['$resource/temperature', '21,5', 'value_refused', /a decimal point, not a comma/],
      ['$resource/temperature', '-inf', 'value_refused', /it is not finite/],
      ['$resource/level', '12', 'value_refused', /allowed/],
      ['somewhere/else', '1', 'malformed_request', /topic/],
      ['$resource/', '1', 'malformed_request', /topic/],
      ['$resource.batch', 'no batch', 'malformed_request', /not JSON/],
      ['$resource/a', large, 'too_large', /at most 1048576 bytes/],
      ['$resource/a', `${large}${large}`, 'too_large', /at most 1048576 bytes/],
      ['$resource.batch', `${large}x`, 'too_large', /at most 2097152 bytes/],
      ['$provision/somebody', '', 'forbidden', /anonymous/],
    ] as const
    for (const [topic, payload, code, says] of refused) {
      // Refusals of one device with the same code within seconds are one line.
      const device = await newOne()
      const { write } = await connect(t, device)
      const before = await failed()
      await write(topic, payload)
      const refusal = await line(device.identity, 'refusal')
      assert.equal(refusal?.code, code, topic)
      assert.match(refusal?.message ?? '', says)
      assert.equal(await failed(), before + 1)
      assert.deepEqual(await state(device), {})
      await write('$resource/temperature', '20.5')
      assert.equal((await state(device)).temperature?.reported, '20.5')
    }
  })

  it('a refusal that cannot be counted is not acknowledged', async (t) => {
    const device = await newOne()
    const { client, closed } = await connect(t, device)
    const { database } = millrace.platform
    await database.run('alter table eventlog_ledger rename to eventlog_ledger_away')
    let acknowledged = false
    client.publish('$resource/temperature', 'warm', { qos: 1 }, (error) => {
      acknowledged = error === undefined || error === null
    })
    await closed.finally(() =>
      database.run('alter table eventlog_ledger_away rename to eventlog_ledger'),
    )
    assert.equal(acknowledged, false)
  })

  it('an unknown alias is acknowledged, logged, and not stored', async (t) => {
    const device = await newOne()
    const { write } = await connect(t, device)
    await write('$resource/nobody/knows', '1')
    assert.deepEqual((await writes(device))[0]?.unknown, ['nobody/knows'])
  })

  it('a value has at most 1 MiB', async (t) => {
    const device = await newOne()
    const { write } = await connect(t, device)
    const most = 'x'.repeat(limits.resourceValueBytesMax)
    await write('$resource/a', most)
    assert.equal((await state(device)).a?.reported?.length, limits.resourceValueBytesMax)
    await write('$resource/a', `${most}x`)
    assert.equal((await line(device.identity, 'refusal'))?.code, 'too_large')
  })
})

describe('device API over MQTT: the acknowledgement of a write', () => {
  shareInstance()

  it('is acknowledged after the commit, not before', async (t) => {
    const device = await newOne()
    const { write } = await connect(t, device)
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
    const { client, closed } = await connect(t, device)
    const { eventlog, database } = millrace.platform
    const stall = await stallLog(database)
    const { id: connectorId, businessId } = millrace.connector
    const { identity } = device
    const entry = { businessId, connectorId, identity, kind: 'write', at: 1 } as const
    const body = { ip: '', protocol: 'test', payload: [] }
    const append = () => eventlog.append({ ...entry, body }).catch(() => {})
    const first = append()
    // Its batch is under way, so that what follows only waits.
    await stall.waitedFor()
    const waiting = Array.from({ length: limits.pendingMessagesMax }, append)
    let acknowledged = false
    client.publish('$resource/a', 'one too many', { qos: 1 }, (error) => {
      acknowledged = error === undefined || error === null
    })
    await closed
    assert.equal(acknowledged, false)
    await stall.release()
    await Promise.all([first, ...waiting])
    assert.equal((await line(device.identity, 'refusal'))?.code, 'overloaded')
  })

  it('the ledger adds up after all of it', async () => {
    assert.deepEqual((await millrace.platform.eventlog.ledger.verify()).faults, [])
  })
})
