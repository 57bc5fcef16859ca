import type { Json } from '../../kernel/index.ts'
import type { MadeCall } from '../store/recorded-runs.ts'
import type { ScriptCall, SentNotification } from './consequences.ts'

/** A value of a signal; `ts` in microseconds. */
export type TracePoint = {
  readonly signalId: string
  readonly name: string
  readonly ts: number
  readonly value: Json
}

/** The entry of the event log by which a device's value came. */
export type TraceWrite = {
  readonly kind: 'write'
  readonly connectorId: string
  readonly identity: string
  /** Microseconds: when it was acknowledged. */
  readonly at: number
  readonly part: number
  readonly seq: number
  /** The signal that it wrote. */
  readonly signalId: string
}

/** A function with the values that it received and made. */
export type TraceFunction = {
  readonly kind: 'function'
  readonly linkId: string
  readonly name: string
  readonly moduleId: string
  readonly functionId: string
  readonly inputs: readonly TracePoint[]
  readonly outputs: readonly TracePoint[]
  /** Microseconds that it took, when it ran last; null if that is not known. */
  readonly us: number | null
}

/** A call of a module's function, or of an action. */
export type TraceCall = Omit<MadeCall, 'effects'> & {
  readonly kind: 'call'
  readonly linkId: string
  readonly name: string
  readonly moduleId: string
  /** Microseconds: when its run was stored. */
  readonly at: number
  /** Microseconds that it took. */
  readonly us: number
}

/** A notification that an action sent. */
export type TraceNotification = Omit<SentNotification, 'states'> & {
  readonly kind: 'notification'
  readonly linkId: string
  readonly name: string
  readonly solutionId: string
  readonly sid: string
  /** The number of its deliveries by state; null if it is not kept any more. */
  readonly states: SentNotification['states'] | null
}

/** A call of a script that came of the write, of a change of a level, or of an action. */
export type TraceScriptCall = ScriptCall & {
  readonly kind: 'script_call'
  readonly cause: 'write' | 'status' | 'action'
}

/** A rule changed its level. */
export type TraceStatus = {
  readonly kind: 'status'
  readonly linkId: string
  readonly name: string
  readonly ts: number
  readonly level: number
  readonly previous: number
  /** The actions that hang on the rule: each was called once for the change. */
  readonly actions: readonly { readonly linkId: string; readonly name: string }[]
}

/** A call that failed, and waits to be corrected or made again. */
export type TraceFailure = {
  readonly kind: 'failed_call'
  readonly id: string
  readonly linkId: string
  readonly name: string
  readonly failedAt: number
  readonly reason: string
}

export type TraceStep =
  | TraceWrite
  | TraceFunction
  | TraceCall
  | TraceStatus
  | TraceNotification
  | TraceScriptCall
  | TraceFailure

/** Where a value came from and what it led to, in the order of the data's path. */
export type ValueTrace = {
  readonly assetId: string
  readonly value: TracePoint
  readonly steps: readonly TraceStep[]
  /** What is not known, a sentence each. */
  readonly notes: readonly string[]
}
