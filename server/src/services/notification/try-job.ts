import { Fault, limits } from '../../kernel/index.ts'
import type { Message, Outcome, Payload } from './channel.ts'
import type { Setup } from './configuration.ts'
import { jobIdOf } from './ids.ts'
import type { Moment, Settlement, TakenJob } from './job.ts'
import type { Needs } from './needs.ts'
import { targetOf, type Way, wayOf } from './setup.ts'
import { sinkName } from './sink.ts'

export type Attempt = {
  readonly job: TakenJob
  readonly message: Message | undefined
  readonly setup: Setup
  /** Aborted when the platform closes. */
  readonly closing: AbortSignal
}

const usPerMs = 1_000

/** Gives a job to its provider, and says what became of it. Never throws. */
export async function tryJob(needs: Needs, attempt: Attempt): Promise<Settlement> {
  const { clock, logger } = needs
  const { job, message, setup, closing } = attempt
  const sentAt = clock.nowUs()
  if (message === undefined) return ended(job, 'failed', sentAt, 'its notification is gone')
  const expiresAtMs = expiryOf(job, message)
  // At Ttl 0 the one try is made however late it is.
  if (expiresAtMs !== undefined && message.ttlS > 0 && sentAt / usPerMs > expiresAtMs) {
    return ended(job, 'failed', sentAt, 'its Ttl is over')
  }
  try {
    const way = wayOf(needs, setup, job.channel)
    if (way === undefined) return ended(job, 'failed', sentAt, 'its provider is not here')
    const payload = way.channel.map(message, targetOf(setup, job.address), way.settings)
    const outcome = await give(attempt, way, payload, expiresAtMs)
    return settlementOf({
      attempt,
      way,
      payload,
      outcome,
      sentAt,
      nowUs: clock.nowUs(),
      expiresAtMs,
    })
  } catch (error) {
    if (closing.aborted) return { job, state: 'queued', begun: false, moments: [] }
    const known = error instanceof Fault && error.status < 500
    if (known) return ended(job, 'failed', sentAt, error.detail)
    const whose = { solutionId: job.solutionId, notification: job.notificationSid }
    logger.warn({ err: error, ...whose, channel: job.channel }, 'a notification could not be sent')
    const outcome = { kind: 'retry', reason: 'the provider could not be asked' } as const
    const nowUs = clock.nowUs()
    return retried({ attempt, outcome, sentAt, nowUs, expiresAtMs, moments: [], begun: {} })
  }
}

/** Ttl means nothing for SMS and the messenger. */
function expiryOf({ channel }: TakenJob, message: Message): number | undefined {
  if (channel === 'sms' || channel === 'vendor-messenger') return undefined
  return message.acceptedAtMs + message.ttlS * 1_000
}

function give(
  { job, setup, closing }: Attempt,
  { channel, settings }: Way,
  payload: Payload,
  expiresAtMs: number | undefined,
): Promise<Outcome> {
  const time = AbortSignal.timeout(limits.notificationTryMsMax)
  return channel.deliver({
    ...job,
    id: jobIdOf(job.notificationSid, job.bindingSid),
    ...{ payload, settings, expiresAtMs },
    account: setup.account(),
    signal: AbortSignal.any([closing, time]),
  })
}

type Answered = {
  readonly attempt: Attempt
  readonly way: Way
  readonly payload: Payload
  readonly outcome: Outcome
  readonly sentAt: number
  readonly nowUs: number
  readonly expiresAtMs: number | undefined
}

function settlementOf(answered: Answered): Settlement {
  const { attempt, way, payload, outcome, sentAt, nowUs } = answered
  const { job } = attempt
  const { provider } = way.channel
  const sent: Moment = { at: sentAt, event: 'sent', text: provider }
  const begun = { provider }
  switch (outcome.kind) {
    case 'accepted': {
      const text = outcome.answer ?? 'accepted'
      return {
        ...{ job, state: 'sent', begun: true, provider },
        ...(outcome.providerId === undefined ? {} : { providerId: outcome.providerId }),
        ...(provider === sinkName ? { payload: JSON.stringify(payload) } : {}),
        moments: [sent, { at: nowUs, event: 'answer', text }],
      }
    }
    case 'retry':
      return retried({ ...answered, outcome, moments: [sent], begun })
    case 'refused': {
      const { reason } = outcome
      const moments = [sent, { at: nowUs, event: 'failed', text: reason } as const]
      return { job, state: 'failed', begun: true, provider, reason, moments }
    }
    case 'invalid_address': {
      const { reason, sinceMs } = outcome
      const pruneUs = sinceMs === undefined ? sentAt : Math.min(sentAt, sinceMs * usPerMs)
      const moments = [sent, { at: nowUs, event: 'pruned', text: reason } as const]
      return { job, state: 'pruned', begun: true, provider, reason, pruneUs, moments }
    }
  }
}

type Again = Pick<Answered, 'attempt' | 'sentAt' | 'nowUs' | 'expiresAtMs'> & {
  readonly outcome: Extract<Outcome, { kind: 'retry' }>
  readonly moments: readonly Moment[]
  readonly begun: Pick<Settlement, 'provider'>
}

/** Later, where that is worth while: the wait doubles, and is never less than was asked for. */
function retried({ attempt, outcome, nowUs, expiresAtMs, moments, begun }: Again): Settlement {
  const { job, message } = attempt
  const { reason, afterMs = 0 } = outcome
  const { notificationAgainMs, notificationAgainMsMax, notificationTriesMax } = limits
  const backOff = Math.min(notificationAgainMsMax, notificationAgainMs * 2 ** job.tries)
  const dueAtUs = nowUs + Math.round(Math.max(afterMs, backOff)) * usPerMs
  const once = message?.ttlS === 0 && expiresAtMs !== undefined
  const late = expiresAtMs !== undefined && dueAtUs / usPerMs > expiresAtMs
  const last = job.tries + 1 >= notificationTriesMax
  const event = once || late || last ? 'failed' : 'retry'
  return {
    ...{ job, begun: true, ...begun, reason },
    state: event === 'failed' ? 'failed' : 'queued',
    moments: [...moments, { at: nowUs, event, text: reason }],
    ...(event === 'failed' ? {} : { dueAtUs }),
  }
}

function ended(job: TakenJob, state: 'failed', at: number, reason: string): Settlement {
  return { job, state, begun: true, reason, moments: [{ at, event: 'failed', text: reason }] }
}
