import type { Database, Transaction } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Asset, Assets, Signal, SignalChange } from '../../assets/index.ts'
import { removeLinks } from '../document/apply.ts'
import { withOutlets } from '../document/document.ts'
import type { PipelineDocuments } from '../document/documents.ts'
import { firstFault } from '../document/problems.ts'
import type { LinkSpec, PipelineChange } from '../document/schema.ts'
import type { DescribedFunctions } from '../modules/descriptions.ts'
import type { Runs } from '../runs/runs.ts'
import { pipelineVersions } from '../store/versions.ts'
import { readLink, readLinks } from '../store.ts'
import type { Link } from '../types.ts'
import { checkInlet } from './signals.ts'
import { moveSignal, removeSignal, updateSignal } from './used-signals.ts'

/** A function to be linked into an asset's pipelines. */
export type NewLink = Omit<LinkSpec, 'id' | 'ref'> & { readonly assetId: string }

/** A change of a link; fields that are left out stay. */
export type LinkChange = Pick<
  LinkSpec,
  'name' | 'enabled' | 'timeoutMs' | 'constants' | 'checks' | 'inlets' | 'outlets'
>

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
  create(view: View, link: NewLink, by?: string): Promise<Link>
  /** @throws Fault not_found */
  get(view: View, id: string): Promise<Link>
  /** In the order they were made. */
  ofAssets(view: View, assetIds: readonly string[]): Promise<Link[]>
  /** Changes a link in place. @throws Fault not_found, invalid_argument */
  update(view: View, id: string, change: LinkChange, by?: string): Promise<Link>
  /**
   * Removes a link with its status. Its outlets' signals are detached, with their history, or
   * removed with `removeSignals`.
   * @throws Fault not_found; invalid_argument if a signal to be removed feeds another link
   */
  remove(
    view: View,
    id: string,
    options?: { readonly removeSignals?: boolean; readonly by?: string },
  ): Promise<Link>
  /** The signals of an asset that fit an inlet. @throws Fault not_found, invalid_argument */
  fitting(view: View, assetId: string, inlet: InletOf): Promise<Signal[]>
  /**
   * Removes a signal with its history.
   * @throws Fault not_found; invalid_argument while a link uses it
   */
  removeSignal(view: View, signalId: string): Promise<Signal>
  /**
   * Changes a signal; what is left out stays.
   * @throws Fault not_found; invalid_argument, also if it would not fit a link that uses it
   */
  updateSignal(view: View, signalId: string, change: SignalChange): Promise<Signal>
  /**
   * Gives a signal to another asset, with its history.
   * @throws Fault not_found; in_use while a link uses it
   */
  moveSignal(view: View, signalId: string, assetId: string): Promise<Signal>
  /** Removes an asset with all its links. @throws Fault not_found */
  removeAsset(view: View, assetId: string): Promise<Asset>
}

export type LinksOptions = {
  readonly database: Database
  readonly assets: Assets
  readonly modules: Pick<DescribedFunctions, 'linkable'>
  readonly documents: Pick<PipelineDocuments, 'save'>
  readonly runs: Pick<Runs, 'enqueue' | 'wake'>
}

export function createLinks(options: LinksOptions): Links {
  const { database, assets, documents } = options

  async function ofAssets(view: View, assetIds: readonly string[]): Promise<Link[]> {
    if (assetIds.length === 0) return []
    const seen = view.groups === 'all' ? assetIds : listIds(await assets.some(view, assetIds))
    const stored = await readLinks(database, view.businessId, seen)
    if (stored.length === 0) return []
    const ids = stored.map(({ id }) => id)
    return withOutlets(stored, await assets.signals.ofLinks(view, ids))
  }

  async function get(view: View, id: string): Promise<Link> {
    const stored = await readLink(database, view.businessId, id)
    const [asset] = stored === undefined ? [] : await assets.some(view, [stored.assetId])
    if (stored === undefined || asset === undefined) {
      throw new Fault('not_found', 'There is no such link.')
    }
    const [link] = withOutlets([stored], await assets.signals.ofLinks(view, [id]))
    return link as Link
  }

  async function save(view: View, assetId: string, change: PipelineChange, by?: string) {
    const saved = documents.save(view, assetId, change, by ?? null)
    const { links } = await saved.catch((error: unknown) => {
      throw firstFault(error)
    })
    return links
  }

  return {
    get,
    ofAssets,
    async create(view, { assetId, ...spec }, by) {
      const links = await save(view, assetId, { links: [spec] }, by)
      // The asset is held while a change is saved, so the newest link is the one just made.
      return links.at(-1) as Link
    },
    async update(view, id, change, by) {
      const { assetId } = await get(view, id)
      const links = await save(view, assetId, { links: [{ ...change, id }] }, by)
      return links.find((link) => link.id === id) as Link
    },
    async remove(view, id, { removeSignals = false, by } = {}) {
      const link = await get(view, id)
      await save(view, link.assetId, { links: [], remove: [id], removeSignals }, by)
      return link
    },
    async fitting(view, assetId, inlet) {
      await assets.get(view, assetId)
      return fittingSignals(options, view, assetId, inlet)
    },
    removeSignal: (view, signalId) =>
      database.transaction((held) => removeSignal(options, held, view, signalId)),
    updateSignal: (view, signalId, change) =>
      database.transaction((held) => updateSignal(options, held, view, signalId, change)),
    moveSignal: (view, signalId, assetId) =>
      database.transaction((held) => moveSignal(options, held, view, signalId, assetId)),
    async removeAsset(view, assetId) {
      const removed = await database.transaction((held) =>
        removeAsset(options, held, view, assetId),
      )
      options.runs.wake()
      return removed
    },
  }
}

function listIds(found: readonly Asset[]): string[] {
  return found.map(({ id }) => id)
}

async function fittingSignals(
  { assets, modules }: LinksOptions,
  view: View,
  assetId: string,
  { moduleId, functionId, groupId, inlet }: InletOf,
): Promise<Signal[]> {
  const functions = await modules.linkable(view.businessId, moduleId, groupId ?? '')
  const insight = functions.find(({ id }) => id === functionId)
  if (insight === undefined) {
    throw new Fault('not_found', `The module has no function "${functionId}".`)
  }
  if (insight.inlets[inlet] === undefined) {
    throw new Fault('invalid_argument', `The function "${insight.name}" has no inlet ${inlet}.`)
  }
  const signals = await assets.signals.ofAssets(view, [assetId])
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

/** The asset is held first, so that nobody links anything meanwhile. */
async function removeAsset(
  options: LinksOptions,
  transaction: Transaction,
  view: View,
  assetId: string,
): Promise<Asset> {
  const { assets } = options
  const { businessId } = view
  await assets.hold(transaction, view, assetId)
  const signals = await assets.signals.ofAssets(view, [assetId], transaction)
  const links = withOutlets(await readLinks(transaction, businessId, [assetId]), signals)
  await removeLinks(options, transaction, businessId, links)
  await pipelineVersions.drop(transaction, businessId, assetId)
  const gone = await assets.remove(view, assetId, transaction)
  await assets.countChange(transaction, [{ businessId, assetId }])
  return gone
}
