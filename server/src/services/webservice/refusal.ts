import type { Fault } from '../../kernel/index.ts'
import type { Pair } from './headers.ts'

/** A refusal, with headers for its answer. */
export class Refusal extends Error {
  readonly fault: Fault
  readonly headers: readonly Pair[]

  constructor(fault: Fault, ...headers: readonly Pair[]) {
    super(fault.message, { cause: fault })
    this.fault = fault
    this.headers = headers
  }
}
