import { deepEqual, equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkModule, type ProcessAnswer, serve } from '@millrace/insight-sdk'
import { vibration } from './module.ts'
import { crestFactor, mean, rms } from './statistics.ts'
import { RollingWindow, windowSamplesMax } from './window.ts'

test('the figures of known values', () => {
  equal(rms([3, 4, 3, 4]), Math.sqrt(12.5))
  equal(mean([1, 2, 6]), 3)
  equal(crestFactor([1, -1, 1]), 1)
  equal(crestFactor([0, 0]), undefined)
})

const toValues = (samples: readonly { value: number }[]) => samples.map(({ value }) => value)

test('a window keeps the latest samples, in order of time', () => {
  const window = new RollingWindow()
  window.add({ ts: 1, value: 1 }, 3)
  window.add({ ts: 3, value: 3 }, 3)
  deepEqual(toValues(window.add({ ts: 2, value: 2 }, 3)), [1, 2, 3])
  deepEqual(toValues(window.add({ ts: 4, value: 4 }, 3)), [2, 3, 4])
})

test('a sample that comes again takes the place of the first', () => {
  const window = new RollingWindow()
  window.add({ ts: 1, value: 1 }, 3)
  deepEqual(toValues(window.add({ ts: 1, value: 1 }, 3)), [1])
})

test('a window is bounded, whatever size is requested', () => {
  const window = new RollingWindow()
  for (let ts = 0; ts <= windowSamplesMax; ts += 1) window.add({ ts, value: ts }, Infinity)
  equal(window.add({ ts: -1, value: 0 }, Infinity).length, windowSamplesMax)
  equal(window.add({ ts: 1e9, value: 0 }, 0).length, 1)
})

function request(functionId: string, values: readonly number[], window: number, id = 'link-1') {
  const origin = 'connector.device.data_in.001'
  const data = values.map((value, index) => ({
    ts: 1_700_000_000_000_000 + index,
    value,
    origin,
    generated: origin,
    tags: { inlet: 'vibration' },
  }))
  return JSON.stringify({ id, data, args: { function_id: functionId, constants: { window } } })
}

async function process(url: string, body: string): Promise<unknown[][]> {
  const response = await fetch(`${url}/process`, { method: 'POST', body })
  const answer = (await response.json()) as ProcessAnswer
  return answer.map((outlet) => outlet.map(({ value }) => value))
}

for (const [functionId, values, window, said] of [
  ['rms', [3, 4, 0], 2, [[3, Math.sqrt(12.5), Math.sqrt(8)], []]],
  ['moving_average', [1, 2, 6], 20, [[1, 1.5, 3], []]],
  ['crest_factor', [0, 2, -2], 1, [[1, 1], ['no Crest factor of a silent signal']]],
] as const) {
  test(`${functionId} of ${JSON.stringify(values)} in a window of ${window}`, async (t) => {
    const { url, close } = await serve(vibration)
    t.after(close)
    deepEqual(await process(url, request(functionId, values, window)), said)
  })
}

test('each linkage has its own window, kept between calls', async (t) => {
  const { url, close } = await serve(vibration)
  t.after(close)
  await process(url, request('moving_average', [10], 5, 'a'))
  const [again] = await process(url, request('moving_average', [10, 20], 5, 'a'))
  const [other] = await process(url, request('moving_average', [2], 5, 'b'))
  deepEqual([again, other], [[10, 15], [2]])
})

test('the module is as the protocol demands', async (t) => {
  const { url, close } = await serve(vibration)
  t.after(close)
  const { checks } = await checkModule(url)
  deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  )
})

test('main.ts prints its URL, answers there, and ends when it is asked to', async (t) => {
  const main = join(import.meta.dirname, 'main.ts')
  const child = spawn(globalThis.process.execPath, [main, '--port', '0'])
  t.after(() => child.kill('SIGKILL'))
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const [printed] = await child.stdout.take(1).toArray()
  match(String(printed), /^http:\/\/127\.0\.0\.1:\d+\n$/)
  equal((await fetch(`${String(printed).trim()}/info`)).status, 200)
  child.kill('SIGTERM')
  equal(await ended, 0)
})
