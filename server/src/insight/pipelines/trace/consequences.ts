import type { TraceStepOf } from './schema.ts'

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
type ScriptCall = Omit<TraceStepOf<'script_call'>, 'kind' | 'cause'>

/** A notification: when it was accepted, and the number of its deliveries by state. */
type SentNotification = {
  /** Microseconds. */
  readonly acceptedAt: number
  readonly states: Readonly<Record<string, number>>
}

/** The effects of values in other modules. */
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
