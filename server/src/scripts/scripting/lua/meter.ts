import type { ScriptLimits } from '../registry/program.ts'
import type { StopLimit, Trace } from '../runtime/engine.ts'
import type { ThreadTime } from '../runtime/thread/thread-time.ts'

/** Thrown through a whole machine, which is lost from then on; no Lua code can catch it. */
export class StopSignal extends Error {
  readonly limit: StopLimit
  /** The place in the scripts. */
  readonly trace: Trace

  constructor(limit: StopLimit, text: string, trace: Trace) {
    super(text)
    this.limit = limit
    this.trace = trace
  }
}

/** The rest that one call, or one opening, may still use. */
export type Allowance = {
  /** The call that uses it; undefined at an opening. */
  readonly call: number | undefined
  readonly deadlineMs: number
  readonly wallMs: number
  readonly cpuMsMax: number
  /** Used so far, up to the last run. */
  cpuMs: number
}

/** The place of the machine. Between two of its states it may throw, or not come to an end. */
export type CallStack = {
  /** Has `stop` called before the next instruction of Lua; false where C code runs. */
  stopAtInstruction(): boolean
  /** Empty where no script is. */
  trace(): Trace
}

/** Work of the host for a script that costs about as much as one tick: values, or 64 bytes. */
const workPerTick = 500
const bytesPerWork = 64
const closingShare = 10
/** The search for the place runs loops, too: so many ticks of them, and so many tries. */
const ticksOfLook = 100
const triesOfLook = 5

type Overrun = { readonly limit: StopLimit; readonly text: string }

/** Counts what runs in one machine, and stops it. */
export class Meter {
  readonly #time: ThreadTime
  #callStack: CallStack | undefined
  #allowance: Allowance | undefined
  /** The thread's CPU when the run began. */
  #fromMs = 0
  #work = 0
  #overrun: Overrun | undefined
  #looks = 0
  #lookTicks = 0

  constructor(time: ThreadTime) {
    this.#time = time
  }

  set callStack(callStack: CallStack) {
    this.#callStack = callStack
  }

  get current(): Allowance | undefined {
    return this.#allowance
  }

  /** Milliseconds that only move forward. */
  get nowMs(): number {
    return this.#time.nowMs
  }

  /** Runs something at the allowance's expense. @throws StopSignal */
  run<T>(allowance: Allowance, body: () => T): T {
    const [before, beforeMs] = [this.#allowance, this.#fromMs]
    this.#allowance = allowance
    this.#fromMs = this.#time.mark()
    try {
      const result = body()
      // A call that is to be stopped at its next instruction may have had none.
      if (this.#overrun !== undefined) this.stop()
      return result
    } finally {
      allowance.cpuMs += this.#time.mark() - this.#fromMs
      this.#allowance = before
      this.#fromMs = beforeMs
    }
  }

  /** Called by Lua's loops. @throws StopSignal */
  readonly tick = (): void => {
    const { nowMs } = this.#time
    const usedMs = this.#time.tick(nowMs)
    const allowance = this.#allowance
    if (allowance === undefined) return
    if (this.#lookTicks > 0) this.#countLook()
    else if (this.#overrun !== undefined) this.#tryStop()
    else this.#check(allowance, nowMs, usedMs)
  }

  #check(allowance: Allowance, nowMs: number, usedMs: number): void {
    const leftMs = allowance.cpuMsMax - allowance.cpuMs + this.#fromMs
    if (usedMs > leftMs && this.#time.settle(nowMs) > leftMs) {
      this.#overrun = { limit: 'cpu', text: `more than ${allowance.cpuMsMax} ms of CPU` }
    } else if (nowMs > allowance.deadlineMs) {
      this.#overrun = { limit: 'time', text: tooLate(allowance) }
    } else return
    if (this.#look(() => this.#callStack?.stopAtInstruction()) !== true) this.#tryStop()
  }

  /** Continues for a little if the machine's place cannot be read yet. @throws StopSignal */
  #tryStop(): void {
    this.#looks += 1
    const trace = this.#look(() => this.#callStack?.trace()) ?? []
    if (trace.length > 0 || this.#looks >= triesOfLook) this.#throw(trace)
  }

  /** @throws StopSignal */
  stop(): never {
    this.#throw(this.#look(() => this.#callStack?.trace()) ?? [])
  }

  #throw(trace: Trace): never {
    const { limit = 'cpu', text = '' } = this.#overrun ?? {}
    throw new StopSignal(limit, text, trace)
  }

  /** Undefined where the machine is not whole at this moment. */
  #look<T>(body: () => T): T | undefined {
    this.#lookTicks = ticksOfLook
    try {
      return body()
    } catch {
      return undefined
    } finally {
      this.#lookTicks = 0
    }
  }

  #countLook(): void {
    this.#lookTicks -= 1
    if (this.#lookTicks === 0) throw new Error('the place cannot be told')
  }

  isLate(allowance: Allowance): boolean {
    return this.nowMs > allowance.deadlineMs
  }

  /** Charges the host's work for a script: no loop of Lua's turns meanwhile. */
  charge(values: number, bytes: number): void {
    this.#work += values + bytes / bytesPerWork
    if (this.#work < workPerTick) return
    this.#work = 0
    this.tick()
  }
}

/** Returns the allowance of a call, or an opening, under the limits of its solution. */
export function allow(
  call: number | undefined,
  { cpuMsMax }: Pick<ScriptLimits, 'cpuMsMax'>,
  nowMs: number,
  wallMs: number,
): Allowance {
  return { call, wallMs, deadlineMs: nowMs + wallMs, cpuMsMax, cpuMs: 0 }
}

/** For what a call must close after its end: a share of its CPU, however late it is. */
export function allowClosing(allowance: Allowance): Allowance {
  const cpuMsMax = Math.ceil(allowance.cpuMsMax / closingShare)
  const never = Number.POSITIVE_INFINITY
  return { ...allowance, deadlineMs: never, wallMs: never, cpuMsMax, cpuMs: 0 }
}

export function tooLate(allowance: Allowance): string {
  return `more than ${Math.ceil(allowance.wallMs)} ms`
}
