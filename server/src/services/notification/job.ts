import type { ChannelName, Payload } from './channel.ts'

/**
 * A job is one notification for one binding. It is `queued` in the transaction of `send`, or in
 * one that follows; a process that takes it makes it `sending` and holds its lease. What the
 * provider says makes it `sent`, `failed`, `pruned` (the binding went, too), or `queued` again. One
 * that is `sending` when its process dies is taken again when the lease has run out, with the same
 * id, so that a provider that looks at ids delivers it once.
 */
export type JobState = 'queued' | 'sending' | 'sent' | 'failed' | 'pruned'

/** What a process took. */
export type TakenJob = {
  readonly businessId: string
  readonly solutionId: string
  readonly notificationSid: string
  readonly bindingSid: string
  readonly channel: ChannelName
  readonly address: string
  readonly credentialSid: string | undefined
  /** How often it was begun before. */
  readonly tries: number
}

/** One point of a timeline. Microseconds. */
export type Moment = {
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

/** How a taken job ended. `dueAtUs`: when it is to be tried again, where it is `queued`. */
export type Settlement = {
  readonly job: TakenJob
  readonly state: JobState
  readonly begun: boolean
  readonly moments: readonly Moment[]
  readonly provider?: string
  readonly providerId?: string
  readonly reason?: string
  /** JSON, where the sink took it. */
  readonly payload?: string
  readonly dueAtUs?: number
  /** The binding is to go, unless it was replaced after this time. */
  readonly pruneUs?: number
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
  readonly moments: readonly Moment[]
  readonly createdAt: number
  readonly updatedAt: number
}
