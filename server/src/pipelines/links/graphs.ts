import type { Assets, Signal } from '../../assets/index.ts'
import type { Queryable } from '../../database/index.ts'
import { readLinks } from '../store.ts'
import type { Link } from '../types.ts'
import { inOrder } from './graph.ts'

/** A link ready to run: where each outlet's values go; an outlet whose signal is gone has none. */
export type RunLink = Link & { readonly targets: ReadonlyMap<number, Signal> }

/** An asset's links in the order in which they run. */
export type AssetGraph = { readonly assetId: string; readonly links: readonly RunLink[] }

/** The graphs of those of these assets that have links. */
export async function loadGraphs(
  queryable: Queryable,
  assets: Assets,
  businessId: string,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, AssetGraph>> {
  const stored = await readLinks(queryable, businessId, assetIds)
  if (stored.length === 0) return new Map()
  const ids = stored.map((link) => link.id)
  const targets = targetsOf(await assets.signals.ofLinks(businessId, ids))
  const links = stored.map((link): RunLink => {
    const own = targets.get(link.id) ?? new Map<number, Signal>()
    return { ...link, targets: own, outlets: [...own.values()].map((signal) => signal.id) }
  })
  const byAsset = Map.groupBy(links, (link) => link.assetId)
  const graphs = [...byAsset].map(([assetId, own]) => ({ assetId, links: inOrder(own) }))
  return new Map(graphs.map((graph) => [graph.assetId, graph]))
}

function targetsOf(signals: readonly Signal[]): ReadonlyMap<string, Map<number, Signal>> {
  const byLink = new Map<string, Map<number, Signal>>()
  for (const signal of signals) {
    const { source } = signal
    if (source === null || !('linkId' in source)) continue
    const own = byLink.get(source.linkId) ?? new Map<number, Signal>()
    own.set(source.outlet, signal)
    byLink.set(source.linkId, own)
  }
  return byLink
}

/** The signals of which a graph's run needs the last value: other inlets, and what rules said. */
export function neededLast({ links }: AssetGraph): string[] {
  return links.flatMap((link) => {
    const others = link.inlets.length > 1 ? link.inlets : []
    const status = link.insight.type === 'rule' ? (link.targets.get(0)?.id ?? []) : []
    return [...others, ...(Array.isArray(status) ? status : [status])]
  })
}
