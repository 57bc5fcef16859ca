import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webserviceLimits } from '../limits.ts'
import { createSendBuffers } from './send-buffers.ts'

const socket = (id: string, solutionId = 'pump') => ({ id, solutionId })
const large = webserviceLimits.socketUnreadBytesMax

test('one message of any size goes out, the next one only once it is read', () => {
  const buffers = createSendBuffers()
  const give = buffers.take(socket('a'), large + 1)
  assert.ok(typeof give === 'function')
  assert.equal(buffers.take(socket('a'), 1), 'of_socket')
  assert.ok(typeof buffers.take(socket('b'), 1) === 'function', 'another one may')
  give()
  assert.ok(typeof buffers.take(socket('a'), 1) === 'function')
})

test('the sockets of a solution together, and all together, buffer only so much', () => {
  const buffers = createSendBuffers()
  const given: (() => void)[] = []
  const fill = (solutionId: string): number => {
    for (let count = 0; ; count += 1) {
      const taken = buffers.take(socket(`${solutionId} ${count}`, solutionId), large)
      if (taken === 'of_all') return count
      assert.ok(typeof taken === 'function')
      given.push(taken)
    }
  }
  const ofSolution = webserviceLimits.socketsUnreadOfSolutionBytesMax / large + 1
  assert.equal(fill('one'), ofSolution)
  const solutions = ['two', 'three', 'four'].map(fill)
  const ofAll = webserviceLimits.socketsUnreadBytesMax / large + 1
  assert.equal(ofSolution + solutions.reduce((sum, count) => sum + count), ofAll)
  assert.equal(fill('five'), 0)
  for (const give of given) give()
  assert.equal(fill('five'), ofSolution, 'what was read is room again')
})
