import type { Assets } from '../../assets/index.ts'
import type { Database } from '../../database/index.ts'
import { createBatcher, limits } from '../../kernel/index.ts'
import { type AssetGraph, loadGraphs } from '../links/graphs.ts'
import { readModulesOf } from '../store.ts'
import type { ExternalModule } from '../types.ts'

type AssetRef = { readonly businessId: string; readonly assetId: string }

/** An asset's links with the modules that they call; a module that is gone is missing. */
export type LoadedAsset = {
  readonly graph: AssetGraph
  readonly modules: ReadonlyMap<string, ExternalModule>
}

/** Loads the links of assets; jobs that begin together share the queries. */
export type AssetGraphs = {
  /** @returns undefined if the asset has no links. */
  load(asset: AssetRef): Promise<LoadedAsset | undefined>
}

export function createAssetGraphs(database: Database, assets: Assets): AssetGraphs {
  const batcher = createBatcher<AssetRef, LoadedAsset | undefined>({
    batchMax: limits.functionsBatchMax,
    waitingMax: Number.MAX_SAFE_INTEGER,
    async run(refs) {
      const found = new Map<string, LoadedAsset>()
      for (const [businessId, own] of Map.groupBy(refs, (ref) => ref.businessId)) {
        const ids = [...new Set(own.map(({ assetId }) => assetId))]
        const graphs = await loadGraphs(database, assets, businessId, ids)
        const links = [...graphs.values()].flatMap(({ deferred }) => deferred)
        const moduleIds = [...new Set(links.map(({ moduleId }) => moduleId))]
        const modules = await readModulesOf(database, businessId, moduleIds)
        for (const [assetId, graph] of graphs) found.set(assetId, { graph, modules })
      }
      return refs.map(({ assetId }) => ({ value: found.get(assetId) }))
    },
  })
  return { load: (asset) => batcher.add(asset) }
}
