import type { DashboardDocument } from '../../server/src/insight/dashboards/index.ts'
import { wholeView } from '../../server/src/people/groups/index.ts'
import type { Platform } from '../../server/src/platform/platform.ts'

type Panel = DashboardDocument['panels'][number]
type Shown = { readonly asset: string; readonly signal: string }

const name = 'Weather in Seattle'

/** Makes a dashboard of the weather stations where the business has none. */
export async function keepDashboard(platform: Platform, businessId: string): Promise<void> {
  const { dashboards, assets } = platform
  if ((await dashboards.list(businessId, {}, { limit: 1 })).length > 0) return
  const view = wholeView(businessId)
  const stations = await assets.list(view, { text: 'Weather station' })
  const signals = await assets.signals.ofAssets(
    view,
    stations.map(({ id }) => id),
  )
  const shown = (wanted: string): Shown[] =>
    signals.flatMap(({ id, assetId, name: one }) =>
      one === wanted ? [{ asset: assetId, signal: id }] : [],
    )
  if (shown('Temperature').length === 0) return
  const { id: group } = await platform.groups.root(view)
  const panels = makePanels(shown, group)
  await dashboards.create(
    { businessId, subject: 'platform', view },
    { name, description: 'Three stations replay a year of real weather.', period: '1h', panels },
  )
}

function makePanels(shown: (name: string) => Shown[], group: string): Panel[] {
  const [temperatures, winds, pressures] = ['Temperature', 'Wind', 'Pressure'].map(shown)
  const place = (column: number, row: number, width: number, height: number) => {
    return { column, row, width, height }
  }
  const values = (temperatures ?? []).map((signal, at): Panel => {
    const limits = { title: `Temperature ${at + 1}`, warning: 16, critical: 19 }
    return {
      id: `now-${at}`,
      type: 'value',
      ...place(at * 3, 0, 3, 3),
      signals: [signal],
      ...limits,
    }
  })
  return [
    ...values.slice(0, 3),
    { id: 'status', type: 'status', title: 'Stations', ...place(9, 0, 3, 7), group },
    {
      ...{ id: 'temperatures', type: 'plot', title: 'Temperature', ...place(0, 3, 9, 6) },
      signals: (temperatures ?? []).slice(0, 6),
    },
    {
      ...{ id: 'wind', type: 'gauge', title: 'Wind at the first station' },
      ...{ ...place(9, 7, 3, 5), signals: (winds ?? []).slice(0, 1) },
      ...{ minimum: 0, maximum: 10, warning: 6, critical: 8 },
    },
    {
      ...{ id: 'stations', type: 'table', title: 'Temperature and status', ...place(0, 9, 5, 5) },
      ...{ group, signal_name: 'Temperature' },
    },
    {
      ...{ id: 'pressure', type: 'plot', title: 'Pressure', ...place(5, 9, 4, 5) },
      signals: (pressures ?? []).slice(0, 6),
    },
    {
      ...{ id: 'note', type: 'text', title: 'Note', ...place(9, 12, 3, 2) },
      text: 'Edit moves these panels, and adds others.',
    },
  ]
}
