import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pipelineLimits } from '../limits.ts'
import type { ExternalModule } from '../types.ts'
import { createCallLimits } from './call-limits.ts'

const module = { id: 'm', businessId: 'b' } as ExternalModule

test('a run waits while others of its module end, and is put off when none does', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const callLimits = createCallLimits()
  const started: (() => void)[] = []
  const begin = () =>
    callLimits.run('b', [module], () => new Promise<void>((end) => void started.push(end)))
  const outcomeFor = (run: Promise<void>) => run.then(() => 'ended').catch(({ code }) => code)
  const running = Array.from({ length: pipelineLimits.moduleCallsOfModuleMax }, begin)
  const waiting = [1, 2, 3].map(() => outcomeFor(begin()))
  for (const _ of [1, 2]) {
    started.shift()?.()
    await setImmediate()
    t.mock.timers.tick(pipelineLimits.moduleWaitMs)
  }
  const last = waiting[2] ?? assert.fail()
  assert.equal(await Promise.race([last, setImmediate('waits')]), 'waits')
  t.mock.timers.tick(pipelineLimits.moduleWaitMs)
  assert.equal(await last, 'overloaded')
  assert.equal(await outcomeFor(begin()), 'overloaded', 'the next one does not wait')
  for (const end of started) end()
  await Promise.all(running)
  assert.deepEqual(await Promise.all(waiting), ['ended', 'ended', 'overloaded'])
  const again = begin()
  started.at(-1)?.()
  await again
})
