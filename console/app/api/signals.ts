import type { Asset } from './assets.ts'
import type { Client } from './call.ts'
import { ask, type Document } from './graphql.ts'

/** A value of a signal, of any JSON, at a time in microseconds since 1970. */
export type Value = { readonly ts: number; readonly value: unknown }

export type Signal = {
  readonly id: string
  readonly name: string
  readonly primitiveType: 'NUMERIC' | 'STRING' | 'BOOLEAN' | 'JSON'
  /** A name of the catalogue, such as DEG_CELSIUS. */
  readonly dataUnit: string | null
  /** Digits behind the point that are worth showing. */
  readonly precision: number | null
  readonly source: {
    readonly alias: string | null
    readonly channel: string | null
    readonly linkId: string | null
  } | null
  readonly lastValue: Value | null
}

export type AssetDetail = Asset & { readonly description: string; readonly signals: Signal[] }

type OfAsset = { readonly id: string }

export const assetDocument: Document<OfAsset, { readonly asset: AssetDetail | null }> = {
  text: `query ConsoleAsset($id: ID!) {
    asset(id: $id) {
      id
      name
      description
      device { connectorId identity }
      status { name since timeout }
      signals {
        id
        name
        primitiveType
        dataUnit
        precision
        source { alias channel linkId }
        lastValue { ts value }
      }
    }
  }`,
}

/** Null where it is not there any more. Needs `View Asset` and `View Asset Data`. */
export async function readAsset(
  client: Client,
  id: string,
  signal?: AbortSignal,
): Promise<AssetDetail | null> {
  const { asset } = await ask(client, assetDocument, { id }, signal)
  return asset
}

/** A request may have 100 look-ups, and the asset is one of them. */
export const historySignalsMax = 99

type Histories = {
  readonly asset: {
    readonly signals: readonly { readonly id: string; readonly values: readonly Value[] }[]
  } | null
}

export const historyDocument: Document<OfAsset & { readonly limit: number }, Histories> = {
  text: `query ConsoleHistory($id: ID!, $limit: Int) {
    asset(id: $id) {
      signals { id values(limit: $limit) { ts value } }
    }
  }`,
}

/**
 * The latest values of each signal of an asset, oldest first, by the signal's id.
 * @throws Problem `too_complex` where it has more than `historySignalsMax` signals.
 */
export async function readHistories(
  client: Client,
  id: string,
  limit: number,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, readonly Value[]>> {
  const { asset } = await ask(client, historyDocument, { id, limit }, signal)
  const signals = asset?.signals ?? []
  return new Map(signals.map(({ id: signalId, values }) => [signalId, values.toReversed()]))
}
