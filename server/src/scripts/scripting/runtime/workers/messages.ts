import type { LimitValues } from '../../../../foundation/kernel/index.ts'
import type { LogLevel } from '../../../../log/activity/index.ts'
import type { LuaCalls } from '../../check/lua-calls.ts'
import type { Chunk, Program, SyntaxProblem } from '../../registry/program.ts'
import type { Ended } from '../engine.ts'
import type { ScriptValue } from '../value.ts'

/**
 * The messages between the main thread and a worker, as structured clones: tuples, since each key
 * of an object would be written again with every message.
 */
export type ToWorker =
  /** Sent before the first call of a version; kept until a newer one comes. */
  | readonly [kind: 'program', program: Program]
  | CallMessage
  | readonly [kind: 'answer', call: number, value: ScriptValue]
  | readonly [kind: 'cancel', call: number]
  | readonly [kind: 'forget', solutionId: string]
  | readonly [kind: 'check', call: number, chunk: Chunk, solutionId: string, what: CheckedPart]

/** The target of a check of a source: its first problem, or the calls that it makes. */
export type CheckedPart = 'syntax' | 'calls'
export type SourceFinding = SyntaxProblem | LuaCalls

export type CallMessage = readonly [
  kind: 'call',
  call: number,
  solutionId: string,
  version: number,
  handler: string,
  args: readonly ScriptValue[],
  trackingId: string,
  service: string,
  callerId: string | undefined,
  wallMs: number,
  /**
   * The number of times that the call was posted: a worker that gives it back means one of these.
   */
  posts: number,
  /** JSON of the first argument's field `body`. */
  body?: string | undefined,
]

export type FromWorker =
  | readonly [
      kind: 'serviceCall',
      call: number,
      service: string,
      operation: string,
      args: ScriptValue,
      /** CPU of this step. */
      cpuMs: number,
    ]
  | readonly [kind: 'ended', call: number, ended: Ended, cpuMs: number]
  /** A call that was taken back as it was to begin: nothing of it ran. */
  | readonly [kind: 'revoked', call: number, posts: number]
  /** The worker does not have the program of this call any more: send both again. */
  | readonly [kind: 'programMissing', call: number]
  | readonly [kind: 'log', solutionId: string, call: number | undefined, LogLevel, text: string]
  | readonly [kind: 'checked', call: number, found: SourceFinding | undefined, cpuMs: number]
  /** More results of this batch will follow. */
  | readonly [kind: 'more']
  /** The engine itself failed; for the operator's log. */
  | readonly [kind: 'fault', text: string]

/** The worker's answer to one batch: always one without `more`: so many batches wait no more. */
export type FromWorkerBatch = readonly FromWorker[]

export type WorkerOptions = {
  /**
   * The progress of the worker: the cells of thread-time.ts. Messages begun and done differ while
   * one is worked on.
   */
  readonly progress: SharedArrayBuffer
  readonly machinesMax: number
  readonly machineBytesMax: number
  /** Limits of the process that differ from their defaults. */
  readonly limits: LimitValues
}
