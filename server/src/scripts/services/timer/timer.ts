import type { Database } from '../../../foundation/database/index.ts'
import type { Clock, Json, Logger, Random } from '../../../foundation/kernel/index.ts'
import type { Deliveries, Scripting, Service } from '../../scripting/index.ts'

export type Timers = {
  readonly service: Service
  /** Starts to poll for due timers. */
  start(): void
  /** Hands what is due now to the deliveries; for tests that hold the clock. */
  fire(): Promise<void>
  stop(): Promise<void>
}

export type TimersOptions = {
  readonly database: Database
  readonly deliveries: Pick<Deliveries, 'addIn'>
  readonly solutions: Pick<Scripting['solutions'], 'get'>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** A message that a solution receives, once or repeatedly. */
export type Timer = {
  readonly businessId: string
  readonly solutionId: string
  readonly timerId: string
  readonly alias: string
  readonly message: Json
  /** Microseconds. */
  readonly dueAt: number
  readonly repeats: Repetition | undefined
}

export type Repetition =
  | { readonly kind: 'interval'; readonly everyUs: number }
  | { readonly kind: 'schedule'; readonly schedule: string; readonly timezone: string }
