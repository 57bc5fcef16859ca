import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { levels } from '../../../api/assets.ts'
import type { DashboardPanel } from '../../../api/dashboards/dashboards.ts'
import type { PanelAsset, PanelSignal } from '../../../api/dashboards/panels.ts'
import { Age } from '../../../components/age.tsx'
import { AssetStatus, Level } from '../../../components/asset-status.tsx'
import { Faint } from '../../../components/line.tsx'
import { Table } from '../../../components/table/table.tsx'
import { useLatest } from '../../../ui/live-values.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { reading, type UnitOf, useUnitFor } from '../../../ui/units/shown-units.ts'
import styles from '../dashboards.module.css'
import type { BoardData } from '../use-board-data.ts'

const texts = defineTexts({
  age: ['Age', 'Alter'],
  none: ['no value yet', 'noch kein Wert'],
  well: ['All are normal.', 'Alle sind normal.'],
  counts: ['Assets by status', 'Anlagen nach Status'],
})

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
  readonly values: BoardData['values']
}

/** The newest values of signals. */
export function SignalTable({ signals, values }: SignalsProps) {
  const t = useTexts(texts)
  const unitOf = useUnitFor()
  return (
    <Table heads={[t.asset, t.signal, t.value, t.age]} narrow="stacked">
      {signals.map((signal) => (
        <SignalRow key={signal.id} {...{ signal, values, unitOf }} />
      ))}
    </Table>
  )
}

type RowProps = Omit<ShownProps, 'signal'> & { readonly signal: PanelSignal }

function SignalRow({ signal, values, unitOf }: RowProps) {
  const t = useTexts(texts)
  const last = useLatest(values, signal)
  return (
    <tr>
      <td>
        <AssetLink id={signal.assetId} name={signal.assetName} />
      </td>
      <td data-label={t.signal}>{signal.name}</td>
      <td data-label={t.value}>
        <Shown {...{ signal, values, unitOf }} />
      </td>
      <td>{last === null ? '–' : <Age at={last.ts} />}</td>
    </tr>
  )
}

type ShownProps = {
  readonly signal: PanelAsset['signals'][number]
  readonly values: BoardData['values']
  readonly unitOf: UnitOf | undefined
}

function Shown({ signal, values, unitOf }: ShownProps) {
  const t = useTexts(texts)
  const last = useLatest(values, signal)
  if (last === null) return <Faint inline>{t.none}</Faint>
  if (unitOf === undefined) return null
  const { text, sign } = reading(last.value, signal, unitOf(signal))
  return `${text} ${sign}`.trim()
}

type AssetsProps = {
  readonly panel: DashboardPanel
  readonly assets: readonly PanelAsset[]
  readonly values: BoardData['values']
}

/** Assets with their status, and the newest value of one signal of each. */
export function AssetTable({ panel: { signal_name: name }, assets, values }: AssetsProps) {
  const t = useTexts(texts)
  const unitOf = useUnitFor()
  const heads = [t.asset, ...(name === undefined ? [] : [name]), t.status]
  return (
    <Table heads={heads} narrow="stacked">
      {assets.map(({ id, name: asset, status, signals: [signal] }) => (
        <AssetRow key={id} {...{ id, asset, status, signal, name, values, unitOf }} />
      ))}
    </Table>
  )
}

type AssetRowProps = Pick<PanelAsset, 'id' | 'status'> & {
  readonly asset: string
  readonly signal: PanelAsset['signals'][number] | undefined
  /** That of the signal, which not each of the assets has. */
  readonly name: string | undefined
  readonly values: BoardData['values']
  readonly unitOf: UnitOf | undefined
}

/** Rendered anew only if it is another one: the status of one asset leaves the other rows. */
const AssetRow = memo(function AssetRow(props: AssetRowProps) {
  const t = useTexts(texts)
  const { id, asset, status, signal, name, values, unitOf } = props
  return (
    <tr>
      <td>
        <AssetLink id={id} name={asset} />
      </td>
      {name !== undefined && (
        <td data-label={name}>
          {signal === undefined ? (
            <Faint inline>{t.none}</Faint>
          ) : (
            <Shown {...{ signal, values, unitOf }} />
          )}
        </td>
      )}
      <td>
        <AssetStatus status={status} />
      </td>
    </tr>
  )
})

/** The number of assets at each level, and those that are not normal, the worst first. */
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
