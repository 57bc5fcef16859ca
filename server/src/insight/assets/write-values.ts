import type { Statement, Transaction } from '../../foundation/database/index.ts'
import { presentUntil } from '../../foundation/kernel/index.ts'
import { assetLimits } from './limits.ts'
import { logSignals } from './log.ts'
import type { AssetsOptions } from './options.ts'
import {
  addAtNextFree,
  addStatement,
  keepLatestStatement,
  readTaken,
  replaceStatement,
} from './store/values.ts'
import type { NewValue } from './types.ts'

const refusal = 'a value was refused, because its number or its time is not finite'

/**
 * History first, then the latest values; both sorted, so that writers meet in one order. A value of
 * which the stamp was taken moves on: then it is stored as the latest a second time.
 */
export async function writeValues(
  options: AssetsOptions,
  transaction: Transaction,
  values: readonly NewValue[],
): Promise<void> {
  const usable = values.filter(isUsable)
  const untilUs = presentUntil(options.clock.nowUs())
  const { replacing, first, repeated } = byStamp(usable)
  const replaced = [...chunks(replacing)]
  const added = [...chunks(first)]
  const answers = await transaction.together([
    ...replaced.map(replaceStatement),
    ...added.map(addStatement),
    ...latestStatements(usable, untilUs),
  ])
  const late: NewValue[] = []
  for (const [at, part] of added.entries()) {
    const isWhole = answers[replaced.length + at]?.count === part.length
    if (!isWhole) late.push(...(await readTaken(transaction, part)))
  }
  const moved = await moveOn(transaction, [...late, ...repeated])
  await transaction.together(latestStatements(moved, untilUs))
  if (usable.length < values.length) {
    const keys = new Set(values.filter((value) => !isUsable(value)).map((value) => value.key))
    await logSignals(options, transaction, [...keys], refusal)
  }
}

function latestStatements(values: readonly NewValue[], untilUs: number): Statement[] {
  return [...chunks(lastOfEach(values, untilUs))].map((part) => keepLatestStatement(part, untilUs))
}

/**
 * Adds values at the next stamps that are free, one of each signal at a time: the next one has to
 * see where the one before it went. @returns them as they are stored.
 */
async function moveOn(
  transaction: Transaction,
  values: readonly NewValue[],
): Promise<readonly NewValue[]> {
  const moved: NewValue[] = []
  for (let left = values; left.length > 0; ) {
    const heads = new Map<number, NewValue>()
    for (const value of left) if (!heads.has(value.key)) heads.set(value.key, value)
    for (const part of chunks([...heads.values()])) {
      const stamps = await addAtNextFree(transaction, part)
      for (const value of part) moved.push({ ...value, ts: stamps.get(value.key) ?? value.ts })
    }
    left = left.filter((value) => heads.get(value.key) !== value)
  }
  return moved
}

function* chunks(values: readonly NewValue[]): Generator<readonly NewValue[]> {
  for (let at = 0; at < values.length; at += assetLimits.valueBatchMax) {
    yield values.slice(at, at + assetLimits.valueBatchMax)
  }
}

function isUsable({ ts, value }: NewValue): boolean {
  return Number.isSafeInteger(ts) && (typeof value !== 'number' || Number.isFinite(value))
}

/**
 * Sorted by key and time. Of values that have both in common, the last one with a stamp that the
 * platform did not give is `replacing`, and a value with a stamp of the platform is `first` only if
 * there is none before it.
 */
function byStamp(values: readonly NewValue[]) {
  const replacing: NewValue[] = []
  const first: NewValue[] = []
  const repeated: NewValue[] = []
  const sorted = [...values].sort((a, b) => a.key - b.key || a.ts - b.ts || rank(a) - rank(b))
  for (const [at, value] of sorted.entries()) {
    if (!value.platformStamp) {
      const next = sorted[at + 1]
      if (!isSame(value, next) || next?.platformStamp) replacing.push(value)
    } else if (isSame(value, sorted[at - 1])) repeated.push(value)
    else first.push(value)
  }
  return { replacing, first, repeated }
}

function rank({ platformStamp }: NewValue): number {
  return platformStamp ? 1 : 0
}

function isSame(a: NewValue, b: NewValue | undefined): boolean {
  return b !== undefined && a.key === b.key && a.ts === b.ts
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
