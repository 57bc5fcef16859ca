import type { Transaction } from '../database/index.ts'
import { limits, presentUntil } from '../kernel/index.ts'
import type { AssetsOptions } from './ports.ts'
import { addLinesOfSignals } from './store/lines.ts'
import { addValues, keepLatest } from './store/values.ts'
import type { NewValue } from './types.ts'

const refusal = 'a value was refused, because its number or its time is not finite'

/** History first, then the latest values; both sorted, so that writers meet in one order. */
export async function writeValues(
  { clock }: AssetsOptions,
  transaction: Transaction,
  values: readonly NewValue[],
): Promise<void> {
  const usable = values.filter(isUsable)
  const sorted = coalesced(usable)
  for (let at = 0; at < sorted.length; at += limits.valueBatchMax) {
    await addValues(transaction, sorted.slice(at, at + limits.valueBatchMax))
  }
  const untilUs = presentUntil(clock.nowUs())
  const latest = lastOfEach(usable, untilUs)
  for (let at = 0; at < latest.length; at += limits.valueBatchMax) {
    await keepLatest(transaction, latest.slice(at, at + limits.valueBatchMax), untilUs)
  }
  if (usable.length < values.length) {
    const keys = new Set(values.filter((value) => !isUsable(value)).map((value) => value.key))
    await addLinesOfSignals(transaction, [...keys], clock.nowUs(), refusal)
  }
}

function isUsable({ ts, value }: NewValue): boolean {
  return Number.isSafeInteger(ts) && (typeof value !== 'number' || Number.isFinite(value))
}

/** By key and time; of those that have both in common the last. */
export function coalesced(values: readonly NewValue[]): NewValue[] {
  const sorted = [...values].sort((a, b) => a.key - b.key || a.ts - b.ts)
  return sorted.filter((value, at) => {
    const next = sorted[at + 1]
    return next === undefined || next.key !== value.key || next.ts !== value.ts
  })
}

/** The newest of each key, sorted by key; one of the future counts less than what came after it. */
function lastOfEach(values: readonly NewValue[], presentUntilUs: number): NewValue[] {
  const last = new Map<number, NewValue>()
  for (const value of values) {
    const before = last.get(value.key)
    if (before === undefined || value.ts >= before.ts || before.ts > presentUntilUs) {
      last.set(value.key, value)
    }
  }
  return [...last.values()].sort((a, b) => a.key - b.key)
}
