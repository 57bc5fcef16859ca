import { Fault } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'

/** A link in the graph: signal ids that go in and come out. */
export type GraphNode = {
  readonly id: string
  readonly name: string
  readonly inlets: readonly string[]
  readonly outlets: readonly string[]
}

/**
 * The links of an asset in an order in which each comes after all that feed it; among equals the
 * given order stays. Pure.
 * @throws Fault invalid_argument where links feed each other in a circle, naming them.
 */
export function inOrder<N extends GraphNode>(nodes: readonly N[]): N[] {
  const makers = indexMakers(nodes)
  const ordered: N[] = []
  const placed = new Set<string>()
  let waiting = [...nodes]
  while (waiting.length > 0) {
    const ready = waiting.filter((node) => feeding(node, makers).every((id) => placed.has(id)))
    if (ready.length === 0) throw circle(waiting)
    for (const node of ready) placed.add(node.id)
    ordered.push(...ready)
    waiting = waiting.filter((node) => !placed.has(node.id))
  }
  return ordered
}

/** Counts the links of the longest way through the graph. */
export function countSteps(nodes: readonly GraphNode[]): number {
  const makers = indexMakers(nodes)
  const steps = new Map<string, number>()
  for (const node of inOrder(nodes)) {
    const before = feeding(node, makers).map((id) => steps.get(id) ?? 0)
    steps.set(node.id, 1 + Math.max(0, ...before))
  }
  return Math.max(0, ...steps.values())
}

/**
 * Checks that the links may stand together.
 * @throws Fault invalid_argument for a circle, or a way that is longer than pipelineStepsMax.
 */
export function assertFit(nodes: readonly GraphNode[]): void {
  const steps = countSteps(nodes)
  if (steps > pipelineLimits.pipelineStepsMax) {
    const most = pipelineLimits.pipelineStepsMax
    throw new Fault('invalid_argument', `A pipeline has at most ${most} steps, not ${steps}.`)
  }
}

/** The links that one link's outlets feed. */
export function fedBy<N extends GraphNode>(nodes: readonly N[], node: GraphNode): N[] {
  return nodes.filter((other) => other.inlets.some((signal) => node.outlets.includes(signal)))
}

/** A link with all that its outlets feed, directly or not. */
export function withFed<N extends GraphNode>(ordered: readonly N[], node: N): N[] {
  const fed = new Set(node.outlets)
  return ordered.filter((other) => {
    if (other.id !== node.id && !other.inlets.some((signal) => fed.has(signal))) return false
    for (const signal of other.outlets) fed.add(signal)
    return true
  })
}

function indexMakers(nodes: readonly GraphNode[]): ReadonlyMap<string, string> {
  return new Map(nodes.flatMap((node) => node.outlets.map((signal) => [signal, node.id] as const)))
}

function feeding(node: GraphNode, makers: ReadonlyMap<string, string>): string[] {
  return node.inlets.flatMap((signal) => makers.get(signal) ?? [])
}

function circle(nodes: readonly GraphNode[]): Fault {
  const names = nodes.map((node) => `"${node.name}"`).join(', ')
  return new Fault('invalid_argument', `These links feed each other in a circle: ${names}.`)
}
