import type { Insight } from '@millrace/insight-sdk/protocol'
import type { Database } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import { wholeView } from '../../../people/groups/index.ts'
import type { Assets, Signal } from '../../assets/index.ts'
import { pipelineLimits } from '../limits.ts'
import { type FunctionsKey, type RenewedLink, renewStored } from '../store/functions.ts'
import { readLinksOfModule, type StoredLink } from '../store.ts'
import { checkedConstants } from './constants.ts'
import { checkInlet, outletSignals } from './signals.ts'

export type RenewOptions = {
  readonly database: Database
  readonly assets: Assets
}

/**
 * Compares links with the functions that their module lists now. A link that fits its function's
 * new description takes it; of one that does not, what differs is stored, and it runs as before.
 */
export async function renewLinks(
  options: RenewOptions,
  key: FunctionsKey,
  insights: readonly Insight[],
): Promise<void> {
  const { businessId, moduleId, groupId } = key
  const found = await readLinksOfModule(options.database, businessId, moduleId)
  const links = found.filter((link) => link.groupId === groupId)
  const functions = new Map(insights.map((insight) => [insight.id, insight]))
  for (let at = 0; at < links.length; at += pipelineLimits.functionsBatchMax) {
    await renewSome(
      options,
      businessId,
      links.slice(at, at + pipelineLimits.functionsBatchMax),
      functions,
    )
  }
}

async function renewSome(
  { database, assets }: RenewOptions,
  businessId: string,
  links: readonly StoredLink[],
  functions: ReadonlyMap<string, Insight>,
): Promise<void> {
  const ids = links.map(({ id }) => id)
  const inlets = await assets.signals.some(wholeView(businessId), [
    ...new Set(links.flatMap((link) => link.inlets)),
  ])
  const outlets = Map.groupBy(await assets.signals.ofLinks(wholeView(businessId), ids), outletLink)
  const known = new Map(inlets.map((signal) => [signal.id, signal]))
  const renewed = links.flatMap((link) => {
    const insight = functions.get(link.functionId)
    const one = renewedLink(link, insight, known, outlets.get(link.id) ?? [])
    return isSame(link, one) ? [] : [{ link, one }]
  })
  if (renewed.length === 0) return
  await database.transaction(async (transaction) => {
    await renewStored(
      transaction,
      businessId,
      renewed.map(({ one }) => one),
    )
    await assets.countChange(
      transaction,
      renewed.map(({ link }) => link),
    )
  })
}

function isSame(link: StoredLink, one: RenewedLink): boolean {
  const fields = ['insight', 'constants', 'outdated'] as const
  return fields.every((field) => JSON.stringify(link[field]) === JSON.stringify(one[field]))
}

function outletLink({ source }: Signal): string {
  return source !== null && 'linkId' in source ? source.linkId : ''
}

function renewedLink(
  link: StoredLink,
  next: Insight | undefined,
  inlets: ReadonlyMap<string, Signal>,
  outlets: readonly Signal[],
): RenewedLink {
  const { id, insight, constants } = link
  const stays = { id, before: insight, insight, constants }
  if (next === undefined) {
    return { ...stays, outdated: ['The module does not list the function any more.'] }
  }
  const outdated: string[] = []
  const attempt = <Result>(check: () => Result): Result | undefined => {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      outdated.push(error.detail)
      return undefined
    }
  }
  if (next.type !== insight.type) outdated.push(`Its type is ${next.type} now.`)
  outdated.push(...changedOutlets(link, next, outlets))
  if (next.inlets.length === link.inlets.length) {
    for (const [at, signalId] of link.inlets.entries()) {
      attempt(() => checkInlet(next, at, inlets.get(signalId)))
    }
  } else outdated.push(`It has ${next.inlets.length} inlets now, not ${link.inlets.length}.`)
  const renewed = checkedConstants(next, constants, (_, check) => attempt(check))
  return outdated.length > 0
    ? { ...stays, outdated }
    : { ...stays, insight: next, constants: renewed, outdated }
}

function changedOutlets(
  { id, name, insight }: StoredLink,
  next: Insight,
  outlets: readonly Signal[],
): string[] {
  const [before, after] = [insight, next].map((one) => outletSignals(one, id, name))
  if (before?.length !== after?.length) {
    return [`It has ${after?.length} outlets now, not ${before?.length}.`]
  }
  return outlets.flatMap(({ name: signal, primitiveType, source }) => {
    const at = source !== null && 'linkId' in source ? source.outlet : -1
    const now = after?.[at]?.primitiveType
    return now === undefined || now === primitiveType
      ? []
      : [`Outlet ${at} is ${now} now; "${signal}" is ${primitiveType}.`]
  })
}
