import type { Signal } from '../../assets/index.ts'
import { builtinId } from '../builtin/registry.ts'
import type { PlanInput } from '../document/draft.ts'
import { findOutlets, outletNode } from '../document/outlets.ts'
import type { Plan, PlannedLink } from '../document/plan.ts'
import { inOrder } from '../links/graph.ts'
import { makeGraph, type RunLink } from '../links/graphs.ts'
import { receivedBy } from '../links/inlet-signals.ts'
import type { StoredLink } from '../store.ts'

/** A pipeline as it would run, and what it is compared by. */
export type SimulatedGraph = {
  /** In the order in which they run, without actions and links that are not enabled. */
  readonly links: readonly RunLink[]
  readonly actions: readonly RunLink[]
  /** Ids of the links whose functions run; the outlets of others have what was recorded. */
  readonly computed: ReadonlySet<string>
  /** All signals: those of the asset, and those that a change makes. */
  readonly signals: ReadonlyMap<string, Signal>
}

/** The pipeline of an asset after a change that is not stored; `safe`: modules that are called. */
export function changedGraph(
  input: PlanInput,
  plan: Plan,
  safe: ReadonlySet<string>,
): SimulatedGraph {
  const signals = new Map(input.signals.map((signal) => [signal.id, signal]))
  const planned = new Set([...plan.removed, ...plan.links.map(({ before }) => before)])
  const stay = input.links
    .filter((link) => !planned.has(link))
    .map((link) => runLink(link, findOutlets(input.signals, link.id)))
  const next = plan.links.map((one, at) => runLink(one.link, makeTargets(one, at, signals)))
  const links = [...stay, ...next]
    .filter(({ enabled }) => enabled)
    .map((link) => ({ ...link, received: receivedBy(link, signals) }))
  const { direct, deferred, actions } = makeGraph(input.assetId, inOrder(links))
  const ordered = inOrder([...direct, ...deferred])
  const computed = ordered.filter(({ moduleId, insight }) => {
    return moduleId === builtinId || (safe.has(moduleId) && insight.history === undefined)
  })
  return { links: ordered, actions, signals, computed: new Set(computed.map(({ id }) => id)) }
}

function runLink(link: StoredLink, targets: ReadonlyMap<number, Signal>): RunLink {
  const outlets = [...targets.values()].map(({ id }) => id)
  return { ...link, targets, outlets, actions: [] }
}

/** The signals of a planned link's outlets. A signal that is to be made gets an unused key. */
function makeTargets(
  { link, outlets }: PlannedLink,
  number: number,
  signals: Map<string, Signal>,
): ReadonlyMap<number, Signal> {
  const targets = new Map<number, Signal>()
  for (const [at, outlet] of outlets.entries()) {
    const id = outletNode(link.id, at, outlet)
    if (id === undefined) continue
    const { businessId, assetId } = link
    const key = -1 - number * outlets.length - at
    const place = { id, key, businessId, assetId }
    const signal =
      outlet.kind === 'made'
        ? ({ ...emptySignal, ...outlet.signal, ...place } as Signal)
        : signals.get(id)
    if (signal === undefined) continue
    signals.set(id, signal)
    targets.set(at, signal)
  }
  return targets
}

const emptySignal = {
  description: '',
  dataType: null,
  dataUnit: null,
  precision: null,
  min: null,
  max: null,
  multiplier: null,
  offset: null,
  source: null,
  timeoutMs: null,
  tags: {},
}
