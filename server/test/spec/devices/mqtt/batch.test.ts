import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { deviceApiLimits } from '../../../../src/devices/device-api/index.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { mqttFleet } from '../../../fixtures/wire/mqtt-fleet.ts'

describe('device API over MQTT: batch and history, $resource.batch', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  const { newOne, connect, state, line, writes } = mqttFleet(() => millrace)
  before(async () => {
    millrace = await testPlatform(suite)
  })

  it('takes seconds and microseconds, and values as they were typed', async (t) => {
    const device = await newOne()
    const { write } = await connect(t, device)
    const batch = `[
      {"timestamp": 1500000000, "values": {"temperature": 21.50, "a": "x,\\"1.0"}},
      {"timestamp": 1500000001000005, "values": {"temperature": 12345678901234567890}},
      {"timestamp": 1500000000, "values": {"b": {"001": 1.50, "on": true}}}
    ]`
    await write('$resource.batch', `\ufeff${batch}`)
    assert.deepEqual((await writes(device))[0]?.payload, [
      {
        timestamp: 1_500_000_000_000_000,
        values: { temperature: '21.50', a: 'x,"1.0', b: '{"001":1.5,"on":true}' },
      },
      { timestamp: 1_500_000_001_000_005, values: { temperature: '12345678901234567890' } },
    ])
    assert.equal((await state(device)).temperature?.reported, '12345678901234567890')
  })

  for (const [name, batch] of [
    ['no JSON', '[{"timestamp": 1, "values": {"a": 1}}'],
    ['no list', '{"timestamp": 1, "values": {"a": 1}}'],
    ['a point without values', '[{"timestamp": 1}]'],
    ['milliseconds', '[{"timestamp": 1500000000000, "values": {"a": 1}}]'],
    ['a time before 1970', '[{"timestamp": -1, "values": {"a": 1}}]'],
    ['null', '[{"timestamp": 1, "values": {"a": null}}]'],
    ['one bad value', '[{"timestamp": 1, "values": {"a": 1, "temperature": "warm"}}]'],
    ['brackets without end', '['.repeat(1_000_000)],
  ] as const) {
    it(`${name}: a line says so, and nothing of the batch is stored`, async (t) => {
      const device = await newOne()
      const { write } = await connect(t, device)
      await write('$resource.batch', batch)
      assert.deepEqual(await state(device), {})
      assert.ok(await line(device.identity, 'refusal'))
    })
  }

  it('more values than a record may have are refused', async (t) => {
    const device = await newOne()
    const { write } = await connect(t, device)
    const point = (at: number) => ({ timestamp: at, values: { a: at } })
    const points = Array.from({ length: deviceApiLimits.pointsPerRecordMax + 1 }, (_, at) =>
      point(at),
    )
    await write('$resource.batch', JSON.stringify(points.slice(1)))
    await write('$resource.batch', JSON.stringify(points))
    assert.equal((await state(device)).a?.reported, `${deviceApiLimits.pointsPerRecordMax}`)
    assert.equal((await line(device.identity, 'refusal'))?.code, 'too_large')
  })

  it('the ledger adds up after all of it', async () => {
    assert.deepEqual((await millrace.platform.eventlog.ledger.verify()).faults, [])
  })
})
