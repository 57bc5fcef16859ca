import {
  type ConsoleAssetQuery,
  consoleAssetDocument,
  consoleHistoryDocument,
  type SignalFragment,
  type ValueFragment,
} from '../generated/documents.ts'
import type { Client } from './client.ts'
import { ask } from './graphql.ts'

/** A value of a signal at a moment: microseconds since 1970, and any JSON. */
export type Value = ValueFragment

export type Signal = SignalFragment
export type AssetDetail = NonNullable<ConsoleAssetQuery['asset']>

/** Null where it is not there any more. Needs `View Asset` and `View Asset Data`. */
export async function readAsset(
  client: Client,
  id: string,
  signal: AbortSignal | null = null,
): Promise<AssetDetail | null> {
  const { asset } = await ask(client, consoleAssetDocument, { id }, signal)
  return asset
}

/** A request may have 100 look-ups, and the asset is one of them. */
export const historySignalsMax = 99

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
  return new Map(signals.map(({ id: signalId, values }) => [signalId, values?.toReversed() ?? []]))
}
