import type { Json } from '../../kernel/index.ts'

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
