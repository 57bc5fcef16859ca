import type { Database } from '../../../foundation/database/index.ts'
import { LruMap } from '../../../foundation/kernel/index.ts'
import type { Assets, Generations } from '../../assets/index.ts'
import { type AssetGraph, loadGraphs } from './graphs.ts'

/**
 * Links, with the assets that they belong to, that are cached; the least recently used are removed
 * first, and read again.
 */
const graphsRememberedMax = 50_000

/** An asset's graph, and the generation of its business's structure read before it. */
type Kept = { readonly generation: number; readonly graph: AssetGraph | undefined }

/** Returns the graphs of those of these assets that have links, by asset. */
export type GraphCache = (
  businessId: string,
  assetIds: readonly string[],
  generations: Generations,
) => Promise<ReadonlyMap<string, AssetGraph>>

/**
 * Caches the graphs of assets while their business's structure does not change: every change of a
 * link counts as one. An asset without links is remembered, too.
 */
export function createGraphCache(database: Database, assets: Assets): GraphCache {
  const kept = new LruMap<string, Kept>(graphsRememberedMax, {
    sizeOf: ({ graph }) => 1 + (graph ? graph.direct.length + graph.deferred.length : 0),
  })
  return async (businessId, assetIds, generations) => {
    const generation = generations.get(businessId) ?? 0
    const graphKey = (assetId: string) => `${businessId}/${assetId}`
    const graphs = new Map<string, AssetGraph>()
    const missing: string[] = []
    for (const assetId of assetIds) {
      const known = kept.get(graphKey(assetId))
      // A generation only grows, so one that is newer is right, too.
      if (known === undefined || known.generation < generation) missing.push(assetId)
      else if (known.graph !== undefined) graphs.set(assetId, known.graph)
    }
    if (missing.length === 0) return graphs
    const loaded = await loadGraphs(database, assets, businessId, missing)
    for (const assetId of missing) {
      const graph = loaded.get(assetId)
      kept.set(graphKey(assetId), { generation, graph })
      if (graph !== undefined) graphs.set(assetId, graph)
    }
    return graphs
  }
}
