import type { Transaction } from '../../database/index.ts'
import { cut, invalid, limits, presentUntil } from '../../kernel/index.ts'
import { keepStatus } from '../store/statuses.ts'
import { type AssetsOptions, defaultCategory, isLevel, type NewStatus } from '../types.ts'
import type { StatusEvents } from './status-events.ts'

export type SetStatusOptions = Pick<AssetsOptions, 'clock'> & {
  readonly statusEvents: StatusEvents
}

/** The write returns the level before it, so that of two at once only one has the change. */
export async function setStatus(
  { clock, statusEvents }: SetStatusOptions,
  transaction: Transaction,
  businessId: string,
  assetId: string,
  ruleId: string,
  status: NewStatus,
): Promise<{ changed: boolean }> {
  const checked = checkedStatus(status)
  const untilUs = presentUntil(clock.nowUs())
  const kept = await keepStatus(transaction, businessId, assetId, ruleId, checked, untilUs)
  if (kept === undefined || kept.previous === kept.level) return { changed: false }
  const place = { businessId, assetId, ruleId, previous: kept.previous }
  await statusEvents.record(transaction, [Object.assign(place, checked)])
  return { changed: true }
}

function checkedStatus(status: NewStatus): NewStatus {
  if (!isLevel(status.level)) throw invalid('level is a whole number from 0 to 4')
  if (!Number.isSafeInteger(status.ts)) throw invalid('ts is in whole microseconds')
  const { type, category } = status
  return {
    ...status,
    type: type == null ? null : cut(type, limits.nameCharsMax),
    category: category ? cut(category, limits.nameCharsMax) : defaultCategory,
  }
}
