import type { CallUsage, LogLevel } from '../../../log/activity/index.ts'
import type { LuaCalls } from '../check/lua-calls.ts'
import type { Chunk, Program, ScriptContext, SyntaxProblem } from '../registry/program.ts'
import type { Ended } from './engine.ts'
import type { ScriptValue } from './value.ts'

/** Runs scripts in worker threads, in any language. */
export type ScriptHost = {
  /**
   * Runs a global function of the program's machine. It never rejects: the end has the outcome,
   * also that there is no room (`queue`, 429) or that the worker was lost (`worker`, 503).
   */
  call(program: Program, call: HostCall): Promise<HostEnd>
  /** @throws Fault overloaded where it cannot be looked at now. */
  check(solutionId: string, chunk: Chunk): Promise<SyntaxProblem | undefined>
  /**
   * Finds the calls that a source makes; undefined for one that cannot be read.
   * @throws Fault overloaded where it cannot be looked at now.
   */
  readCalls(solutionId: string, chunk: Chunk): Promise<LuaCalls | undefined>
  /** Drops the machine of a solution that is gone. */
  forget(solutionId: string): void
  close(): Promise<void>
}

export type HostCall = {
  readonly handler: string
  readonly args: readonly ScriptValue[]
  /**
   * JSON that becomes the field `body` of the first argument, read in the worker: the main thread
   * must not wait for a large one. A body that is no JSON ends the call by the limit `body`.
   */
  readonly body?: string | undefined
  readonly context: ScriptContext
  /** The number of interface calls above this one. */
  readonly depth: number
  /** Less than the program's own limit where a caller has less time left. */
  readonly wallMsMax?: number | undefined
}

export type HostEnd = Ended & {
  readonly usage: CallUsage
  /** False where no line of the script can have run, so that the call may be made again. */
  readonly started: boolean
}

/** Callbacks of running scripts into the platform. */
export type HostHooks = {
  /** Answers a service call; failures are answers as well (`ScriptError`). Never rejects. */
  callService(asked: ServiceRequest): Promise<ScriptValue>
  log(line: LoggedLine): void
}

/** A line of a script; without context and handler where chunks run at a machine's opening. */
export type LoggedLine = LogText & {
  readonly program: Program
  readonly context: ScriptContext | undefined
  readonly handler: string | undefined
}

export type LogText = { readonly level: LogLevel; readonly text: string }

export type ServiceRequest = {
  readonly program: Program
  readonly handler: string
  readonly context: ScriptContext
  readonly service: string
  readonly operation: string
  readonly args: ScriptValue
  readonly depth: number
  /** Milliseconds that the asking call has left. */
  readonly remainingMs: number
  /** Aborted when the asking call has ended. */
  readonly signal: AbortSignal
}
