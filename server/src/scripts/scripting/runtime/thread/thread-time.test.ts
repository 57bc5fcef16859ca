import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callsInLua } from '../../check/lua-calls.ts'
import { cpuAt, progressCells, ThreadTime, ticksAt } from './thread-time.ts'

function open() {
  const at = { wallMs: 1_000, threadMs: 50 }
  const progress = new Int32Array(progressCells)
  const time = new ThreadTime({
    progress,
    elapsedMs: () => at.wallMs,
    threadMs: () => at.threadMs,
  })
  const pass = (wallMs: number, cpuMs: number) => {
    at.wallMs += wallMs
    at.threadMs += cpuMs
  }
  return { at, time, pass, progress }
}

describe("a thread's time", () => {
  it('is that of the wall where it is too short to be counted by the system', () => {
    const { time, pass } = open()
    const from = time.mark()
    pass(3, 0)
    assert.equal(time.mark() - from, 3)
  })

  it('is its CPU, and not what others had of the processor meanwhile', () => {
    const { at, time, pass } = open()
    time.wake()
    time.begin()
    const from = time.mark()
    for (let ticks = 0; ticks < 40; ticks += 1) {
      pass(15, 1)
      time.tick(at.wallMs)
    }
    assert.equal(time.mark() - from, 40)
  })

  it('is never more than the wall, whatever was before', () => {
    const { at, time, pass } = open()
    pass(500, 400)
    time.begin()
    const from = time.mark()
    pass(20, 20)
    time.tick(at.wallMs)
    assert.equal(time.mark() - from, 20)
  })

  it('leaves out what was between two messages', () => {
    const { time, pass } = open()
    const from = time.mark()
    pass(2, 2)
    time.mark()
    pass(700, 5)
    time.wake()
    time.begin()
    pass(1, 1)
    assert.equal(time.mark() - from, 3)
  })

  it('is seen by others at each tick', () => {
    const { at, time, pass, progress } = open()
    time.wake()
    time.begin()
    pass(30, 25)
    time.tick(at.wallMs)
    pass(5, 5)
    time.tick(at.wallMs)
    assert.deepEqual([progress[ticksAt], progress[cpuAt]], [2, 30])
    time.begin()
    assert.equal(progress[cpuAt], 0)
  })

  it('ticks at each step of the reading of a source, until that has used its CPU', () => {
    const { time, pass, progress } = open()
    time.wake()
    time.begin()
    const tick = time.ticksFor(100)
    callsInLua('a.b()\n'.repeat(20), () => {
      pass(30, 10)
      tick()
    })
    assert.equal(progress[ticksAt], 10)
  })
})
