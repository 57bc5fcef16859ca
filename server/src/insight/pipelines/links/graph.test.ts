import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pipelineLimits } from '../limits.ts'
import { assertFit, countSteps, fedBy, type GraphNode, inOrder } from './graph.ts'

function node(id: string, inlets: string[], outlets: string[]): GraphNode {
  return { id, name: id, inlets, outlets }
}

/** A chain: link n reads what link n - 1 made. */
function chain(length: number): GraphNode[] {
  return Array.from({ length }, (_, at) => node(`l${at}`, [`s${at}`], [`s${at + 1}`]))
}

test('each link comes after all that feed it, among equals in the given order', () => {
  const last = node('last', ['b', 'c'], [])
  const left = node('left', ['a'], ['b'])
  const right = node('right', ['a'], ['c'])
  const alone = node('alone', ['x'], ['y'])
  const ids = inOrder([last, right, alone, left]).map((one) => one.id)
  assert.deepEqual(ids, ['right', 'alone', 'left', 'last'])
})

test('any order of the same links gives every maker before its readers', () => {
  const nodes = [...chain(6), node('join', ['s3', 's6'], ['j']), node('end', ['j', 's0'], [])]
  fc.assert(
    fc.property(fc.shuffledSubarray(nodes, { minLength: nodes.length }), (shuffled) => {
      const made = new Set(['s0'])
      for (const one of inOrder(shuffled)) {
        assert.ok(one.inlets.every((signal) => made.has(signal)))
        for (const signal of one.outlets) made.add(signal)
      }
    }),
  )
})

test('a circle is refused and named, be it of one link or of three', () => {
  const self = node('self', ['a'], ['a'])
  assert.throws(() => inOrder([self]), { code: 'invalid_argument', message: /circle: "self"/ })
  const three = [node('x', ['c'], ['a']), node('y', ['a'], ['b']), node('z', ['b'], ['c'])]
  assert.throws(() => assertFit([...chain(2), ...three]), { message: /"x", "y", "z"\.$/ })
})

test('the longest way has at most pipelineStepsMax links', () => {
  assert.equal(countSteps([]), 0)
  assert.equal(countSteps([node('a', ['x'], ['y']), node('b', ['x'], ['z'])]), 1)
  assertFit(chain(pipelineLimits.pipelineStepsMax))
  assert.throws(() => assertFit(chain(pipelineLimits.pipelineStepsMax + 1)), {
    code: 'invalid_argument',
  })
})

test('what a link feeds', () => {
  const nodes = chain(3)
  assert.deepEqual(
    nodes.map((one) => fedBy(nodes, one).map((fed) => fed.id)),
    [['l1'], ['l2'], []],
  )
})
