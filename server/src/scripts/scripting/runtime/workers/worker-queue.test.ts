import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../../limits.ts'
import type { Program } from '../../registry/program.ts'
import { defaultLimits } from '../../registry/solution.ts'
import type { ToWorker } from './messages.ts'
import { WorkerQueue } from './worker-queue.ts'

let calls = 0
function makeCall(solutionId: string): ToWorker {
  calls += 1
  return ['call', calls, solutionId, 1, 'handle', [], 't', 's', undefined, 1_000, 1]
}

function makeProgram(solutionId: string): ToWorker {
  const program: Program = {
    businessId: 'b',
    solutionId,
    version: 1,
    services: [],
    chunks: [],
    limits: defaultLimits(),
  }
  return ['program', program]
}

function listNames(batch: readonly ToWorker[]): string[] {
  return batch.map((one) => {
    if (one[0] === 'call') return one[2]
    return one[0] === 'program' ? `program ${one[1].solutionId}` : one[0]
  })
}

describe('what waits for a worker', () => {
  it('goes in turns of the solutions, each call behind its program, answers first', () => {
    const queue = new WorkerQueue(() => 1)
    for (const message of [makeProgram('a'), makeCall('a'), makeCall('a'), makeCall('a')]) {
      queue.push(message)
    }
    for (const message of [makeProgram('b'), makeCall('b')]) queue.push(message)
    queue.push(['answer', 1, null])
    assert.deepEqual(listNames(queue.takeBatch()), [
      ...['answer', 'program a', 'a', 'program b', 'b', 'a', 'a'],
    ])
    assert.equal(queue.isEmpty, true)
  })

  it('goes in batches that do not take long', () => {
    const queue = new WorkerQueue((id) => (id === 'slow' ? scriptingLimits.scriptBatchMs : 0))
    for (let at = 0; at < 3; at += 1) queue.push(makeCall('slow'))
    for (let at = 0; at < 3; at += 1) queue.push(makeCall('quick'))
    assert.deepEqual(listNames(queue.takeBatch()), ['slow'])
    assert.deepEqual(listNames(queue.takeBatch()), ['quick', 'slow'])
    assert.deepEqual(listNames(queue.takeBatch()), ['quick', 'slow'])
    assert.deepEqual(listNames(queue.takeBatch()), ['quick'])
    for (let at = 0; at < scriptingLimits.scriptBatchMax + 1; at += 1) queue.push(makeCall('quick'))
    assert.equal(queue.takeBatch().length, scriptingLimits.scriptBatchMax)
    assert.equal(queue.takeBatch().length, 1)
  })

  it('goes in turns where sources are compiled, too, and large ones fill a batch', () => {
    const queue = new WorkerQueue(() => 0)
    const makeCheck = (solutionId: string, source: string): ToWorker => {
      calls += 1
      return [
        'check',
        calls,
        { name: 'a.lua', source, role: { kind: 'plain' } },
        solutionId,
        'syntax',
      ]
    }
    const large = ' '.repeat(limits.scriptSourceBytesMax)
    for (let at = 0; at < 3; at += 1) queue.push(makeCheck('a', large))
    queue.push(makeCall('b'))
    assert.deepEqual(listNames(queue.takeBatch()), ['check'])
    assert.deepEqual(listNames(queue.takeBatch()), ['b', 'check'])
    assert.deepEqual(queue.takeCalls(), [], 'they stay where they are')
    assert.deepEqual(listNames(queue.takeBatch()), ['check'])
    for (let at = 0; at < 3; at += 1) queue.push(makeCheck('a', 'x = 1'))
    assert.deepEqual(listNames(queue.takeBatch()), ['check', 'check', 'check'])
  })

  it('can be taken back: one message, or all calls', () => {
    const queue = new WorkerQueue(() => 1)
    const one = makeCall('a')
    const other = makeCall('a')
    for (const message of [makeProgram('a'), one, other, makeCall('b')]) queue.push(message)
    assert.equal(queue.has(one), true)
    assert.equal(queue.remove(one), true)
    assert.equal(queue.remove(one), false)
    assert.deepEqual(listNames(queue.takeCalls()), ['a', 'b'])
    assert.equal(queue.hasCalls, false)
    assert.deepEqual(listNames(queue.takeBatch()), ['program a'])
    assert.equal(queue.isEmpty, true)
  })
})
