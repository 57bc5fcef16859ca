import type { Asset, Assets, Signal } from '../../assets/index.ts'
import type { Database, Transaction } from '../../database/index.ts'
import { Fault } from '../../kernel/index.ts'
import { removeLinks } from '../document/apply.ts'
import { withOutlets } from '../document/document.ts'
import type { PipelineDocuments } from '../document/documents.ts'
import { firstFault } from '../document/problems.ts'
import type { LinkSpec, PipelineChange } from '../document/types.ts'
import type { DescribedFunctions } from '../modules/described.ts'
import type { Runs } from '../runs/runs.ts'
import { dropVersions } from '../store/versions.ts'
import { readLink, readLinks } from '../store.ts'
import type { Link } from '../types.ts'
import { checkInlet } from './signals.ts'

/** A function to be linked into an asset's pipelines. */
export type NewLink = Omit<LinkSpec, 'id' | 'ref'> & { readonly assetId: string }

/** What is changed of a link; what is left out stays. */
export type LinkChange = Pick<LinkSpec, 'name' | 'enabled' | 'constants' | 'inlets' | 'outlets'>

/** An inlet of a function that is not linked yet. */
export type InletOf = {
  readonly moduleId: string
  readonly functionId: string
  readonly groupId?: string | null | undefined
  readonly inlet: number
}

/**
 * Links one by one: each change is a version of the asset's pipeline (`PipelineDocuments`).
 * @param by the principal's subject
 */
export type Links = {
  /**
   * Links a function into an asset's pipelines and makes a signal for each of its outlets.
   * @throws Fault not_found, invalid_argument, module_failed, address_refused
   */
  create(businessId: string, link: NewLink, by?: string): Promise<Link>
  /** @throws Fault not_found */
  get(businessId: string, id: string): Promise<Link>
  /** In the order they were made. */
  ofAssets(businessId: string, assetIds: readonly string[]): Promise<Link[]>
  /** Changes a link in place. @throws Fault not_found, invalid_argument */
  update(businessId: string, id: string, change: LinkChange, by?: string): Promise<Link>
  /**
   * Removes a link with its status. Its outlets' signals are detached, with their history, or
   * removed with `removeSignals`.
   * @throws Fault not_found; invalid_argument if a signal to be removed feeds another link
   */
  remove(
    businessId: string,
    id: string,
    options?: { readonly removeSignals?: boolean; readonly by?: string },
  ): Promise<Link>
  /** The signals of an asset that fit an inlet. @throws Fault not_found, invalid_argument */
  fitting(businessId: string, assetId: string, inlet: InletOf): Promise<Signal[]>
  /**
   * Removes a signal with its history.
   * @throws Fault not_found; invalid_argument while a link uses it
   */
  removeSignal(businessId: string, signalId: string): Promise<Signal>
  /** Removes an asset with all its links. @throws Fault not_found */
  removeAsset(businessId: string, assetId: string): Promise<Asset>
}

export type LinksOptions = {
  readonly database: Database
  readonly assets: Assets
  readonly modules: Pick<DescribedFunctions, 'functions'>
  readonly documents: Pick<PipelineDocuments, 'save'>
  readonly runs: Pick<Runs, 'enqueue' | 'wake'>
}

export function createLinks(options: LinksOptions): Links {
  const { database, assets, documents } = options

  async function ofAssets(businessId: string, assetIds: readonly string[]): Promise<Link[]> {
    const stored = assetIds.length === 0 ? [] : await readLinks(database, businessId, assetIds)
    if (stored.length === 0) return []
    const ids = stored.map(({ id }) => id)
    return withOutlets(stored, await assets.signals.ofLinks(businessId, ids))
  }

  async function get(businessId: string, id: string): Promise<Link> {
    const stored = await readLink(database, businessId, id)
    if (stored === undefined) throw new Fault('not_found', 'There is no such link.')
    const [link] = withOutlets([stored], await assets.signals.ofLinks(businessId, [id]))
    return link as Link
  }

  async function save(businessId: string, assetId: string, change: PipelineChange, by?: string) {
    const saved = documents.save(businessId, assetId, change, by ?? null)
    const { links } = await saved.catch((error: unknown) => {
      throw firstFault(error)
    })
    return links
  }

  return {
    get,
    ofAssets,
    async create(businessId, { assetId, ...spec }, by) {
      const links = await save(businessId, assetId, { links: [spec] }, by)
      // The asset is held while a change is saved, so the newest link is the one just made.
      return links.at(-1) as Link
    },
    async update(businessId, id, change, by) {
      const { assetId } = await get(businessId, id)
      const links = await save(businessId, assetId, { links: [{ ...change, id }] }, by)
      return links.find((link) => link.id === id) as Link
    },
    async remove(businessId, id, { removeSignals = false, by } = {}) {
      const link = await get(businessId, id)
      await save(businessId, link.assetId, { links: [], remove: [id], removeSignals }, by)
      return link
    },
    async fitting(businessId, assetId, inlet) {
      await assets.get(businessId, assetId)
      return fittingSignals(options, businessId, assetId, inlet)
    },
    removeSignal: (businessId, signalId) =>
      database.transaction((held) => removeSignal(options, held, businessId, signalId)),
    async removeAsset(businessId, assetId) {
      const links = await ofAssets(businessId, [assetId])
      const removed = await database.transaction(async (transaction) => {
        await removeLinks(options, transaction, businessId, links)
        await dropVersions(transaction, businessId, assetId)
        const gone = await assets.remove(businessId, assetId, transaction)
        await assets.countChange(transaction, [{ businessId, assetId }])
        return gone
      })
      options.runs.wake()
      return removed
    },
  }
}

async function fittingSignals(
  { assets, modules }: LinksOptions,
  businessId: string,
  assetId: string,
  { moduleId, functionId, groupId, inlet }: InletOf,
): Promise<Signal[]> {
  const functions = await modules.functions(businessId, moduleId, groupId ?? '')
  const insight = functions.find(({ id }) => id === functionId)
  if (insight === undefined) {
    throw new Fault('not_found', `The module has no function "${functionId}".`)
  }
  if (insight.inlets[inlet] === undefined) {
    throw new Fault('invalid_argument', `The function "${insight.name}" has no inlet ${inlet}.`)
  }
  const signals = await assets.signals.ofAssets(businessId, [assetId])
  return signals.filter((signal) => {
    try {
      checkInlet(insight, inlet, signal)
      return true
    } catch (error) {
      if (error instanceof Fault) return false
      throw error
    }
  })
}

async function removeSignal(
  { assets }: LinksOptions,
  transaction: Transaction,
  businessId: string,
  signalId: string,
): Promise<Signal> {
  const { assetId } = await assets.signals.get(businessId, signalId)
  await assets.hold(transaction, businessId, assetId)
  const signals = await assets.signals.ofAssets(businessId, [assetId], transaction)
  const links = withOutlets(await readLinks(transaction, businessId, [assetId]), signals)
  const user = links.find(({ inlets, outlets }) => [...inlets, ...outlets].includes(signalId))
  if (user !== undefined) {
    throw new Fault('invalid_argument', `The link "${user.name}" uses the signal.`)
  }
  return assets.signals.remove(businessId, signalId, transaction)
}
