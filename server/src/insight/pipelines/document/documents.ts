import type {
  Database,
  Queryable,
  Transaction,
  VersionNumber,
} from '../../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  newUuid,
  type PageRange,
  type Random,
  type RestoredVersion,
  type StaticResult,
} from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Assets } from '../../assets/index.ts'
import type { DescribedFunctions } from '../modules/descriptions.ts'
import type { Runs } from '../runs/runs.ts'
import { type PipelineVersion, pipelineVersions } from '../store/versions.ts'
import { readLinks } from '../store.ts'
import { type ActionsOptions, checkActions } from './actions.ts'
import { applyPlan } from './apply.ts'
import { toDocument, withOutlets } from './document.ts'
import { checkSize, findFunctions } from './functions.ts'
import { planChange } from './plan.ts'
import type {
  AssetPipeline,
  FindFunction,
  FullChange,
  listedPipelineSchema,
  PipelineChange,
} from './schema.ts'

/** The pipelines of assets, each as one document with versions. */
export type PipelineDocuments = {
  /** The assets in the order in which they were made. @throws Fault invalid_argument */
  list(view: View, page?: PageRange): Promise<StaticResult<typeof listedPipelineSchema>[]>
  /** @throws Fault not_found */
  get(view: View, assetId: string): Promise<AssetPipeline>
  /**
   * Saves a change of an asset's pipeline, whole or in part, or nothing of it.
   * @param by the principal's subject
   * @throws Fault not_found; pipeline_refused with all problems; pipeline_outdated
   */
  save(
    view: View,
    assetId: string,
    change: PipelineChange,
    by: string | null,
  ): Promise<AssetPipeline>
  /**
   * Finds what a change needs of an asset that a transaction is about to make; what it returns
   * saves the change in that transaction. The caller wakes the runs after its commit.
   * @throws Fault pipeline_refused
   */
  prepare(
    view: View,
    change: PipelineChange,
    by: string | null,
  ): Promise<(transaction: Transaction, assetId: string) => Promise<AssetPipeline>>
  /** Newest first. @throws Fault not_found, invalid_argument */
  versions(view: View, assetId: string, page?: PageRange): Promise<PipelineVersion[]>
  /**
   * A version, with what it changed in another one.
   * @throws Fault not_found
   */
  version(view: View, assetId: string, number: VersionNumber): Promise<PipelineVersion>
  /**
   * Saves an earlier version again, as a new one. Links that were removed get their ids back.
   * @throws Fault not_found; pipeline_refused if a signal or a function is gone;
   *   pipeline_outdated
   */
  restore(
    view: View,
    assetId: string,
    restored: RestoredVersion,
    by: string | null,
  ): Promise<AssetPipeline>
}

export type DocumentsOptions = {
  readonly database: Database
  readonly assets: Assets
  readonly modules: Pick<DescribedFunctions, 'linkable'>
  readonly runs: Pick<Runs, 'enqueue' | 'wake'>
  readonly acting: ActionsOptions['acting']
  readonly clock: Clock
  readonly random: Random
}

export function createDocuments(options: DocumentsOptions): PipelineDocuments {
  const { database, assets } = options

  async function save(view: View, assetId: string, change: FullChange, by: string | null) {
    await assets.get(view, assetId)
    checkSize(change)
    await checkActions(options, view, assetId, change)
    const find = await findFunctions(options.modules, view.businessId, change)
    const saved = await database.transaction(async (transaction) => {
      await assets.hold(transaction, view, assetId)
      return saveHeld(options, transaction, { view, assetId, change, by, find })
    })
    options.runs.wake()
    return saved
  }

  return {
    save,
    async prepare(view, change, by) {
      checkSize(change)
      await checkActions(options, view, '', change)
      const find = await findFunctions(options.modules, view.businessId, change)
      return (transaction, assetId) =>
        saveHeld(options, transaction, { view, assetId, change, by, find })
    },
    async list(view, page) {
      const found = await assets.list(view, page)
      const ids = found.map(({ id }) => id)
      const links = Map.groupBy(
        await readLinks(database, view.businessId, ids),
        (one) => one.assetId,
      )
      return found.map(({ id, name }) => {
        return { assetId: id, name, links: links.get(id)?.length ?? 0 }
      })
    },
    async get(view, assetId) {
      await assets.get(view, assetId)
      const read = await readPipeline(options, database, view, assetId)
      return completePipeline(database, view.businessId, assetId, read)
    },
    async versions(view, assetId, page) {
      await assets.get(view, assetId)
      return pipelineVersions.list(database, view.businessId, assetId, page)
    },
    async version(view, assetId, number) {
      await assets.get(view, assetId)
      return pipelineVersions.compare(database, view.businessId, assetId, number)
    },
    async restore(view, assetId, { version, current }, by) {
      await assets.get(view, assetId)
      const found = await pipelineVersions.get(database, view.businessId, assetId, version)
      const { links } = found.document
      return save(view, assetId, { links, whole: true, revive: true, version: current }, by)
    },
  }
}

type Held = {
  readonly view: View
  readonly assetId: string
  readonly change: FullChange
  readonly by: string | null
  readonly find: FindFunction
}

async function saveHeld(
  options: DocumentsOptions,
  transaction: Transaction,
  { view, assetId, change, by, find }: Held,
): Promise<AssetPipeline> {
  const { businessId } = view
  const { assets, clock, random } = options
  const newest = await pipelineVersions.newest(transaction, businessId, assetId)
  const version = newest?.version ?? 0
  if (change.version != null && change.version !== version) {
    throw new Fault('pipeline_outdated', `The pipeline is at version ${version} now.`)
  }
  const before = await readPipeline(options, transaction, view, assetId)
  const { links, signals } = before
  const made = { newId: () => newUuid(random, clock.nowMs()), nowUs: clock.nowUs() }
  const plan = planChange({ businessId, assetId, links, signals, change, find, ...made })
  await applyPlan(options, transaction, view, plan)
  const after = await readPipeline(options, transaction, view, assetId)
  await pipelineVersions.save(transaction, businessId, assetId, {
    newest: version,
    before: before.document,
    after: after.document,
    by,
    at: clock.nowUs(),
  })
  await assets.countChange(transaction, [{ businessId, assetId }])
  return completePipeline(transaction, businessId, assetId, after)
}

async function readPipeline(
  { assets }: DocumentsOptions,
  queryable: Queryable,
  view: View,
  assetId: string,
) {
  const signals = await assets.signals.ofAssets(view, [assetId], queryable)
  const links = withOutlets(await readLinks(queryable, view.businessId, [assetId]), signals)
  return { links, signals, document: toDocument(links, signals) }
}

async function completePipeline(
  queryable: Queryable,
  businessId: string,
  assetId: string,
  { links, document }: Pick<AssetPipeline, 'links' | 'document'>,
): Promise<AssetPipeline> {
  const newest = await pipelineVersions.newest(queryable, businessId, assetId)
  const { version = 0, savedAt = null, savedBy = null } = newest ?? {}
  return { assetId, version, savedAt, savedBy, links, document }
}
