import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { interfaceFixture } from '../../../fixtures/interface.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const [fixture, shareInstance] = sharedFixture((suite) => interfaceFixture(suite))

const run = (source: string, event?: ScriptValue) => fixture.run('pump', source, event)

describe('tsdb: what scripts store over time', () => {
  shareInstance()

  test('write, query: what was written now is there when the answer comes', async () => {
    const source = `
      local written = to_json(Tsdb.write{metrics = {now = 21.5, on = true}, tags = {room = "a"}})
      local read = tsdb.query{metrics = {"now", "on"}, tags = {room = "a"}}
      return {written, read.columns, #read.values, read.values[1]}`
    const startUs = fixture.millrace.clock.nowUs()
    const [written, columns, rows, row] = (await run(source)) as ScriptValue[]
    assert.deepEqual([written, columns, rows], ['{}', ['time', 'now', 'on'], 1])
    assert.deepEqual((row as ScriptValue[]).slice(1), [21.5, true])
    const time = Number((row as ScriptValue[])[0])
    assert.ok(time >= startUs && time <= fixture.millrace.clock.nowUs(), String(time))
  })

  test('multiWrite: all of them, with ts in microseconds or with a unit', async () => {
    const source = `
      Tsdb.multiWrite{datapoints = {
        {metrics = {level = 1}, tags = {pump = "p1"}, ts = 1487021046000000},
        {metrics = {level = 2}, tags = {pump = "p1"}, ts = "1487021047s"},
        {metrics = {level = 3}, tags = {pump = "p2"}, ts = "1487021048000ms"},
      }}
      local asked = {metrics = {"level"}, order_by = "asc", epoch = "s"}
      local all = Tsdb.query(asked).values
      asked.tags = {pump = "p1"}
      return {all, Tsdb.query(asked).values}`
    const [first, second] = [
      [1_487_021_046, 1],
      [1_487_021_047, 2],
    ]
    const third = [1_487_021_048, 3]
    assert.deepEqual(await run(source), [
      [first, second, third],
      [first, second],
    ])
  })

  test('query: a metric without a value is json.null in its row', async () => {
    const source = `
      Tsdb.write{metrics = {alone = 1}}
      local row = Tsdb.query{metrics = {"alone", "nobody"}}.values[1]
      return {row[2], json.is_null(row[3])}`
    assert.deepEqual(await run(source), [1, true])
  })

  test('a solution that is removed takes its values with it', async () => {
    await fixture.solution('leaver')
    await fixture.run('leaver', 'Tsdb.write{metrics = {left = 1}}')
    assert.equal((await fixture.ask('DELETE', '/solution/leaver?confirm=leaver')).status, 204)
    await fixture.solution('leaver')
    assert.equal(await fixture.run('leaver', 'return #Tsdb.query{metrics = {"left"}}.values'), 0)
  })
})
