import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../kernel/index.ts'
import { createUnread } from './unread.ts'

const socket = (id: string, solutionId = 'pump') => ({ id, solutionId })
const large = limits.socketUnreadBytesMax

test('one message of any size goes out, the next one only once it is read', () => {
  const unread = createUnread()
  const give = unread.take(socket('a'), large + 1)
  assert.ok(typeof give === 'function')
  assert.equal(unread.take(socket('a'), 1), 'of_socket')
  assert.ok(typeof unread.take(socket('b'), 1) === 'function', 'another one may')
  give()
  assert.ok(typeof unread.take(socket('a'), 1) === 'function')
})

test('the sockets of a solution together, and all together, leave only so much unread', () => {
  const unread = createUnread()
  const given: (() => void)[] = []
  const fill = (solutionId: string): number => {
    for (let count = 0; ; count += 1) {
      const taken = unread.take(socket(`${solutionId} ${count}`, solutionId), large)
      if (taken === 'of_all') return count
      assert.ok(typeof taken === 'function')
      given.push(taken)
    }
  }
  const ofSolution = limits.socketsUnreadOfSolutionBytesMax / large + 1
  assert.equal(fill('one'), ofSolution)
  const solutions = ['two', 'three', 'four'].map(fill)
  const ofAll = limits.socketsUnreadBytesMax / large + 1
  assert.equal(ofSolution + solutions.reduce((sum, count) => sum + count), ofAll)
  assert.equal(fill('five'), 0)
  for (const give of given) give()
  assert.equal(fill('five'), ofSolution, 'what was read is room again')
})
