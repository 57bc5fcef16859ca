import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { levels } from '../../../api/assets.ts'
import type { DashboardPanel } from '../../../api/dashboards/dashboards.ts'
import type { PanelAsset, PanelSignal } from '../../../api/dashboards/panels.ts'
import { Age } from '../../../components/age.tsx'
import { AssetStatus, Level } from '../../../components/asset-status.tsx'
import { Faint } from '../../../components/line.tsx'
import { Table } from '../../../components/table.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { shownUnit, shownValue } from '../../../ui/words.ts'
import styles from '../dashboards.module.css'
import type { BoardData } from '../use-board-data.ts'

const texts = defineTexts(
  {
    asset: 'Asset',
    signal: 'Signal',
    value: 'Value',
    age: 'Age',
    status: 'Status',
    none: 'no value yet',
    well: 'All are normal.',
    counts: 'Assets by status',
  },
  {
    de: {
      asset: 'Anlage',
      signal: 'Signal',
      value: 'Wert',
      age: 'Alter',
      status: 'Status',
      none: 'noch kein Wert',
      well: 'Alle sind normal.',
      counts: 'Anlagen nach Status',
    },
  },
)

function AssetLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/assets/$asset/{-$view}" params={{ asset: id, view: undefined }} {...props} />
      )}
    >
      <span className={styles.name}>{name}</span>
    </Anchor>
  )
}

type SignalsProps = {
  readonly signals: readonly PanelSignal[]
  readonly latestOf: BoardData['latestOf']
}

/** The newest values of signals. */
export function SignalTable({ signals, latestOf }: SignalsProps) {
  const t = useTexts(texts)
  return (
    <Table heads={[t.asset, t.signal, t.value, t.age]} narrow="stacked">
      {signals.map((signal) => {
        const last = latestOf(signal)
        return (
          <tr key={signal.id}>
            <td>
              <AssetLink id={signal.assetId} name={signal.assetName} />
            </td>
            <td data-label={t.signal}>{signal.name}</td>
            <td data-label={t.value}>
              <Shown signal={signal} latestOf={latestOf} />
            </td>
            <td>{last === null ? '–' : <Age at={last.ts} />}</td>
          </tr>
        )
      })}
    </Table>
  )
}

type ShownProps = {
  readonly signal: PanelAsset['signals'][number] | undefined
  readonly latestOf: BoardData['latestOf']
}

function Shown({ signal, latestOf }: ShownProps) {
  const t = useTexts(texts)
  const last = signal === undefined ? null : latestOf(signal)
  if (signal === undefined || last === null) return <Faint inline>{t.none}</Faint>
  const unit = typeof last.value === 'number' ? shownUnit(signal.dataUnit) : ''
  return `${shownValue(last.value, signal.precision)} ${unit}`.trim()
}

type AssetsProps = {
  readonly panel: DashboardPanel
  readonly assets: readonly PanelAsset[]
  readonly latestOf: BoardData['latestOf']
}

/** Assets with their status, and the newest value of one signal of each. */
export function AssetTable({ panel: { signal_name: name }, assets, latestOf }: AssetsProps) {
  const t = useTexts(texts)
  const heads = [t.asset, ...(name === undefined ? [] : [name]), t.status]
  return (
    <Table heads={heads} narrow="stacked">
      {assets.map(({ id, name: asset, status, signals: [signal] }) => (
        <tr key={id}>
          <td>
            <AssetLink id={id} name={asset} />
          </td>
          {name !== undefined && (
            <td data-label={name}>
              <Shown signal={signal} latestOf={latestOf} />
            </td>
          )}
          <td>
            <AssetStatus status={status} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** How many assets are at each level, and those that are not normal, the worst first. */
export function StatusCounts({ assets }: { readonly assets: readonly PanelAsset[] }) {
  const t = useTexts(texts)
  const by = Map.groupBy(assets, ({ status }) => status.level)
  const worst = levels.toReversed()
  const shown = worst.filter((level) => level === 'normal' || by.has(level))
  const unwell = worst.flatMap((level) => (level === 'normal' ? [] : (by.get(level) ?? [])))
  return (
    <>
      <ul className={styles.counts} aria-label={t.counts}>
        {shown.map((level) => (
          <li key={level}>
            <strong>{by.get(level)?.length ?? 0}</strong>
            <Level level={level} />
          </li>
        ))}
      </ul>
      {unwell.length === 0 ? (
        <Faint>{t.well}</Faint>
      ) : (
        <ul className={styles.unwell}>
          {unwell.map(({ id, name, status: { level, since } }) => (
            <li key={id}>
              <AssetLink id={id} name={name} />
              <span>
                <Level level={level} /> {since !== null && <Age at={Date.parse(since) * 1_000} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
