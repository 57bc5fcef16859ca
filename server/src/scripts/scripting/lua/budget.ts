import { limits } from '../../../foundation/kernel/thread/index.ts'
import type { Meter } from './meter.ts'

/** Thrown by what reads or checks a value, never through Lua's C code. */
export class ValueRejected extends Error {
  readonly tooLarge: boolean

  constructor(text: string, tooLarge: boolean) {
    super(text)
    this.tooLarge = tooLarge
  }
}

/** The cost that one value that crosses may have, and its cost so far. */
export class Budget {
  readonly #meter: Meter
  readonly #bytesMax: number
  #values = 0
  #bytes = 0

  constructor(meter: Meter, bytesMax: number) {
    this.#meter = meter
    this.#bytesMax = bytesMax
  }

  /** @throws ValueRefused */
  take(bytes: number, depth: number): void {
    this.#values += 1
    if (this.#values > limits.scriptValueNodesMax) {
      throw new ValueRejected(`more than ${limits.scriptValueNodesMax} values`, true)
    }
    if (this.#bytes + bytes > this.#bytesMax) {
      throw new ValueRejected(`more than ${this.#bytesMax} bytes`, true)
    }
    this.#bytes += bytes
    if (depth > limits.scriptValueDepthMax) {
      throw new ValueRejected(`tables more than ${limits.scriptValueDepthMax} deep`, true)
    }
  }

  /** Lets the running call pay for what was taken. @throws StopSignal */
  settle(): void {
    this.#meter.charge(this.#values, this.#bytes)
  }
}
