import type { LogLevel } from '../../../log/activity/index.ts'
import type {
  Chunk,
  Program,
  ScriptContext,
  ScriptLimits,
  SyntaxProblem,
} from '../registry/program.ts'
import type { ScriptError, ScriptValue } from './value.ts'

/**
 * The engine of a worker: machines that go step by step, and never wait. Everything here
 * is synchronous and runs in a worker's thread; the engine uses no database and no promise.
 */
export type ScriptEngine = {
  /** Compiles and runs nothing: the first problem of a source, if it has one. */
  check(chunk: Chunk): SyntaxProblem | undefined
  /**
   * A machine with its prelude and its chunks run. It runs under the limits, too: a chunk that
   * fails or spins gives the problem instead of a machine.
   */
  open(program: Program, hooks: MachineHooks): Machine | { readonly problem: Ended }
}

export type MachineHooks = {
  /** A line of the running call; `call` is undefined while chunks run at the opening. */
  log(call: number | undefined, level: LogLevel, text: string): void
}

/** The virtual machine of a solution. Calls interleave: each is a coroutine of its own. */
export type Machine = {
  /** Begins a call of a global function. An unknown function is a `failed` with status 404. */
  start(call: number, invocation: MachineCall): Step
  /** Goes on after a service call, with its answer. */
  resume(call: number, answer: ScriptValue): Step
  /** Ends a call that waits for an answer; its coroutine is closed. */
  cancel(call: number): void
  /**
   * A script that is stopped while it runs (`time`, `cpu`) takes the machine with it, and every
   * call that waits in it. After other limits the machine goes on.
   */
  readonly dead: boolean
  /** Bytes of its memory. */
  readonly bytes: number
  close(): void
}

export type MachineCall = {
  readonly handler: string
  readonly args: readonly ScriptValue[]
  readonly context: ScriptContext
  readonly limits: ScriptLimits
  /** Milliseconds that this call may still use of the wall's clock, steps and waits together. */
  readonly wallMs: number
}

/** An event for one solution: the call of its handler `handle_<service>_<event>`. */
export type HandlerCall = {
  readonly businessId: string
  readonly solutionId: string
  /** The alias under which the solution has the service: `device2`. */
  readonly service: string
  readonly event: string
  readonly argument: ScriptValue
  readonly callerId?: string
  /** Given on, so that one id follows a call through solutions; made where there is none. */
  readonly trackingId?: string
  readonly depth?: number
  readonly wallMsMax?: number
}

/** The progress of a call. `cpuMs`: CPU of the call so far. */
export type Step = (
  | {
      readonly kind: 'serviceCall'
      readonly service: string
      readonly operation: string
      readonly args: ScriptValue
    }
  | Ended
) & { readonly cpuMs: number }

/** A script's end is one of three: returned, failed, stopped by a limit. */
export type Ended =
  | { readonly kind: 'returned'; readonly value: ScriptValue }
  | { readonly kind: 'failed'; readonly error: ScriptError; readonly trace?: Trace }
  | {
      readonly kind: 'stopped'
      readonly limit: StopLimit
      readonly error: ScriptError
      readonly trace?: Trace
    }

/**
 * The place in the scripts at which an error was raised, or a limit stopped them, the innermost
 * place first: `file.lua:3 in local 'f'`. For the solution's own log alone: a caller receives none
 * of it.
 */
export type Trace = readonly string[]

/**
 * Which limit ended a script: `error.status` is 504 for time and cpu, 507, 413, 429, 503. If a
 * `body` cannot be read it is 400 or 413, and none of the script ran.
 */
export const stopLimits = [
  'time',
  'cpu',
  'memory',
  'value',
  'service_calls',
  'depth',
  'queue',
  'quota',
  'worker',
  'body',
] as const
export type StopLimit = (typeof stopLimits)[number]
