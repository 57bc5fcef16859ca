import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scriptingLimits } from '../limits.ts'
import { EventRun } from './event-batches.ts'
import type { PlannedEvent } from './planned-events.ts'
import { runInTimeSlices } from './time-slices.ts'

type Pace = readonly number[]

/**
 * Events of solutions, each of one device: `paces` says how many of a solution end in each slice.
 * @returns the states of each solution's events, and how many slices there were.
 */
async function ran(count: number, paces: Readonly<Record<string, Pace>>) {
  const waiting: Record<string, (() => void)[]> = {}
  const runs = Object.keys(paces).flatMap((solutionId) => {
    waiting[solutionId] = []
    return Array.from({ length: count }, (_, at) => {
      const event = { id: String(at), part: 0, key: 'device', call: { solutionId } } as PlannedEvent
      return new EventRun(event, () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting[solutionId]?.push(resolve)
        return promise.then(() => ({ kind: 'done' }))
      })
    })
  })
  let slices = 0
  await runInTimeSlices(runs, async (ms, all) => {
    assert.equal(ms, scriptingLimits.scriptEventsSliceMs)
    for (const [solutionId, pace] of Object.entries(paces)) {
      for (let ended = 0; ended < (pace[slices] ?? 0); ended += 1) {
        waiting[solutionId]?.shift()?.()
        await settled()
      }
    }
    slices += 1
    await Promise.race([all, settled()])
  })
  const states = (solutionId: string) =>
    runs.filter(({ event }) => event.call.solutionId === solutionId).map(({ state }) => state)
  return { states, slices }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('the time that the events of a batch have', () => {
  it('is over when all of them ended', async () => {
    const { states, slices } = await ran(4, { quick: [4] })
    assert.deepEqual([states('quick'), slices], [Array(4).fill('ended'), 1])
  })

  it('is one slice for a solution that would not be through at its pace', async () => {
    const { states, slices } = await ran(8, { slow: [1, 8] })
    assert.deepEqual(states('slow'), ['ended', 'running', ...Array(6).fill('new')])
    assert.equal(slices, 1)
  })

  it('goes on for one that would, as long as it keeps to it', async () => {
    const { states, slices } = await ran(8, { steady: [2, 2, 2, 2], slow: [1] })
    assert.deepEqual(states('steady'), Array(8).fill('ended'))
    assert.equal(slices, scriptingLimits.scriptEventsSlicesMax)
    assert.deepEqual(states('slow').slice(0, 2), ['ended', 'running'])
    const { states: after, slices: had } = await ran(8, { tired: [2, 1, 5] })
    assert.deepEqual(after('tired').indexOf('running'), 3)
    assert.equal(had, 2)
  })
})
