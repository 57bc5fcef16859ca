import type { Assets } from './assets/index.ts'
import { announced, type Changes } from './changes/index.ts'
import type { Transaction } from './database/index.ts'
import { type View, wholeView } from './groups/index.ts'
import type { Pipelines, PipelinesOptions } from './pipelines/index.ts'

type Publisher = Pick<Changes, 'publish'>

/** What changes of assets is published, with statuses once their transaction is committed. */
export function announcedAssets(changes: Publisher, of: Assets): Assets {
  const places = placesOf(changes, of)
  of.onStatusChange(async (transaction, events) => places.publishAfter(transaction, events))
  const { signals, conditions, templates, intake, valueRetention } = of
  const changing = announced(changes, 'assets', of, {
    create: inItsGroup,
    async update({ businessId }, id, { groupId }) {
      // One that is moved is seen where it was, and where it is.
      const before = groupId == null ? [] : await places.groupsOf(businessId, [id])
      return (asset) => [...before, asset.groupId]
    },
    remove: inItsGroup,
  })
  return {
    ...of,
    create: changing.create,
    update: changing.update,
    remove: changing.remove,
    async ensureDeviceAssets(transaction, devices) {
      const ensured = await of.ensureDeviceAssets(transaction, devices)
      const made = ensured.filter(({ created }) => created).map(({ asset }) => asset)
      const refs = made.map(({ businessId, id: assetId }) => ({ businessId, assetId }))
      places.publishAfter(transaction, refs)
      return ensured
    },
    async syncChannels(transaction, descriptions) {
      const synced = await of.syncChannels(transaction, descriptions)
      places.publishAfter(
        transaction,
        descriptions.filter((_, at) => isChange(synced[at])),
      )
      return synced
    },
    intake: announced(changes, 'connectors', intake, ['set']),
    signals: announced(changes, 'assets', signals, {
      create: places.ofItsAsset,
      update: places.ofItsAsset,
      move: places.ofMoved,
      remove: places.ofItsAsset,
    }),
    conditions: announced(changes, 'assets', conditions, {
      comment: places.ofItsAsset,
      acknowledge: places.ofItsAsset,
      clear: places.ofItsAsset,
    }),
    templates: announced(changes, 'assets', templates, {
      create: everywhere,
      update: everywhere,
      restore: everywhere,
      remove: everywhere,
    }),
    valueRetention: announced(changes, 'assets', valueRetention, {
      set:
        ({ businessId }, signalId) =>
        () =>
          places.groupsOfSignal(businessId, signalId),
    }),
  }
}

export function announcedPipelines(
  changes: Publisher,
  create: (listeners: Pick<PipelinesOptions, 'onRenewal'>) => Pipelines,
  assets: Assets,
): Pipelines {
  const places = placesOf(changes, assets)
  const of = create({ onRenewal: places.publishAfter })
  const { modules, links, documents, failedCalls } = of
  const ofNamed =
    ({ businessId }: View, assetId: string) =>
    () =>
      places.groupsOf(businessId, [assetId])
  return {
    ...of,
    modules: announced(changes, 'modules', modules, [
      ...(['add', 'move', 'configure', 'refresh', 'remove'] as const),
    ]),
    links: announced(changes, 'assets', links, {
      create: places.ofItsAsset,
      update: places.ofItsAsset,
      remove: places.ofItsAsset,
      removeSignal: places.ofItsAsset,
      updateSignal: places.ofItsAsset,
      moveSignal: places.ofMoved,
      removeAsset: inItsGroup,
    }),
    documents: announced(changes, 'assets', documents, { save: ofNamed, restore: ofNamed }),
    failedCalls: announced(changes, 'failures', failedCalls, [
      ...(['correct', 'retry', 'retryAll', 'discard', 'discardAll'] as const),
    ]),
  }
}

/** The templates of a business are shown to who sees some of its groups, too. */
const everywhere = () => () => 'every' as const

const inItsGroup =
  () =>
  ({ groupId }: { readonly groupId: string }) => [groupId]

type AssetRef = { readonly businessId: string; readonly assetId: string }

/** The groups in which changes of assets are seen. */
function placesOf(changes: Publisher, { some, signals }: Assets) {
  async function groupsOf(businessId: string, assetIds: readonly string[]): Promise<string[]> {
    const found = await some(wholeView(businessId), [...new Set(assetIds)])
    return found.map(({ groupId }) => groupId)
  }
  async function assetOf(businessId: string, signalId: string): Promise<string[]> {
    const found = await signals.some(wholeView(businessId), [signalId])
    return found.map(({ assetId }) => assetId)
  }
  return {
    groupsOf,
    groupsOfSignal: async (businessId: string, signalId: string) =>
      groupsOf(businessId, await assetOf(businessId, signalId)),
    ofItsAsset:
      ({ businessId }: View) =>
      ({ assetId }: { readonly assetId: string }) =>
        groupsOf(businessId, [assetId]),
    /** A signal that goes to another asset is seen in the groups of both. */
    async ofMoved({ businessId }: View, signalId: string) {
      const before = await assetOf(businessId, signalId)
      return ({ assetId }: { readonly assetId: string }) =>
        groupsOf(businessId, [...before, assetId])
    },
    publishAfter(transaction: Transaction, refs: readonly AssetRef[]): void {
      if (refs.length === 0) return
      transaction.afterCommit(() => {
        for (const [businessId, own] of Map.groupBy(refs, (ref) => ref.businessId)) {
          const assetIds = own.map(({ assetId }) => assetId)
          changes.publish(businessId, 'assets', () => groupsOf(businessId, assetIds))
        }
      })
    },
  }
}

function isChange(synced: Awaited<ReturnType<Assets['syncChannels']>>[number] | undefined) {
  return synced !== undefined && 'updated' in synced && synced.created.length + synced.updated > 0
}
