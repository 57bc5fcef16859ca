import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createLogger } from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import type { LoadedSolution } from '../registry/build.ts'
import type { RetryPolicy } from '../registry/script.ts'
import type { HostEnd } from '../runtime/host.ts'
import type { Delivery } from './delivery.ts'
import { createRunDelivery } from './delivery-runs.ts'

const usage = { cpuMs: 0, serviceCalls: 0, wallMs: 0 }
const error = { type: 'ServerError', error: 'oh', status: 500 }
const failed: HostEnd = { kind: 'failed', error, started: true, usage }
const returned: HostEnd = { kind: 'returned', value: undefined, started: true, usage }
const againUs = scriptingLimits.deliveryAgainMs * 1_000

function stopped(limit: 'worker' | 'cpu' | 'queue', started: boolean): HostEnd {
  return { kind: 'stopped', limit, error, started, usage }
}

function makeDelivery(attempts: number): Delivery {
  const input = { service: 'device2', event: 'event', argument: null, trackingId: 't' }
  return {
    businessId: 'b',
    tenant: 'pump',
    id: 'd',
    part: 0,
    key: null,
    input,
    attempts,
    dueAtUs: 0,
    createdAtUs: 0,
  }
}

type RunOptions = {
  readonly retry?: RetryPolicy
  readonly attempts?: number
  readonly isGone?: boolean
  readonly isClosing?: boolean
}

/** Runs a delivery once for each end of its handler. @returns the outcomes. */
async function runOutcomes(
  ends: readonly (HostEnd | Error)[],
  { retry, attempts = 0, isGone = false, isClosing = false }: RunOptions = {},
) {
  const handlers = new Map([['handle_device2_event', { retry }]])
  const clock = { nowUs: () => 0, nowMs: () => 0, elapsedMs: () => 0 }
  let looks = 0
  const left = [...ends]
  const run = createRunDelivery({
    programs: {
      async get() {
        looks += 1
        return isGone
          ? undefined
          : ({ handlers, configurationsByAlias: new Map() } as unknown as LoadedSolution)
      },
    },
    runner: {
      async runIn() {
        const end = left.shift()
        if (end instanceof Error || end === undefined) throw end
        return end
      },
    },
    clock,
    logger: createLogger('silent'),
  })
  const signal = isClosing ? AbortSignal.abort() : new AbortController().signal
  const outcomes = []
  for (const _ of ends) outcomes.push(await run(makeDelivery(attempts), signal))
  assert.equal(looks, ends.length, 'the program is looked up once a delivery')
  return outcomes
}

const failure = { step: 'handler', reason: 'oh', detail: error }

it('is done if its handler returned, and dead if it failed', async () => {
  assert.deepEqual(await runOutcomes([returned, failed, stopped('cpu', true)]), [
    { kind: 'done' },
    { kind: 'dead', failure },
    { kind: 'dead', failure },
  ])
})

it('is retried as often as its script sets', async () => {
  const retry = { retries: 2, seconds: 60 }
  for (const attempts of [0, 1]) {
    const again = { kind: 'retry', failure, atUs: 60_000_000 }
    assert.deepEqual(await runOutcomes([failed], { retry, attempts }), [again])
  }
  assert.deepEqual(await runOutcomes([failed], { retry, attempts: 2 }), [{ kind: 'dead', failure }])
})

it('counts no attempt of what could not start, with a pause that doubles', async () => {
  const queue = stopped('queue', false)
  const [first, second] = await runOutcomes([queue, queue])
  assert.deepEqual(first, {
    kind: 'snooze',
    untilUs: againUs,
    failure: { step: 'start', reason: 'oh', detail: error },
  })
  assert.equal(second?.kind === 'snooze' && second.untilUs, againUs, 'the same time for all')
  const [refused] = await runOutcomes([new Error('the database is away')])
  assert.deepEqual(refused?.kind === 'snooze' && [refused.untilUs, refused.failure?.step], [
    againUs,
    'start',
  ])
})

it('is released where the close of the platform cuts it off', async () => {
  const isClosing = true
  assert.deepEqual(
    await runOutcomes([stopped('worker', true), stopped('cpu', true)], { isClosing }),
    [{ kind: 'released' }, { kind: 'dead', failure }],
  )
  assert.deepEqual(await runOutcomes([stopped('worker', true)]), [{ kind: 'dead', failure }])
})

it('is cancelled where its solution is gone', async () => {
  assert.deepEqual(await runOutcomes([returned], { isGone: true }), [{ kind: 'cancelled' }])
})
