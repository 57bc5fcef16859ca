import type { Json } from '../../../foundation/kernel/index.ts'
import type { Level, LevelName } from '../types.ts'

/**
 * The state of a condition. `open`: nobody has acknowledged it since it began, came back or got
 * worse than ever. `acknowledged`: a person knows of it. `cleared`: a person has closed it.
 */
export type ConditionState = 'open' | 'acknowledged' | 'cleared'

/** A status of an asset that left normal, until a person clears it. Times in microseconds. */
export type Condition = {
  readonly id: string
  readonly assetId: string
  /** The link of the rule; null for a signal that is silent. */
  readonly ruleId: string | null
  readonly signalId: string | null
  readonly category: string
  /** The present level: 0 once the status is normal again. */
  readonly level: Level
  readonly name: LevelName
  /** The worst level since it was opened. */
  readonly worst: Level
  readonly type: string | null
  readonly value: Json
  /** The times of the last change's data, and of those that opened it. */
  readonly ts: number
  readonly openedAt: number
  /** When the status became normal again; null while it is not. */
  readonly endedAt: number | null
  readonly state: ConditionState
  /** `user:<id>` or `token:<id>`. */
  readonly acknowledgedAt: number | null
  readonly acknowledgedBy: string | null
  readonly clearedAt: number | null
  readonly clearedBy: string | null
}

export type ConditionComment = {
  readonly id: string
  readonly comment: string
  /** `user:<id>` or `token:<id>`. */
  readonly by: string
  /** Microseconds. */
  readonly createdAt: number
}

/** Conditions that have all that is given. */
export type ConditionFilter = {
  readonly assetId?: string | null | undefined
  readonly ruleId?: string | null | undefined
  readonly signalId?: string | null | undefined
  readonly category?: string | null | undefined
  readonly levels?: readonly LevelName[] | null | undefined
  readonly states?: readonly ConditionState[] | null | undefined
  /** Opened at or after this time, and before that one. */
  readonly from?: number | null | undefined
  readonly to?: number | null | undefined
}

export type ConditionOrder = {
  readonly by: 'openedAt' | 'ts' | 'level' | 'worst'
  readonly order?: 'asc' | 'desc' | null | undefined
}
