import { type components, unwrap } from '@millrace/client'
import {
  consolePanelAssetsDocument,
  consolePanelSignalsDocument,
  consoleStatusesDocument,
  type PanelAssetFragment,
} from '../generated/documents.ts'
import type { Asset } from './assets.ts'
import type { Client } from './client.ts'
import { ask, type FollowGraphOptions, followGraph } from './graphql.ts'
import { type Signal, signalOf } from './signals.ts'

export type Dashboard = components['schemas']['Dashboard']
export type DashboardDocument = components['schemas']['DashboardDocument']
export type DashboardPanel = components['schemas']['DashboardPanel']
export type ListedDashboard = components['schemas']['ListedDashboard']

const pageSize = 500

/** All of the business. Needs `View Asset`. */
export async function listDashboards(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<ListedDashboard[]> {
  const all: ListedDashboard[] = []
  for (;;) {
    const params = { query: { limit: pageSize, offset: all.length } }
    const { dashboards } = await unwrap(client.GET('/api:1/dashboards', { params, signal }))
    all.push(...dashboards)
    if (dashboards.length < pageSize) return all
  }
}

export function readDashboard(
  client: Client,
  dashboard: string,
  signal: AbortSignal | null = null,
): Promise<Dashboard> {
  const params = { path: { dashboard } }
  return unwrap(client.GET('/api:1/dashboards/{dashboard}', { params, signal }))
}

/** @throws ApiError `dashboard_refused` with its problems, `invalid_argument` */
export function createDashboard(client: Client, body: DashboardDocument): Promise<Dashboard> {
  return unwrap(client.POST('/api:1/dashboards', { body }))
}

/** @throws ApiError `dashboard_outdated` with both documents; as `createDashboard` */
export function replaceDashboard(
  client: Client,
  dashboard: string,
  body: { readonly version: number; readonly document: DashboardDocument },
): Promise<Dashboard> {
  const params = { path: { dashboard } }
  return unwrap(client.PUT('/api:1/dashboards/{dashboard}', { params, body }))
}

export async function removeDashboard(client: Client, dashboard: string): Promise<void> {
  const params = { path: { dashboard } }
  await unwrap(client.DELETE('/api:1/dashboards/{dashboard}', { params }))
}

export type PanelAsset = Omit<PanelAssetFragment, 'signals'> & {
  readonly signals: readonly Signal[]
}

/** A panel shows at most so many assets of a group. */
const panelAssetsMax = 200

type Wanted = {
  readonly ids?: readonly string[]
  /** Those of a group and of the groups below it. */
  readonly groupId?: string
  readonly withSignals: boolean
}

/** The assets of a panel that the caller sees. */
export async function readPanelAssets(
  client: Client,
  { ids, groupId, withSignals }: Wanted,
  signal: AbortSignal | null = null,
): Promise<PanelAsset[]> {
  const which = ids === undefined ? { groupId: groupId ?? null } : { ids: [...ids] }
  const variables = { ...which, withSignals, limit: panelAssetsMax }
  const { assets } = await ask(client, consolePanelAssetsDocument, variables, signal)
  return assets.map((asset) => ({ ...asset, signals: asset.signals?.map(signalOf) ?? [] }))
}

/** A signal with the name of its asset. */
export type PanelSignal = Signal & { readonly assetId: string; readonly assetName: string }

/** The signals with these ids that the caller sees. */
export async function readPanelSignals(
  client: Client,
  signalIds: readonly string[],
  assetIds: readonly string[],
  signal: AbortSignal | null = null,
): Promise<PanelSignal[]> {
  if (signalIds.length === 0) return []
  const variables = { signalIds: [...signalIds], assetIds: [...assetIds] }
  const found = await ask(client, consolePanelSignalsDocument, variables, signal)
  const names = new Map(found.assets.map(({ id, name }) => [id, name]))
  return found.signals.map(({ assetId, ...one }) => {
    return { ...signalOf(one), assetId, assetName: names.get(assetId) ?? '' }
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
