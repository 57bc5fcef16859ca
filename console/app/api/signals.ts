import {
  type Aggregate,
  type ConsoleAssetQuery,
  type ConsoleDataTypesQuery,
  type ConsoleUnitsQuery,
  consoleAssetDocument,
  consoleCoursesDocument,
  consoleDataTypesDocument,
  consoleNewestValuesDocument,
  consoleUnitsDocument,
  consoleValuesDocument,
  createSignalDocument,
  deleteSignalDocument,
  type NewSignalInput,
  type SignalFragment,
  type UpdateSignalInput,
  updateSignalDocument,
  type ValueFragment,
} from '../generated/signals.ts'
import type { Client } from './client.ts'
import {
  ask,
  asking,
  type FollowGraphOptions,
  followGraph,
  parseMicros,
  reading,
} from './graphql.ts'

export type { Aggregate, PrimitiveType } from '../generated/graph-types.ts'
export type NewSignal = NewSignalInput
export type SignalPart = UpdateSignalInput
export type DataType = ConsoleDataTypesQuery['dataTypes'][number]
/** A type of data with its units, and how they are converted. */
export type UnitType = ConsoleUnitsQuery['dataTypes'][number]

/** A value of a signal at a moment: microseconds since 1970, and any JSON. */
export type Value = { readonly ts: number; readonly value: unknown }

export type Signal = Omit<SignalFragment, 'lastValue' | 'precision'> & {
  readonly lastValue: Value | null
  /** Digits behind the point that are worth showing. */
  readonly precision: number | null
}
export type AssetDetail = Omit<NonNullable<ConsoleAssetQuery['asset']>, 'signals'> & {
  readonly signals: readonly Signal[]
}

/** Null where it is not there any more. `withValues` needs `View Asset Data`. */
export async function readAsset(
  client: Client,
  id: string,
  withValues: boolean,
  signal: AbortSignal | null = null,
): Promise<AssetDetail | null> {
  const { asset } = await ask(client, consoleAssetDocument, { id, withValues }, signal)
  return asset && { ...asset, signals: asset.signals.map(toSignal) }
}

/** The catalogue of what signals may measure. */
export const listDataTypes = reading(consoleDataTypesDocument, 'dataTypes')

export const listUnits = reading(consoleUnitsDocument, 'dataTypes')

export function toSignal({ lastValue, precision, ...signal }: SignalFragment): Signal {
  const digits = typeof precision?.value === 'number' ? precision.value : null
  return { ...signal, lastValue: lastValue == null ? null : toPoint(lastValue), precision: digits }
}

function toPoint({ timestamp, value }: ValueFragment): Value {
  return { ts: parseMicros(timestamp), value }
}

/** A range of time, milliseconds since 1970. */
export type Range = { readonly fromMs: number; readonly toMs: number }

type Wanted = Range & {
  /** A point for each interval of this length, such as `1h`. */
  readonly every: string
  readonly aggregate: Aggregate
  /** The unit of the points; the signal's own if it is null. */
  readonly unit: string | null
  /** Reads the range of the same length before it, too. */
  readonly compares: boolean
}

/** Points of a signal in a range, and in the one before, oldest first. */
export type Course = { readonly now: readonly Value[]; readonly before: readonly Value[] }

/** The API lists at most so many points of a signal at once. */
const pointsMax = 10_000

/** The newest values of a signal, newest first. */
export async function readNewest(
  client: Client,
  id: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Value[]> {
  const options = { order: 'desc' as const, limit }
  const { signals } = await ask(client, consoleNewestValuesDocument, { id, options }, signal)
  return (signals[0]?.data ?? []).map(toPoint)
}

export async function readCourse(
  client: Client,
  id: string,
  { fromMs, toMs, every, aggregate, unit, compares }: Wanted,
  signal: AbortSignal,
): Promise<Course> {
  const range = (from: number, to: number) => ({
    ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    ...{ every, aggregate, unit, order: 'asc' as const, limit: pointsMax },
  })
  const now = range(fromMs, toMs)
  const before = range(fromMs - (toMs - fromMs), fromMs)
  const variables = { id, now, before, compares }
  const { signals } = await ask(client, consoleCoursesDocument, variables, signal)
  const [found] = signals
  return { now: found?.data?.map(toPoint) ?? [], before: found?.before?.map(toPoint) ?? [] }
}

/** Values of signals as they come. */
export async function* followValues(
  client: Client,
  signalIds: readonly string[],
  options: FollowGraphOptions,
): AsyncGenerator<Value & { readonly signalId: string }> {
  const variables = { signalIds: [...signalIds] }
  for await (const { values } of followGraph(client, consoleValuesDocument, variables, options)) {
    yield { signalId: values.signalId, ...toPoint(values) }
  }
}

export const createSignal = asking(createSignalDocument)

export const changeSignal = asking(updateSignalDocument)

/** @throws ApiError `in_use` while a function uses it. */
export const removeSignal = asking(deleteSignalDocument)
