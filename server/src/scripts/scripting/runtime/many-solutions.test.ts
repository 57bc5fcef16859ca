import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { isLongForm, numbersAfter } from '../../../../test/fixtures/bounds.ts'
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
import { defaultLimits } from '../registry/solution.ts'
import { createScriptHost } from './create-host.ts'
import { serveWorker } from './thread/serve-worker.ts'
import type { ThreadTime } from './thread/thread-time.ts'
import type { WorkerOptions } from './workers/messages.ts'

const mib = 1024 * 1024

/**
 * Workers that are lost, and many solutions at once, through the host. All 500 losses of
 * script-host.md: `node server/src/scripts/scripting/runtime/many-solutions.test.ts 500`.
 */
const [losses = isLongForm ? 40 : 10] = numbersAfter('many-solutions.test.ts')
const { exit: endThread } = process

/** This file is its own worker: the real engine, whose handler named `crash` ends the thread. */
if (isMainThread) tests()
else if (parentPort !== null) {
  serveWorker(crashing, parentPort, { elapsedMs, threadMs }, workerData as WorkerOptions)
}

function crashing(time: ThreadTime, onFault: (error: unknown) => void) {
  const engine = createLuaEngine({ clock: systemClock(), random: systemRandom, time, onFault })
  const open: typeof engine.open = (program, hooks) => {
    const machine = engine.open(program, hooks)
    if ('problem' in machine) return machine
    const { start } = machine
    machine.start = (call, invocation) => {
      if (invocation.handler === 'crash') endThread(1)
      return start.call(machine, call, invocation)
    }
    return machine
  }
  return { check: engine.check, open }
}

function openHost(t: Parameters<typeof atEnd>[0]) {
  const host = createScriptHost({
    hooks: { callService: async () => null, log: () => {} },
    logger: createLogger('silent'),
    workers: 1,
    entry: new URL(import.meta.url),
  })
  atEnd(t, () => host.close())
  return async (solutionId: string, handler: string) => {
    const source = 'function quick() n = (n or 0) + 1 return n end'
    const program = {
      businessId: 'b',
      solutionId,
      version: 1,
      services: [],
      limits: defaultLimits(),
      chunks: [{ name: 'main.lua', source, role: { kind: 'plain' } as const }],
    }
    const context = { solution_id: solutionId, tracking_id: 't', service: 'device2' }
    const end = await host.call(program, { handler, args: [], context, depth: 0 })
    return end.kind === 'returned' ? end.value : end.error.status
  }
}

function tests(): void {
  it(`loses ${losses} workers, and each time the next call of others works`, async (t) => {
    const call = openHost(t)
    for (let at = 0; at < losses; at += 1) {
      assert.equal(await call(`guilty${at}`, 'crash'), 503)
      assert.equal(await call('innocent', 'quick'), 1)
    }
  })

  it(`${scriptingLimits.scriptMachinesMax} solutions run in less than 300 MB`, async (t) => {
    const call = openHost(t)
    await call('first', 'quick')
    const before = process.memoryUsage().rss
    const ids = Array.from(
      { length: scriptingLimits.scriptMachinesMax },
      (_, at) => `solution${at}`,
    )
    for (const id of ids) assert.equal(await call(id, 'quick'), 1)
    // The last ones are alive still: what a process keeps is shared by its workers.
    for (const id of ids.slice(-300)) assert.equal(await call(id, 'quick'), 2)
    const grown = process.memoryUsage().rss - before
    assert.ok(grown < 300 * mib, `${Math.round(grown / mib)} MiB`)
  })
}
