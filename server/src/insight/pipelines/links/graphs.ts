import type { Queryable } from '../../../foundation/database/index.ts'
import { wholeView } from '../../../people/groups/index.ts'
import type { Assets, Signal } from '../../assets/index.ts'
import { builtinId, readsPrevious } from '../builtin/registry.ts'
import { readLinks } from '../store.ts'
import type { Link } from '../types.ts'
import { inOrder } from './graph.ts'
import { inletSignals, type ReceivedInlet, receivedBy } from './inlet-signals.ts'

/** A link ready to run: where each outlet's values go; an outlet whose signal is gone has none. */
export type RunLink = Link & {
  readonly targets: ReadonlyMap<number, Signal>
  /** The actions that hang on a rule's status. */
  readonly actions: readonly RunLink[]
  /** By inlet. */
  readonly received?: ReadonlyMap<number, ReceivedInlet> | undefined
}

/** An asset's links in the order in which they run. */
export type AssetGraph = {
  readonly assetId: string
  /** The links that need no module: built-in functions that are fed by no other. */
  readonly direct: readonly RunLink[]
  /** The links of modules, and all that they feed. */
  readonly deferred: readonly RunLink[]
  /** The actions; a status whose level changes runs those that hang on it. */
  readonly actions: readonly RunLink[]
  /** The signals that deferred links feed. */
  readonly deferredSignals: ReadonlySet<string>
  /** The signals of which a batch needs the last value before it. */
  readonly needed: readonly string[]
}

/** The graphs of those of these assets that have enabled links. */
export async function loadGraphs(
  queryable: Queryable,
  assets: Assets,
  businessId: string,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, AssetGraph>> {
  const all = await readLinks(queryable, businessId, assetIds)
  const stored = all.filter(({ enabled }) => enabled)
  if (stored.length === 0) return new Map()
  const ids = stored.map((link) => link.id)
  const targets = indexTargets(await assets.signals.ofLinks(wholeView(businessId), ids))
  const signals = await inletSignals(assets, businessId, stored)
  const links = stored.map((link): RunLink => {
    const own = targets.get(link.id) ?? new Map<number, Signal>()
    const outlets = [...own.values()].map((signal) => signal.id)
    return {
      ...link,
      targets: own,
      actions: [],
      outlets,
      received: receivedBy(link, signals),
    }
  })
  const byAsset = Map.groupBy(links, (link) => link.assetId)
  return new Map([...byAsset].map(([assetId, own]) => [assetId, makeGraph(assetId, inOrder(own))]))
}

/** The links of an asset, given in the order in which they run, by how they run. */
export function makeGraph(assetId: string, all: readonly RunLink[]): AssetGraph {
  const actions = all.filter(({ insight }) => insight.type === 'action')
  const links = all
    .filter((link) => !actions.includes(link))
    .map((link) => withActions(link, actions))
  const deferredSignals = new Set<string>()
  const deferred = links.filter(({ moduleId, inlets, outlets }) => {
    if (moduleId === builtinId && !inlets.some((id) => deferredSignals.has(id))) return false
    for (const id of outlets) deferredSignals.add(id)
    return true
  })
  const direct = links.filter((link) => !deferred.includes(link))
  const last = neededLast([...direct, ...deferred, ...actions])
  const needed = last.filter((id) => !deferredSignals.has(id))
  return { assetId, direct, deferred, actions, deferredSignals, needed }
}

function withActions(link: RunLink, actions: readonly RunLink[]): RunLink {
  const status = link.insight.type === 'rule' ? link.targets.get(0) : undefined
  if (status === undefined) return link
  return { ...link, actions: actions.filter(({ inlets }) => inlets.includes(status.id)) }
}

function indexTargets(signals: readonly Signal[]): ReadonlyMap<string, Map<number, Signal>> {
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

/** The signals of which links need the last value: other inlets, and outlets that are read. */
export function neededLast(links: readonly RunLink[]): string[] {
  return links.flatMap((link) => {
    const { inlets, moduleId, targets } = link
    const others = inlets.length > 1 ? inlets : []
    const own = moduleId === builtinId && readsPrevious(link) ? targets.get(0) : undefined
    return own === undefined ? others : [...others, own.id]
  })
}
