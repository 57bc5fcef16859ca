import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Load, LoadResult } from '../load/generator.ts'
import type { Child } from './child.ts'
import { httpSide } from './side.ts'

const usPerSecond = 1_000_000
const answersPerSecond = 10_000

test('the CPU of an answer is without that of the warm-up', async () => {
  let usedUs = 0
  const server = makeChild({ cpuUs: () => ({ user: usedUs, system: 0 }) })
  const generator = makeChild({
    keep: () => {},
    run({ warmUpSeconds, seconds }: Load): LoadResult {
      usedUs += (warmUpSeconds + seconds) * usPerSecond
      const answers = seconds * answersPerSecond
      return { answers, perSecond: answersPerSecond, failures: 0, p50Ms: 1, p99Ms: 1 }
    },
  })
  const load = { port: 0, connections: 1, warmUpSeconds: 1, requests: [''] }
  const { cpuUs } = await httpSide('', { server, generator, load }).measure(2)
  assert.equal(cpuUs, usPerSecond / answersPerSecond)
})

function makeChild(questions: Readonly<Record<string, (argument: never) => unknown>>): Child {
  return {
    ask: async <Answer>(question: string, argument?: unknown) => {
      return questions[question]?.(argument as never) as Answer
    },
    stop: async () => {},
  }
}
