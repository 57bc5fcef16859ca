import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import {
  getEnvironmentData,
  isMainThread,
  parentPort,
  setEnvironmentData,
  workerData,
} from 'node:worker_threads'
import { waitMsMax } from '../../../../test/fixtures/bounds.ts'
import { atEnd } from '../../../../test/fixtures/ends.ts'
import {
  createLogger,
  elapsedMs,
  Fault,
  systemClock,
  systemRandom,
  threadMs,
} from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import { createLuaEngine } from '../lua/index.ts'
import { defaultLimits } from '../registry/solution.ts'
import { createScriptHost } from './create-host.ts'
import type { HostEnd, ScriptHost } from './host.ts'
import { serveWorker } from './thread/serve-worker.ts'
import type { WorkerOptions } from './workers/messages.ts'

/** Shared with the workers: how many are there, how many of them open, whether all are ended. */
const [thereAt, openAt, endedAt] = [0, 1, 2]
const cellsKey = 'closing.test.ts'

/** This file is its own worker: the real engine, in workers of which some open at the end. */
if (isMainThread) tests()
else if (parentPort !== null) {
  const cells = getEnvironmentData(cellsKey) as Int32Array
  const before = Atomics.add(cells, thereAt, 1)
  if (before >= Atomics.load(cells, openAt)) Atomics.wait(cells, endedAt, 0)
  serveWorker(
    (time, onFault) =>
      createLuaEngine({ clock: systemClock(), random: systemRandom, time, onFault }),
    parentPort,
    { elapsedMs, threadMs },
    workerData as WorkerOptions,
  )
}

function openHost(t: TestContext, open: number) {
  const cells = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
  Atomics.store(cells, openAt, open)
  setEnvironmentData(cellsKey, cells)
  const host = createScriptHost({
    hooks: { callService: async () => null, log: () => {} },
    logger: createLogger('silent'),
    workers: 1,
    entry: new URL(import.meta.url),
  })
  /** Node may miss `terminate` while a worker starts: such a worker ends once it has opened. */
  const close = () => {
    const closed = host.close()
    Atomics.store(cells, endedAt, 1)
    Atomics.notify(cells, endedAt)
    return closed
  }
  atEnd(t, close)
  const there = () => Atomics.load(cells, thereAt)
  return { host, close, there }
}

function call(host: ScriptHost, solutionId: string, handler: string): Promise<HostEnd> {
  const source = 'function quick() end function spin() while true do end end'
  const program = {
    businessId: 'b',
    solutionId,
    version: 1,
    services: [],
    chunks: [{ name: 'main.lua', source, role: { kind: 'plain' } as const }],
    limits: { ...defaultLimits(), wallMsMax: 1e9, cpuMsMax: 1e9 },
  }
  const context = { solution_id: solutionId, tracking_id: 't', service: 'device2' }
  return host.call(program, { handler, args: [], context, depth: 0 })
}

function check(host: ScriptHost) {
  return host.check('s', { name: 'a.lua', source: 'x = 1', role: { kind: 'plain' } })
}

const overloaded = (error: unknown) => error instanceof Fault && error.code === 'overloaded'

async function until(condition: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + waitMsMax
  while (!condition()) {
    if (performance.now() > deadlineMs) throw new Error('it did not come about')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Returns the ends of the calls. */
async function listEnds(calls: readonly Promise<HostEnd>[]) {
  const ends = await Promise.all(calls)
  return [...new Set(ends.map((end) => (end.kind === 'stopped' ? end.limit : end.kind)))]
}

function tests(): void {
  it('closes while its worker is being opened, with all that waits for it', async (t) => {
    const { host, close, there } = openHost(t, 0)
    const count = scriptingLimits.scriptCallsMax + scriptingLimits.scriptQueuedMax
    const calls = Array.from({ length: count }, () => call(host, 's', 'quick'))
    const refused = assert.rejects(check(host), overloaded)
    await until(() => there() === 1)
    await close()
    assert.deepEqual(await listEnds(calls), ['worker'])
    await refused
    assert.equal(there(), 1)
  })

  it('closes while a spare worker is being opened', async (t) => {
    const { host, close, there } = openHost(t, 1)
    for (const id of ['one', 'two']) await call(host, id, 'quick')
    const spins = call(host, 'one', 'spin')
    // On a busy machine the second spare worker is opened before the first one is there.
    await until(() => there() > 1)
    await close()
    assert.deepEqual(await listEnds([spins]), ['worker'])
    assert.ok(there() <= 1 + scriptingLimits.scriptWorkersSpareMax)
  })

  it('opens no worker once it is closed', async (t) => {
    const { host, close, there } = openHost(t, 1)
    await call(host, 's', 'quick')
    await close()
    assert.deepEqual(await listEnds([call(host, 's', 'quick')]), ['worker'])
    await assert.rejects(check(host), overloaded)
    assert.equal(there(), 1)
  })
}
