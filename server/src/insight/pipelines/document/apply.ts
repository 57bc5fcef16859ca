import type { Transaction } from '../../../foundation/database/index.ts'
import type { NewJob } from '../../../log/jobs/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Assets } from '../../assets/index.ts'
import { builtinId } from '../builtin/registry.ts'
import { makeNoticeJob } from '../runs/notice-job.ts'
import { type RunInput, toArgs } from '../runs/run-input.ts'
import type { Runs } from '../runs/runs.ts'
import { addLink, changeLink, dropLink, keepInlets } from '../store.ts'
import type { Link } from '../types.ts'
import { outletNode } from './outlets.ts'
import type { Plan, PlannedLink } from './plan.ts'

export type ApplyOptions = {
  readonly assets: Assets
  readonly runs: Pick<Runs, 'enqueue'>
}

/** Stores what a plan changes. The caller holds the asset. */
export async function applyPlan(
  options: ApplyOptions,
  transaction: Transaction,
  view: View,
  plan: Plan,
): Promise<void> {
  const { signals } = options.assets
  const { businessId } = view
  await removeLinks(options, transaction, businessId, plan.removed)
  for (const id of plan.removedSignals) await signals.remove(view, id, transaction)
  for (const id of plan.detached) await signals.setOutlet(transaction, view, id, null)
  const nodes = new Map<string, string>()
  for (const planned of plan.links) await keepLink(options, transaction, view, planned, nodes)
  for (const { link } of plan.links) {
    const inlets = link.inlets.map((node) => nodes.get(node) ?? node)
    await keepInlets(transaction, businessId, link.id, inlets)
  }
  const notices = plan.links.flatMap(makeNotices)
  // In the order of the asset's runs: a module receives a link before its first value.
  if (notices.length > 0) await options.runs.enqueue(transaction, notices)
}

/** Removes links; their signals stay as they are. Their modules receive `delete`. */
export async function removeLinks(
  { assets, runs }: ApplyOptions,
  transaction: Transaction,
  businessId: string,
  links: readonly Link[],
): Promise<void> {
  for (const link of links) {
    if (!(await dropLink(transaction, businessId, link.id))) continue
    await assets.clearStatus(transaction, businessId, link.id)
    if (link.moduleId !== builtinId)
      await runs.enqueue(transaction, [makeNoticeJob('delete', link)])
  }
}

/** Stores a link and its outlets' signals; `nodes` takes the ids of signals that are made. */
async function keepLink(
  { assets }: ApplyOptions,
  transaction: Transaction,
  view: View,
  { link, before, outlets }: PlannedLink,
  nodes: Map<string, string>,
): Promise<void> {
  const { businessId, assetId, id: linkId } = link
  if (before === undefined) await addLink(transaction, businessId, link)
  else await changeLink(transaction, businessId, link)
  if (!link.enabled) await assets.clearStatus(transaction, businessId, linkId)
  for (const [outlet, planned] of outlets.entries()) {
    if (planned.kind === 'made') {
      const made = await assets.signals.create(view, assetId, planned.signal, transaction)
      nodes.set(outletNode(linkId, outlet, planned) ?? '', made.id)
    } else if (planned.kind === 'attached' || (planned.kind === 'kept' && planned.name)) {
      const { signalId, name } = planned
      await assets.signals.setOutlet(transaction, view, signalId, { linkId, outlet }, name)
    }
  }
}

/**
 * The protocol has no event for a change: a module that keeps a link's args gets it anew. A new
 * name alone does not make a module drop what it keeps.
 */
function makeNotices({ link, before }: PlannedLink): NewJob<RunInput>[] {
  if (link.moduleId === builtinId) return []
  if (before === undefined) return [makeNoticeJob('create', link)]
  const named = { ...before, name: link.name }
  const same = JSON.stringify(toArgs(named)) === JSON.stringify(toArgs(link))
  return same ? [] : [makeNoticeJob('delete', before), makeNoticeJob('create', link)]
}
