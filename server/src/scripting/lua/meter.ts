import type { StopLimit } from '../engine.ts'
import type { ScriptLimits } from '../program.ts'

/** Thrown through a whole machine, which is dead from then on; no Lua code can catch it. */
export class StopSignal extends Error {
  readonly limit: StopLimit

  constructor(limit: StopLimit, text: string) {
    super(text)
    this.limit = limit
  }
}

/** What one call, or one opening, may still use. */
export type Allowance = {
  /** Whose it is; undefined at an opening. */
  readonly call: number | undefined
  readonly deadlineMs: number
  readonly wallMs: number
  readonly ticksMax: number
  /** Used so far; grows with each tick. */
  ticks: number
}

/** Work of the host for a script that costs about as much as one tick: values, or 64 bytes. */
const workPerTick = 500
const bytesPerWork = 64
const closingShare = 10

/** Counts what runs in one machine, and stops it. */
export class Meter {
  readonly #elapsedMs: () => number
  #allowance: Allowance | undefined
  #work = 0

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  get current(): Allowance | undefined {
    return this.#allowance
  }

  /** Milliseconds that only move forward. */
  get nowMs(): number {
    return this.#elapsedMs()
  }

  /** Runs something at the allowance's expense. */
  run<T>(allowance: Allowance, body: () => T): T {
    const before = this.#allowance
    this.#allowance = allowance
    try {
      return body()
    } finally {
      this.#allowance = before
    }
  }

  /** Called by Lua's loops. @throws StopSignal */
  readonly tick = (): void => {
    const allowance = this.#allowance
    if (allowance === undefined) return
    allowance.ticks += 1
    if (allowance.ticks > allowance.ticksMax) {
      throw new StopSignal('cpu', `more than ${allowance.ticksMax} ticks of CPU`)
    }
    if (this.isLate(allowance)) throw new StopSignal('time', tooLate(allowance))
  }

  isLate(allowance: Allowance): boolean {
    return this.nowMs > allowance.deadlineMs
  }

  /** What the host does for a script costs, too: no loop of Lua's turns meanwhile. */
  charge(values: number, bytes: number): void {
    this.#work += values + bytes / bytesPerWork
    while (this.#work >= workPerTick) {
      this.#work -= workPerTick
      this.tick()
    }
  }
}

/** What a call, or an opening, may use under the limits of its solution. */
export function allow(
  call: number | undefined,
  limits: Pick<ScriptLimits, 'ticksPerCallMax'>,
  nowMs: number,
  wallMs: number,
): Allowance {
  const ticksMax = limits.ticksPerCallMax
  return { call, wallMs, deadlineMs: nowMs + wallMs, ticksMax, ticks: 0 }
}

/** For what a call must close after its end: a share of its CPU, however late it is. */
export function allowClosing(allowance: Allowance): Allowance {
  const ticksMax = Math.ceil(allowance.ticksMax / closingShare)
  const never = Number.POSITIVE_INFINITY
  return { ...allowance, deadlineMs: never, wallMs: never, ticksMax, ticks: 0 }
}

export function tooLate(allowance: Allowance): string {
  return `more than ${Math.ceil(allowance.wallMs)} ms`
}
