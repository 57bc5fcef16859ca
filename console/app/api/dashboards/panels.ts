import {
  consolePanelAssetsDocument,
  consolePanelSignalsDocument,
  consoleStatusesDocument,
  type PanelAssetFragment,
} from '../../generated/dashboards.ts'
import type { Asset } from '../assets.ts'
import type { Client } from '../client.ts'
import { ask, type FollowGraphOptions, followGraph } from '../graphql.ts'
import { type Signal, toSignal } from '../signals.ts'

export type PanelAsset = Omit<PanelAssetFragment, 'signals'> & {
  readonly signals: readonly Signal[]
}

/** A panel shows at most so many assets of a group. */
const panelAssetsMax = 200

type Wanted = {
  readonly ids?: readonly string[]
  /** Signals of a group and of the groups below it. */
  readonly groupId?: string
  readonly withSignals: boolean
  /** With the newest value of each signal, which needs `View Asset Data`. */
  readonly withValues: boolean
}

/** The assets of a panel that the caller sees. */
export async function readPanelAssets(
  client: Client,
  { ids, groupId, withSignals, withValues }: Wanted,
  signal: AbortSignal | null = null,
): Promise<PanelAsset[]> {
  const which = ids === undefined ? { groupId: groupId ?? null } : { ids: [...ids] }
  const variables = { ...which, withSignals, withValues, limit: panelAssetsMax }
  const { assets } = await ask(client, consolePanelAssetsDocument, variables, signal)
  return assets.map((asset) => ({ ...asset, signals: asset.signals?.map(toSignal) ?? [] }))
}

/** A signal with the name of its asset. */
export type PanelSignal = Signal & { readonly assetId: string; readonly assetName: string }

type WantedSignals = {
  readonly signalIds: readonly string[]
  /** The ids of the assets that are named. */
  readonly assetIds: readonly string[]
  readonly withValues: boolean
}

/** The signals with these ids that the caller sees. */
export async function readPanelSignals(
  client: Client,
  { signalIds, assetIds, withValues }: WantedSignals,
  signal: AbortSignal | null = null,
): Promise<PanelSignal[]> {
  if (signalIds.length === 0) return []
  const variables = { signalIds: [...signalIds], assetIds: [...assetIds], withValues }
  const found = await ask(client, consolePanelSignalsDocument, variables, signal)
  const names = new Map(found.assets.map(({ id, name }) => [id, name]))
  return found.signals.map(({ assetId, ...one }) => {
    return { ...toSignal(one), assetId, assetName: names.get(assetId) ?? '' }
  })
}

/** The status of each asset as it is, and then each time that it is another. */
export async function* followStatuses(
  client: Client,
  assetIds: readonly string[],
  options: FollowGraphOptions,
): AsyncGenerator<{ readonly assetId: string; readonly status: Asset['status'] }> {
  const variables = { assetIds: [...assetIds] }
  for await (const { statuses } of followGraph(
    client,
    consoleStatusesDocument,
    variables,
    options,
  )) {
    yield statuses
  }
}
