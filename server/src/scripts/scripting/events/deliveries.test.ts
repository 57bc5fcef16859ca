import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import { waitForRoom } from './deliveries.ts'

/** A queue in which so many calls of each solution wait, one number for each time it is asked. */
function makeQueue(counts: Readonly<Record<string, number[]>>) {
  return { waiting: async (solutionId: string) => counts[solutionId]?.shift() ?? 0 }
}

async function pausesFor(counts: Readonly<Record<string, number[]>>, signal: AbortSignal) {
  let pauses = 0
  await waitForRoom(makeQueue(counts), Object.keys(counts), signal, async (ms) => {
    assert.equal(ms, limits.jobCountMs)
    pauses += 1
  })
  return pauses
}

describe('a script that triggers calls of others', () => {
  const { signal } = new AbortController()
  const most = scriptingLimits.deliveriesSlowAt

  it('goes on at once while few of them wait', async () => {
    assert.equal(await pausesFor({ pump: [most], tank: [0] }, signal), 0)
  })

  it('waits until few enough of each wait', async () => {
    assert.equal(await pausesFor({ pump: [most + 1, most], tank: [most + 9, most + 1] }, signal), 3)
  })

  it('goes on if it has ended', async () => {
    assert.equal(await pausesFor({ pump: Array(9).fill(most + 1) }, AbortSignal.abort()), 0)
  })
})
