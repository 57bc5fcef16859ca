import {
  type ConsoleAssetQuery,
  consoleAssetDocument,
  consoleHistoryDocument,
  type SignalFragment,
  type ValueFragment,
} from '../generated/documents.ts'
import type { Client } from './client.ts'
import { ask, microsOf } from './graphql.ts'

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

/** Null where it is not there any more. Needs `View Asset` and `View Asset Data`. */
export async function readAsset(
  client: Client,
  id: string,
  signal: AbortSignal | null = null,
): Promise<AssetDetail | null> {
  const { asset } = await ask(client, consoleAssetDocument, { id }, signal)
  return asset && { ...asset, signals: asset.signals.map(signalOf) }
}

function signalOf({ lastValue, precision, ...signal }: SignalFragment): Signal {
  const digits = typeof precision?.value === 'number' ? precision.value : null
  return { ...signal, lastValue: lastValue && pointOf(lastValue), precision: digits }
}

function pointOf({ timestamp, value }: ValueFragment): Value {
  return { ts: microsOf(timestamp), value }
}

/** So many histories fit into the bound of one request. */
export const historySignalsMax = 500

/**
 * The latest values of each signal of an asset, oldest first, by the signal's id.
 * @throws ApiError `too_complex` where it has more than `historySignalsMax` signals.
 */
export async function readHistories(
  client: Client,
  id: string,
  limit: number,
  signal: AbortSignal | null = null,
): Promise<ReadonlyMap<string, readonly Value[]>> {
  const { asset } = await ask(client, consoleHistoryDocument, { id, limit }, signal)
  const signals = asset?.signals ?? []
  return new Map(
    signals.map(({ id: signalId, data }) => [signalId, data?.map(pointOf).toReversed() ?? []]),
  )
}
