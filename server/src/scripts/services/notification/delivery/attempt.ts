import { Fault, measure, presentUntil } from '../../../../foundation/kernel/index.ts'
import { makeJobId } from '../ids.ts'
import { notificationLimits } from '../limits.ts'
import type { NotificationOptions } from '../options.ts'
import { definitions } from '../payload/channels.ts'
import type { ProviderRoute } from '../providers/route.ts'
import type { Account, DeliveryOutcome, Message, Payload } from '../sending/channel.ts'
import type { Attempted, Settlement, TakenJob } from './job.ts'
import { failedSettlement, isTooLate, tooLate } from './settlement.ts'

export type Attempt = {
  readonly job: TakenJob
  readonly message: Message | undefined
  /** The provider of its queue. @throws Fault if the configuration's secrets cannot be read. */
  route(): ProviderRoute | undefined
  account(): Account
  readonly messagingServiceSid: string | undefined
  readonly closing: Closing
}

/**
 * Aborts the attempts in flight when the platform closes. A set of functions, because one signal
 * with hundreds of listeners searches all of them whenever one is removed.
 */
export type Closing = { readonly closed: boolean; readonly aborts: Set<() => void> }

/** Either an attempt with its outcome, or the end of a job without one. */
export type AttemptResult = { readonly attempted: Attempted } | { readonly settlement: Settlement }

const usPerMs = 1_000

/** Sends a job to its provider, unless its time is over. Never throws. */
export async function attemptJob(
  options: NotificationOptions,
  attempt: Attempt,
): Promise<AttemptResult> {
  const { clock, logger } = options
  const { job, closing } = attempt
  const sentAtUs = clock.nowUs()
  const fail = (reason: string) => ({ settlement: failedSettlement(job, sentAtUs, reason) })
  const message = attempt.message && presentMessage(attempt.message, job, sentAtUs)
  if (message === undefined) return fail('its notification is gone')
  if (isTooLate(job, sentAtUs)) return fail(tooLate)
  const expiresAtMs = expiryMs(job, message)
  if (expiresAtMs !== undefined && message.ttlS > 0 && sentAtUs / usPerMs > expiresAtMs) {
    return fail('its Ttl is over')
  }
  const begun = { job, message, sentAtUs, expiresAtMs }
  try {
    const route = attempt.route()
    if (route === undefined) return fail('its provider is not available')
    const target = { address: job.address, messagingServiceSid: attempt.messagingServiceSid }
    const payload = route.provider.map(message, target, route.settings)
    const outcome = await measured(options, route, { job, message }, () =>
      deliver(options, attempt, route, payload, expiresAtMs),
    )
    const request = { provider: route.provider.name, payload }
    return { attempted: { ...begun, outcome, request } }
  } catch (error) {
    if (closing.closed) {
      return { settlement: { job, state: 'queued', isAttempt: false, events: [] } }
    }
    if (error instanceof Fault && error.status < 500) return fail(error.detail)
    const { solutionId, notificationSid: notification, channel } = job
    logger.warn(
      { err: error, solutionId, notification, channel, trackingId: message.trackingId },
      'notification attempt failed; retrying',
    )
    const outcome = { kind: 'retry', reason: 'the provider could not be asked' } as const
    return { attempted: { ...begun, outcome, request: undefined } }
  }
}

/** A message that a clock ahead of time accepted counts as accepted when its job was queued. */
function presentMessage(message: Message, { queuedAtUs }: TakenJob, nowUs: number): Message {
  if (message.acceptedAtMs * usPerMs <= presentUntil(nowUs)) return message
  return { ...message, acceptedAtMs: Math.floor(Math.min(queuedAtUs, nowUs) / usPerMs) }
}

/** Ttl applies to mobile push alone. */
function expiryMs({ channel }: TakenJob, message: Message): number | undefined {
  if (!definitions[channel].isPush) return undefined
  return message.acceptedAtMs + message.ttlS * 1_000
}

/** Undefined unless the operator has configured the platform's public URL. */
function makeReceiptsUrl({ publicUrl }: NotificationOptions, { job }: Attempt, provider: string) {
  const path = `/v1/Receipts/${job.solutionId}/${provider}`
  return publicUrl === undefined ? undefined : `${publicUrl}${path}`
}

async function measured(
  { clock }: NotificationOptions,
  { provider }: ProviderRoute,
  { job, message }: Pick<Attempted, 'job' | 'message'>,
  send: () => Promise<DeliveryOutcome>,
): Promise<DeliveryOutcome> {
  const beganMs = clock.elapsedMs()
  let outcome = 'failed'
  try {
    const answered = await send()
    outcome = answered.kind
    return answered
  } finally {
    const ms = clock.elapsedMs() - beganMs
    measure('attempt', () => {
      const { solutionId, notificationSid: notification, channel } = job
      const ids = { solutionId, notification, trackingId: message.trackingId }
      return { provider: provider.name, channel, outcome, ms, ...ids }
    })
  }
}

async function deliver(
  options: NotificationOptions,
  attempt: Attempt,
  { provider, settings }: ProviderRoute,
  payload: Payload,
  expiresAtMs: number | undefined,
): Promise<DeliveryOutcome> {
  const { job, closing } = attempt
  if (closing.closed) throw new Fault('internal')
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, notificationLimits.notificationAttemptMsMax)
  closing.aborts.add(abort)
  try {
    return await provider.deliver({
      ...job,
      id: makeJobId(job.notificationSid, job.bindingSid),
      payload,
      settings,
      expiresAtMs,
      account: attempt.account(),
      receiptsUrl: makeReceiptsUrl(options, attempt, provider.name),
      signal: controller.signal,
    })
  } finally {
    clearTimeout(timer)
    closing.aborts.delete(abort)
  }
}
