import assert from 'node:assert/strict'
import { it } from 'node:test'
import { atEnd } from '../../../../../test/fixtures/ends.ts'
import { createLogger } from '../../../../foundation/kernel/index.ts'
import { defaultLimits } from '../../registry/solution.ts'
import { WorkerChannel } from './worker-channel.ts'

it('a worker begins each call, however many messages it had since one was revoked', async (t) => {
  const kinds: string[] = []
  let next = () => {}
  const line = new WorkerChannel({
    entry: new URL('../thread/worker.ts', import.meta.url),
    logger: createLogger('silent'),
    machinesMax: 1,
    numbersFrom: 2 ** 31 - 20,
    averageCpuMs: () => 0,
    onExit: () => {},
    onNotCloneable: () => {},
    onMessages: (_, messages) => {
      kinds.push(...messages.map(([kind]) => kind))
      next()
    },
  })
  atEnd(t, () => line.end())
  const chunk = { name: 'a.lua', source: 'function handle() end', role: { kind: 'plain' } } as const
  const program = { businessId: 'b', solutionId: 's', version: 1, chunks: [chunk], services: [] }
  line.post(['program', { ...program, limits: defaultLimits() }])
  const calls = 40
  for (let call = 1; call <= calls; call += 1) {
    const answered = new Promise<void>((resolve) => {
      next = resolve
    })
    line.post(['call', call, 's', 1, 'handle', [], 't', 'x', undefined, 1e9, 1])
    await answered
  }
  assert.deepEqual(kinds, Array(calls).fill('ended'))
})
