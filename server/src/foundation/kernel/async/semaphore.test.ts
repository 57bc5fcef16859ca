import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../errors.ts'
import { Semaphore, type Share } from './semaphore.ts'

const refusal = () => new Fault('overloaded')

/** Work that is under way until its gate opens; `started` has the names in order. */
function gatedWork(semaphore: Semaphore) {
  const started: string[] = []
  const gates = new Map<string, PromiseWithResolvers<string>>()
  return {
    started,
    begin(shares: readonly Share[], name: string, signal?: AbortSignal) {
      const gate = Promise.withResolvers<string>()
      gates.set(name, gate)
      return semaphore.run(
        shares,
        () => {
          started.push(name)
          return gate.promise
        },
        signal,
      )
    },
    end: (name: string) => gates.get(name)?.resolve(name),
    fail: (name: string) => gates.get(name)?.reject(new Error(name)),
  }
}

test('work past the most waits in its order, and a failure makes room too', async () => {
  const work = gatedWork(new Semaphore({ max: 1, waitingMax: 2, refusal }))
  const [one, two, three] = ['1', '2', '3'].map((name) => work.begin([], name))
  await assert.rejects(work.begin([], '4'), { code: 'overloaded' })
  assert.deepEqual(work.started, ['1'])
  work.fail('1')
  await assert.rejects(one ?? Promise.resolve(), /1/)
  work.end('2')
  assert.equal(await two, '2')
  work.end('3')
  assert.equal(await three, '3')
  assert.deepEqual(work.started, ['1', '2', '3'])
})

test('work of a share without room holds up no other share', async () => {
  const work = gatedWork(new Semaphore({ max: 2, waitingMax: 2, refusal }))
  const [a, b, c] = ['a', 'b', 'c'].map((key) => [{ key, max: 1 }]) as [Share[], Share[], Share[]]
  const running = [work.begin(a, 'a1'), work.begin(a, 'a2'), work.begin(b, 'b1')]
  assert.deepEqual(work.started, ['a1', 'b1'])
  running.push(work.begin(c, 'c1'))
  work.end('b1')
  await running[2]
  await new Promise(setImmediate)
  assert.deepEqual(work.started, ['a1', 'b1', 'c1'])
  for (const name of ['a1', 'a2', 'c1']) work.end(name)
  await Promise.all(running)
  assert.deepEqual(work.started, ['a1', 'b1', 'c1', 'a2'])
})

test('work that belongs to several shares needs room in each of them', async () => {
  const work = gatedWork(new Semaphore({ max: 9, waitingMax: 9, refusal }))
  const peer = (key: string) => [
    { key: 'tenant', max: 2 },
    { key, max: 1 },
  ]
  const running = [work.begin(peer('a'), 'a1'), work.begin(peer('a'), 'a2')]
  running.push(work.begin(peer('b'), 'b1'), work.begin(peer('c'), 'c1'))
  assert.deepEqual(work.started, ['a1', 'b1'])
  work.end('b1')
  await running[2]
  await new Promise(setImmediate)
  assert.deepEqual(work.started, ['a1', 'b1', 'c1'])
  for (const name of ['a1', 'a2', 'c1']) work.end(name)
  await Promise.all(running)
  assert.deepEqual(work.started, ['a1', 'b1', 'c1', 'a2'])
})

test('a share whose wait is full is refused, and others still wait', async () => {
  const work = gatedWork(new Semaphore({ max: 1, waitingMax: 3, refusal }))
  const share = (key: string) => [{ key, max: 1, waitingMax: 1 }]
  const running = [work.begin(share('a'), 'a1'), work.begin(share('a'), 'a2')]
  await assert.rejects(work.begin(share('a'), 'a3'), { code: 'overloaded' })
  running.push(work.begin(share('b'), 'b1'))
  work.end('a1')
  await running[0]
  running.push(work.begin(share('a'), 'a4'))
  for (const name of ['a2', 'b1', 'a4']) work.end(name)
  await Promise.all(running)
  assert.deepEqual(work.started, ['a1', 'a2', 'b1', 'a4'])
})

test('a signal ends the wait of work, which leaves its place', async () => {
  const work = gatedWork(new Semaphore({ max: 1, waitingMax: 1, refusal }))
  const controller = new AbortController()
  const first = work.begin([], 'first')
  const aborted = work.begin([], 'aborted', controller.signal)
  controller.abort(new Error('gone'))
  await assert.rejects(aborted, /gone/)
  await assert.rejects(work.begin([], 'late', controller.signal), /gone/)
  const next = work.begin([], 'next')
  work.end('first')
  work.end('next')
  assert.deepEqual(await Promise.all([first, next]), ['first', 'next'])
  assert.deepEqual(work.started, ['first', 'next'])
})
