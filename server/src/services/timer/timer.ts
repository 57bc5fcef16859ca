import type { Json } from '../../kernel/index.ts'

/** One thing that a solution wants to be told, at a time or at many. */
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
