import type { Transaction } from '../database/index.ts'
import type { ScriptValue } from './runtime/value.ts'

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

/** Calls that wait for their turn, durable: a job, not a promise. */
export type Deliveries = {
  /** Kept by the caller's transaction; run soon after its COMMIT. */
  addIn(transaction: Transaction, calls: readonly HandlerCall[]): Promise<void>
  add(calls: readonly HandlerCall[]): Promise<void>
  /** Whether so many calls of the solution wait already. */
  isBehind(solutionId: string, count: number): Promise<boolean>
}
