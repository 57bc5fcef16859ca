import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLogger, Fault, limits, StrictObject } from '../../../../foundation/kernel/index.ts'
import { notificationLimits } from '../limits.ts'
import type { NotificationOptions } from '../options.ts'
import type { DeliveryOutcome, Message, NotificationJob, Provider } from '../sending/channel.ts'
import { attemptJob } from './attempt.ts'
import type { TakenJob } from './job.ts'
import { isTooLate, makeSettlement, tooLate } from './settlement.ts'

const nowMs = 1_800_000_000_000
const nowUs = nowMs * 1_000
const payload = { headers: {}, body: {} }

type Given = {
  readonly job?: Partial<TakenJob>
  readonly message?: Partial<Message> | 'gone'
  readonly outcome?: DeliveryOutcome
  readonly map?: Provider['map']
  readonly deliver?: Provider['deliver']
  readonly closed?: boolean
  readonly hasRoute?: boolean
}

const job: TakenJob = {
  number: 1,
  dueAtUs: nowUs,
  solutionId: 'pump',
  notificationSid: 'NT',
  bindingSid: 'BS',
  channel: 'apn',
  address: 'a',
  credentialSid: undefined,
  attempts: 0,
  once: false,
  queuedAtUs: nowUs,
}
const message: Message = {
  body: 'hi',
  title: undefined,
  sound: undefined,
  action: undefined,
  data: undefined,
  ttlS: 60,
  priority: 'high',
  overrides: {},
  acceptedAtMs: nowMs,
}

/** Makes an attempt at `nowUs`; returns its outcome, and the jobs that the provider received. */
async function tried(given: Given) {
  const { outcome = { kind: 'accepted' }, map = () => payload, closed = false } = given
  const jobs: NotificationJob[] = []
  const closing = { closed, aborts: new Set<() => void>() }
  const provider: Provider = {
    channel: 'apn',
    name: 'apns',
    map,
    configure: () => assert.fail('nothing is configured'),
    schema: StrictObject({}),
    deliver(one) {
      jobs.push(one)
      assert.equal(closing.aborts.size, 1)
      return given.deliver === undefined ? Promise.resolve(outcome) : given.deliver(one)
    },
  }
  const options = {
    clock: { nowUs: () => nowUs, elapsedMs: () => 0 },
    logger: createLogger('silent'),
  } as NotificationOptions
  const result = await attemptJob(options, {
    job: { ...job, ...given.job },
    message: given.message === 'gone' ? undefined : { ...message, ...given.message },
    route() {
      const settings = { shown: {}, secret: {} }
      return given.hasRoute === false ? undefined : { provider, settings, rate: undefined }
    },
    account: () => ({ sid: '', authToken: '' }),
    messagingServiceSid: undefined,
    closing,
  })
  assert.equal(closing.aborts.size, 0)
  if ('settlement' in result) return { settlement: result.settlement, outcomes: [], jobs }
  const { attempted } = result
  const settlement = makeSettlement(attempted, attempted.outcome, nowUs)
  return { settlement, outcomes: [attempted.outcome], jobs }
}

const listEvents = ({ settlement }: Awaited<ReturnType<typeof tried>>) =>
  settlement.events.map(({ event, text }) => [event, text])

describe('a notification that is not given to its provider', () => {
  it('is too late, has lost its message or its provider, or may not be mapped', async () => {
    const onceUs = notificationLimits.notificationOnceMsMax * 1_000
    const late = { once: true, queuedAtUs: nowUs - onceUs - 1 }
    const expired = { acceptedAtMs: nowMs - 60_001 }
    const refuse = () => {
      throw new Fault('invalid_argument', 'no such sound')
    }
    const rows: [Given, string][] = [
      [{ message: 'gone' }, 'its notification is gone'],
      [{ job: late }, tooLate],
      [{ message: expired }, 'its Ttl is over'],
      [{ hasRoute: false }, 'its provider is not available'],
      [{ map: refuse }, 'no such sound'],
    ]
    for (const [given, reason] of rows) {
      const { settlement, outcomes, jobs } = await tried(given)
      assert.deepEqual(
        [settlement.state, settlement.isAttempt, settlement.reason],
        [...['failed', true], reason],
      )
      assert.deepEqual([outcomes, jobs], [[], []])
    }
    assert.equal(isTooLate({ ...job, ...late, queuedAtUs: nowUs - onceUs }, nowUs), false)
    assert.equal(isTooLate({ ...job, ...late, once: false }, nowUs), false)
  })

  it('stays queued where the platform closes', async () => {
    const { settlement, outcomes, jobs } = await tried({ closed: true })
    assert.deepEqual(
      [settlement.state, settlement.isAttempt, settlement.events],
      ['queued', false, []],
    )
    assert.deepEqual([outcomes, jobs], [[], []])
  })
})

const retry = (more: object = {}): DeliveryOutcome => ({ kind: 'retry', reason: 'away', ...more })
const day = { ttlS: 86_400 }

describe('a notification that its provider', () => {
  it('takes is sent, to the last moment of its Ttl', async () => {
    const outcome: DeliveryOutcome = { kind: 'accepted', providerId: 'p1', answer: 'queued' }
    const last = { acceptedAtMs: nowMs - 60_000 }
    const one = await tried({ outcome, message: last })
    assert.deepEqual([one.settlement.state, one.settlement.providerId], ['sent', 'p1'])
    assert.deepEqual(listEvents(one), [
      ['sent', 'apns'],
      ['answer', 'queued'],
    ])
    assert.equal(one.jobs[0]?.expiresAtMs, nowMs)
    assert.equal(one.settlement.payload, undefined)
    const other = await tried({ job: { channel: 'sms' }, message: { acceptedAtMs: 0 } })
    assert.deepEqual(listEvents(other).at(-1), ['answer', 'accepted'])
    assert.equal(other.jobs[0]?.expiresAtMs, undefined)
    const atOnce = await tried({ message: { ttlS: 0, acceptedAtMs: nowMs - 1 } })
    assert.equal(atOnce.settlement.state, 'sent')
  })

  it('is accepted when it was queued, where a clock that ran ahead says otherwise', async () => {
    const ahead = { acceptedAtMs: nowMs + 86_400_000 }
    const { jobs } = await tried({ message: ahead, job: { queuedAtUs: nowUs - 5_000_000 } })
    assert.equal(jobs[0]?.expiresAtMs, nowMs - 5_000 + 60_000)
    const near = { acceptedAtMs: nowMs + limits.clockLeadMsMax }
    assert.equal((await tried({ message: near })).jobs[0]?.expiresAtMs, near.acceptedAtMs + 60_000)
  })

  it('wants later waits twice as long each time', async () => {
    const { notificationRetryMs: again, notificationRetryMsMax: longest } = notificationLimits
    const waits: [attempts: number, outcome: DeliveryOutcome, ms: number, isAttempt: boolean][] = [
      [0, retry(), again, true],
      [3, retry(), again * 8, true],
      [notificationLimits.notificationAttemptsMax - 2, retry({ afterMs: longest }), longest, true],
      [1, retry({ afterMs: 7_000.5 }), 7_000.5, true],
      [50, retry({ busy: true, afterMs: 9_000 }), 9_000, false],
      [50, retry({ slow: true, afterMs: 9_000 }), 0, false],
    ]
    for (const [attempts, outcome, ms, isAttempt] of waits) {
      const { settlement } = await tried({ job: { attempts }, message: day, outcome })
      const said = [settlement.state, settlement.dueAtUs, settlement.isAttempt]
      assert.deepEqual(said, ['queued', nowUs + ms * 1_000, isAttempt], JSON.stringify(outcome))
    }
  })

  it('wants later fails when its time or its tries are over', async () => {
    const { notificationRetryMs: again } = notificationLimits
    const ends: [Given, string][] = [
      [
        { job: { attempts: notificationLimits.notificationAttemptsMax - 1 }, message: day },
        'its last try',
      ],
      [{ job: { once: true } }, 'once'],
      [{ message: { ttlS: 60, acceptedAtMs: nowMs - 60_000 + again - 1 } }, 'its Ttl'],
    ]
    for (const [given, what] of ends) {
      const { settlement } = await tried({ ...given, outcome: retry() })
      const { state, isAttempt, dueAtUs, reason } = settlement
      assert.deepEqual(
        [state, isAttempt, dueAtUs, reason],
        ['failed', true, undefined, 'away'],
        what,
      )
    }
    const just = { ttlS: 60, acceptedAtMs: nowMs - 60_000 + again }
    assert.equal((await tried({ message: just, outcome: retry() })).settlement.state, 'queued')
    const longestMs = notificationLimits.notificationTtlSMax * 1_000
    for (const [over, state] of [
      [0, 'queued'],
      [1, 'failed'],
    ] as const) {
      const old = { acceptedAtMs: nowMs + again - longestMs - over }
      const given: Given = { job: { channel: 'sms' }, message: old, outcome: retry() }
      assert.equal((await tried(given)).settlement.state, state)
    }
  })

  it('cannot be asked for waits too, with the outcome retry', async () => {
    const deliver = () => Promise.reject(new Error('no route'))
    const { settlement, outcomes } = await tried({ deliver })
    const ours = await tried({ deliver: () => Promise.reject(new Fault('internal')) })
    assert.equal(ours.settlement.state, 'queued')
    assert.deepEqual([settlement.state, settlement.isAttempt], ['queued', true])
    assert.deepEqual(outcomes, [{ kind: 'retry', reason: 'the provider could not be asked' }])
    assert.deepEqual(
      settlement.events.map(({ event }) => event),
      ['retry'],
    )
  })

  it('refuses fails, and one without an address takes its binding with it', async () => {
    const outcome: DeliveryOutcome = { kind: 'refused', reason: 'too long' }
    const one = await tried({ outcome })
    assert.deepEqual([one.settlement.state, one.settlement.addressRejected], ['failed', undefined])
    assert.equal(one.settlement.isAttempt, true)
    assert.deepEqual(listEvents(one).at(-1), ['failed', 'too long'])
    const other = await tried({ outcome: { ...outcome, addressRejected: true } })
    assert.equal(other.settlement.addressRejected, true)
    for (const [sinceMs, pruneUs] of [
      [undefined, nowUs],
      [nowMs - 5, nowUs - 5_000],
      [nowMs + 5, nowUs],
    ] as const) {
      const gone = { kind: 'invalid_address', reason: '410' } as const
      const pruned = await tried({ outcome: { ...gone, ...(sinceMs && { sinceMs }) } })
      assert.deepEqual([pruned.settlement.state, pruned.settlement.pruneUs], ['pruned', pruneUs])
      assert.deepEqual(
        [pruned.settlement.isAttempt, pruned.settlement.addressRejected],
        [true, true],
      )
      assert.deepEqual(listEvents(pruned).at(-1), ['pruned', '410'])
    }
  })
})
