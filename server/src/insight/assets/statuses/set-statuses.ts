import type { Transaction } from '../../../foundation/database/index.ts'
import { cut, invalid, limits, presentUntil } from '../../../foundation/kernel/index.ts'
import type { AssetsOptions } from '../options.ts'
import { keepStatuses } from '../store/statuses.ts'
import { defaultCategory, isLevel, type RuleStatus } from '../types.ts'
import type { StatusEvents } from './status-events.ts'

export type SetStatusOptions = Pick<AssetsOptions, 'clock'> & {
  readonly statusEvents: StatusEvents
}

type Changed = { readonly changed: boolean }

/**
 * Stores the results of rules, those of each rule in their order. A statement stores the first
 * result of each rule, the next one the second, and so on. A write returns the level before it, so
 * that of two transactions at once only one has the change.
 */
export async function setStatuses(
  { clock, statusEvents }: SetStatusOptions,
  transaction: Transaction,
  statuses: readonly RuleStatus[],
): Promise<Changed[]> {
  const untilUs = presentUntil(clock.nowUs())
  const checked = statuses.map(checkedStatus)
  const changed = new Set<number>()
  for (const places of inTurns(checked)) {
    const turn = places.flatMap((place) => checked[place] ?? [])
    const levels = await keepStatuses(transaction, turn, untilUs)
    const changes = turn.flatMap((status, at) => {
      const { previous, level } = levels[at] ?? {}
      if (previous === undefined || previous === level) return []
      changed.add(places[at] ?? -1)
      return [{ ...status, previous }]
    })
    await statusEvents.record(transaction, changes)
  }
  return statuses.map((_, place) => ({ changed: changed.has(place) }))
}

/** The places of statuses; in each turn those of different rules, sorted by their keys. */
function inTurns(statuses: readonly RuleStatus[]): number[][] {
  const counts = new Map<string, number>()
  const turns: { readonly key: string; readonly place: number }[][] = []
  for (const [place, { businessId, assetId, ruleId }] of statuses.entries()) {
    const key = `${businessId}/${assetId}/${ruleId}`
    const turn = counts.get(key) ?? 0
    counts.set(key, turn + 1)
    turns[turn] ??= []
    turns[turn].push({ key, place })
  }
  const inOrder = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1)
  return turns.map((turn) => turn.sort(inOrder).map(({ place }) => place))
}

function checkedStatus(status: RuleStatus): RuleStatus {
  if (!isLevel(status.level)) throw invalid('level is a whole number from 0 to 4')
  if (!Number.isSafeInteger(status.ts)) throw invalid('ts is in whole microseconds')
  const { type, category } = status
  return {
    ...status,
    type: type == null ? null : cut(type, limits.nameCharsMax),
    category: category ? cut(category, limits.nameCharsMax) : defaultCategory,
  }
}
