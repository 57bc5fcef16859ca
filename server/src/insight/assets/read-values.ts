import type { Database } from '../../foundation/database/index.ts'
import { invalid, isCount, limits } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import { requireSignal } from './signals/change.ts'
import { readBuckets, readHistories, readRuleEvents } from './store/histories.ts'
import { readNumbers, readValues, type ValueRange } from './store/values.ts'
import type { DataRange, HistoryRange, RuleRef, Signal, StatusEvent, Value } from './types.ts'
import { findConversion } from './units/catalogue.ts'

export async function history(
  database: Database,
  view: View,
  signalId: string,
  asked: HistoryRange = {},
): Promise<Value[]> {
  const range = checkedRange(asked)
  const signal = await requireSignal(database, view, signalId)
  const numbers =
    signal.primitiveType === 'NUMERIC' ? await readNumbers(database, signal.key, range) : undefined
  return numbers ?? readValues(database, signal.key, range)
}

/** A single statement reads all signals. They were read with the view, so they are seen. */
export async function histories(
  database: Database,
  { businessId }: View,
  signals: readonly Signal[],
  { every, aggregate, unit, ...asked }: DataRange = {},
): Promise<ReadonlyMap<string, readonly Value[]>> {
  const range = checkedRange(asked)
  const own = signals.filter((signal) => signal.businessId === businessId)
  const keys = own.map(({ key }) => key)
  const aggregated = aggregate ?? 'avg'
  const found =
    every == null
      ? await readHistories(database, keys, range)
      : await readBuckets(database, keys, {
          ...range,
          widthUs: intervalUs(every),
          aggregate: aggregated,
        })
  const isCounted = every != null && aggregated === 'count'
  return new Map(
    own.map((signal) => {
      const values = found.get(signal.key) ?? []
      return [signal.id, unit == null || isCounted ? values : inUnit(signal, values, unit)]
    }),
  )
}

export function ruleEvents(
  database: Database,
  view: View,
  rules: readonly RuleRef[],
  asked: HistoryRange = {},
): Promise<ReadonlyMap<string, readonly StatusEvent[]>> {
  return readRuleEvents(database, view, rules, checkedRange(asked))
}

function inUnit(signal: Signal, values: readonly Value[], unit: string): readonly Value[] {
  const { name, dataType, dataUnit } = signal
  const convert = dataUnit === null ? undefined : findConversion({ dataType, dataUnit }, unit)
  if (convert === undefined) throw invalid(`${name}: its values have no conversion into ${unit}`)
  return values.map((one) => {
    return typeof one.value === 'number' ? { ...one, value: convert(one.value) } : one
  })
}

const usOfLetter: Readonly<Record<string, number>> = {
  s: 1_000_000,
  m: 60 * 1_000_000,
  h: 3_600 * 1_000_000,
  d: 24 * 3_600 * 1_000_000,
  w: 7 * 24 * 3_600 * 1_000_000,
}

/** The microseconds of a length such as `15m`. @throws Fault invalid_argument */
export function intervalUs(every: string): number {
  const [, count = '', letter = ''] = /^([1-9]\d{0,4})([smhdw])$/.exec(every) ?? []
  const width = Number(count) * (usOfLetter[letter] ?? Number.NaN)
  if (Number.isSafeInteger(width)) return width
  throw invalid('every is a number and a letter of s, m, h, d, w, such as 15m')
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
