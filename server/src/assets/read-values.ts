import type { Database } from '../database/index.ts'
import type { View } from '../groups/index.ts'
import { invalid, isCount, limits } from '../kernel/index.ts'
import { requireSignal } from './signals.ts'
import { numbersOf, type ValueRange, valuesOf } from './store/values.ts'
import type { HistoryRange, Value } from './types.ts'

export async function history(
  database: Database,
  view: View,
  signalId: string,
  asked: HistoryRange = {},
): Promise<Value[]> {
  const range = checkedRange(asked)
  const signal = await requireSignal(database, view, signalId)
  const numbers =
    signal.primitiveType === 'NUMERIC' ? await numbersOf(database, signal.key, range) : undefined
  return numbers ?? valuesOf(database, signal.key, range)
}

function checkedRange(asked: HistoryRange): ValueRange {
  const limit = asked.limit ?? limits.pageDefault
  const from = asked.from ?? Number.MIN_SAFE_INTEGER
  const to = asked.to ?? Number.MAX_SAFE_INTEGER
  if (!isCount(limit) || limit > limits.historyValuesMax) {
    throw invalid(`limit is a whole number from 0 to ${limits.historyValuesMax}`)
  }
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) {
    throw invalid('from and to are whole microseconds')
  }
  return { limit, from, to, order: asked.order ?? 'desc' }
}
