import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scriptingLimits } from '../../limits.ts'
import { createSemaphore } from './semaphore.ts'

const call = (solutionId: string, depth = 0, concurrencyMax = 2) => ({
  solutionId,
  depth,
  concurrencyMax,
})
const many = (count: number) => Array.from({ length: count }, () => call('pump'))

describe('the turns of calls', () => {
  it('are as many at once as a call may have; the others wait in their order', () => {
    const { acquire: take, release: next } = createSemaphore()
    const [one, two, three, four] = [call('pump'), call('pump'), call('pump'), call('pump')]
    assert.deepEqual([one, two, three, four].map(take), ['run', 'run', 'wait', 'wait'])
    assert.equal(next(one), three)
    assert.equal(take(call('pump')), 'wait', 'the place was handed on')
    assert.equal(next(two), four)
  })

  it('are free again when nobody waits, each one once', () => {
    const { acquire: take, release: next } = createSemaphore()
    const [one, two] = [call('pump'), call('pump')]
    assert.deepEqual([one, two].map(take), ['run', 'run'])
    assert.equal(next(one), undefined)
    assert.deepEqual([take(call('pump')), take(call('pump'))], ['run', 'wait'])
    const other = createSemaphore()
    assert.deepEqual([one, two].map(other.acquire), ['run', 'run'])
    assert.deepEqual([other.release(one), other.release(two)], [undefined, undefined])
    const again = [call('pump'), call('pump'), call('pump')]
    assert.deepEqual(again.map(other.acquire), ['run', 'run', 'wait'])
  })

  it('are of one solution and one depth, so that a deeper call never waits for its caller', () => {
    const { acquire: take, release: next } = createSemaphore()
    const caller = call('pump', 0, 1)
    assert.equal(take(caller), 'run')
    assert.equal(take(call('pump', 0, 1)), 'wait')
    assert.equal(take(call('pump', 1, 1)), 'run')
    assert.equal(take(call('fan', 0, 1)), 'run')
    assert.equal(next(call('valve')), undefined)
  })

  it(`are waited for by ${scriptingLimits.scriptQueuedMax} at most`, () => {
    const { acquire: take, release: next, cancel: leave } = createSemaphore()
    const [running] = many(1)
    assert.equal(take(running ?? assert.fail()), 'run')
    assert.equal(take(call('pump')), 'run')
    const waiting = many(scriptingLimits.scriptQueuedMax)
    assert.deepEqual(new Set(waiting.map(take)), new Set(['wait']))
    assert.equal(take(call('pump')), 'full')
    assert.equal(take(call('fan')), 'run')
    const [first = assert.fail(), second = assert.fail(), third] = waiting
    assert.equal(next(running ?? assert.fail()), first)
    assert.equal(take(call('pump')), 'wait')
    assert.equal(take(call('pump')), 'full')
    leave(second)
    assert.equal(take(call('pump')), 'wait')
    assert.equal(take(call('pump')), 'full')
    assert.equal(next(first), third)
  })

  it('are left by a call that waits, and by no other', () => {
    const { acquire: take, release: next, cancel: leave } = createSemaphore()
    const [one, two, three, four] = [call('pump'), call('pump'), call('pump'), call('pump')]
    for (const each of [one, two, three, four]) take(each)
    leave(one)
    leave(call('pump'))
    leave(call('valve'))
    assert.equal(next(one), three)
    leave(four)
    assert.equal(next(two), undefined)
    const [five, six, seven, eight] = [call('pump'), call('pump'), call('pump'), call('pump')]
    assert.deepEqual([five, six, seven, eight].map(take), ['run', 'wait', 'wait', 'wait'])
    leave(seven)
    assert.deepEqual([next(three), next(five)], [six, eight])
  })
})
