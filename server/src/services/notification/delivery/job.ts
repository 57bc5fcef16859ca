import type { ChannelName, Payload } from '../sending/channel.ts'

/**
 * A job is one notification for one binding. It is `queued` in the transaction of `send`, or in
 * one that follows. The process that holds its lane gives it to the provider; what that says makes
 * it `sent`, `failed`, `pruned` (the binding went, too), or leaves it `queued` for another time.
 * Nothing is written when a try begins: what was under way when its process died is still
 * `queued`, and is sent again by the next holder of the lane, with the same id, so that a provider
 * that looks at ids delivers it once. `sending` is shown of a queued one that is under way here.
 */
export type JobState = 'queued' | 'sending' | 'sent' | 'failed' | 'pruned'

/** What a process has under way. */
export type TakenJob = {
  /** The place in the order of all jobs, by which it is found. */
  readonly number: number
  /** Microseconds. */
  readonly dueAtUs: number
  readonly solutionId: string
  readonly notificationSid: string
  readonly bindingSid: string
  readonly channel: ChannelName
  readonly address: string
  readonly credentialSid: string | undefined
  /** How often it was begun before. */
  readonly tries: number
  /** At Ttl 0: it is tried soon after it was queued, or not at all. */
  readonly once: boolean
  readonly queuedAtUs: number
}

/** One point of a timeline. Microseconds. */
export type TimelineEvent = {
  readonly at: number
  readonly event:
    | 'accepted'
    | 'queued'
    | 'sent'
    | 'answer'
    | 'retry'
    | 'delivered'
    | 'failed'
    | 'pruned'
  readonly text?: string
}

/** Of a job whose binding was registered again at another address. */
export function rebound(at: number): TimelineEvent {
  return { at, event: 'queued', text: 'its binding was registered again, at another address' }
}

/**
 * How a try ended. `begun`: it counts as one. `dueAtUs`: when it is to be tried again, where it is
 * `queued`.
 */
export type Settlement = {
  readonly job: TakenJob
  readonly state: Exclude<JobState, 'sending'>
  readonly begun: boolean
  readonly moments: readonly TimelineEvent[]
  readonly provider?: string
  readonly providerId?: string
  readonly reason?: string
  /** JSON, where the sink took it. */
  readonly payload?: string
  readonly dueAtUs?: number
  /** The binding is to go, unless it was replaced after this time. */
  readonly pruneUs?: number
  /** It is the address that was refused: another one, that it has meanwhile, may be right. */
  readonly ofAddress?: true
}

export type JobRecord = {
  readonly notificationSid: string
  readonly bindingSid: string
  readonly number: number
  readonly channel: ChannelName
  readonly address: string
  readonly state: JobState
  readonly tries: number
  readonly provider: string | undefined
  readonly providerId: string | undefined
  readonly reason: string | undefined
  readonly payload: Payload | undefined
  readonly moments: readonly TimelineEvent[]
  readonly createdAt: number
  readonly updatedAt: number
}
