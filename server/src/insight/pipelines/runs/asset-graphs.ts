import { createBatcher } from '../../../foundation/kernel/index.ts'
import type { Assets, Generations } from '../../assets/index.ts'
import { pipelineLimits } from '../limits.ts'
import type { GraphCache } from '../links/graph-cache.ts'
import type { AssetGraph } from '../links/graphs.ts'
import type { ExternalModules } from '../modules/external.ts'
import type { CalledModule } from '../types.ts'

type AssetRef = {
  readonly businessId: string
  readonly assetId: string
  /** The generation of its business's structure, if that was read a moment ago. */
  readonly generation?: number | undefined
}

/** An asset's links with the modules that they call; a module that is gone is missing. */
export type LoadedAsset = {
  readonly graph: AssetGraph
  readonly modules: ReadonlyMap<string, CalledModule>
}

/** Loads the links of assets; jobs that begin together share the queries. */
export type AssetGraphs = {
  /** @returns undefined if the asset has no links. */
  load(asset: AssetRef): Promise<LoadedAsset | undefined>
}

export type AssetGraphsOptions = {
  readonly assets: Assets
  readonly external: ExternalModules
  readonly graphCache: GraphCache
}

export function createAssetGraphs({
  assets,
  external,
  graphCache,
}: AssetGraphsOptions): AssetGraphs {
  const batcher = createBatcher<AssetRef, LoadedAsset | undefined>({
    batchMax: pipelineLimits.functionsBatchMax,
    waitingMax: Number.MAX_SAFE_INTEGER,
    async run(refs) {
      const found = new Map<string, LoadedAsset>()
      for (const [businessId, own] of Map.groupBy(refs, (ref) => ref.businessId)) {
        const ids = [...new Set(own.map(({ assetId }) => assetId))]
        const graphs = await graphCache(
          businessId,
          ids,
          await loadGenerations(assets, businessId, own),
        )
        const links = [...graphs.values()].flatMap(({ deferred, actions }) => [
          ...deferred,
          ...actions,
        ])
        const moduleIds = [...new Set(links.map(({ moduleId }) => moduleId))]
        const modules = await external.called(businessId, moduleIds)
        for (const [assetId, graph] of graphs) found.set(assetId, { graph, modules })
      }
      return refs.map(({ assetId }) => ({ value: found.get(assetId) }))
    },
  })
  return { load: (asset) => batcher.add(asset) }
}

async function loadGenerations(
  assets: Assets,
  businessId: string,
  refs: readonly AssetRef[],
): Promise<Generations> {
  const known = refs.map(({ generation = Number.NaN }) => generation)
  const newest = Math.max(...known)
  if (Number.isNaN(newest)) return assets.generations([{ businessId }])
  return new Map([[businessId, newest]])
}
