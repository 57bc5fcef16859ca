import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { pipelineLimits } from '../limits.ts'
import { BatchSize, createSpeed } from './speed.ts'

const called = { moduleId: 'm', functionId: 'f' }
const { moduleInlineRestMs, moduleInlineRestMsMax } = pipelineLimits

function fixture() {
  const at = { ms: 0 }
  const speed = createSpeed({ elapsedMs: () => at.ms })
  const answers = (count: number, ms: number) => {
    for (let one = 0; one < count; one += 1) speed.answered(called, ms)
  }
  return { at, speed, answers }
}

describe('the speed of functions', () => {
  it('is known by the first answer, of each function by itself', () => {
    const { speed, answers } = fixture()
    assert.equal(speed.isQuick(called), false)
    answers(1, 5)
    assert.equal(speed.isQuick(called), true)
    assert.equal(speed.isQuick({ ...called, functionId: 'g' }), false)
    assert.equal(speed.isQuick({ ...called, moduleId: 'n' }), false)
  })

  it('follows the newest answers, and one that took very long is soon forgotten', () => {
    const { speed, answers } = fixture()
    answers(50, 5)
    answers(50, pipelineLimits.moduleInlineMsMax)
    assert.equal(speed.isQuick(called), false)
    answers(1, 60_000)
    answers(20, 5)
    assert.equal(speed.isQuick(called), true)
  })

  it('has a patience that grows with the answers', () => {
    const { speed, answers } = fixture()
    assert.equal(speed.patienceMs(called), pipelineLimits.moduleInlineMsLeast)
    answers(1, 15)
    assert.equal(speed.patienceMs(called), 75)
    answers(50, pipelineLimits.moduleInlineMsMax / 2)
    assert.equal(speed.patienceMs(called), 80, 'and that ends before the time of a batch does')
  })

  it('that was late is not quick for a time, and then not before it answers', () => {
    const { at, speed, answers } = fixture()
    answers(1, 5)
    speed.late(called)
    at.ms += moduleInlineRestMs
    assert.equal(speed.isQuick(called), false)
    answers(10, 5)
    assert.equal(speed.isQuick(called), true)
    speed.late(called)
    answers(10, 5)
    at.ms += 2 * moduleInlineRestMs - 1
    assert.equal(speed.isQuick(called), false, 'the second time is twice as long')
    at.ms += 1
    assert.equal(speed.isQuick(called), true)
  })

  it('that is late again and again rests for a bounded time', () => {
    const { at, speed, answers } = fixture()
    for (let times = 0; times < 100; times += 1) {
      speed.late(called)
      at.ms += moduleInlineRestMsMax
    }
    answers(10, 5)
    assert.equal(speed.isQuick(called), true)
  })

  it('counts several batches that wait at once as late once', () => {
    const { at, speed, answers } = fixture()
    for (let batch = 0; batch < 4; batch += 1) speed.late(called)
    at.ms += moduleInlineRestMs
    answers(10, 5)
    assert.equal(speed.isQuick(called), true)
  })
})

test('a batch has fewer entries if its calls take long, and more again if they do not', () => {
  const size = new BatchSize()
  const whole = size.most
  size.took(9, pipelineLimits.moduleInlineMsMax)
  const smaller = size.most
  assert.ok(smaller < whole)
  size.took(0, 0)
  assert.equal(size.most, smaller, 'a batch without calls shows nothing')
  for (let batch = 0; batch < 10; batch += 1) size.took(9, 1)
  assert.equal(size.most, whole)
  for (let batch = 0; batch < 100; batch += 1) size.took(9, pipelineLimits.moduleInlineMsMax)
  assert.equal(size.most, pipelineLimits.functionsBatchLeast)
})
