/** Why scripts were called: an entry of the log, a change of a level, or an action. */
export type ScriptCause = {
  /** Microseconds: when it happened. */
  readonly at: number
} & (
  | { readonly part: number; readonly seq: number }
  | { readonly eventId: string }
  | { readonly trackingId: string; readonly solutionId: string }
)

/** A call of a handler that ended. */
export type ScriptCall = {
  readonly solutionId: string
  readonly service: string
  readonly handler: string
  readonly trackingId: string
  /** Microseconds: when it ended. */
  readonly at: number
  /** Microseconds that it took; null if unknown. */
  readonly us: number | null
  readonly failed: boolean
}

/** A notification: when it was accepted, and the number of its deliveries by state. */
export type SentNotification = {
  /** Microseconds. */
  readonly acceptedAt: number
  readonly states: Readonly<Record<string, number>>
}

/** What values led to in other modules. */
export type Consequences = {
  /** The calls in the logs of solutions, oldest first. */
  scriptCalls(businessId: string, cause: ScriptCause): Promise<readonly ScriptCall[]>
  /** Undefined if it is not there any more. */
  notification(
    businessId: string,
    solutionId: string,
    sid: string,
  ): Promise<SentNotification | undefined>
}
