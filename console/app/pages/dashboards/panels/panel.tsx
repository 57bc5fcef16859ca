import { Skeleton, Title } from '@mantine/core'
import { type CSSProperties, type ReactNode, useId } from 'react'
import type { DashboardPanel } from '../../../api/dashboards/dashboards.ts'
import type { PanelAsset, PanelSignal } from '../../../api/dashboards/panels.ts'
import { Icon } from '../../../components/icon.tsx'
import { NoValues, useMaySeeValues } from '../../../components/no-values.tsx'
import { PlaceMap } from '../../../components/places/place-map.tsx'
import type { Period } from '../../../components/plot/intervals.ts'
import { useLatest } from '../../../ui/live-values.ts'
import { useTexts } from '../../../ui/texts.ts'
import styles from '../dashboards.module.css'
import { boardTexts } from '../texts.ts'
import type { BoardData } from '../use-board-data.ts'
import { AssetTable, SignalTable, StatusCounts } from './asset-panels.tsx'
import { GaugePanel } from './gauge-panel.tsx'
import { PlotPanel } from './plot-panel.tsx'
import { ValuePanel } from './value-panel.tsx'

type Props = {
  readonly panel: DashboardPanel
  readonly data: BoardData
  readonly period: Period
  /** The controls of a panel while it is arranged. */
  readonly children?: ReactNode
}

const scrolling: ReadonlySet<DashboardPanel['type']> = new Set(['table', 'status', 'text'])

/** A panel at its place: its title, and what it shows. */
export function Panel({ panel, data, period, children }: Props) {
  const id = useId()
  const words = useTexts(boardTexts)
  const title = panelTitle(panel, data.signals, words)
  const { column, row, width, height } = panel
  const place = { '--column': column + 1, '--row': row + 1, '--width': width, '--height': height }
  return (
    <section
      className={styles.panel}
      style={place as CSSProperties}
      aria-labelledby={id}
      data-type={panel.type}
    >
      <div className={styles.head}>
        <Title order={2} id={id} className={styles.title} title={title}>
          {title}
        </Title>
        {children}
      </div>
      {/* Contents longer than their panel scroll, also by keys. */}
      <div className={styles.body} {...(scrolling.has(panel.type) && { tabIndex: 0 })}>
        <Body panel={panel} data={data} period={period} label={title} />
      </div>
    </section>
  )
}

/** The title of a panel: what people gave it, else what it shows. */
export function panelTitle(
  { title, type, signals = [] }: DashboardPanel,
  known: BoardData['signals'],
  words: Readonly<Record<DashboardPanel['type'], string>>,
): string {
  if (title !== undefined && title !== '') return title
  const found = signals.flatMap(({ signal }) => known?.get(signal) ?? [])
  const names = found.slice(0, 2).map(({ assetName, name }) => `${assetName} · ${name}`)
  if (names.length === 0 || type === 'table') return words[type]
  return found.length > names.length ? `${names.join(', ')}, …` : names.join(', ')
}

type BodyProps = Omit<Props, 'children'> & { readonly label: string }

function Body({ panel, data, period, label }: BodyProps) {
  const maySeeValues = useMaySeeValues()
  const { type, text, signals = [] } = panel
  if (type === 'text') return <p className={styles.text}>{text}</p>
  if (panel.signals === undefined) return <OfAssets panel={panel} data={data} label={label} />
  if (!maySeeValues) return <NoValues />
  if (data.signals === undefined) return <Skeleton height={24} />
  const found = signals.flatMap(({ signal }) => data.signals?.get(signal) ?? [])
  return <OfSignals {...{ panel, data, period, label, found }} />
}

type OfSignalsProps = BodyProps & { readonly found: readonly PanelSignal[] }

function OfSignals({ panel, data, period, label, found }: OfSignalsProps) {
  const [signal] = found
  if (signal === undefined) return <Missing />
  if (panel.type === 'plot') return <PlotPanel signals={found} period={period} label={label} />
  if (panel.type === 'table') return <SignalTable signals={found} values={data.values} />
  return <OfSignal {...{ panel, signal, label, values: data.values }} />
}

type OfSignalProps = Pick<BodyProps, 'panel' | 'label'> & {
  readonly signal: PanelSignal
  readonly values: BoardData['values']
}

function OfSignal({ panel, signal, label, values }: OfSignalProps) {
  const last = useLatest(values, signal)
  if (panel.type === 'gauge') return <GaugePanel {...{ panel, signal, last, label }} />
  return <ValuePanel {...{ panel, signal, last }} />
}

function OfAssets({ panel, data, label }: Omit<BodyProps, 'period'>) {
  const maySeeValues = useMaySeeValues()
  const words = useTexts(boardTexts)
  const assets = data.assetsFor(panel)
  if (assets === undefined) return <Skeleton height={24} />
  if (assets.length === 0)
    return panel.group === undefined ? <Missing /> : <Empty>{words.noAssets}</Empty>
  if (panel.type === 'map') return <Places assets={assets} label={label} />
  if (panel.type === 'status') return <StatusCounts assets={assets} />
  if (maySeeValues || panel.signal_name === undefined) {
    return <AssetTable panel={panel} assets={assets} values={data.values} />
  }
  const { signal_name: _, ...withoutValues } = panel
  return (
    <>
      <NoValues />
      <AssetTable panel={withoutValues} assets={assets} values={data.values} />
    </>
  )
}

function Places({
  assets,
  label,
}: {
  readonly assets: readonly PanelAsset[]
  readonly label: string
}) {
  const words = useTexts(boardTexts)
  const placed = assets.filter(({ location }) => location?.latitude != null)
  if (placed.length === 0) return <Empty>{words.noPlaces}</Empty>
  return (
    <div className={styles.places}>
      <PlaceMap places={placed} label={label} fills />
    </div>
  )
}

function Missing() {
  const words = useTexts(boardTexts)
  return <Empty>{words.missing}</Empty>
}

function Empty({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.empty}>
      <Icon name="info" /> {children}
    </p>
  )
}
