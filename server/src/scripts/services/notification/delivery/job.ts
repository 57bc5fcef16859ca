import type { NotificationJobState, TimelineEvent } from '../schema.ts'
import type { Channel, DeliveryOutcome, Message, Payload } from '../sending/channel.ts'

/** A position in the order of a queue. */
export type JobPosition = { readonly dueAtUs: number; readonly number: number }

/** A job as its process has read it. */
export type TakenJob = {
  /** Its number in the order of all jobs. */
  readonly number: number
  /** Microseconds. */
  readonly dueAtUs: number
  readonly solutionId: string
  readonly notificationSid: string
  readonly bindingSid: string
  readonly channel: Channel
  readonly address: string
  readonly credentialSid: string | undefined
  /** Attempts before this one. */
  readonly attempts: number
  /** At Ttl 0: it is attempted soon after it was queued, or not at all. */
  readonly once: boolean
  readonly queuedAtUs: number
}

/** The event of a job whose binding was registered again at another address. */
export function rebound(at: number): TimelineEvent {
  return { at, event: 'queued', text: 'its binding was registered again, at another address' }
}

/** An attempt that began, and its outcome. */
export type Attempted = {
  readonly job: TakenJob
  readonly message: Message
  /** Microseconds. */
  readonly sentAtUs: number
  /** Undefined: its channel has no Ttl. */
  readonly expiresAtMs: number | undefined
  readonly outcome: DeliveryOutcome
  /** The request to the provider; undefined: it failed before there was an answer. */
  readonly request: { readonly provider: string; readonly payload: Payload } | undefined
}

/**
 * The end of an attempt, or of a job without one. `isAttempt`: it counts as an attempt. `dueAtUs`:
 * the time of the next one, if it is `queued`.
 */
export type Settlement = {
  readonly job: TakenJob
  readonly state: Exclude<NotificationJobState, 'sending'>
  readonly isAttempt: boolean
  readonly events: readonly TimelineEvent[]
  readonly provider?: string
  readonly providerId?: string
  readonly reason?: string
  /** JSON, if the sink took it. */
  readonly payload?: string
  readonly dueAtUs?: number
  /** The binding is deleted, unless it was replaced after this time. */
  readonly pruneUs?: number
  /** The provider rejected the address: another one, set meanwhile, may be right. */
  readonly addressRejected?: true
}

export type JobRecord = {
  readonly notificationSid: string
  readonly bindingSid: string
  readonly number: number
  readonly channel: Channel
  readonly address: string
  readonly state: NotificationJobState
  readonly tries: number
  readonly provider: string | null
  readonly providerId: string | null
  readonly reason: string | null
  readonly payload: Payload | undefined
  readonly events: readonly TimelineEvent[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** A notification that did not reach one binding. */
export type FailedDelivery = {
  readonly id: string
  readonly solutionId: string
  readonly notificationSid: string
  readonly bindingSid: string
  readonly channel: string
  readonly address: string
  readonly message: Message
  readonly tries: number
  readonly reason: string
  /** Microseconds. */
  readonly createdAt: number
  readonly failedAt: number
}
