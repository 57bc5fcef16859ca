import { useQueries } from '@tanstack/react-query'
import type { DashboardPanel } from '../../api/dashboards/dashboards.ts'
import {
  type PanelAsset,
  type PanelSignal,
  readPanelAssets,
  readPanelSignals,
} from '../../api/dashboards/panels.ts'
import { useMaySeeValues } from '../../components/no-values.tsx'
import { useLive } from '../../ui/live-queries.ts'
import { useLiveStatuses } from '../../ui/live-statuses.ts'
import { useLiveValues } from '../../ui/live-values.ts'
import { useSignedIn } from '../../ui/session.tsx'

/** The data of panels. Undefined: it is not read yet. */
export type BoardData = {
  readonly state: ReturnType<typeof useLiveValues>['state']
  /** The signals that the viewer sees, by their ids. */
  readonly signals: ReadonlyMap<string, PanelSignal> | undefined
  /** The newest values, for `useLatest`. */
  readonly values: ReturnType<typeof useLiveValues>['values']
  /** With the status as it is now. */
  readonly assetsFor: (panel: DashboardPanel) => readonly PanelAsset[] | undefined
}

/** Names are read again at intervals; values and statuses come by themselves. */
const everyMs = 30_000

/** Reads all that the panels of a board show, with one stream for values and one for statuses. */
export function useBoardData(panels: readonly DashboardPanel[]): BoardData {
  const maySeeValues = useMaySeeValues()
  const signals = usePanelSignals(panels, maySeeValues)
  const assets = usePanelAssets(panels, maySeeValues)
  const tabled = [...assets.values()].flatMap((found) => (found ?? []).flatMap(signalIds))
  const wanted = [...new Set([...(signals.data?.keys() ?? []), ...tabled])].sort()
  const followed = maySeeValues ? wanted : []
  const { state, values } = useLiveValues(followed, ['board'])
  const ids = [...assets.values()].flatMap((found) => (found ?? []).map(({ id }) => id))
  const statuses = useLiveStatuses(maySeeValues ? [...new Set(ids)].sort() : [])
  return {
    state: followed.length === 0 ? 'live' : state,
    signals: signals.data,
    values,
    assetsFor: (panel) =>
      assets
        .get(panel.id)
        ?.map((asset) => ({ ...asset, status: statuses.get(asset.id) ?? asset.status })),
  }
}

function signalIds({ signals }: PanelAsset): string[] {
  return signals.map(({ id }) => id)
}

function usePanelSignals(panels: readonly DashboardPanel[], withValues: boolean) {
  const named = panels.flatMap(({ signals = [] }) => signals)
  const signalIds = [...new Set(named.map(({ signal }) => signal))].sort()
  const assetIds = [...new Set(named.map(({ asset }) => asset))].sort()
  return useLive(
    ['board', 'signals', signalIds, assetIds],
    async (client, signal) => {
      const found = await readPanelSignals(client, { signalIds, assetIds, withValues }, signal)
      return new Map(found.map((one) => [one.id, one]))
    },
    { everyMs, keepsBefore: true },
  )
}

/** The assets of each panel that has any, by the id of the panel. */
function usePanelAssets(panels: readonly DashboardPanel[], withValues: boolean) {
  const { client } = useSignedIn()
  const over = panels.filter(({ group, assets }) => group !== undefined || assets !== undefined)
  const found = useQueries({
    queries: over.map(({ group, assets, signal_name: name }) => ({
      queryKey: ['board', 'assets', { group, assets, name }],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const source = group === undefined ? { ids: assets ?? [] } : { groupId: group }
        const wanted = { ...source, withSignals: name !== undefined, withValues }
        const read = await readPanelAssets(client, wanted, signal)
        return read.map((asset) => withNamed(asset, name))
      },
      refetchInterval: everyMs,
    })),
  })
  // A group that is not there is refused: its panel is empty.
  const data = found.map((one) => one.data ?? (one.error === null ? undefined : []))
  return new Map(over.map(({ id }, at) => [id, data[at]]))
}

/** Keeps only the signal that is shown. */
function withNamed(asset: PanelAsset, name: string | undefined): PanelAsset {
  return { ...asset, signals: asset.signals.filter((one) => one.name === name).slice(0, 1) }
}
