import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PollLoop } from './poll-loop.ts'

/** A poll that no test waits for. */
const neverMs = 2 ** 30

/** A loop with a gate before each look's end, and the number of looks. */
function gated(pollMs: number, pauseMs = 1) {
  const state = { looks: 0, gate: Promise.withResolvers<void>() }
  const failures: unknown[] = []
  const loop = new PollLoop({
    async look() {
      state.looks += 1
      await state.gate.promise
      if (state.looks === 1) throw new Error('first')
    },
    failed: (error) => failures.push(error),
    pollMs,
    pauseMs,
  })
  return { loop, state, failures }
}

/** Keeps the process alive, as a server does: the timers of a loop do not. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1))
}

test('a notification during a look is for the next one, however long the poll is', async () => {
  const { loop, state, failures } = gated(neverMs)
  const running = loop.run()
  assert.equal(state.looks, 1)
  loop.notify()
  loop.notify()
  state.gate.resolve()
  await until(() => state.looks === 2)
  assert.equal(failures.length, 1, 'a failed look does not end the loop')
  loop.notify()
  await until(() => state.looks === 3)
  await loop.stop()
  await running
  assert.equal(state.looks, 3)
})

test('a loop that starts later waits first, and its end waits for the look', async () => {
  const { loop, state } = gated(1)
  loop.startLater()
  assert.equal(state.looks, 0)
  await until(() => state.looks === 1)
  let ended = false
  const stopped = loop.stop().then(() => {
    ended = true
  })
  await new Promise(setImmediate)
  assert.equal(ended, false)
  state.gate.resolve()
  await stopped
  assert.equal(state.looks, 1)
})

test('a loop that is stopped before its first look never looks', async () => {
  const { loop, state } = gated(neverMs)
  loop.startLater()
  await loop.stop()
  assert.equal(state.looks, 0)
})

test('a look says when the next one is due, at most a poll later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let looks = 0
  const look = async (dueIn: (ms: number) => void) => {
    looks += 1
    dueIn(looks === 1 ? 20 : 5_000)
    if (looks === 3) throw new Error('third')
  }
  const loop = new PollLoop({ look, failed: () => {}, pollMs: 100 })
  const running = loop.run()
  for (const [ms, expected] of [
    [19, 1],
    [1, 2],
    [99, 2],
    [1, 3],
    [99, 3],
    [1, 4],
  ] as const) {
    await new Promise(setImmediate)
    t.mock.timers.tick(ms)
    await new Promise(setImmediate)
    assert.equal(looks, expected)
  }
  await loop.stop()
  await running
})

test('a loop without a pause looks at once, and again for what came during a look', async () => {
  const { loop, state } = gated(neverMs, 0)
  const running = loop.run()
  loop.notify()
  state.gate.resolve()
  await new Promise(setImmediate)
  assert.equal(state.looks, 2)
  loop.notify()
  await new Promise(setImmediate)
  assert.equal(state.looks, 3)
  await loop.stop()
  await running
})
