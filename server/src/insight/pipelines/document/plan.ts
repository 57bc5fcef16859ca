import { limits, toPointer } from '../../../foundation/kernel/index.ts'
import { builtinId, builtinInsight, checkBuiltin } from '../builtin/registry.ts'
import { checkedChecks } from '../links/checks.ts'
import { checkedConstants } from '../links/constants.ts'
import { assertFit, type GraphNode } from '../links/graph.ts'
import { assertStatus, checkInlet, outletSignals, type Port } from '../links/signals.ts'
import type { StoredLink } from '../store.ts'
import type { Link } from '../types.ts'
import { type Draft, draftLinks, type PlanInput } from './draft.ts'
import { findOutlets, outletNode, type PlannedOutlet, planOutlets } from './outlets.ts'
import { Problems } from './problems.ts'
import type { InletSpec } from './schema.ts'

/** The least that a link may set for its calls. */
const moduleCallMsMin = 100

/** A link as it will be. Its inlets are nodes: ids of signals, or `outletNode` of a new one. */
export type PlannedLink = {
  readonly link: StoredLink
  readonly before: Link | undefined
  readonly outlets: readonly PlannedOutlet[]
}

/** The effect of a change on an asset's pipeline. */
export type Plan = {
  readonly links: readonly PlannedLink[]
  readonly removed: readonly Link[]
  /** Signals that no outlet feeds any more; they stay, with their history. */
  readonly detached: readonly string[]
  /** Signals that go with their links. */
  readonly removedSignals: readonly string[]
}

/**
 * Plans a change of an asset's pipeline. Pure.
 * @throws Fault pipeline_refused, with all problems
 */
export function planChange(input: PlanInput): Plan {
  const problems = new Problems()
  const drafts = draftLinks(input, problems)
  const removed = removedLinks(input, drafts, problems)
  const outlets = planOutlets(input, drafts, removed, problems)
  const ports = new Ports(input, outlets, removed)
  const links = drafts.map((draft): PlannedLink => {
    const inlets = planInlets(draft, ports, problems)
    const constants = planConstants(draft, problems)
    const checks = planChecks(draft, problems)
    checkTimeout(draft, problems)
    const link = { ...draft.link, inlets, constants, checks }
    const planned = shapedOutlets(link, ports, outlets.get(draft) ?? [])
    return { link, before: draft.before, outlets: planned }
  })
  const plan = { links, removed, ...signalsLeft(input, links, removed) }
  checkRemoved(input, plan, problems)
  checkGraph(input, plan, problems)
  problems.refuse()
  return plan
}

function removedLinks(
  { links, change }: PlanInput,
  drafts: readonly Draft[],
  problems: Problems,
): Link[] {
  const named = new Set(drafts.map(({ link }) => link.id))
  const remove = new Set(change.remove ?? [])
  for (const [at, id] of [...remove].entries()) {
    const place = `/remove/${at}`
    if (named.has(id)) problems.add(place, 'The document names this link, too.')
    else if (!links.some((link) => link.id === id)) {
      problems.add(place, `The asset has no link ${id}.`)
    }
  }
  return links.filter(({ id }) => !named.has(id) && (change.whole === true || remove.has(id)))
}

/** The sources with which inlets can be connected: by the id of the node. */
class Ports {
  readonly #ports: Map<string, Port>
  readonly #outlets = new Map<string, readonly (string | undefined)[]>()

  constructor(
    { signals, links, change }: PlanInput,
    planned: ReadonlyMap<Draft, readonly PlannedOutlet[]>,
    removed: readonly Link[],
  ) {
    const gone = new Set(change.removeSignals ? removed.flatMap(({ outlets }) => outlets) : [])
    const there = signals.filter(({ id }) => !gone.has(id))
    const ports = new Map<string, Port>(there.map((signal) => [signal.id, signal]))
    for (const { id } of links.filter((link) => !removed.includes(link))) {
      const own = findOutlets(signals, id)
      const count = Math.max(-1, ...own.keys()) + 1
      this.#outlets.set(
        id,
        Array.from({ length: count }, (_, at) => own.get(at)?.id),
      )
    }
    for (const [{ link, spec }, outlets] of planned) {
      const nodes = outlets.map((outlet, at) => outletNode(link.id, at, outlet))
      for (const name of [link.id, spec.ref]) if (name != null) this.#outlets.set(name, nodes)
      for (const [at, outlet] of outlets.entries()) {
        const node = nodes[at]
        if (outlet.kind === 'made' && node !== undefined) ports.set(node, outlet.signal)
      }
    }
    this.#ports = ports
  }

  /** Takes what is known by now of a signal that will be made. */
  set(node: string, port: Port): void {
    this.#ports.set(node, port)
  }

  get(node: string): Port | undefined {
    return this.#ports.get(node)
  }

  /** The node that an inlet names; undefined if there is none. */
  findNode({ signalId, link, outlet }: InletSpec): string | undefined {
    return link == null ? (signalId ?? undefined) : this.#outlets.get(link)?.[outlet ?? 0]
  }
}

function planInlets(
  { spec, before, insight, pointer }: Draft,
  ports: Ports,
  problems: Problems,
): string[] {
  if (spec.inlets == null && before !== undefined) return [...before.inlets]
  const given = spec.inlets ?? []
  const { inlets, name } = insight
  if (given.length !== inlets.length) {
    const count = `${inlets.length} inlet${inlets.length === 1 ? '' : 's'}`
    problems.add(`${pointer}/inlets`, `The function "${name}" has ${count}.`)
    return []
  }
  const nodes = given.map((one) => ports.findNode(one) ?? '')
  for (const [at, node] of nodes.entries()) {
    problems.try(`${pointer}/inlets/${at}`, () => checkInlet(insight, at, ports.get(node)))
  }
  const found = nodes.flatMap((node) => ports.get(node) ?? [])
  problems.try(`${pointer}/inlets`, () => assertStatus(insight, found))
  return nodes
}

function planConstants({ spec, before, insight, link, pointer }: Draft, problems: Problems) {
  if (spec.constants == null && before !== undefined) return before.constants
  const place = `${pointer}/constants`
  const found = problems.count
  const constants = checkedConstants(insight, spec.constants ?? {}, (name, check) =>
    problems.try(`${place}${toPointer(name)}`, check),
  )
  if (problems.count === found && link.moduleId === builtinId) {
    problems.try(place, () => checkBuiltin(insight.id, constants))
  }
  return constants
}

function checkTimeout({ spec: { timeoutMs }, link, pointer }: Draft, problems: Problems): void {
  if (timeoutMs == null) return
  const place = `${pointer}/timeoutMs`
  const least = moduleCallMsMin
  const { moduleCallMsMax: most } = limits
  if (link.moduleId === builtinId) problems.add(place, 'A built-in function is not called.')
  else if (!Number.isInteger(timeoutMs) || timeoutMs < least || timeoutMs > most) {
    problems.add(place, `A call may take ${least} to ${most} milliseconds.`)
  }
}

function planChecks({ spec, before, insight, pointer }: Draft, problems: Problems) {
  if (spec.checks == null && before !== undefined) return before.checks
  return checkedChecks(insight, spec.checks ?? [], (at, field, rule) => {
    const place = `${pointer}/checks/${at}`
    problems.try(field === '' ? place : `${place}${toPointer(field)}`, rule)
  })
}

/**
 * The outlets of a link, with what a built-in function knows of their signals once its inlets and
 * constants are given. In the order of the document, so that the next link sees it.
 */
function shapedOutlets(
  link: StoredLink,
  ports: Ports,
  outlets: readonly PlannedOutlet[],
): readonly PlannedOutlet[] {
  if (link.moduleId !== builtinId) return outlets
  const inlets = link.inlets.flatMap((node) => ports.get(node) ?? [])
  const insight = builtinInsight(link.insight, link.constants, inlets)
  const signals = outletSignals(insight, link.id, link.name)
  return outlets.map((outlet, at) => {
    const node = outletNode(link.id, at, outlet)
    const shaped = signals[at]
    if (outlet.kind !== 'made' || node === undefined || shaped === undefined) return outlet
    const signal = Object.assign(shaped, { name: outlet.signal.name })
    ports.set(node, signal)
    return { kind: 'made', signal }
  })
}

/** The signals that lose their outlets: they are detached, or go with their links. */
function signalsLeft(
  { signals, change }: PlanInput,
  links: readonly PlannedLink[],
  removed: readonly Link[],
): Pick<Plan, 'detached' | 'removedSignals'> {
  const used = new Set(
    links.flatMap(({ outlets }) =>
      outlets.flatMap((one) => ('signalId' in one ? [one.signalId] : [])),
    ),
  )
  const of = (id: string) => [...findOutlets(signals, id).values()].map((signal) => signal.id)
  const changed = links.flatMap(({ before }) => (before === undefined ? [] : of(before.id)))
  const left = removed.flatMap(({ id }) => of(id))
  const lost = (ids: readonly string[]) => ids.filter((id) => !used.has(id))
  return change.removeSignals === true
    ? { detached: lost(changed), removedSignals: lost(left) }
    : { detached: lost([...changed, ...left]), removedSignals: [] }
}

/** The links as they will be: those that stay as they are, and those of the plan. */
function listNodes({ links }: PlanInput, plan: Plan): GraphNode[] {
  const planned = new Set([...plan.removed, ...plan.links.map(({ before }) => before)])
  const stay = links.filter((link) => !planned.has(link))
  const next = plan.links.map(({ link, outlets }): GraphNode => {
    const nodes = outlets.map((outlet, at) => outletNode(link.id, at, outlet))
    const { id, name, inlets } = link
    return { id, name, inlets, outlets: nodes.filter((node) => node !== undefined) }
  })
  return [...stay, ...next]
}

function checkRemoved(input: PlanInput, plan: Plan, problems: Problems): void {
  const gone = new Set(plan.removedSignals)
  const nodes = listNodes(input, plan)
  const fed = nodes.find(({ inlets }) => inlets.some((id) => gone.has(id)))
  if (fed !== undefined) {
    problems.add('/remove', `A signal of it feeds the link "${fed.name}"; change that first.`)
  }
  const outlets = new Set(nodes.flatMap((node) => node.outlets))
  const idle = input.links.find(({ id, insight, inlets }) => {
    const stays = insight.type === 'action' && nodes.some((node) => node.id === id)
    const loses = inlets.some((signalId) => plan.detached.includes(signalId))
    return stays && loses && !inlets.some((signalId) => outlets.has(signalId))
  })
  if (idle !== undefined) {
    problems.add('/remove', `The action "${idle.name}" hangs on its status; change that first.`)
  }
}

function checkGraph(input: PlanInput, plan: Plan, problems: Problems): void {
  const nodes = listNodes(input, plan)
  const most = limits.linksPerAssetMax
  if (nodes.length > most) problems.add('/links', `An asset has at most ${most} links.`)
  else problems.try('/links', () => assertFit(nodes))
}
