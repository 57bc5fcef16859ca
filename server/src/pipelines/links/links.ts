import type { Asset, Assets, Signal } from '../../assets/index.ts'
import type { Database, Transaction } from '../../database/index.ts'
import { type Clock, Fault, limits, newId, type Random } from '../../kernel/index.ts'
import type { Modules } from '../modules/modules.ts'
import { noticeOf } from '../runs/notice-job.ts'
import type { Runs } from '../runs/runs.ts'
import { addLink, dropLink, readLink, readLinks, type StoredLink } from '../store.ts'
import type { Link, NewLink } from '../types.ts'
import { builtinId, checkBuiltin } from './builtin.ts'
import { checkedConstants } from './constants.ts'
import { assertFit, fedBy } from './graph.ts'
import { checkedInlets, outletSignals } from './signals.ts'

export type Links = {
  /**
   * Links a function into an asset's pipelines and makes a signal for each of its outlets.
   * @throws Fault not_found, invalid_argument, module_failed, address_refused
   */
  create(businessId: string, link: NewLink): Promise<Link>
  /** @throws Fault not_found */
  get(businessId: string, id: string): Promise<Link>
  /** In the order they were made. */
  ofAssets(businessId: string, assetIds: readonly string[]): Promise<Link[]>
  /**
   * Removes a link with its outlets' signals and its status.
   * @throws Fault not_found; invalid_argument while it feeds another link
   */
  remove(businessId: string, id: string): Promise<Link>
  /** Removes an asset with all its links. @throws Fault not_found */
  removeAsset(businessId: string, assetId: string): Promise<Asset>
}

export type LinksOptions = {
  readonly database: Database
  readonly assets: Assets
  readonly modules: Modules
  readonly runs: Pick<Runs, 'enqueue' | 'wake'>
  readonly clock: Clock
  readonly random: Random
}

export function createLinks(options: LinksOptions): Links {
  const { database, assets } = options

  async function ofAssets(businessId: string, assetIds: readonly string[]): Promise<Link[]> {
    if (assetIds.length === 0) return []
    return withOutlets(assets, businessId, await readLinks(database, businessId, assetIds))
  }

  async function get(businessId: string, id: string): Promise<Link> {
    const stored = await readLink(database, businessId, id)
    const [link] = stored === undefined ? [] : await withOutlets(assets, businessId, [stored])
    if (link === undefined) throw new Fault('not_found', 'There is no such link.')
    return link
  }

  return {
    get,
    ofAssets,
    async create(businessId, given) {
      const link = await prepareLink(options, businessId, given)
      assertRoom([...(await ofAssets(businessId, [link.assetId])), { ...link, outlets: [] }])
      const made = await keepLink(options, link)
      options.runs.wake()
      return made
    },
    async remove(businessId, id) {
      const link = await get(businessId, id)
      const [fed] = fedBy(await ofAssets(businessId, [link.assetId]), link)
      if (fed !== undefined) {
        throw new Fault('invalid_argument', `It feeds the link "${fed.name}"; remove that first.`)
      }
      await database.transaction((transaction) =>
        dropLinks(options, transaction, businessId, [link]),
      )
      options.runs.wake()
      return link
    },
    async removeAsset(businessId, assetId) {
      const links = await ofAssets(businessId, [assetId])
      const removed = await database.transaction(async (transaction) => {
        await dropLinks(options, transaction, businessId, links)
        return assets.remove(businessId, assetId, transaction)
      })
      options.runs.wake()
      return removed
    },
  }
}

/** The stored links with the signals that their outlets feed. */
async function withOutlets(
  assets: Assets,
  businessId: string,
  stored: readonly StoredLink[],
): Promise<Link[]> {
  if (stored.length === 0) return []
  const signals = await assets.signals.ofLinks(
    businessId,
    stored.map((link) => link.id),
  )
  const byLink = Map.groupBy(signals, (signal) => outletOf(signal)?.linkId ?? '')
  return stored.map((link) => {
    const own = (byLink.get(link.id) ?? []).toSorted((a, b) => placeOf(a) - placeOf(b))
    return { ...link, outlets: own.map((signal) => signal.id) }
  })
}

function outletOf({ source }: Signal) {
  return source !== null && 'linkId' in source ? source : undefined
}

function placeOf(signal: Signal): number {
  return outletOf(signal)?.outlet ?? 0
}

/** Validates a new link and returns it as it will be stored. */
async function prepareLink(
  { assets, modules, clock, random }: LinksOptions,
  businessId: string,
  given: NewLink,
): Promise<StoredLink> {
  await assets.get(businessId, given.assetId)
  const groupId = given.groupId ?? ''
  const functions = await modules.functions(businessId, given.moduleId, groupId)
  const insight = functions.find((one) => one.id === given.functionId)
  if (insight === undefined) {
    throw new Fault('not_found', `The module has no function "${given.functionId}".`)
  }
  const known = await assets.signals.ofAssets(businessId, [given.assetId])
  const inlets = checkedInlets(insight, given.assetId, given.inlets, known)
  const constants = checkedConstants(insight, given.constants ?? {})
  if (given.moduleId === builtinId) checkBuiltin(insight.id, constants)
  return {
    id: newId(random),
    businessId,
    assetId: given.assetId,
    moduleId: given.moduleId,
    functionId: insight.id,
    groupId,
    name: (given.name || insight.name).slice(0, limits.nameCharsMax),
    insight,
    constants,
    inlets: inlets.map((signal) => signal.id),
    createdAt: clock.nowUs(),
  }
}

function assertRoom(links: readonly Link[]): void {
  if (links.length > limits.linksPerAssetMax) {
    throw new Fault('invalid_argument', `An asset has at most ${limits.linksPerAssetMax} links.`)
  }
  assertFit(links)
}

function keepLink({ database, assets, runs }: LinksOptions, link: StoredLink): Promise<Link> {
  return database.transaction(async (transaction) => {
    await addLink(transaction, link.businessId, link)
    const outlets: string[] = []
    for (const signal of outletSignals(link.insight, link.id, link.name)) {
      const made = await assets.signals.create(link.businessId, link.assetId, signal, transaction)
      outlets.push(made.id)
    }
    // In the order of the asset's runs: the module receives the link before its first value.
    if (link.moduleId !== builtinId) await runs.enqueue(transaction, [noticeOf('create', link)])
    // Of a function without outlets nothing else is counted.
    await assets.countChange(transaction, [link])
    return { ...link, outlets }
  })
}

/** Removes links with the signals of their outlets; their modules receive `delete`. */
async function dropLinks(
  { assets, runs }: LinksOptions,
  transaction: Transaction,
  businessId: string,
  links: readonly Link[],
): Promise<void> {
  for (const link of links) {
    if (!(await dropLink(transaction, businessId, link.id))) continue
    await assets.clearStatus(transaction, businessId, link.id)
    for (const id of link.outlets) await assets.signals.remove(businessId, id, transaction)
    if (link.moduleId !== builtinId) await runs.enqueue(transaction, [noticeOf('delete', link)])
  }
  await assets.countChange(transaction, links)
}
