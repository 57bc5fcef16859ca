import type {
  Asset,
  AssetStatus,
  Assets,
  DataRange,
  Signal,
  SignalStatus,
  StatusEvent,
  Template,
  Value,
} from '../../insight/assets/index.ts'
import type { Link, Pipelines } from '../../insight/pipelines/index.ts'
import type { Principal } from '../../people/accounts/index.ts'
import type { Group, View } from '../../people/groups/index.ts'
import type { Work } from './limits/work.ts'
import { byAsset, type Loader, loader, type Page } from './loader.ts'
import { createPlaceLoaders, type PlaceLoaders, type PlaceOptions } from './place-loaders.ts'
import { createRecordLoaders, type RecordLoaders, type RecordOptions } from './record-loaders.ts'
import { createSeries } from './series.ts'

/**
 * Reads that many fields of one request need, one query for each kind. A loader is created when it
 * is first used: most requests need none, or one.
 */
export type Loaders = PlaceLoaders &
  RecordLoaders & {
    signals(assetId: string): Promise<readonly Signal[]>
    links(assetId: string): Promise<readonly Link[]>
    status(assetId: string): Promise<AssetStatus>
    statuses(assetId: string): Promise<readonly SignalStatus[]>
    lastValue(signalId: string): Value | null | Promise<Value | null>
    /** The values of a signal, those of all signals at one place of the document at once. */
    values(signal: Signal, range: DataRange): Promise<readonly Value[]>
    /** The changes of a rule's level, as `values`. */
    ruleEvents(rule: Link, range: DataRange): Promise<readonly StatusEvent[]>
    /** The time of the newest value of an asset; null if there is none. */
    newestAt(assetId: string): Promise<number | null>
    /** The period of a signal itself; null if none is set. */
    retentionHours(signalId: string): Promise<number | null>
    /** The periods of the connectors that have one. */
    connectorRetentions(): Promise<ReadonlyMap<string, number>>
    /** Returns whether an asset is locked. */
    isLocked(assetId: string): Promise<boolean>
    /** The assets that lie in a group itself. */
    groupAssets(groupId: string, page: Page): Promise<readonly Asset[]>
    groupCount(groupId: string): Promise<number>
    /** The groups that lie in a group itself. */
    groupChildren(groupId: string): Promise<readonly Group[]>
    /** Null if it is gone. */
    template(id: string): Promise<Template | null>
    /** The template of an asset; null if it has none, or that is gone. */
    loadTemplate(assetId: string): Promise<Template | null>
    /** The group, the root without an id; null if the view does not see it. */
    group(id: string | null): Promise<Group | null>
  }

const quiet: AssetStatus = { level: 0, name: 'normal', since: null, timeout: false }

/** The modules of which the loaders read. */
export type LoaderOptions = PlaceOptions &
  RecordOptions & {
    readonly assets: Assets
    readonly pipelines: Pipelines
  }

/** @param along with the signals, because the document selects them. */
export function createLoaders(
  options: LoaderOptions,
  principal: Principal,
  work: Work,
  along: { readonly lastValues: boolean },
): Loaders {
  const { assets, pipelines } = options
  const { view } = principal
  let signals: Loader<readonly Signal[]> | undefined
  let links: Loader<readonly Link[]> | undefined
  let worst: Loader<AssetStatus> | undefined
  let statuses: Loader<readonly SignalStatus[]> | undefined
  let lastValues: Loader<Value | null> | undefined
  let newest: Loader<number | null> | undefined
  // A field whose value is cached needs no promise, which is most of its cost.
  const latest = new Map<string, Value | null>()

  async function loadSignals(assetIds: readonly string[]) {
    if (!along.lastValues) {
      return byAsset(await assets.signals.ofAssets(view, assetIds))
    }
    const found = await assets.signals.withLatest(principal, assetIds)
    for (const one of found) latest.set(one.signal.id, one.latest)
    return byAsset(found.map(({ signal }) => signal))
  }

  return {
    signals(assetId) {
      signals ??= loader(work, [], loadSignals)
      return signals.load(assetId)
    },
    links(assetId) {
      links ??= loader(work, [], async (ids) => byAsset(await pipelines.links.ofAssets(view, ids)))
      return links.load(assetId)
    },
    status(assetId) {
      worst ??= loader(work, quiet, (ids) => assets.statuses(view, ids))
      return worst.load(assetId)
    },
    statuses(assetId) {
      statuses ??= loader(work, [], (ids) => assets.allStatuses(view, ids))
      return statuses.load(assetId)
    },
    lastValue(signalId) {
      const known = latest.get(signalId)
      if (known !== undefined) return known
      lastValues ??= loader(work, null, (ids) => assets.lastReceived(principal, ids))
      return lastValues.load(signalId)
    },
    ...createSeries(assets, view, work),
    ...createGroupLoaders(options, view, work),
    ...createPlaceLoaders(options, principal, work),
    ...createRecordLoaders(options, principal, work),
    newestAt(assetId) {
      newest ??= loader(work, null, (ids) => assets.newestValues(view, ids))
      return newest.load(assetId)
    },
    ...createNamedLoaders(options, view, work),
    ...createRetentionLoaders(options, view, work),
  }
}

function createRetentionLoaders({ assets, provisioning }: LoaderOptions, view: View, work: Work) {
  let ofConnectors: Promise<ReadonlyMap<string, number>> | undefined
  const ofSignals = loader<number | null>(work, null, async (ids) => {
    const found = await assets.valueRetention.some(view, ids)
    return new Map(found.map(({ id, hours }) => [id, hours]))
  })
  return {
    retentionHours: (signalId: string) => ofSignals.load(signalId),
    connectorRetentions() {
      ofConnectors ??= provisioning.connectors.retentions(view.businessId)
      return ofConnectors
    },
  }
}

/** Loaders of things that rows name by an id. */
function createNamedLoaders({ groups, assets }: LoaderOptions, view: View, work: Work) {
  let root: Promise<Group> | undefined
  const templates = loader<Template | null>(work, null, async (ids) => {
    return byId(await assets.templates.list(view, { ids }, { limit: ids.length }))
  })
  const templateIds = loader<string | null>(work, null, async (ids) => {
    const found = await assets.some(view, ids)
    return new Map(found.map(({ id, templateId }) => [id, templateId]))
  })
  const named = loader<Group | null>(work, null, async (ids) => byId(await groups.some(view, ids)))
  return {
    template: (id: string) => templates.load(id),
    async loadTemplate(assetId: string) {
      const id = await templateIds.load(assetId)
      return id === null ? null : templates.load(id)
    },
    group(id: string | null) {
      if (id !== null) return named.load(id)
      root ??= groups.root(view)
      return root.then((group) => named.load(group.id))
    },
  }
}

/** Loaders of things in groups, by one statement for all groups at one place of the document. */
function createGroupLoaders({ groups, assets }: LoaderOptions, view: View, work: Work) {
  const locks = loader(work, false, async (ids) => {
    const found = await assets.some(view, ids)
    return new Map(found.map(({ id, locked }) => [id, locked]))
  })
  const children = loader<readonly Group[]>(work, [], (ids) => groups.children(view, ids))
  const counts = loader(work, 0, (ids) => assets.countIn(view, ids))
  const pages = new Map<string, Loader<readonly Asset[]>>()
  return {
    isLocked: (assetId: string) => locks.load(assetId),
    groupCount: (id: string) => counts.load(id),
    groupChildren: (id: string) => children.load(id),
    groupAssets(id: string, page: Page) {
      const key = `${page.limit}/${page.offset}`
      const known = pages.get(key)
      const own =
        known ?? loader<readonly Asset[]>(work, [], (ids) => assets.inGroups(view, ids, page))
      if (known === undefined) pages.set(key, own)
      return own.load(id)
    },
  }
}

function byId<Thing extends { readonly id: string }>(
  things: readonly Thing[],
): ReadonlyMap<string, Thing> {
  return new Map(things.map((thing) => [thing.id, thing]))
}
