import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type AssetDetail, readAsset } from '../../api/signals.ts'
import { AssetStatus } from '../../components/asset-status.tsx'
import { LinkAction } from '../../components/controls/link-action.tsx'
import { Absent } from '../../components/missing-value.tsx'
import { NoValues, useMaySeeValues } from '../../components/no-values.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Views } from '../../components/views.tsx'
import { useRead } from '../../ui/live-queries.ts'
import { useMay } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { ConditionList } from '../conditions/condition-list.tsx'
import { AssetMenu } from './asset-menu.tsx'
import { HistoryView } from './history-view.tsx'
import { LocationView } from './location-view.tsx'
import { PlotView } from './plot-view.tsx'
import { SignalsView } from './signals-view.tsx'

const texts = defineTexts({
  title: ['Asset', 'Anlage'],
  views: ['Of the asset', 'Zur Anlage'],
  plot: ['Plot', 'Diagramm'],
  conditions: ['Conditions', 'Zustände'],
  history: ['Events and log', 'Ereignisse und Protokoll'],
  location: ['Location', 'Ort'],
  pipeline: ['Pipeline', 'Pipeline'],
  gone: ['There is no such asset.', 'Diese Anlage gibt es nicht.'],
})

function ConditionsView({ asset }: { readonly asset: AssetDetail }) {
  if (!useMaySeeValues()) return <NoValues />
  return <ConditionList filter={{ assetId: asset.id }} />
}

const views = {
  signals: SignalsView,
  plot: PlotView,
  conditions: ConditionsView,
  history: HistoryView,
  location: LocationView,
} as const

const route = getRouteApi('/assets/$asset/{-$view}')

/** An asset: its signals, their course, its conditions, its events and its place. */
export function AssetPage() {
  const t = useTexts(texts)
  const { asset: id } = route.useParams()
  const navigate = useNavigate()
  const mayChange = useMay('Asset Management')
  const maySeeValues = useMaySeeValues()
  const read = useRead('asset', readAsset, [id, maySeeValues])
  const asset = read.data
  if (asset == null) return <Absent title={t.title} query={read} gone={t.gone} />
  return (
    <>
      <PageHead title={asset.name}>
        <AssetStatus status={asset.status} />
        {mayChange && (
          <LinkAction
            text={t.pipeline}
            icon="flow"
            to="/assets/$asset/pipeline/{-$view}"
            params={{ asset: id }}
          />
        )}
        {mayChange && (
          <AssetMenu asset={asset} onRemoved={() => void navigate({ to: '/assets' })} />
        )}
      </PageHead>
      <Views titles={t} views={views} of={{ asset }} />
    </>
  )
}
