import type { Database } from '../../foundation/database/index.ts'
import type { JsonObject } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { Asset, Assets, NewAsset, NewTemplate, Signal, Template } from '../assets/index.ts'
import type { PipelineDocuments } from './document/documents.ts'
import type { DocumentLink, InletSpec, LinkSpec, PipelineDocument } from './document/schema.ts'
import type { Runs } from './runs/runs.ts'

/** An asset that is to be made of a template. Its own settings go before the template's. */
export type TemplatedAsset = NewAsset & { readonly templateId: string }

/** Assets of templates, with their pipelines, and templates of assets. */
export type AssetTemplates = {
  /**
   * Makes an asset with the signals and the links of a template, or nothing at all.
   * @param by the principal's subject
   * @throws Fault not_found, invalid_argument, already_exists; pipeline_refused
   */
  make(view: View, asset: TemplatedAsset, by: string): Promise<Asset>
  /** The signals and the links of an asset as those of a template. @throws Fault not_found */
  readPattern(view: View, assetId: string): Promise<Pick<NewTemplate, 'signals' | 'links'>>
}

export type AssetTemplatesOptions = {
  readonly database: Database
  readonly assets: Assets
  readonly documents: Pick<PipelineDocuments, 'get' | 'prepare'>
  readonly runs: Pick<Runs, 'wake'>
}

export function createAssetTemplates(options: AssetTemplatesOptions): AssetTemplates {
  const { database, assets, documents, runs } = options
  return {
    async make(view, asset, by) {
      const template = await assets.templates.get(view, asset.templateId)
      const links = template.links as readonly LinkSpec[]
      // The ids of the signals are known once they are made; the plan reads them then.
      const named = links.map((link) => ({ ...link, inlets: [...(link.inlets ?? [])] }))
      const save = await documents.prepare(view, { links: named }, by)
      const made = await database.transaction(async (transaction) => {
        const fresh = await assets.create(view, filled(asset, template), transaction)
        if (links.length === 0) return fresh
        const signals = await assets.signals.ofAssets(view, [fresh.id], transaction)
        const ids = new Map(template.signals.map(({ key }, at) => [key, signals[at]?.id]))
        for (const [at, link] of named.entries()) {
          link.inlets = (links[at]?.inlets ?? []).map((inlet) => withId(inlet, ids))
        }
        await save(transaction, fresh.id)
        return fresh
      })
      runs.wake()
      return made
    },
    async readPattern(view, assetId) {
      const { document } = await documents.get(view, assetId)
      return toPattern(await assets.signals.ofAssets(view, [assetId]), document)
    },
  }
}

/** The asset with what the template gives where it gives nothing itself. */
function filled(asset: TemplatedAsset, template: Template): NewAsset {
  return {
    ...asset,
    description: asset.description ?? template.description,
    assetType: asset.assetType ?? template.assetType,
    meta: { ...template.meta, ...asset.meta },
    signals: [
      ...template.signals.map(({ key, ...one }) => ({ ...one, templateKey: key })),
      ...(asset.signals ?? []),
    ],
  }
}

function withId(inlet: InletSpec, ids: ReadonlyMap<string, string | undefined>): InletSpec {
  const { signalId } = inlet
  return signalId == null ? inlet : { ...inlet, signalId: ids.get(signalId) ?? signalId }
}

/** Signals that outlets feed are made by their links. */
function toPattern(signals: readonly Signal[], { links }: PipelineDocument) {
  const own = signals.filter(({ source }) => source === null || 'alias' in source)
  const names = Map.groupBy(own, ({ name }) => name)
  const patternKey = ({ id, name }: Signal) => (names.get(name)?.length === 1 ? name : id)
  const keys = new Map(own.map((signal) => [signal.id, patternKey(signal)]))
  return {
    signals: own.map(({ id, key, assetId, businessId, source, templateKey: _, ...signal }) => ({
      ...signal,
      key: keys.get(id) ?? id,
      source: source !== null && 'alias' in source ? withoutDevice(source) : null,
    })),
    links: links.map((link) => patternLink(link, keys)),
  }
}

function withoutDevice({ alias, channel }: { readonly alias: string; readonly channel?: string }) {
  return channel === undefined ? { alias } : { alias, channel }
}

function patternLink(
  { id: ref, type, inlets, outlets, ...link }: DocumentLink,
  keys: ReadonlyMap<string, string>,
): JsonObject {
  return {
    ...link,
    ref,
    inlets: inlets.map((inlet) =>
      inlet.signalId == null
        ? { link: inlet.link, outlet: inlet.outlet ?? 0 }
        : { signalId: keys.get(inlet.signalId) ?? inlet.signalId },
    ),
    outlets: outlets.map(({ name }) => ({ name: name ?? null })),
  } as unknown as JsonObject
}
