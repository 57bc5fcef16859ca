import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { waitMsMax } from '../../../../test/fixtures/bounds.ts'
import { atEnd } from '../../../../test/fixtures/ends.ts'
import {
  createLogger,
  elapsedMs,
  systemClock,
  systemRandom,
  threadMs,
} from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import { createLuaEngine } from '../lua/index.ts'
import type { Program } from '../registry/program.ts'
import { defaultLimits } from '../registry/solution.ts'
import { createScriptHost } from './create-host.ts'
import type { ScriptEngine } from './engine.ts'
import type { HostEnd, ScriptHost } from './host.ts'
import { serveWorker } from './thread/serve-worker.ts'
import type { ThreadTime } from './thread/thread-time.ts'
import type { WorkerOptions } from './workers/messages.ts'

/** In a thread it ends the thread alone. */
const { exit: endThread } = process

/**
 * This file is its own worker: the real engine, of which a handler named `hang` never comes back,
 * as no script should be able to make it, one named `crash` ends the thread, and one named `hoard`
 * takes all of its memory. A handler named `work` takes long, and reports that it goes on.
 */
if (isMainThread) tests()
else if (parentPort !== null) {
  serveWorker(faulty, parentPort, { elapsedMs, threadMs }, workerData as WorkerOptions)
}

function faulty(time: ThreadTime, onFault: (error: unknown) => void): ScriptEngine {
  const engine = createLuaEngine({ clock: systemClock(), random: systemRandom, time, onFault })
  return {
    check: engine.check,
    open(program, hooks) {
      const machine = engine.open(program, hooks)
      if ('problem' in machine) return machine
      const { start } = machine
      machine.start = (call, invocation) => {
        if (invocation.handler === 'hang') {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
        }
        if (invocation.handler === 'crash') endThread(1)
        if (invocation.handler === 'work') work(time)
        if (invocation.handler === 'hoard') hoard()
        return start.call(machine, call, invocation)
      }
      return machine
    },
  }
}

/** Longer than a worker may be without progress, with progress. */
function work(time: ThreadTime): void {
  const untilMs = elapsedMs() + scriptingLimits.scriptHangMs + 2_000
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  while (elapsedMs() < untilMs) {
    Atomics.wait(sleeper, 0, 0, 10)
    time.tick(elapsedMs())
  }
}

/** All of it stays: with a large young generation V8 ends the process, and not the worker. */
function hoard(): never {
  for (let kept = {}; ; ) kept = { kept }
}

function openHost(t: TestContext, ask: () => Promise<null> = async () => null): ScriptHost {
  const host = createScriptHost({
    hooks: { callService: ask, log: () => {} },
    logger: createLogger('silent'),
    workers: 1,
    entry: new URL(import.meta.url),
  })
  atEnd(t, () => host.close())
  return host
}

function call(
  host: ScriptHost,
  solutionId: string,
  handler: string,
  wallMsMax = 1e9,
): Promise<HostEnd> {
  const source =
    'function quick() return 1 end function work() end function waits() return Http.get{} end'
  const program: Program = {
    businessId: 'b',
    solutionId,
    version: 1,
    services: ['http'],
    chunks: [{ name: 'main.lua', source, role: { kind: 'plain' } }],
    limits: { ...defaultLimits(), wallMsMax },
  }
  const context = { solution_id: solutionId, tracking_id: 't', service: 'device2' }
  return host.call(program, { handler, args: [], context, depth: 0 })
}

function pickEnd(end: HostEnd) {
  const { kind, started } = end
  return [kind === 'stopped' ? end.limit : kind, started]
}

function tests(): void {
  it('ends a worker that hangs; what it had not begun runs elsewhere before that', async (t) => {
    const asked = Promise.withResolvers<void>()
    const host = openHost(t, () => {
      asked.resolve()
      return new Promise(() => {})
    })
    await call(host, 'innocent', 'quick')
    // Its time is over before the worker is ended, and not before it has called the service.
    const waits = call(host, 'waiting', 'waits', scriptingLimits.scriptHangMs - 1_000)
    await asked.promise
    const order: string[] = []
    const hangs = call(host, 'guilty', 'hang').finally(() => order.push('hangs'))
    const behind = call(host, 'innocent', 'quick').finally(() => order.push('behind'))
    assert.deepEqual(pickEnd(await behind), ['returned', true])
    assert.deepEqual(pickEnd(await waits), ['time', true])
    assert.deepEqual(pickEnd(await hangs), ['worker', true])
    assert.deepEqual(order, ['behind', 'hangs'])
    assert.deepEqual(pickEnd(await call(host, 'innocent', 'quick')), ['returned', true])
  })

  it('leaves a worker alone that works, however long past its time', async (t) => {
    const host = openHost(t)
    await call(host, 'guilty', 'quick')
    // The engine checks its limits all the while, and has none: so it is no hang.
    const working = call(host, 'guilty', 'work', scriptingLimits.scriptHangMs)
    assert.deepEqual(pickEnd(await working), ['returned', true])
    assert.deepEqual(pickEnd(await call(host, 'guilty', 'quick')), ['returned', true])
  })

  it('ends a worker whose own memory is used up, and the process goes on', async (t) => {
    const host = openHost(t)
    assert.deepEqual(pickEnd(await call(host, 'guilty', 'hoard')), ['worker', true])
    assert.deepEqual(pickEnd(await call(host, 'innocent', 'quick')), ['returned', true])
  })

  it('does not repeat what ran in a worker that was lost', async (t) => {
    const host = openHost(t)
    assert.deepEqual(pickEnd(await call(host, 'guilty', 'crash')), ['worker', true])
    assert.deepEqual(pickEnd(await call(host, 'innocent', 'quick')), ['returned', true])
  })

  it('lets a solution that cost a worker rest, and then takes it again', async (t) => {
    const host = openHost(t)
    await call(host, 'guilty', 'crash')
    assert.deepEqual(pickEnd(await call(host, 'guilty', 'quick')), ['worker', false])
    const fromMs = elapsedMs()
    for (;;) {
      const [how] = pickEnd(await call(host, 'guilty', 'quick'))
      if (how === 'returned') break
      assert.ok(elapsedMs() - fromMs < waitMsMax, 'it rests for ever')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
}
