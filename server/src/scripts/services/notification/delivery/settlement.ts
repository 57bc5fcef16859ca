import { notificationLimits } from '../limits.ts'
import { sinkName } from '../providers/create.ts'
import type { TimelineEvent } from '../schema.ts'
import type { DeliveryOutcome, Retry } from '../sending/channel.ts'
import type { Attempted, Settlement, TakenJob } from './job.ts'

const usPerMs = 1_000

/**
 * Returns how an attempt ends its job. `outcome` is that of the attempt as its queue judged it,
 * which may make an invalid address a refusal, or a busy device wait longer.
 */
export function makeSettlement(
  attempted: Attempted,
  outcome: DeliveryOutcome,
  nowUs: number,
): Settlement {
  const { job, request, sentAtUs } = attempted
  const provider = request && { provider: request.provider }
  const sent: readonly TimelineEvent[] =
    request === undefined ? [] : [{ at: sentAtUs, event: 'sent', text: request.provider }]
  const ended = { job, isAttempt: true, ...provider } as const
  switch (outcome.kind) {
    case 'accepted': {
      const { providerId, answer: text = 'accepted' } = outcome
      const isSink = request?.provider === sinkName
      return {
        ...ended,
        state: 'sent',
        ...(providerId === undefined ? {} : { providerId }),
        ...(isSink ? { payload: JSON.stringify(request.payload) } : {}),
        events: [...sent, { at: nowUs, event: 'answer', text }],
      }
    }
    case 'retry':
      return { ...provider, ...retrySettlement(attempted, outcome, sent, nowUs) }
    case 'refused': {
      const { reason } = outcome
      const events = [...sent, { at: nowUs, event: 'failed', text: reason } as const]
      const rejected = outcome.addressRejected === true ? ({ addressRejected: true } as const) : {}
      return { ...ended, state: 'failed', reason, events, ...rejected }
    }
    case 'invalid_address': {
      const { reason, sinceMs } = outcome
      const pruneUs = sinceMs === undefined ? sentAtUs : Math.min(sentAtUs, sinceMs * usPerMs)
      const events = [...sent, { at: nowUs, event: 'pruned', text: reason } as const]
      return { ...ended, state: 'pruned', reason, pruneUs, events, addressRejected: true }
    }
  }
}

/**
 * Queues the job again, if its attempts and its time allow it: the wait doubles, and is never less
 * than the provider asked for. A provider that is slow or busy does not count as an attempt: the
 * queue waits, or the job itself, until its Ttl is over.
 */
function retrySettlement(
  { job, message, expiresAtMs }: Attempted,
  { reason, afterMs = 0, slow, busy }: Retry,
  sent: readonly TimelineEvent[],
  nowUs: number,
): Settlement {
  const { notificationRetryMs, notificationRetryMsMax, notificationAttemptsMax } =
    notificationLimits
  const backoffMs = Math.min(notificationRetryMsMax, notificationRetryMs * 2 ** job.attempts)
  const isFree = slow === true || busy === true
  const dueAtUs = nowUs + Math.round(Math.max(afterMs, isFree ? 0 : backoffMs) * usPerMs)
  const latestMs =
    expiresAtMs ?? message.acceptedAtMs + notificationLimits.notificationTtlSMax * 1_000
  const isLast = !isFree && job.attempts + 1 >= notificationAttemptsMax
  if (job.once || dueAtUs / usPerMs > latestMs || isLast) {
    const events = [...sent, { at: nowUs, event: 'failed', text: reason } as const]
    return { job, state: 'failed', isAttempt: true, reason, events }
  }
  return {
    job,
    state: 'queued',
    isAttempt: !isFree,
    reason,
    events: [...sent, { at: nowUs, event: 'retry', text: reason }],
    // It is the queue that waits, and another configuration may end its pause.
    dueAtUs: slow === true ? nowUs : dueAtUs,
  }
}

/** Ends a job without asking its provider. */
export function failedSettlement(job: TakenJob, at: number, reason: string): Settlement {
  const events = [{ at, event: 'failed', text: reason } as const]
  return { job, state: 'failed', isAttempt: true, reason, events }
}

/** Queues a job again without an attempt: the provider said when its device takes more. */
export function deferredSettlement(job: TakenJob, dueAtUs: number, nowUs: number): Settlement {
  const reason = 'its device takes no more for now'
  if (job.once) return failedSettlement(job, nowUs, `${tooLate}: ${reason}`)
  return { job, state: 'queued', isAttempt: false, events: [], reason, dueAtUs }
}

export const tooLate = 'its Ttl is 0, and it could not be sent at once'

/** Returns whether a job that may be tried only once has waited for too long. */
export function isTooLate({ once, queuedAtUs }: TakenJob, nowUs: number): boolean {
  return once && nowUs - queuedAtUs > notificationLimits.notificationOnceMsMax * usPerMs
}
