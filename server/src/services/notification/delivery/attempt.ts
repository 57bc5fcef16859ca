import { Fault, limits, presentUntil } from '../../../kernel/index.ts'
import { jobIdOf } from '../ids.ts'
import type { Needs } from '../needs.ts'
import type { ProviderRoute } from '../providers/setup.ts'
import type { Account, Message, Outcome, Payload } from '../sending/channel.ts'
import type { Settlement, TakenJob, TimelineEvent } from './job.ts'
import { sinkName } from './sink.ts'

export type Attempt = {
  readonly job: TakenJob
  readonly message: Message | undefined
  /** How its lane leaves. @throws Fault where the configuration's secrets cannot be read. */
  way(): ProviderRoute | undefined
  account(): Account
  readonly messagingServiceSid: string | undefined
  /** Tells the lane of an answer. @returns what is to be done about it. */
  heard(outcome: Outcome): Promise<Outcome>
  readonly closing: Closing
}

/** What ends with the platform: many tries at once, so no signal, which looks through them all. */
export type Closing = { readonly closed: boolean; readonly ends: Set<() => void> }

const usPerMs = 1_000

/** Gives a job to its provider, and says what became of it. Never throws. */
export async function tryJob(needs: Needs, attempt: Attempt): Promise<Settlement> {
  const { clock, logger } = needs
  const { job, closing } = attempt
  const sentAt = clock.nowUs()
  const message = attempt.message && presentMessage(attempt.message, job, sentAt)
  if (message === undefined) return ended(job, sentAt, 'its notification is gone')
  if (isTooLate(job, sentAt)) return ended(job, sentAt, tooLate)
  const expiresAtMs = expiryOf(job, message)
  if (expiresAtMs !== undefined && message.ttlS > 0 && sentAt / usPerMs > expiresAtMs) {
    return ended(job, sentAt, 'its Ttl is over')
  }
  const tried = { attempt, message, sentAt, expiresAtMs }
  try {
    const way = attempt.way()
    if (way === undefined) return ended(job, sentAt, 'its provider is not here')
    const target = { address: job.address, messagingServiceSid: attempt.messagingServiceSid }
    const payload = way.channel.map(message, target, way.settings)
    const outcome = await attempt.heard(await give(needs, attempt, way, payload, expiresAtMs))
    return settlementOf({ ...tried, way, payload, outcome, nowUs: clock.nowUs() })
  } catch (error) {
    if (closing.closed) return { job, state: 'queued', begun: false, moments: [] }
    const known = error instanceof Fault && error.status < 500
    if (known) return ended(job, sentAt, error.detail)
    const whose = { solutionId: job.solutionId, notification: job.notificationSid }
    logger.warn({ err: error, ...whose, channel: job.channel }, 'a notification could not be sent')
    const outcome = { kind: 'retry', reason: 'the provider could not be asked' } as const
    await attempt.heard(outcome)
    return retried({ ...tried, outcome, nowUs: clock.nowUs(), moments: [], begun: {} })
  }
}

/** What a clock that ran ahead has accepted counts as accepted when its job was queued. */
function presentMessage(message: Message, { queuedAtUs }: TakenJob, nowUs: number): Message {
  if (message.acceptedAtMs * usPerMs <= presentUntil(nowUs)) return message
  return { ...message, acceptedAtMs: Math.floor(Math.min(queuedAtUs, nowUs) / usPerMs) }
}

/** Ttl means nothing for SMS and the messenger. */
function expiryOf({ channel }: TakenJob, message: Message): number | undefined {
  if (channel === 'sms' || channel === 'vendor-messenger') return undefined
  return message.acceptedAtMs + message.ttlS * 1_000
}

/** Known only where the operator has said how others reach this platform. */
function receiptsUrlOf({ publicUrl }: Needs, { job }: Attempt, provider: string) {
  const path = `/v1/Receipts/${job.solutionId}/${provider}`
  return publicUrl === undefined ? undefined : `${publicUrl}${path}`
}

async function give(
  needs: Needs,
  attempt: Attempt,
  { channel, settings }: ProviderRoute,
  payload: Payload,
  expiresAtMs: number | undefined,
): Promise<Outcome> {
  const { job, closing } = attempt
  if (closing.closed) throw new Fault('internal')
  const ended = new AbortController()
  const end = () => ended.abort()
  const timer = setTimeout(end, limits.notificationTryMsMax)
  closing.ends.add(end)
  try {
    return await channel.deliver({
      ...job,
      id: jobIdOf(job.notificationSid, job.bindingSid),
      ...{ payload, settings, expiresAtMs },
      account: attempt.account(),
      receiptsUrl: receiptsUrlOf(needs, attempt, channel.provider),
      signal: ended.signal,
    })
  } finally {
    clearTimeout(timer)
    closing.ends.delete(end)
  }
}

type Tried = {
  readonly attempt: Attempt
  readonly message: Message
  readonly sentAt: number
  readonly expiresAtMs: number | undefined
}

type Answered = Tried & {
  readonly way: ProviderRoute
  readonly payload: Payload
  readonly outcome: Outcome
  readonly nowUs: number
}

function settlementOf(answered: Answered): Settlement {
  const { attempt, way, payload, outcome, sentAt, nowUs } = answered
  const { job } = attempt
  const { provider } = way.channel
  const sent: TimelineEvent = { at: sentAt, event: 'sent', text: provider }
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
      const ofAddress = outcome.ofAddress === true ? ({ ofAddress: true } as const) : {}
      return { job, state: 'failed', begun: true, provider, reason, moments, ...ofAddress }
    }
    case 'invalid_address': {
      const { reason, sinceMs } = outcome
      const pruneUs = sinceMs === undefined ? sentAt : Math.min(sentAt, sinceMs * usPerMs)
      const moments = [sent, { at: nowUs, event: 'pruned', text: reason } as const]
      const found = { job, state: 'pruned', begun: true, provider, reason, pruneUs } as const
      return { ...found, moments, ofAddress: true }
    }
  }
}

type Again = Tried & {
  readonly nowUs: number
  readonly outcome: Extract<Outcome, { kind: 'retry' }>
  readonly moments: readonly TimelineEvent[]
  readonly begun: Pick<Settlement, 'provider'>
}

/**
 * Later, where that is worth while: the wait doubles, and is never less than was asked for. Where
 * the provider wants less, of everything or of this device, that is no try of this one: its lane
 * waits, or it does itself, until its time is over.
 */
function retried({ attempt, message, outcome, nowUs, moments, begun, ...of }: Again): Settlement {
  const { job } = attempt
  const { reason, afterMs = 0, slow = false, busy = false } = outcome
  const { notificationAgainMs, notificationAgainMsMax, notificationTriesMax } = limits
  const backOff = Math.min(notificationAgainMsMax, notificationAgainMs * 2 ** job.tries)
  const free = slow || busy
  const dueAtUs = nowUs + Math.round(Math.max(afterMs, free ? 0 : backOff) * usPerMs)
  const longest = message.acceptedAtMs + limits.notificationTtlSMax * 1_000
  const late = dueAtUs / usPerMs > (of.expiresAtMs ?? longest)
  const last = !free && job.tries + 1 >= notificationTriesMax
  const event = job.once || late || last ? 'failed' : 'retry'
  return {
    ...{ job, begun: event === 'failed' || !free, ...begun, reason },
    state: event === 'failed' ? 'failed' : 'queued',
    moments: [...moments, { at: nowUs, event, text: reason }],
    // It is its lane that waits, which another configuration may end.
    ...(event === 'failed' ? {} : { dueAtUs: slow ? nowUs : dueAtUs }),
  }
}

export const tooLate = 'its Ttl is 0, and it could not be sent at once'

/** Whether what may be tried once has waited for longer than a moment. */
export function isTooLate({ once, queuedAtUs }: TakenJob, nowUs: number): boolean {
  return once && nowUs - queuedAtUs > limits.notificationOnceMsMax * usPerMs
}

export function ended(job: TakenJob, at: number, reason: string): Settlement {
  const moments = [{ at, event: 'failed', text: reason } as const]
  return { job, state: 'failed', begun: true, reason, moments }
}
