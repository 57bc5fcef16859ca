import type { Transaction } from '../database/index.ts'
import { limits, presentUntil } from '../kernel/index.ts'
import { cut, invalid } from './check.ts'
import { addEvent, keepStatus } from './store/statuses.ts'
import { type AssetsOptions, isLevel, type NewStatus } from './types.ts'

/** The write returns the level before it, so that of two at once only one has the change. */
export async function setStatus(
  { clock }: AssetsOptions,
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
  const event = { ...checked, assetId, ruleId, at: clock.nowUs(), previous: kept.previous }
  await addEvent(transaction, businessId, event)
  return { changed: true }
}

function checkedStatus(status: NewStatus): NewStatus {
  if (!isLevel(status.level)) throw invalid('level is a whole number from 0 to 4')
  if (!Number.isSafeInteger(status.ts)) throw invalid('ts is in whole microseconds')
  return { ...status, type: status.type == null ? null : cut(status.type, limits.nameCharsMax) }
}
